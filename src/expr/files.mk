SRC += src/expr/graph.c src/expr/walk.c src/expr/ops.c src/expr/simplify.c src/expr/simplify_sum.c
SRC += src/expr/derivative.c src/expr/gradient.c src/expr/tape.c src/expr/tape_items.c src/expr/tape_emit.c
SRC += src/expr/tape_scalar.c src/expr/tape_batch.c src/expr/native_emit.c src/expr/native_build.c src/expr/table.c src/expr/table_pieces.c
