SRC += src/bvp/turning/check.c
SRC += src/bvp/turning/difference.c
SRC += src/bvp/turning/mesh.c
SRC += src/bvp/turning/method.c
SRC += src/bvp/turning/output.c
SRC += src/bvp/turning/reduced.c
SRC += src/bvp/turning/solution.c
SRC += src/bvp/turning/sweep.c
