SRC += src/pdae/flow/coefficients.c
SRC += src/pdae/flow/explicit.c
SRC += src/pdae/flow/flow.c
SRC += src/pdae/flow/implicit.c
SRC += src/pdae/flow/rows.c
SRC += src/pdae/flow/stable.c
SRC += src/pdae/flow/store.c
