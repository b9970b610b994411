# nsc: everything works with a C compiler and make; what needs more is skipped by name and counted.
CC = cc
CXX = c++
DATA = ../shared/data
STRICT = -Wall -Wextra -pedantic -Wconversion -Wsign-conversion -Wdouble-promotion -Wfloat-conversion \
	-Wshadow -Wundef -Wmissing-prototypes -Wcast-qual -Wvla -Werror
CFLAGS = -std=c99 -O2 -ffp-contract=off $(STRICT)
LDLIBS = -lm
HEADERS = nsc.h nsc_solvers.h $(wildcard examples/kit/*.h)
# Test programs: a folder a part, tests/README.md.  Each name is there once.
SOURCES := $(wildcard tests/*/test_*.c)
vpath test_%.c $(sort $(dir $(SOURCES)))
INCLUDE = -I. -Iexamples/kit -Itests -Itests/harness
# Those that try more in the long mode; the others do the same in both.
LONGER = $(shell grep -lE 'test_begin|test_long|trials' $(SOURCES))
TESTS = $(sort $(basename $(notdir $(if $(LONG),$(LONGER),$(SOURCES)))))
JOBS := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
PARALLEL = --no-print-directory -k $(if $(findstring -j,$(MAKEFLAGS)),,-j$(JOBS))

# Where the tests are built: one directory a compiler and mode, for make does not see that CC has changed.
space := $() $()
COMPILER = $(subst /,_,$(subst $(space),,$(CC)))
OUT = build/quick-$(COMPILER)
LONG =
# `make test` compiles one program a test and precision.  Those that say shared.h (items.h does) link one implementation, compiled once; the others
# have one of their own, of which the quick mode compiles what they call, optimised only where a program computes for longer than that takes.
SHARED := $(basename $(notdir $(shell grep -lE '"(shared|items).h"' $(SOURCES))))
BUSY = tree_worlds relative second_look seams barrier scenes impacts shapes anytime texts grains functions parallel cores
FIRST = $(BUSY) joints steppers mesh go1
# Where the compiler knows it: a little less time to compile
REGION := $(shell $(CC) -fira-region=one -E -x c /dev/null > /dev/null 2>&1 && echo -fira-region=one)
# What -O1 lacks most for what runs here; clang has no such option and says so.
INLINE = $(if $(findstring clang,$(CC)),,-finline-small-functions -finline-functions)
LEVEL = $(if $(LONG),-O1,$(if $(filter $(BUSY:%=test_%),$*),-Og $(INLINE) $(REGION),-O0))
# `make test` leaves to `make test-whole`, and says so at its end: a second configuration of a program that it runs, hashes that say only
# that something has changed (test_same_bits stays), what draws, prints or records, two that take long, what only hostile images and processors that flush meet (all these: LATER),
# and double but for test_same_bits: where its hashes are those of every other machine, double computes what it computed there.
LATER = cores draw errors flush forged fuzz fuzz_barrier fuzz_kit grains motion no_gears only_contacts print relative replay replay_barrier replay_calls replay_pairs replay_parts replay_short replay_solvers replay_trees
# What the gate leaves to the night in double: of the shared programs those about shapes, sensors and kit, and all others
SINGLE = joints derive robot rows go1 mesh sensing rounding restitution springs drives hull cast dynamics asks pairs passes shots turning reality tables dense
QUICK = $(if $(LONG)$(WHOLE),,1)
LEFT = double, but for the hashes; $(LATER); beside all parts, $(ALONE) $(BRIEF); what GUIDE.md prints; numbers and names in the pages; builds that leave parts out; more trials
PROGRAMS = $(filter-out $(if $(QUICK),$(LATER:%=test_%)),$(filter $(FIRST:%=test_%),$(TESTS)) $(filter-out $(FIRST:%=test_%),$(TESTS)))
MATRIX = $(if $(LONG),$(shell sh tests/compile/matrix.sh parts),$(if $(GATE),,quick))
REALS = float double
# WHOLE, which is so where programs are named: all in float and double, and each part by itself too, for which programs are built again,
# in float, with the core and what part.h in their folder adds; those of the core without the shelf on the include path.  ALONE: that is
# then their only build in float, for their configuration is their own.  BRIEF: so in the quick mode, for it compiles in half the time.
WHOLE = $(filter command,$(origin PROGRAMS))
PARTS = $(if $(LONG),,$(filter $(addprefix test_,$(ALONE) $(if $(QUICK),$(BRIEF),$(BESIDE))),$(PROGRAMS)))
ALONE = broad impacts manifolds scenes input shapes parallel
BRIEF = events islands rolling second_look strips
BESIDE = second_look islands events world physics selfcheck no_heap joints drives springs rows locks belts seams far short callbacks words strips rolling cohesion forces barrier mesh minres tree tree_cases \
	svg hull mounting sensing robot
