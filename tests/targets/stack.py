#!/usr/bin/env python3
"""Deepest stack below each root, from GCC's -fcallgraph-info=su,da (.ci files).
usage: stack.py [--outside BYTES] [--but TEXT] [--to TEXT NAME,NAME...]... ROOT... -- FILE.ci...
BYTES: what a function outside the files may take.  An indirect call on a line with the TEXT of --but is the caller's function,
whose stack is the caller's affair; one with the TEXT of --to calls one of these functions.
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
targets = []  # of indirect calls: the text of the line, and the functions
while roots[0] == '--to':
    targets.append((roots[1], roots[2].split(',')))
    roots = roots[3:]


def source(line):
    place = re.search(r'label: "([^":]*):(\d+):', line)
    return open(place.group(1)).read().split('\n')[int(place.group(2)) - 1] if place else ''


def called(edge, line):  # the functions that an edge of the graph calls
    if edge != '__indirect_call':
        return [edge]
    text = source(line)
    if theirs and theirs in text:
        return []
    for part, names in targets:
        if part in text:
            return ['@' + n for n in names]
    return [edge]


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
        elif edge:
            calls.setdefault(edge.group(1), set()).update(called(edge.group(2), line))
# A static function's title begins with its file.
named = {t.split(':')[-1]: t for t in frame}
calls = {caller: {named.get(c[1:], c[1:]) if c[0] == '@' else c for c in them} for caller, them in calls.items()}

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
