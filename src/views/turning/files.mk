SRC += src/views/turning/row.c src/views/turning/form.c src/views/turning/evaluate.c src/views/turning/dirichlet.c src/views/turning/points.c src/views/turning/study.c src/views/turning/parameter.c
