SRC += src/pdae/expand/edge.c
SRC += src/pdae/expand/expand.c
SRC += src/pdae/expand/output.c
SRC += src/pdae/expand/print.c
SRC += src/pdae/expand/scalar.c
SRC += src/pdae/expand/start.c
SRC += src/pdae/expand/vector.c
SRC += src/pdae/expand/write.c
