# regula: `make help` lists the targets.
# Source lists are explicit: SRC in src/*/files.mk, CLI in cli/files.mk, EXAMPLES in examples/files.mk.

BUILD   ?= build
CC      ?= gcc
OPT     ?= -O2 -g
WARN    ?= -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wvla -Werror
EXTRA   ?=
PKGCONF ?= pkg-config
VERSION := $(shell sed -n 's/^\#define RG_VERSION "\(.*\)"/\1/p' include/regula.h)
SOMAJOR := 0

SUITESPARSE_INC ?= /usr/include/suitesparse
BLAS_CFLAGS := $(shell $(PKGCONF) --cflags openblas 2>/dev/null)
BLAS_LIBS   := $(shell $(PKGCONF) --libs openblas 2>/dev/null || echo -lopenblas)
LIBS        := -lklu -lbtf -lamd -lcolamd -lcholmod -lumfpack -lsuitesparseconfig $(BLAS_LIBS) -lm -lpthread
CPPFLAGS_ALL := -D_POSIX_C_SOURCE=200809L -Iinclude -Isrc -isystem $(SUITESPARSE_INC) \
                $(patsubst -I%,-isystem %,$(BLAS_CFLAGS)) $(CPPFLAGS)
CFLAGS_ALL  := -std=c11 $(OPT) $(WARN) -fPIC $(EXTRA) $(CFLAGS)

.DEFAULT_GOAL := all

SRC :=
CLI :=
EXAMPLES :=
-include $(wildcard src/*/files.mk src/ivp/*/files.mk cli/files.mk examples/files.mk)

OBJ      := $(SRC:%.c=$(BUILD)/%.o)
CLI_OBJ  := $(CLI:%.c=$(BUILD)/%.o)
LIB_A    := $(BUILD)/libregula.a
LIB_SO   := $(BUILD)/libregula.so
PROGRAM  := $(if $(CLI),$(BUILD)/regula)

.PHONY: all
all: $(LIB_A) $(LIB_SO) $(PROGRAM)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -c $< -o $@

$(LIB_A): $(OBJ)
	@mkdir -p $(@D)
	@rm -f $@
	ar rcs $@ $(OBJ)

$(LIB_SO): $(OBJ)
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-soname,libregula.so.$(SOMAJOR) $(CFLAGS_ALL) $(LDFLAGS) $(OBJ) $(LIBS) -o $@

$(BUILD)/regula: $(CLI_OBJ) $(LIB_A)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) $(CLI_OBJ) $(LIB_A) $(LIBS) -o $@

# ---- test programs: tests/KIND/.../test_X.c -> $(BUILD)/tests/KIND/.../test_X
TEST_KINDS := unit order fault
TEST_SRC   := $(sort $(foreach k,$(TEST_KINDS),$(wildcard tests/$k/test_*.c tests/$k/*/test_*.c)))
TEST_BIN   := $(TEST_SRC:%.c=$(BUILD)/%)
SUPPORT    := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/support/*.c))

$(BUILD)/tests/%.o: CPPFLAGS_ALL += -Itests
$(TEST_BIN): $(BUILD)/%: $(BUILD)/%.o $(SUPPORT) $(LIB_A)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) $< $(SUPPORT) $(LIB_A) $(LIBS) -o $@

.SECONDARY: $(TEST_BIN:%=%.o) $(SUPPORT)
.PHONY: tests
tests: $(TEST_BIN)

.PHONY: clean
clean:
	rm -rf $(BUILD)

-include $(OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(TEST_BIN:%=%.d) $(SUPPORT:.o=.d)
