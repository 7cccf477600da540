SRC += src/views/drift.c src/views/evaluate.c src/views/states.c src/views/switches.c src/views/merge.c src/views/restart.c src/views/system.c
