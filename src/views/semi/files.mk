SRC += src/views/semi/derivatives.c
SRC += src/views/semi/evaluate.c
SRC += src/views/semi/half.c
SRC += src/views/semi/half_eval.c
SRC += src/views/semi/pair.c
SRC += src/views/semi/parts.c
SRC += src/views/semi/semi.c
SRC += src/views/semi/sort.c
