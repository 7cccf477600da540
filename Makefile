# regula: `make help` lists the targets.
# Source lists are explicit: SRC in src/*/files.mk, CLI in cli/files.mk, EXAMPLES in examples/files.mk.

GPL     ?= yes
BUILD   ?= $(if $(filter no,$(GPL)),build/no-gpl,build)
JOBS    ?= 2
OPT     ?= -O2 -g
WARN    ?= -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wvla
WERROR  ?= # -Werror: in the project's own checks (tools/run-tests)
CLANG   ?= clang
PKGCONF ?= pkg-config
ifeq ($(origin CC),default)
CC := gcc
endif

# What a fresh Debian machine needs: to build, and to test.
PACKAGES      := gcc libc6-dev make pkg-config libopenblas-dev libsuitesparse-dev libfftw3-dev libpng-dev
TEST_PACKAGES := $(PACKAGES) clang clang-format libclang-rt-dev
ALL_PACKAGES  := $(TEST_PACKAGES) libsundials-dev python3-numpy python3-setuptools python3-wheel python3-pip \
                 chromium petsc-dev

comma   := ,
VERSION := $(shell sed -n 's/^\#define RG_VERSION "\(.*\)"/\1/p' include/regula.h)
SOMAJOR := $(firstword $(subst ., ,$(VERSION)))

# ---- variants: make VARIANT=asan BUILD=build/asan
VARIANT  ?= release
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
ifeq ($(VARIANT),debug)
OPT := -O0 -g
else ifeq ($(VARIANT),asan)
CC    := $(CLANG)
OPT   := -O1 -gline-tables-only
EXTRA := $(SANITIZE) -fvisibility=default
else ifeq ($(VARIANT),tsan)
OPT   := -O1 -g
EXTRA := -fsanitize=thread
else ifeq ($(VARIANT),fuzz)
CC    := $(CLANG)
OPT   := -O1 -g
EXTRA := $(SANITIZE) -fsanitize=fuzzer-no-link
else ifeq ($(VARIANT),coverage)
OPT   := -O0 -g
EXTRA := --coverage
else ifeq ($(VARIANT),shared)
OPT   := -O1
EXTRA := -fvisibility=default
endif

SUITESPARSE_INC ?= /usr/include/suitesparse
BLAS_CFLAGS  := $(shell $(PKGCONF) --cflags openblas 2>/dev/null)
# OpenBLAS, CHOLMOD and UMFPACK are loaded when they are first needed (src/linalg/lazy.c).
SPARSE_LIBS  := -lklu -lbtf -lamd -lcolamd -lsuitesparseconfig
FFT_LIBS     := $(if $(filter-out no,$(GPL)),-lfftw3)
PNG_LIBS     := -lpng
# SUNDIALS 6 is optional (--method bdf): yes when its headers are there; make SUNDIALS=no leaves it out.
SUNDIALS_INC ?= /usr/include
SUNDIALS     ?= $(if $(shell grep -s 'SUNDIALS_VERSION_MAJOR 6' $(SUNDIALS_INC)/sundials/sundials_config.h),yes,no)
SUNDIALS_LIBS := $(if $(filter yes,$(SUNDIALS)),-lsundials_ida -lsundials_nvecserial)
LIBS         := -Wl,--as-needed $(SUNDIALS_LIBS) $(SPARSE_LIBS) $(FFT_LIBS) $(PNG_LIBS) -lm -lpthread -ldl
CPPFLAGS_ALL := -D_POSIX_C_SOURCE=200809L -Iinclude -Isrc -isystem $(SUITESPARSE_INC) \
                $(patsubst -I%,-isystem %,$(BLAS_CFLAGS)) \
                $(if $(filter-out /usr/include,$(SUNDIALS_INC)),-isystem $(SUNDIALS_INC)) $(CPPFLAGS)
