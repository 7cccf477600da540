SRC += src/newton/start.c src/newton/sizes.c src/newton/evaluate.c src/newton/step.c src/newton/scaling.c src/newton/dense_step.c \
       src/newton/sparse_step.c src/newton/choose.c src/newton/newton.c src/newton/iterate.c src/newton/damped.c \
       src/newton/marquardt.c src/newton/homotopy.c src/newton/least_change.c \
       src/newton/search.c src/newton/free_columns.c src/newton/repair.c \
       src/newton/contradiction.c src/newton/consistent.c src/newton/impulse.c src/newton/kkt.c src/newton/ldl.c src/newton/project.c src/newton/quick.c
