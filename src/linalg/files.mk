SRC += src/linalg/powers.c src/linalg/lazy.c src/linalg/lazy_cholmod.c src/linalg/lazy_umfpack.c src/linalg/lapack.c src/linalg/svd.c src/linalg/jacobi.c src/linalg/eigenvalues.c src/linalg/qr.c src/linalg/cod.c src/linalg/lu.c src/linalg/small_lu.c src/linalg/quad_lu.c src/linalg/quad_zlu.c \
       src/linalg/matrix.c src/linalg/sparse.c src/linalg/sparse_plan.c src/linalg/sparse_klu.c \
       src/linalg/sparse_umfpack.c src/linalg/parallel.c src/linalg/matching.c \
       src/linalg/dependent.c src/linalg/rule.c src/linalg/rule_modes.c src/linalg/rule_blocks.c src/linalg/tableau.c src/linalg/orthonormal.c src/linalg/rank.c src/linalg/vectors.c src/linalg/schur.c
SRC += src/linalg/tridiagonal.c src/linalg/join.c
