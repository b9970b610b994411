"""What make bound counted, put together: the table of examples/kit/nsc_bound.h, and whether it bounds.
usage: bound.py table RAW             the table, of what tests/targets/bound.c counted with CONFIG 0
       bound.py judge DIRECTORY HEADER   is that table in the header, and every step of raw1.txt ... below its bound?"""
import re
import sys

STAGES = "broad narrow match islands rows solve move rest".split()
UNITS = "bodies pairs contacts dropped joints blocks visits factors shapes".split()


def steps(path):
    """Each step as a dictionary, and the bounds the program printed: of instructions, and of what is counted."""
    found, bound, stages, count = [], [0], [], 0
    for line in open(path):
        words = line.split()
        if not words:
            continue
        if words[0] == "stages":
            stages = [int(x) for x in words[1:]]
        elif words[0] == "count":
            count = int(words[1])
        elif words[0] == "bound":
            bound = [int(x) for x in words[2:]]
        elif words[0] == "unit":
            step = dict(zip(STAGES, stages))
            step.update(zip(UNITS, (int(x) for x in words[2:])))
            step.update(what=words[1], total=count)
            found.append(step)
    return found, bound


def table(path):
    found, _ = steps(path)
    of = lambda *names: [s for s in found if s["what"] in names]
    most = {}
    most["STEP"] = max(s["total"] for s in of("empty"))
    apart = of("apart")
    most["BODY"] = max((s["total"] - most["STEP"]) / (s["bodies"] - 1) for s in apart)
    most["BODY_AGAIN"] = max(s["move"] / (s["bodies"] - 1) for s in apart) + most["BODY"] / 4
    alone = min(s["broad"] for s in apart if s["bodies"] == 3)
    meet = lambda s: s["broad"] + s["narrow"]
    # of one pair; what its two bodies cost counts as theirs
    for name in ("round_pair", "box_pair"):
        pairs = [s for s in of(name) if s["pairs"] == 1]
        most[name.upper()] = max(meet(s) - alone * 2 // 3 for s in pairs)
    few, many = of("balls8")[0], of("balls15")[0]
    a_pair = meet(few) / few["pairs"]
    most["DROP"] = (meet(many) - a_pair * many["pairs"]) / (many["dropped"] * many["contacts"])
    full, jointed = of("full"), of("jointed")
    most["CONTACT"] = max((s["match"] + s["islands"] + s["rest"] + s["move"] - (s["bodies"] - 1) * least_body(apart))
                          / s["contacts"] for s in full)
    most["BLOCK"] = max(s["rows"] / s["blocks"] for s in full + jointed if s["blocks"])
    most["JOINT"] = max((s["match"] + s["islands"] + s["rest"] + s["move"] - (s["bodies"] - 1) * least_body(apart))
                        / s["joints"] for s in jointed)
    most["VISIT"], most["LOOK"] = of_a_sweep(found, "full")
    most["JOINT_VISIT"], most["JOINT_LOOK"] = of_a_sweep(found, "jointed")
    small = large = 0
    for i, s in enumerate(found):
        if s["what"] != "newton" or s["factors"] < 2:
            continue
        once = found[i - 1]
        each = (s["solve"] - once["solve"]) / (s["factors"] - once["factors"])
        if s["bodies"] < 10:
            small = max(small, each / s["blocks"])
    for i, s in enumerate(found):
        if s["what"] == "newton" and s["factors"] >= 2 and s["bodies"] > 10:
            once, n = found[i - 1], 6 * (s["bodies"] - 1)
            each = (s["solve"] - once["solve"]) / (s["factors"] - once["factors"])
            large = max(large, (each - small * s["blocks"]) / (n * (n + 1) * (n + 2) / 6 + 18 * n * (n + 1)))
    most["NEWTON_BLOCK"], most["OPERATION"] = small, max(large, 1)
    for name, value in most.items():
        print("#define NSC_BOUND_M4F_%s %dL" % (name, int(value * 1.1) + 1))


def least_body(apart):
    """Of a body, in the stages of its contacts: what is there without any"""
    return min((s["match"] + s["islands"] + s["rest"] + s["move"]) / (s["bodies"] - 1) for s in apart)


def of_a_sweep(found, world):
    """Of a block in such worlds: a visit, and a look.  Blocks of joints alone there are cheaper than those of contacts."""
    visit = look = first = 0
    for i, s in enumerate(found):
        if s["what"] != "sweep10" or found[i - 1]["what"] != world or s["blocks"] == 0 or found[i + 1]["visits"] < 40 * s["blocks"]:
            continue
        one = (found[i + 1]["solve"] - s["solve"]) / (30 * s["blocks"])
        both = (found[i + 3]["solve"] - found[i + 2]["solve"]) / (30 * s["blocks"])
        visit, look = max(visit, one), max(look, both - one)
        first = max(first, s["solve"] / s["blocks"] - 10 * one)
    return visit, max(look, first / 4)


def judge(directory, header):
    names = {1: "core_SIPGS_4_bodies_16_contacts", 2: "core_SIPGS_16_bodies_64_contacts", 3: "SIPGS_with_8_joints",
             4: "core_SIPGS_4_substeps", 5: "NEWTON_with_8_joints", 6: "core_SIPGS_restitution",
             7: "core_SIPGS_round_shapes"}
    defined = dict(re.findall(r"#define NSC_BOUND_M4F_(\w+) (\d+)L", open(header).read()))
    measured = dict(re.findall(r"#define NSC_BOUND_M4F_(\w+) (\d+)L", open(directory + "/table.txt").read()))
    failed = 0
    for name, value in measured.items():
        if int(value) > 1.02 * int(defined.get(name, 0)):
            print("NSC_BOUND_M4F_%s is %s, now measured %s" % (name, defined.get(name), value))
            failed += 1
    for config, name in names.items():
        found, bounds = steps("%s/raw%d.txt" % (directory, config))
        bound = bounds[0]
        for what, most in zip("pairs contacts dropped blocks visits factors".split(), bounds[1:]):
            met = max(s[what] for s in found)
            if met > most:
                print("%s: %d %s, at most %d" % (name, met, what, most))
                failed += 1
        dear = sorted(s["total"] for s in found if s["what"] == "dear")
        heap = sorted(s["total"] for s in found if s["what"] == "heap")
        worst, median = max(dear + heap), heap[len(heap) // 2]
        ok = worst <= bound and (worst >= 0.6 * bound or config == 6)  # 6: a second solve, of as many sweeps, was not found
        failed += not ok
        print("%-36s bound %9d, dearest of %d steps %9d (%.0f %%), median of a heap %9d %s"
              % (name, bound, len(found), worst, 100 * worst / bound, median, "" if ok else "FAILED"))
        print("world bound m4f -O2 %s %d\nworld worst m4f -O2 %s %d\nworld median m4f -O2 %s %d"
              % (name, bound, name, worst, name, median))
    return failed > 0


if sys.argv[1] == "table":
    table(sys.argv[2])
else:
    sys.exit(judge(sys.argv[2], sys.argv[3]))
