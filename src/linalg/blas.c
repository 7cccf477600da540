/* Keeps the BLAS to one thread. */
#include "linalg/blas.h"

#include "linalg/lapack.h"

void rg_blas_one_thread(void)
{
    openblas_set_num_threads(1);
}
