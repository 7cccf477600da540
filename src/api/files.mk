SRC += src/api/entry.c src/api/methods.c src/api/load.c src/api/callbacks.c src/api/problem.c src/api/analyze.c \
       src/api/choose.c src/api/regularize.c src/api/estimate.c src/api/solver.c src/api/unwatched.c src/api/solve.c src/api/report.c
SRC += src/api/boundary.c src/api/conditioning.c src/api/boundary_output.c src/api/continuation.c src/api/rescue.c
SRC += src/api/boundary_srm.c src/api/boundary_srm_output.c
SRC += src/api/transfer.c src/api/transfer_pieces.c
