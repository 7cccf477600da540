SRC += src/bvp/srm/field.c src/bvp/srm/point.c src/bvp/srm/nodes.c \
       src/bvp/srm/sweep.c src/bvp/srm/prepare.c src/bvp/srm/layer.c src/bvp/srm/mesh.c src/bvp/srm/dense.c src/bvp/srm/compare.c src/bvp/srm/attempt.c \
       src/bvp/srm/failure.c src/bvp/srm/solve.c src/bvp/srm/output.c src/bvp/srm/method.c