# GATE: no matrix and tutorial, which are steps of the gate; what runs with all parts runs with its part alone in the quick mode.
BOTH = $(if $(QUICK),test_same_bits,$(if $(GATE),$(filter-out $(SINGLE:%=test_%),$(SHARED)),$(PROGRAMS)))
ONLY_PART = $(if $(GATE),,$(filter $(addprefix test_,$(ALONE) $(if $(QUICK),$(BRIEF))),$(PARTS)))
reals = $(filter $(if $(filter $1,$(ONLY_PART)),,float) $(if $(filter $1,$(BOTH)),double),$(REALS))
LOGS = $(MATRIX:%=$(OUT)/matrix_%.log) $(if $(GATE)$(filter command,$(origin PROGRAMS)),,$(OUT)/tutorial.log) $(foreach t,$(PROGRAMS),$(patsubst %,$(OUT)/$t_%.log,$(call reals,$t))) $(PARTS:%=$(OUT)/%_part.log) $(OUT)/readme.log $(OUT)/robots.log $(OUT)/meshes.log

.PHONY: all help always demo errors test test-whole test-compilers test-long test-logs targets targets-accept wrong size size-accept config config-check weigh weigh-accept results count count-accept bound bound-accept count-peers worst firmware packages python tutorial cluster web web-check prove prove-accept problems factor fuzz bench bench-peers reality reality-page bench-robot bench-check bench-accept bench-curve robots gate gate-check nightly sanitize sanitize-threads same copy single shelf warn readme subjects mutants coverage clean
all: help

help: ## this list
	@sed -n -e 's/^## \(.*\)/\n\1/p' -e 's/^\([a-z-]*\):.*## /  \1	/p' Makefile

## Everyday

EXAMPLES = 18_pictures 04_compare_solvers 12_steppers 13_tune 17_recorder 28_panda 25_identify 11_sheet 07_rover 08_quadruped 09_gripper \
	01_drop 02_incline 03_stack 05_firmware_loop 06_own_contacts 10_rollback 14_balancer 15_quadcopter 16_predict 20_hopper 21_own_joint \
	22_round_table 23_arm 24_weigh_bridge 26_mistakes 27_motor 19_two_cores
# 19 measures two cores: it is built with the others and runs when they are done.
demo: ## pictures in build/index.html, in some seconds; then the examples, a line each: 40 seconds of two cores
	@sh examples/demo.sh begin "$(CC)" && rm -f $(EXAMPLES:%=build/%.txt)
	@$(MAKE) -s $(PARALLEL) $(patsubst %,build/%.txt,$(filter-out 19_two_cores,$(EXAMPLES))) build/19_two_cores; \
		sh examples/demo.sh run 19_two_cores '$(call EXAMPLE,19_two_cores)'; sh examples/demo.sh sum $(sort $(EXAMPLES))

# Compiled and run in one recipe: make would compile all of them before it ran the first.
build/%.txt: examples/%.c $(HEADERS)
	@sh examples/demo.sh run $* '$(call EXAMPLE,$*)'

errors: build/26_mistakes ## build/errors.txt: forty common mistakes and what nsc_print.h says of each
	@build/26_mistakes > build/errors.txt; code=$$?; echo "build/errors.txt: $$(tail -n 1 build/errors.txt)"; exit $$code

copy: ## the two headers, and what is named of the shelf with what that needs: make copy TO=folder PARTS="joints imu"
	@[ -n "$(TO)" ] || { echo 'where to? make copy TO=folder PARTS="joints imu"'; exit 1; }
	@sh examples/kit/copy.sh "$(TO)" $(if $(filter command environment,$(origin PARTS)),$(PARTS))

