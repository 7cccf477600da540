SRC += src/pdae/ops/vector.c src/pdae/ops/momentum.c
