SRC += src/expr/graph.c src/expr/simplify.c src/expr/derivative.c
SRC += src/expr/tape.c src/expr/tape_scalar.c src/expr/tape_batch.c
