# nsc: everything works with a C compiler and make; what needs more is skipped by name and counted.
CC = cc
CXX = c++
DATA = ../shared/data
STRICT = -Wall -Wextra -pedantic -Wconversion -Wsign-conversion -Wdouble-promotion -Wfloat-conversion \
	-Wshadow -Wundef -Wmissing-prototypes -Wcast-qual -Wvla -Werror
CFLAGS = -std=c99 -O2 -ffp-contract=off $(STRICT)
LDLIBS = -lm
HEADERS = nsc.h nsc_solvers.h
TESTS = $(sort $(patsubst tests/%.c,%,$(wildcard tests/test_*.c)))
EXAMPLES = $(sort $(patsubst examples/%.c,%,$(wildcard examples/[01]*.c)))
RUNS = $(TESTS:%=build/%_float) $(TESTS:%=build/%_double)

.PHONY: all help demo test targets targets-accept wrong size size-accept count count-accept worst firmware prove problems factor bench bench-peers bench-check bench-accept bench-curve sanitize warn readme clean
all: help

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' Makefile

demo: $(EXAMPLES:%=build/%) ## build and run the examples; ends with a table, writes build/steppers.svg and build/convergence.svg
	@for e in 01_drop 02_incline 03_stack 05_firmware_loop 06_own_contacts 07_rover 08_quadruped 09_gripper 10_rollback 11_sheet \
			12_steppers 04_compare_solvers; do \
		echo "== $$e"; build/$$e || exit 1; done

test: $(RUNS) ## every test, float and double; the compile matrix; the README's example
	@sh tests/run.sh "$(CC)" "$(CXX)" $(RUNS)

targets: ## same bits on every processor and compiler found (QEMU, simavr, node); 30 lines in tests/targets/targets.sh
	@sh tests/targets/targets.sh all

targets-accept: ## write down this build's hashes as the expected ones, after a change that is meant to change bits
	@sh tests/targets/targets.sh accept

wrong: ## builds that must be refused, or found by nsc_selfcheck
	@sh tests/targets/wrong.sh

size: ## bytes of code by part, RAM and stack on Cortex-M0+, M4F, RV32; fails above tests/targets/budgets.txt
	@sh tests/targets/size.sh

count: ## exact instructions of a step on Cortex-M4F; fails above tests/targets/budgets.txt
	@sh tests/targets/count.sh

worst: ## instructions of the median and the worst step of each solver on Cortex-M4F; fails if AUTO's differ by more than 20
	@sh tests/targets/worst.sh

size-accept count-accept: # what is measured becomes the budget
	@sh tests/targets/$(@:-accept=).sh accept

firmware: ## a whole Cortex-M4F firmware in QEMU and a wasm module in node: examples/firmware
	@sh examples/firmware/run.sh

prove: ## Frama-C: no run-time error in any function from any state; 10 minutes
	@sh tests/prove/prove.sh

problems: build/problems_float build/problems_double ## solvers on published problems: make problems DATA=dir
	@failed=0; for real in float double; do \
		build/problems_$$real $(DATA) > build/problems_$$real.txt || failed=1; \
		cat build/problems_$$real.txt; done; exit $$failed

factor: build/factor_float ## one factor of NEWTON and ADMM, skyline against dense
	@build/factor_float

bench: build/bench/nsc_float build/bench/nsc_double build/bench/report ## time and accuracy on eleven scenes, every solver; then bench-curve; 15 minutes or more
	@CC="$(CC)" COUNT=$(COUNT) sh tests/bench/bench.sh run
	@$(MAKE) --no-print-directory bench-curve

bench-peers: build/bench/nsc_float build/bench/nsc_double build/bench/report ## the same beside ODE, Bullet and MuJoCo, those that are installed; half an hour
	@CC="$(CC)" CXX="$(CXX)" COUNT=$(COUNT) sh tests/bench/bench.sh peers

bench-check: build/bench/nsc_float ## instructions of a step, counted by callgrind; fails above tests/bench/counts.txt
	@CC="$(CC)" sh tests/bench/bench.sh check

bench-accept: build/bench/nsc_float # what is counted is written down
	@CC="$(CC)" sh tests/bench/bench.sh accept

bench-curve: build/bench/curve ## cost of a step against the number of bodies, and where it goes
	@build/bench/curve

sanitize: ## the tests under the address and undefined behaviour sanitizers
	@$(MAKE) clean >/dev/null; $(MAKE) test CFLAGS="$(CFLAGS) -g -fsanitize=address,undefined -fno-sanitize-recover=all"

warn: ## only the compile matrix
	@sh tests/compile/matrix.sh "$(CC)" "$(CXX)"

readme: ## compile and run the README's example
	@sh tests/compile/readme.sh "$(CC)"

build/%_float: tests/%.c $(wildcard tests/*.h) $(HEADERS)
	@mkdir -p build
	$(CC) $(CFLAGS) -I. -Itests $< -o $@ $(LDLIBS)

build/%_double: tests/%.c $(wildcard tests/*.h) $(HEADERS)
	@mkdir -p build
	$(CC) $(CFLAGS) -DNSC_DOUBLE -I. -Itests $< -o $@ $(LDLIBS)

build/problems_float: tests/bench/problems.c tests/bench/problem_files.h $(HEADERS)
	@mkdir -p build
	$(CC) $(CFLAGS) -I. $< -o $@ $(LDLIBS)

build/problems_double: tests/bench/problems.c tests/bench/problem_files.h $(HEADERS)
	@mkdir -p build
	$(CC) $(CFLAGS) -DNSC_DOUBLE -I. $< -o $@ $(LDLIBS)

build/factor_float: tests/bench/factor.c $(HEADERS)
	@mkdir -p build
	$(CC) $(CFLAGS) -I. $< -o $@ $(LDLIBS)

BENCH_FLAGS = -std=gnu99 -O3 -ffp-contract=off
BENCH_HEADERS = tests/bench/bench.h tests/bench/scenes.h $(HEADERS)
BENCH_CC = $(CC) $(BENCH_FLAGS) -Wall -Wextra -DBENCH_FLAGS="$(BENCH_FLAGS)" -I.

build/bench/nsc_float: tests/bench/nsc.c $(BENCH_HEADERS)
	@mkdir -p build/bench
	$(BENCH_CC) $< -o $@ $(LDLIBS)

build/bench/nsc_double: tests/bench/nsc.c $(BENCH_HEADERS)
	@mkdir -p build/bench
	$(BENCH_CC) -DNSC_DOUBLE $< -o $@ $(LDLIBS)

build/bench/curve: tests/bench/curve.c tests/bench/nsc.c $(BENCH_HEADERS)
	@mkdir -p build/bench
	$(BENCH_CC) $(if $(shell grep -l NSC_STAGE_SOLVE nsc.h),-DBENCH_STAGES) $< -o $@ $(LDLIBS)

build/bench/report: tests/bench/report.c
	@mkdir -p build/bench
	$(BENCH_CC) $< -o $@ $(LDLIBS)

build/0%: examples/0%.c $(HEADERS)
	@mkdir -p build
	$(CC) $(CFLAGS) -I. $< -o $@ $(LDLIBS)

build/1%: examples/1%.c $(HEADERS)
	@mkdir -p build
	$(CC) $(CFLAGS) -I. $< -o $@ $(LDLIBS)

clean: ## remove build/
	rm -rf build
