SRC += src/linalg/blas.c src/linalg/svd.c src/linalg/qr.c
