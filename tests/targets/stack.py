#!/usr/bin/env python3
"""Deepest stack below each root, from GCC's -fcallgraph-info=su,da (.ci files).
usage: stack.py [--outside BYTES] [--but TEXT] ROOT... -- FILE.ci...      BYTES: what a function outside the files may take
TEXT: an indirect call on a line with it is the caller's function, whose stack is the caller's affair.
Prints "ROOT BYTES chain"; fails on recursion, indirect calls, frames without a bound."""
import re
import sys

args = sys.argv[1:]
files = args[args.index('--') + 1:]
roots = args[:args.index('--')]
outside = 0
if roots[0] == '--outside':
    outside = int(roots[1])
    roots = roots[2:]
theirs = None
if roots[0] == '--but':
    theirs = roots[1]
    roots = roots[2:]


def is_theirs(line):
    place = re.search(r'label: "([^":]*):(\d+):', line)
    return theirs and place and theirs in open(place.group(1)).read().split('\n')[int(place.group(2)) - 1]


frame, calls, faults = {}, {}, []
for name in files:
    for line in open(name):
        node = re.match(r'node: \{ title: "([^"]*)" label: "([^"]*)"', line)
        edge = re.match(r'edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"', line)
        if node:
            size = re.search(r'(\d+) bytes \(([^)]*)\)', node.group(2))
            if size:
                frame[node.group(1)] = int(size.group(1))
                if size.group(2) != 'static':
                    faults.append(f'{node.group(1)}: its frame is {size.group(2)}')
        elif edge and not (edge.group(2) == '__indirect_call' and is_theirs(line)):
            calls.setdefault(edge.group(1), set()).add(edge.group(2))

deepest = {}


def short(title):
    return title.split(':')[-1]


def walk(title, path):
    if title in path:
        faults.append('recursion through ' + short(title))
        return 0, []
    if title == '__indirect_call':
        faults.append('indirect call in ' + short(path[-1]))
        return 0, []
    if title not in deepest:
        below = max((walk(c, path + [title]) for c in sorted(calls.get(title, ()))), default=(0, []), key=lambda w: w[0])
        own = frame.get(title, outside)
        deepest[title] = own + below[0], [f'{short(title)}({own})'] + below[1]
    return deepest[title]


for root in roots:
    found = [t for t in frame if short(t) == root]
    if not found:
        faults.append(f'{root}: not there')
        continue
    total, chain = walk(found[0], [])
    print(root, total, ' > '.join(chain))
for fault in sorted(set(faults)):
    print('not bounded:', fault)
sys.exit(bool(faults))
