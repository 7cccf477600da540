SRC += src/pdae/ops/divergence.c
SRC += src/pdae/ops/implicit.c
SRC += src/pdae/ops/implicit_factors.c
SRC += src/pdae/ops/joined.c
SRC += src/pdae/ops/momentum.c
SRC += src/pdae/ops/solid.c
SRC += src/pdae/ops/vector.c