single: ## build/single/nsc_single.h: everything as one header; and that it has the same bits
	@mkdir -p build/single; awk -f examples/kit/single.awk > build/single/nsc_single.h
	@cp build/single/nsc_single.h build/single/nsc_all.h
	@for real in float double; do $(CC) $(CFLAGS) -O0 -DNSC_$$(echo $$real | tr a-z A-Z) -Ibuild/single $(INCLUDE) \
		tests/bits/test_same_bits.c -o build/single/same_bits $(LDLIBS) && build/single/same_bits || exit 1; done

test: ## most test functions in float, of double the hashes, in less than two minutes of two cores; other compilers: make test CC=clang CXX=clang++
	@sh tests/harness/run.sh begin $(OUT) $(LOGS)
	@$(MAKE) $(PARALLEL) test-logs; NSC_LONG=$(LONG:long=1) NSC_LEFT='$(if $(QUICK),$(LEFT))' sh tests/harness/run.sh sum $(LOGS)

test-whole: ## every test function in float and double, each part by itself too; three minutes
	@$(MAKE) --no-print-directory test WHOLE=1

test-long: ## the tests that have longer runs, with all trials and simulated times; the whole compile matrix; 15 minutes
	@$(MAKE) --no-print-directory test LONG=long OUT=build/long-$(COMPILER)

test-compilers: ## the same as clang and tcc build them
	@for c in clang tcc; do if command -v $$c > /dev/null; then $(MAKE) --no-print-directory test-whole CC=$$c MATRIX= || exit 1; \
		else echo "skipped: no $$c"; echo "$$c: 0 passed, 0 failed, 1 skipped"; fi; done

test-logs: $(LOGS)

web: ## build/web/index.html: twelve scenes to pull about, rewind and solve otherwise, a robot of yours; one file; clang and lld; half a minute
	@CC="$(CC)" DATA="$(DATA)" sh examples/web/make.sh

## On the targets, and proof

targets: ## same bits on every processor and compiler found (QEMU, simavr, rp2040js, node); 38 lines in tests/targets/targets.sh
	@sh tests/targets/targets.sh all

targets-accept: ## write down this build's hashes as the expected ones (targets, test_same_bits, test_replay), after a change that is meant to change bits
	@sh tests/targets/targets.sh accept

wrong: ## builds that must be refused, or found by nsc_selfcheck
	@sh tests/targets/wrong.sh

size: ## bytes of code by part, RAM and stack on Cortex-M0+, M4F, RV32; fails above tests/targets/budgets.txt
	@sh tests/targets/size.sh

config: ## a configuration header on stdout, and what it costs: make config ASK="bodies=8 contacts=16 joints=6 imu", TABLE=dog.h ROBOT=dog; examples/kit/size.c
	@mkdir -p build; $(CC) $(CFLAGS) -I. -Iexamples/kit $(if $(TABLE),-DTABLE='"$(abspath $(TABLE))"' -DROBOT=$(ROBOT)) examples/kit/size.c -o build/config_size $(LDLIBS)
	@build/config_size $(ASK)

config-check: ## that header against a compiler for Cortex-M4F: 50 random configurations, and the least for a robot
	@sh tests/targets/config.sh "$(CC)"

count: ## exact instructions of a step on Cortex-M4F; fails above tests/targets/budgets.txt; OPTIMISE=-Os: at that level, beside -O2, and no judgement
	@OPTIMISE="$(OPTIMISE)" sh tests/targets/count.sh

count-peers: ## nsc beside Box3D on Cortex-M4F: make count-peers BOX3D=dir, its source tree; 5 minutes
	@BOX3D="$(BOX3D)" JOBS=$(JOBS) sh tests/targets/peers.sh

worst: ## instructions of the median and the worst step of each solver on Cortex-M4F; fails if AUTO's differ by more than 20
	@sh tests/targets/worst.sh

bound: ## dear steps found by a search on Cortex-M4F, against examples/kit/nsc_bound.h; fails above it, or below 60 % of it
	@sh tests/targets/bound.sh

size-accept count-accept bound-accept: # what is measured becomes the budget
	@OPTIMISE="$(OPTIMISE)" sh tests/targets/$(@:-accept=).sh accept

firmware: ## whole Cortex-M4F firmwares in QEMU, the record of one replayed here, and a wasm module in node: examples/firmware
	@CC="$(CC)" sh examples/firmware/run.sh

