SRC += src/solve/compare.c
