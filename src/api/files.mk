SRC += src/api/entry.c src/api/methods.c src/api/load.c src/api/callbacks.c src/api/problem.c src/api/analyze.c \
       src/api/choose.c src/api/regularize.c src/api/estimate.c src/api/solver.c src/api/unwatched.c src/api/solve.c src/api/report.c
SRC += src/api/boundary.c
SRC += src/api/boundary_srm.c src/api/boundary_srm_output.c