packages: ## build/dist: release, CMake, Meson, Arduino, PlatformIO, ESP-IDF, Zephyr, vcpkg, Conan, CMSIS, npm, Debian; each used or checked
	@sh examples/packages.sh

tutorial: ## examples/TUTORIAL.md as it stands, in an empty folder: eight programs, the first and the last on a Cortex-M4F in QEMU too
	@sh tests/compile/tutorial.sh "$(CC)"

python: ## examples/python, a module of one file over ctypes: its tests with numpy and without, three examples with plots in build/
	@sh tests/python/check.sh

cluster: ## a Monte-Carlo sweep on one core and by MPI, ranks that die included: examples/cluster; WORLDS=10000 for the real one
	@CC="$(CC)" WORLDS="$(or $(WORLDS),1000)" sh examples/cluster/run.sh

web-check: ## the page of make web in headless Chromium: same bits, mouse, keys, links, a telephone's size; pictures under build/web
	@CC="$(CC)" DATA="$(DATA)" sh examples/web/test.sh

prove: ## Frama-C: no run-time error in a step and in most calls, from any state; ONLY="driver...", GATE=1
	@ONLY="$(ONLY)" GATE="$(GATE)" sh tests/prove/prove.sh

prove-accept: # all that passed is written down, for the gate
	@sh tests/prove/prove.sh accept

results: ## write tests/targets/RESULTS.md and the README's table anew from the budgets
	@sh tests/targets/results.sh

## Measurement

problems: build/problems_float build/problems_double ## solvers on published problems: make problems DATA=dir
	@failed=0; for real in float double; do \
		build/problems_$$real $(DATA) > build/problems_$$real.txt || failed=1; \
		cat build/problems_$$real.txt; done; \
		awk '/^problems, / { p += $$3; f += $$5; s += $$7 } END { printf "problems: %d passed, %d failed, %d skipped\n", p, f, s }' \
		build/problems_float.txt build/problems_double.txt; exit $$failed

factor: build/factor_float ## one factor of NEWTON and ADMM, skyline against dense
	@build/factor_float

# Of the scenes that SCENES names, or of all: what falls has nsc_look too, S10 has nsc_small
BENCH_PROGRAMS = $(if $(THREADS),build/bench/nsc_threads,build/bench/nsc_double $(call BENCH_FOR,fall,look) $(call BENCH_FOR,S10,small)) build/bench/nsc_float build/bench/report
BENCH_FOR = $(if $(SCENES),$(if $(findstring $1,$(SCENES)),build/bench/nsc_$2),build/bench/nsc_$2)

bench: $(BENCH_PROGRAMS) ## time and accuracy on fifteen scenes, every solver; then bench-curve; 20 minutes or more; SCENES="S1_stack10": of these alone, without the curve
	@CC="$(CC)" THREADS="$(THREADS)" COUNT=$(COUNT) SCENES="$(SCENES)" sh tests/bench/bench.sh run
	@$(if $(SCENES),,$(MAKE) --no-print-directory bench-curve)

bench-peers: $(BENCH_PROGRAMS) ## the same, SCENES="..." too, beside ODE, Bullet, MuJoCo if installed, and BOX3D=dir JOLT=dir, source trees of these two; an hour; THREADS=2: nsc, Box3D and Jolt with two; MACHINE=-march=x86-64-v3: for a newer processor, after make clean
	@CC="$(CC)" CXX="$(CXX)" THREADS="$(THREADS)" MACHINE="$(MACHINE)" COUNT=$(COUNT) SCENES="$(SCENES)" BOX3D="$(BOX3D)" JOLT="$(JOLT)" JOBS=$(JOBS) sh tests/bench/bench.sh peers

reality: build/tosses build/grains_page build/reality_page build/texts_page $(if $(WHOLE),build/sides) ## tosses of a real cube beside nsc with each law and solver, MuJoCo and Bullet if installed, BOX3D=dir JOLT=dir, source trees: make reality DATA=dir; three minutes; WHOLE=1: all tosses, each engine fitted at each step, 20 minutes
	@CC="$(CC)" CXX="$(CXX)" PEERS="$(PEERS)" BOX3D="$(BOX3D)" JOLT="$(JOLT)" sh tests/reality/reality.sh "$(DATA)" $(if $(WHOLE),whole)

