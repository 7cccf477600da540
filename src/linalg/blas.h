/* Settings of the BLAS behind everything dense. */
#ifndef RG_LINALG_BLAS_H
#define RG_LINALG_BLAS_H

/* OpenBLAS on one thread: our matrices are small, and its thread pool costs more than it saves.
 * Called wherever a matrix object is created; cheap when already done. */
void rg_blas_one_thread(void);

#endif
