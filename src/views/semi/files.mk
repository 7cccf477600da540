SRC += src/views/semi/derivatives.c src/views/semi/evaluate.c src/views/semi/half.c src/views/semi/half_eval.c src/views/semi/pair.c src/views/semi/parts.c src/views/semi/semi.c src/views/semi/sort.c
