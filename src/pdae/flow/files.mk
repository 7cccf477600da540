SRC += src/pdae/flow/flow.c src/pdae/flow/implicit.c src/pdae/flow/explicit.c src/pdae/flow/coefficients.c src/pdae/flow/rows.c \
       src/pdae/flow/stable.c src/pdae/flow/store.c