reality-page: build/grains_page build/reality_page build/texts_page ## build/reality.html: what mechanics knows, and what nsc says, with a picture each; build/solvers.svg: residual over time
	@build/grains_page && build/reality_page && build/texts_page

bench-robot: build/bench/nsc_float build/bench/nsc_double ## a robot of 12 servos beside MuJoCo: time against the error of its joint angles
	@CC="$(CC)" sh tests/bench/robot.sh

robots: ## the quadruped of test_go1, tables of robot.py and their dynamics beside MuJoCo, if libmujoco-dev is installed; FILES="a.xml ...": of these too
	@mkdir -p build; if $(CC) -std=gnu99 -O2 -ffp-contract=off -DNSC_DOUBLE -I. -Iexamples/kit -Itests -Itests/harness tests/robots/go1_mujoco.c -o build/go1_mujoco \
		-lmujoco -lm > build/go1_mujoco.log 2>&1; then build/go1_mujoco; \
		else echo "skipped: no MuJoCo (build/go1_mujoco.log)"; echo "robots: 0 passed, 0 failed, 1 skipped"; fi
	@if $(CC) -O1 tests/robots/by_mujoco.c -o build/by_mujoco -lmujoco > build/by_mujoco.log 2>&1; then \
		CC="$(CC)" python3 tests/robots/against_mujoco.py build/by_mujoco tests/robots/crab.xml; fi
	@if $(CC) -O1 tests/robots/dynamics_mujoco.c -o build/dynamics_mujoco -lmujoco > build/dynamics_mujoco.log 2>&1; then \
		CC="$(CC)" python3 tests/robots/dynamics.py build/dynamics_mujoco tests/robots/crab.xml $(FILES); \
		else echo "skipped: no MuJoCo (build/dynamics_mujoco.log)"; echo "dynamics beside MuJoCo: 0 passed, 0 failed, 1 skipped"; fi

bench-check: build/bench/nsc_float ## instructions of a step, counted by callgrind; fails above tests/bench/counts.txt
	@CC="$(CC)" sh tests/bench/bench.sh check

bench-accept: build/bench/nsc_float # what is counted is written down
	@CC="$(CC)" sh tests/bench/bench.sh accept

bench-curve: build/bench/curve build/bench/nsc_float ## cost of a step against the number of bodies, where it goes, and beside the engines that bench-peers built
	@build/bench/curve
	@CC="$(CC)" sh tests/bench/bench.sh curve

## What the tests are worth

SECONDS = 60
fuzz: ## libFuzzer on calls, images, problems, barriers and the kit, random models through robot.py and mesh.py, SECONDS=60 each; FUZZ_SEED=N
	@sh tests/fuzz/fuzz.sh $(SECONDS) "$(CC)"

gate: ## what decides whether a change lands, twenty minutes of two cores; a part of it: make gate ONLY=compile
	@unset MAKEFLAGS ONLY; NSC_INSTALL=no bash .ci/run $(ONLY)

gate-check: ## breaks a copy of the project in one way after another: does the gate see red?
	@unset MAKEFLAGS ONLY; bash tests/gate.sh $(ONLY)

nightly: ## what takes hours: mutants, coverage, sanitizers, fuzzing, the whole proof, all targets, packages, the page; ONLY=mutants; tests/RESULTS.md
	@unset MAKEFLAGS; ONLY="$(ONLY)" bash tests/nightly.sh

sanitize: ## the tests under the address and undefined behaviour sanitizers, but test_no_heap, which replaces malloc itself
	@$(MAKE) --no-print-directory test OUT=build/sanitize-$(COMPILER) PROGRAMS="$(filter-out test_no_heap,$(if $(WHOLE),$(PROGRAMS),$(TESTS)))" CFLAGS="$(CFLAGS) -g -fsanitize=address,undefined -fno-sanitize-recover=all"

sanitize-threads: ## what runs on several cores, under the thread sanitizer
	@$(MAKE) --no-print-directory test OUT=build/threads-$(COMPILER) PROGRAMS="test_parallel test_cores" MATRIX= CFLAGS="$(CFLAGS) -g -fsanitize=thread"

shelf: ## each file of the shelf alone beside the two headers, in C and C++, and the error where it is missing
	@sh tests/compile/shelf.sh $(CC) $(CXX)

