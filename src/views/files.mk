SRC += src/views/access.c src/views/alias.c src/views/branches.c src/views/crossings.c src/views/slide.c src/views/drift.c src/views/evaluate.c src/views/mass.c src/views/ggl.c src/views/ggl_join.c src/views/states.c src/views/switches.c src/views/leading.c src/views/merge.c src/views/rate.c src/views/recover.c src/views/restart.c src/views/system.c
SRC += src/views/table_end.c
