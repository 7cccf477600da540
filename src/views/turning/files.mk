SRC += src/views/turning/dirichlet.c
SRC += src/views/turning/evaluate.c
SRC += src/views/turning/form.c
SRC += src/views/turning/parameter.c
SRC += src/views/turning/points.c
SRC += src/views/turning/row.c
SRC += src/views/turning/study.c