same: ## is the object code that of an earlier commit? for changes that only move text: make same BASE=HEAD~1
	@sh tests/compile/same.sh $(BASE)

weigh: ## lines, tokens, conditionals, macros of the core and of each part; fails above tests/compile/weights.txt
	@python3 tests/compile/weigh.py

weigh-accept: # what is weighed is written down
	@python3 tests/compile/weigh.py accept

warn: ## only the compile matrix, whole
	@$(MAKE) --no-print-directory test LONG=long OUT=build/warn PROGRAMS=

subjects: ## one fault in what each test program is about, which it has to find: tests/mutants/subjects.txt; 6 minutes of one core
	@CC="$(CC)" JOBS=$(JOBS) python3 tests/mutants/subjects.py

mutants: ## random mutants of the core and the shelf against the tests: make mutants N=200, again with SEED=... to go on; fails below 92 % killed
	@CC="$(CC)" JOBS=$(JOBS) python3 tests/mutants/mutants.py $(or $(N),200)

coverage: ## lines, branches and MC/DC of the core and the shelf by all tests, with clang 18 or newer, and what is left; 22 minutes of one core
	@JOBS=$(JOBS) python3 tests/mutants/coverage.py

readme: ## compile and run the README's example
	@sh tests/compile/readme.sh "$(CC)"

REPLAY = test_replay test_replay_pairs test_replay_barrier test_replay_short test_replay_parts test_replay_solvers test_replay_trees test_replay_calls
OF_TARGETS = $(foreach t,test_same_bits test_only_contacts test_flush test_motion $(REPLAY),$(OUT)/$t_float $(OUT)/$t_double build/$t_float build/$t_double)
$(OF_TARGETS): $(wildcard tests/targets/*.[ch])

OF_FUZZ = $(foreach t,test_fuzz test_fuzz_barrier test_fuzz_kit test_replay_calls,$(OUT)/$t_float $(OUT)/$t_double build/$t_float build/$t_double)
$(foreach t,pairs barrier short parts,$(foreach r,$(REALS),$(OUT)/test_replay_$t_$r build/test_replay_$t_$r)): tests/bits/test_replay.c tests/meshes/ramp.h
$(foreach r,$(REALS),$(OUT)/test_replay_trees_$r build/test_replay_trees_$r): tests/bits/test_replay_solvers.c
$(foreach r,$(REALS),$(OUT)/test_replay_$r build/test_replay_$r): tests/meshes/ramp.h
$(foreach r,$(REALS),$(OUT)/test_reality_$r build/test_reality_$r) build/reality_page: tests/reality/tosses.h
$(foreach r,$(REALS),$(OUT)/test_texts_$r build/test_texts_$r): tests/reality/laws.h
$(OF_FUZZ): tests/fuzz/test_fuzz.c $(wildcard tests/fuzz/*.h) $(wildcard tests/fuzz/*.c)

TEST_HEADERS = $(wildcard tests/harness/*.h tests/bits/*.h) $(HEADERS)

$(OUT)/test_mesh_part $(OUT)/test_mesh_float $(OUT)/test_mesh_double build/test_mesh_float build/test_mesh_double: tests/meshes/ramp.h
$(OUT)/test_robot_part $(OUT)/test_robot_float $(OUT)/test_robot_double build/test_robot_float build/test_robot_double: $(wildcard tests/robots/*.h)

$(foreach t,test_parallel test_cores,$(OUT)/$t_part $(OUT)/$t_float $(OUT)/$t_double build/$t_float build/$t_double): LDLIBS += -pthread

LINK = $(addprefix -DTEST_LINKED ,$(filter %.o,$^))
# A program with an implementation of its own compiles only what it calls
OWN = $(if $(QUICK)$(GATE),$(if $(filter %.o,$^),,-DNSC_STATIC))
# The matrix reads the implementation with all warnings: those programs that have one of their own do without in the quick mode.
FLAGS = $(if $(LONG)$(filter %.o,$^),$(CFLAGS),$(filter-out $(STRICT),$(CFLAGS)))

$(OUT)/%_float: %.c $(TEST_HEADERS)
	@sh tests/harness/run.sh build $@ $(CC) $(FLAGS) $(LEVEL) $(LINK) $(OWN) $(INCLUDE) $< -o $@ $(LDLIBS)

$(OUT)/%_double: %.c $(TEST_HEADERS)
	@sh tests/harness/run.sh build $@ $(CC) $(FLAGS) $(LEVEL) -DNSC_DOUBLE $(LINK) $(OWN) $(INCLUDE) $< -o $@ $(LDLIBS)

$(SHARED:%=$(OUT)/%_float): $(OUT)/shared_float.o
$(SHARED:%=$(OUT)/%_double): $(OUT)/shared_double.o

$(OUT)/shared_%.o: tests/harness/shared.c $(TEST_HEADERS)
	@sh tests/harness/run.sh build $@ $(CC) $(if $(LONG),$(CFLAGS),$(filter-out $(STRICT),$(CFLAGS)) -O1 $(INLINE) $(REGION)) $(if $(filter double,$*),-DNSC_DOUBLE) \
		-I. -Iexamples/kit -c $< -o $@

PART_FLAGS = -DTEST_PART -I$(<D) -I. $(if $(filter tests/core,$(<D)),,-Iexamples/kit -Itests) -Itests/harness

$(OUT)/%_part: %.c $(TEST_HEADERS) $(wildcard tests/*/part.h)
	@sh tests/harness/run.sh build $@ $(CC) $(FLAGS) $(if $(filter $(addprefix test_,$(BUSY) joints mesh smooth drives tree),$*),-Og $(INLINE) $(REGION),-O0) $(LINK) $(OWN) $(PART_FLAGS) $< -o $@ $(LDLIBS)

