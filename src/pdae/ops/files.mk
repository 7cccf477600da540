SRC += src/pdae/ops/vector.c src/pdae/ops/momentum.c src/pdae/ops/solid.c src/pdae/ops/implicit.c
