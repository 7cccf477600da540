SRC += src/pdae/expand/expand.c src/pdae/expand/write.c src/pdae/expand/print.c
SRC += src/pdae/expand/vector.c src/pdae/expand/scalar.c src/pdae/expand/start.c
SRC += src/pdae/expand/output.c