$(filter $(SHARED:%=$(OUT)/%_part),$(patsubst tests/core/%.c,$(OUT)/%_part,$(SOURCES))): $(OUT)/part_core.o

$(OUT)/part_core.o: tests/harness/shared.c tests/core/part.h $(TEST_HEADERS)
	@sh tests/harness/run.sh build $@ $(CC) $(CFLAGS) -DTEST_PART -Itests/core -I. -Itests/harness -c $< -o $@

$(OUT)/test_%.log: $(OUT)/test_% always
	@NSC_LONG=$(LONG:long=1) NSC_QUICK=$(if $(QUICK)$(and $(GATE),$(filter %_part,$*)),1) sh tests/harness/run.sh log $@ $< $(LONG)

$(OUT)/matrix_%.log: always
	@mkdir -p $(OUT)
	@NSC_LONG=$(LONG:long=1) NSC_QUICK=$(QUICK) sh tests/harness/run.sh log $@ sh tests/compile/matrix.sh $* "$(CC)" "$(CXX)"

$(OUT)/readme.log: always
	@mkdir -p $(OUT)
	@NSC_QUICK=$(QUICK) sh tests/harness/run.sh log $@ sh tests/compile/readme.sh "$(CC)"

$(OUT)/tutorial.log: always
	@mkdir -p $(OUT)
	@NSC_QUICK=1 NSC_TUTORIAL=$(OUT)/tutorial sh tests/harness/run.sh log $@ sh tests/compile/tutorial.sh "$(CC)"

$(OUT)/robots.log: always
	@mkdir -p $(OUT)
	@NSC_WHOLE=$(WHOLE)$(LONG) sh tests/harness/run.sh log $@ sh tests/robots/check.sh $(OUT)/robots

$(OUT)/meshes.log: always
	@mkdir -p $(OUT)
	@NSC_WHOLE=$(WHOLE)$(LONG) sh tests/harness/run.sh log $@ sh tests/meshes/check.sh $(OUT)/meshes

always:
.PRECIOUS: $(OUT)/%_float $(OUT)/%_double $(OUT)/%_part

build/%_float: %.c $(TEST_HEADERS)
	@mkdir -p build
	$(CC) $(CFLAGS) $(INCLUDE) $< -o $@ $(LDLIBS)

build/%_double: %.c $(TEST_HEADERS)
	@mkdir -p build
	$(CC) $(CFLAGS) -DNSC_DOUBLE $(INCLUDE) $< -o $@ $(LDLIBS)

build/problems_float: tests/bench/problems.c tests/bench/problem_files.h $(HEADERS)
	@mkdir -p build
	$(CC) $(CFLAGS) -O3 -I. -Iexamples/kit $< -o $@ $(LDLIBS)