CFLAGS_ALL   := -std=c11 $(OPT) $(WARN) $(WERROR) -fPIC -fvisibility=hidden $(EXTRA) $(CFLAGS)
# Test programs are many and small: a quick linker where there is one; lines of sources are for sanitizers and debuggers.
QUICK_LD     := $(firstword $(foreach l,lld gold,$(if $(shell command -v ld.$l),-fuse-ld=$l)))
TEST_LDFLAGS ?= $(QUICK_LD) $(if $(filter release,$(VARIANT)),-Wl$(comma)--strip-debug)
TEST_CFLAGS  ?= $(if $(filter release shared,$(VARIANT)),-O0 -g0 -fvisibility=default)
COMPILE       = @echo "  $(CC) $<"; mkdir -p $(@D); $(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -c $< -o $@
LINK          = @echo "  link $@"; mkdir -p $(@D); $(CC) $(CFLAGS_ALL) $(LDFLAGS)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:

SRC :=
CLI :=
GRID :=
EXAMPLES :=
# Part of the library, while other parts are being changed: make ONLY="base linalg" ...
ONLY ?= *
-include $(wildcard $(foreach d,$(ONLY),src/$d/files.mk src/$d/*/files.mk) cli/files.mk examples/files.mk)

MISSING := $(filter-out $(wildcard $(SRC) $(CLI)),$(SRC) $(CLI))
$(if $(MISSING),$(warning listed in files.mk, but not there: $(MISSING)))
SRC := $(filter-out $(MISSING),$(SRC))
CLI := $(filter-out $(MISSING),$(CLI))

# make GPL=no leaves out what is under the GPL: UMFPACK and FFTW.
ifeq ($(GPL),no)
SRC := $(filter-out src/linalg/sparse_umfpack.c src/linalg/lazy_umfpack.c src/pdae/solve/transform%.c,$(SRC)) \
       src/linalg/no_umfpack.c src/pdae/solve/no_transform.c
endif

LIB_A   := $(BUILD)/libregula.a
# The shared library under its full name, and the two links that loader and linker follow.
SO_FULL := libregula.so.$(VERSION)
SO_NAME := libregula.so.$(SOMAJOR)
LIB_SO  := $(BUILD)/$(SO_FULL)
# make GROUPED=yes: many sources in one run of the compiler, as `make test` does with sanitizers.  Where there
# are groups an edit compiles its own one again; make GROUPED=no goes back to an object for every source.
GROUPED ?= $(if $(wildcard $(BUILD)/groups),yes,no)
CLI_ALONE := cli/start.c # regula-grid has another one
# Inner loops, in which sanitized programs spend half their time: compiled by themselves, with optimization.
HOT := $(if $(filter asan,$(VARIANT)),$(addprefix src/,linalg/lu.c linalg/quad_lu.c linalg/vectors.c linalg/small_lu.c \
       expr/tape_scalar.c problem/assembly_eval.c structure/array_ranks.c bvp/transfer/gauss.c bvp/transfer/field.c \
       bvp/transfer/curve.c bvp/collocation/chain.c bvp/collocation/condensed.c bvp/collocation/stages.c))
HOT_OBJ := $(HOT:%.c=$(BUILD)/%.o)
$(HOT_OBJ): CFLAGS_ALL += -O1
ifeq ($(GROUPED),yes)
OBJ     := $(shell tools/group-sources $(BUILD) $(filter-out $(HOT),$(SRC)) $(filter-out $(CLI_ALONE),$(CLI))) $(HOT_OBJ)
CLI_OBJ := $(filter $(BUILD)/groups/cli-% $(BUILD)/cli/%,$(OBJ)) $(CLI_ALONE:%.c=$(BUILD)/%.o)
OBJ     := $(filter-out $(CLI_OBJ),$(OBJ))
else
OBJ     := $(shell rm -rf $(BUILD)/groups)$(SRC:%.c=$(BUILD)/%.o)
CLI_OBJ := $(CLI:%.c=$(BUILD)/%.o)
endif
OBJ     += $(BUILD)/gen/page_texts.o
CLI_OBJ += $(BUILD)/gen/examples_data.o
PROGRAM := $(if $(CLI),$(BUILD)/regula)

.PHONY: all
all: $(LIB_A) $(LIB_SO) $(PROGRAM)

$(BUILD)/%.o: %.c
	$(COMPILE)

# In a group a local name may be a global one of another source.  Where names clash after all: file by file.
$(BUILD)/groups/%.o: CPPFLAGS_ALL += -I.
$(BUILD)/groups/%.o: CFLAGS_ALL += -Wno-shadow $(if $(findstring clang,$(CC)),,-Wshadow=local)
$(BUILD)/groups/%.o: $(BUILD)/groups/%.c
	@echo "  $(CC) $<"; $(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -c $< -o $@ 2> $@.log || { \
	echo "  $<: names clash"; rm -f $@.*; for f in $$(sed -n 's/#include "\(.*\)"/\1/p' $<); do \
	k=$$((k + 1)); $(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -MT $@ -c $$f -o $@.$$k.o || exit 1; done; \
	cat $@.*.d > $(@:.o=.d); $(LD) -r -o $@ $@.*.o; }

# Names of the libraries that are loaded at run time.
$(BUILD)/gen/sonames.h: tools/sonames
	@mkdir -p $(@D); tools/sonames "$(CC)" > $@
$(BUILD)/src/linalg/lazy.o: $(BUILD)/gen/sonames.h
$(BUILD)/src/linalg/lazy.o: CPPFLAGS_ALL += -include $(BUILD)/gen/sonames.h

# ---- style sheet and script of reports inside the library
PAGE := src/report/page.css src/report/page.js
$(BUILD)/gen/page_texts.c: tools/embed-text $(PAGE)
	@mkdir -p $(@D)
	@tools/embed-text rg_page_style=src/report/page.css rg_page_script=src/report/page.js > $@
$(BUILD)/gen/page_texts.o: $(BUILD)/gen/page_texts.c
	@$(CC) $(CFLAGS_ALL) -c $< -o $@

$(LIB_A): $(OBJ)
	@echo "  ar $@"; mkdir -p $(@D); rm -f $@; ar rcs $@ $(OBJ)

# It exports the functions of the public header and nothing else.
$(BUILD)/gen/regula.map: tools/exports include/regula.h
	@mkdir -p $(@D); tools/exports REGULA_$(SOMAJOR) include/regula.h > $@

$(LIB_SO): $(OBJ) $(BUILD)/gen/regula.map
	$(LINK) -shared -Wl,-soname,$(SO_NAME) -Wl,--version-script=$(BUILD)/gen/regula.map $(OBJ) $(LIBS) -o $@
	@ln -sf $(SO_FULL) $(BUILD)/$(SO_NAME); ln -sf $(SO_NAME) $(BUILD)/libregula.so

$(BUILD)/regula: $(CLI_OBJ) $(LIB_A)
	$(LINK) $(CLI_OBJ) $(LIB_A) $(LIBS) -o $@

# ---- the command with PETSc over MPI (optional): the same objects, and GRID in src/*/*/files.mk
PETSC_FLAGS = $(patsubst -I%,-isystem %,$(filter -I%,$(shell $(PKGCONF) --cflags PETSc; mpicc --showme:compile)))
PETSC_LIBS  = $(shell $(PKGCONF) --libs PETSc; mpicc --showme:link)
GRID_OBJ   := $(GRID:%.c=$(BUILD)/%.o)
.PHONY: grid
grid: all
	@if $(PKGCONF) --exists PETSc && command -v mpicc > /dev/null; then \
		$(MAKE) --no-print-directory $(BUILD)/regula-grid; \
	else echo "regula-grid is left out: PETSc is not here (Debian: petsc-dev)"; exit 1; fi

$(GRID_OBJ): CPPFLAGS_ALL += $(PETSC_FLAGS)
$(BUILD)/regula-grid: $(GRID_OBJ) $(filter-out $(BUILD)/cli/start.o,$(CLI_OBJ)) $(LIB_A)
	$(LINK) $^ $(LIBS) $(PETSC_LIBS) -o $@

# ---- the shipped models inside the command
EXAMPLE_FILES := $(EXAMPLES:%=examples/%)
$(BUILD)/gen/examples_data.c: tools/embed-examples examples/topics.txt $(EXAMPLE_FILES) $(wildcard examples/files.mk)
	@mkdir -p $(@D)
	@tools/embed-examples $(EXAMPLE_FILES) > $@
$(BUILD)/gen/examples_data.o: $(BUILD)/gen/examples_data.c cli/examples.h
	@$(CC) -Icli $(CFLAGS_ALL) -c $< -o $@

# ---- test programs: tests/KIND/.../test_X.c -> $(BUILD)/tests/KIND/.../test_X
TEST_SRC := $(sort $(foreach k,unit order tables fault random,$(wildcard tests/$k/test_*.c tests/$k/*/test_*.c tests/$k/*/*/test_*.c)))
ifeq ($(GPL),no)
TEST_SRC := $(filter-out tests/unit/pdae/test_transform%.c,$(TEST_SRC))
endif
TEST_BIN := $(TEST_SRC:%.c=$(BUILD)/%)
# make TEST_OBJECTS=build: test programs of another build, which have to be there, with this library.
TEST_OBJECTS ?= $(BUILD)
SUPPORT  := $(patsubst %.c,$(TEST_OBJECTS)/%.o,$(wildcard tests/support/*.c) tests/random/models.c tests/random/judge.c tests/random/boundary.c)
SUPPORT_A := $(BUILD)/tests/support.a

$(BUILD)/tests/%.o: CPPFLAGS_ALL += -Itests $(if $(filter no,$(GPL)),-DRG_NO_GPL)
$(BUILD)/tests/%.o: CFLAGS_ALL += $(TEST_CFLAGS)
$(SUPPORT_A): $(SUPPORT)
	@mkdir -p $(@D); rm -f $@; ar rcs $@ $(SUPPORT)
# Sanitized code is large: 120 programs of 35 MB each, unless they share one library with all names visible (and those
# of a program, as in tests/support/mock_system.h, in front of them).  So is it in tools/tuning-noticed, which links often.
TEST_LIB := $(LIB_A)
# A group brings all that its sources need: functions that a program has in place of the library's come first.
TEST_LDFLAGS += $(if $(filter yes,$(GROUPED)),-Wl$(comma)-z$(comma)muldefs)
ifneq ($(filter asan shared,$(VARIANT)),)
TEST_LIB := $(BUILD)/libtested.so
$(TEST_LIB): $(OBJ)
	$(LINK) $(TEST_LDFLAGS) -shared -Wl,-soname,$(@F) $(OBJ) $(LIBS) -o $@
$(BUILD)/tests/%: TEST_LDFLAGS += -Wl,-rpath,$(abspath $(BUILD))
endif
$(TEST_BIN): $(BUILD)/%: $(TEST_OBJECTS)/%.o $(SUPPORT_A) $(TEST_LIB)
	$(LINK) $(TEST_LDFLAGS) $< $(SUPPORT_A) $(TEST_LIB) $(LIBS) -o $@

# Programs of the manual: they see the public header only.
EXAMPLE_C   := $(wildcard examples/c/*.c)
EXAMPLE_BIN := $(EXAMPLE_C:%.c=$(BUILD)/%)
$(EXAMPLE_BIN): $(BUILD)/%: %.c $(LIB_A) include/regula.h
	$(LINK) -D_POSIX_C_SOURCE=200809L -Iinclude $< $(LIB_A) $(LIBS) -o $@

# tests/fuzz/fuzz_X.c: with libFuzzer, or with a main function that replays files.
FUZZ_SRC := $(wildcard tests/fuzz/fuzz_*.c)
FUZZ_BIN := $(FUZZ_SRC:%.c=$(BUILD)/%)
$(FUZZ_BIN): $(BUILD)/%: $(BUILD)/%.o $(if $(filter fuzz,$(VARIANT)),,$(BUILD)/tests/fuzz/replay.o) $(TEST_LIB)
	$(LINK) $(TEST_LDFLAGS) $(if $(filter fuzz,$(VARIANT)),-fsanitize=fuzzer) $(filter %.o,$^) $(TEST_LIB) $(LIBS) -o $@

BENCH_BIN := $(patsubst %.c,$(BUILD)/%,$(wildcard bench/bench_*.c))
$(BENCH_BIN): $(BUILD)/%: $(BUILD)/%.o $(LIB_A)
	$(LINK) $(filter %.o,$^) $(LIB_A) $(LIBS) -o $@
$(BUILD)/bench/bench_random: $(BUILD)/tests/random/models.o $(BUILD)/tests/random/judge.o
$(BUILD)/bench/bench_random.o: CPPFLAGS_ALL += -Itests
$(BUILD)/bench/bench_passage.o: CPPFLAGS_ALL += -Itests

.PHONY: tests tests-asan examples-c fuzz-targets warnings
tests: $(TEST_BIN)
tests-asan: $(filter $(BUILD)/tests/unit/% $(BUILD)/tests/fault/%,$(TEST_BIN))
examples-c: $(EXAMPLE_BIN)
fuzz-targets: $(FUZZ_BIN)

# Only the warnings of another compiler, for what tests-asan does not compile with it.
WARNED := $(CLI) $(EXAMPLE_C) $(filter-out tests/unit/% tests/fault/%,$(TEST_SRC))
warnings: $(BUILD)/gen/examples_data.c
	@printf '%s\n' $(WARNED) $< | xargs -n 8 -P $(JOBS) $(CC) $(CPPFLAGS_ALL) -Icli -Itests $(CFLAGS_ALL) -fsyntax-only

# ---- what people type
.PHONY: test test-all mutants demo bench figures gallery orders asan tsan tsan-programs fuzz coverage lengths clean help
test:
	@tools/install-missing $(TEST_PACKAGES)
	@MAKE="$(MAKE)" BUILD="$(BUILD)" JOBS="$(JOBS)" CLANG="$(CLANG)" CC="$(CC)" tools/run-tests

# With everything that is optional, and the library without it too.
test-all:
	@tools/install-missing $(ALL_PACKAGES)
	@MAKE="$(MAKE)" BUILD="$(BUILD)" JOBS="$(JOBS)" CLANG="$(CLANG)" CC="$(CC)" TEST_ALL=yes tools/run-tests

# Do the tests notice?  Changes of the sources, one by one.
mutants:
	@MAKE="$(MAKE)" BUILD="$(BUILD)" JOBS="$(JOBS)" tools/mutants

demo:
	@tools/install-missing $(PACKAGES)
	@echo "Building regula ..."
	@mkdir -p $(BUILD)
	@$(MAKE) --no-print-directory -j $(JOBS) all > $(BUILD)/demo.log 2>&1 || { cat $(BUILD)/demo.log; exit 1; }
	@echo; echo "\$$ cat examples/ivp/pendulum.rg"; cat examples/ivp/pendulum.rg
	@echo; echo "\$$ regula check examples/ivp/pendulum.rg"; $(BUILD)/regula check examples/ivp/pendulum.rg
	@echo; echo "\$$ regula solve examples/ivp/pendulum.rg"; $(BUILD)/regula solve examples/ivp/pendulum.rg
	@echo; echo "Next: $(BUILD)/regula help, and a model of your own: doc/manual/tutorial.md"

# bench/run, where there is one, decides what is measured; otherwise every program runs.
bench: all $(BENCH_BIN)
	@if [ -x bench/run ]; then MAKE="$(MAKE)" BUILD="$(BUILD)" QUICK="$(QUICK)" PART="$(PART)" RESUME="$(RESUME)" bench/run; \
	else bad=0; for b in $(BENCH_BIN); do echo "$$b"; $$b || bad=1; done; exit $$bad; fi

# Published figures from runs of the shipped models, checked against references.
figures: all
	@tools/figures $(BUILD)/regula $(BUILD)/figures
	@$(MAKE) --no-print-directory $(BUILD)/bench/bench_ring
	@$(BUILD)/bench/bench_ring > $(BUILD)/figures/ring.csv
	@awk -f tools/draw.awk -v title="Upwind differences on a ring, eps = 1e-8, h = 1/64, along a ray" \
		-v note="dashed: closed form of the limit that upwind differences take; distance to the solution 0.086" \
		-v overlay=1 -v limits="1:2,0:1" -v ticks="0.25,0.25" $(BUILD)/figures/ring.csv /dev/null > $(BUILD)/figures/ring.svg
	@echo "$(BUILD)/figures: figure-3.1, 5.1, 6.1, 6.2, transfer-6.1, 6.2, turning, riccati and ring, as SVG"

# One page of all shipped models with pictures, and the pictures of README and tutorial.
gallery: all
	@tools/gallery $(BUILD)/regula $(BUILD)/gallery $(JOBS)

# Observed orders of the implicit Runge-Kutta methods beside theory.
orders: all $(BUILD)/bench/bench_irk
	@tools/orders $(BUILD)/regula > $(BUILD)/orders.md && mv $(BUILD)/orders.md doc/methods/orders.md
	@tools/irk-tables $(BUILD)/bench/bench_irk doc/methods/irk.md

asan:
	@$(MAKE) --no-print-directory -j $(JOBS) BUILD="$(BUILD)/asan" VARIANT=asan all tests fuzz-targets
	@for t in $(TEST_SRC:%.c=$(BUILD)/asan/%); do echo $$t; $$t || exit 1; done

# Threads: sweeps, several solves of one problem, loops over grids.
TSAN_TESTS = unit/api/test_threads unit/base/test_crew order/test_grid_threads
tsan-programs: $(BUILD)/regula $(TSAN_TESTS:%=$(BUILD)/tests/%)
tsan:
	@$(MAKE) --no-print-directory -j $(JOBS) BUILD="$(BUILD)/tsan" VARIANT=tsan tsan-programs
	@BUILD="$(BUILD)/tsan" tools/run-tsan

FUZZ_TIME ?= 60
fuzz:
	@$(MAKE) --no-print-directory -j $(JOBS) BUILD="$(BUILD)/fuzz" VARIANT=fuzz fuzz-targets
	@BUILD="$(BUILD)/fuzz" FUZZ_TIME="$(FUZZ_TIME)" tools/run-fuzz $(FUZZ_SRC)

coverage:
	@$(MAKE) --no-print-directory -j $(JOBS) BUILD="$(BUILD)/coverage" VARIANT=coverage all tests
	@BUILD="$(BUILD)/coverage" tools/coverage $(TEST_SRC)

lengths:
	@tools/check-length

clean:
	rm -rf $(BUILD)

help:
	@sed 's/^    //' tools/make-help.txt

# ---- Python: a wheel with the shared library inside; the system's python3 unless told otherwise
PYTHON ?= /usr/bin/python3
.PHONY: python
python: $(LIB_SO)
	@mkdir -p $(BUILD)/python/source
	@cp -r python/pyproject.toml python/setup.py python/regula $(BUILD)/python/source
	@cd $(BUILD)/python/source && REGULA_LIBRARY=$(abspath $(LIB_SO)) $(PYTHON) -m pip -q wheel --no-build-isolation \
		--no-deps --no-index -w .. . > ../wheel.log 2>&1 || { cat ../wheel.log; exit 1; }
	@ls $(BUILD)/python/*.whl

# ---- installation
PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
DATADIR ?= $(PREFIX)/share
COMPDIR := $(DATADIR)/bash-completion/completions
ZSHDIR  := $(DATADIR)/zsh/site-functions
FISHDIR := $(DATADIR)/fish/vendor_completions.d
MAN1    := $(DATADIR)/man/man1
# Where that python3 looks for packages of this prefix; without python3: nowhere.
PYDIR    = $(shell $(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("purelib", "posix_prefix", {"base": ""}))' \
             2>/dev/null | sed 's|site-packages|dist-packages|')

$(BUILD)/regula.pc: tools/regula.pc.in
	@sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@VERSION@|$(VERSION)|' \
		-e 's|@LIBS@|$(SUNDIALS_LIBS) $(SPARSE_LIBS) $(FFT_LIBS) $(PNG_LIBS) -lm -lpthread -ldl|' $< > $@

.PHONY: install uninstall $(BUILD)/regula.pc
install: all $(BUILD)/regula.pc
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(LIBDIR)/pkgconfig
	install -d $(DESTDIR)$(MAN1) $(DESTDIR)$(COMPDIR) $(DESTDIR)$(ZSHDIR) $(DESTDIR)$(FISHDIR)
	install -d $(DESTDIR)$(DATADIR)/regula/examples
	install -m 755 $(BUILD)/regula $(DESTDIR)$(PREFIX)/bin/regula
	if [ -x $(BUILD)/regula-grid ]; then install -m 755 $(BUILD)/regula-grid $(DESTDIR)$(PREFIX)/bin/regula-grid; fi
	install -m 644 include/regula.h $(DESTDIR)$(PREFIX)/include/regula.h
	install -m 644 $(LIB_A) $(DESTDIR)$(LIBDIR)/libregula.a
	install -m 755 $(LIB_SO) $(DESTDIR)$(LIBDIR)/$(SO_FULL)
	ln -sf $(SO_FULL) $(DESTDIR)$(LIBDIR)/$(SO_NAME)
	ln -sf $(SO_NAME) $(DESTDIR)$(LIBDIR)/libregula.so
	install -m 644 $(BUILD)/regula.pc $(DESTDIR)$(LIBDIR)/pkgconfig/regula.pc
	if [ -f doc/regula.1 ]; then install -m 644 doc/regula.1 $(DESTDIR)$(MAN1)/regula.1; fi
	$(BUILD)/regula completion bash > $(DESTDIR)$(COMPDIR)/regula
	$(BUILD)/regula completion zsh > $(DESTDIR)$(ZSHDIR)/_regula
	$(BUILD)/regula completion fish > $(DESTDIR)$(FISHDIR)/regula.fish
	for f in $(EXAMPLES); do install -D -m 644 examples/$$f $(DESTDIR)$(DATADIR)/regula/examples/$$f; done
	if [ -n "$(PYDIR)" ]; then \
		install -d $(DESTDIR)$(PREFIX)$(PYDIR)/regula; \
		install -m 644 python/regula/*.py $(DESTDIR)$(PREFIX)$(PYDIR)/regula/; \
		ln -sf $(LIBDIR)/$(SO_NAME) $(DESTDIR)$(PREFIX)$(PYDIR)/regula/libregula.so; fi

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/regula $(DESTDIR)$(PREFIX)/bin/regula-grid $(DESTDIR)$(PREFIX)/include/regula.h
	rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,libregula.a libregula.so $(SO_NAME) $(SO_FULL) pkgconfig/regula.pc)
	rm -f $(DESTDIR)$(MAN1)/regula.1 $(DESTDIR)$(COMPDIR)/regula $(DESTDIR)$(ZSHDIR)/_regula
	rm -f $(DESTDIR)$(FISHDIR)/regula.fish
	rm -rf $(DESTDIR)$(DATADIR)/regula
	if [ -n "$(PYDIR)" ]; then rm -rf $(DESTDIR)$(PREFIX)$(PYDIR)/regula; fi

-include $(OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(GRID_OBJ:.o=.d) $(TEST_BIN:%=%.d) $(SUPPORT:.o=.d) $(FUZZ_BIN:%=%.d) $(BENCH_BIN:%=%.d)
