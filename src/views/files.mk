SRC += src/views/drift.c src/views/evaluate.c src/views/layout.c src/views/merge.c src/views/system.c