build/problems_double: tests/bench/problems.c tests/bench/problem_files.h $(HEADERS)
	@mkdir -p build
	$(CC) $(CFLAGS) -O3 -DNSC_DOUBLE -I. -Iexamples/kit $< -o $@ $(LDLIBS)

build/reality_page: tests/reality/test_reality.c $(TEST_HEADERS)
	@mkdir -p build
	$(CC) $(CFLAGS) -DREALITY_PAGE $(INCLUDE) $< -o $@ $(LDLIBS)

build/grains_page: tests/reality/test_grains.c $(TEST_HEADERS)
	@mkdir -p build
	$(CC) $(CFLAGS) -DREALITY_PAGE $(INCLUDE) $< -o $@ $(LDLIBS)

build/texts_page: tests/reality/test_texts.c tests/reality/laws.h $(TEST_HEADERS)
	@mkdir -p build
	$(CC) $(CFLAGS) -DREALITY_PAGE $(INCLUDE) $< -o $@ $(LDLIBS)

build/sides: tests/reality/sides.c tests/reality/laws.h tests/bench/problem_files.h $(HEADERS)
	@mkdir -p build
	$(CC) $(subst c99,gnu99,$(CFLAGS)) -I. -Iexamples/kit $< -o $@ $(LDLIBS)

build/tosses: tests/reality/tosses.c tests/reality/tosses.h tests/reality/laws.h $(HEADERS)
	@mkdir -p build
	$(CC) $(CFLAGS) -I. -Iexamples/kit $< -o $@ $(LDLIBS)

build/factor_float: tests/bench/factor.c $(HEADERS)
	@mkdir -p build
	$(CC) $(CFLAGS) -I. -Iexamples/kit $< -o $@ $(LDLIBS)

# MACHINE=-march=x86-64-v3: all engines that are built here for a newer processor
BENCH_FLAGS = -std=gnu99 -O3 -ffp-contract=off $(MACHINE)
BENCH_HEADERS = tests/bench/bench.h tests/bench/scenes.h $(HEADERS)
BENCH_CC = $(CC) $(BENCH_FLAGS) -Wall -Wextra -DBENCH_FLAGS="$(BENCH_FLAGS)" -I. -Iexamples/kit

build/bench/nsc_float: tests/bench/nsc.c $(BENCH_HEADERS)
	@mkdir -p build/bench
	$(BENCH_CC) $< -o $@ $(LDLIBS)

build/bench/nsc_double: KIND = -DNSC_DOUBLE
build/bench/nsc_look: KIND = -DNSC_SECOND_LOOK=1
build/bench/nsc_small: KIND = -DBENCH_SMALL
build/bench/nsc_threads: KIND = -DNSC_PARALLEL=1 -pthread
build/bench/nsc_double build/bench/nsc_look build/bench/nsc_small build/bench/nsc_threads: tests/bench/nsc.c $(BENCH_HEADERS)
	@mkdir -p build/bench
	$(BENCH_CC) $(KIND) $< -o $@ $(LDLIBS)

build/bench/curve: tests/bench/curve.c tests/bench/nsc.c tests/bench/stages.awk $(BENCH_HEADERS)
	@mkdir -p build/bench build/stages
	awk -f tests/bench/stages.awk nsc.h > build/stages/nsc.h
	$(BENCH_CC:-I.=-Ibuild/stages -I.) $< -o $@ $(LDLIBS)

build/bench/report: tests/bench/report.c
	@mkdir -p build/bench
	$(BENCH_CC) $< -o $@ $(LDLIBS)

# Each example is one file that compiles alone.  Optimised is what computes for longer than that takes; static, so that what an
# example does not use is not compiled.  Warnings are the compile matrix's.
HEAVY = 07_rover 08_quadruped 09_gripper 11_sheet 12_steppers 13_tune 17_recorder 18_pictures 19_two_cores 25_identify 28_panda
EXAMPLE = $(CC) $(if $(filter 19%,$1),-std=c11 -pthread,-std=c99) $(if $(filter $1,$(HEAVY)),-Og $(REGION),-O0) -w -ffp-contract=off \
	-DNSC_STATIC -I. -Iexamples/kit examples/$1.c -o build/$1 $(LDLIBS)
$(EXAMPLES:%=build/%): build/%: examples/%.c $(HEADERS)
	@mkdir -p build
	$(call EXAMPLE,$*)

clean: ## remove build/
	rm -rf build
