/* The LAPACK routines that are called, by their Fortran names (OpenBLAS, 32-bit integers).  Text
 * arguments pass their lengths at the end, as gfortran expects. */
#ifndef RG_LINALG_LAPACK_H
#define RG_LINALG_LAPACK_H

#include <complex.h>
#include <stddef.h>

void openblas_set_num_threads(int n);

void dgetrf_(const int *m, const int *n, double *A, const int *lda, int *pivot, int *info);
void dgetrs_(const char *trans, const int *n, const int *n_rhs, const double *A, const int *lda,
             const int *pivot, double *b, const int *ldb, int *info, size_t);
void dgttrf_(const int *n, double *lower, double *diagonal, double *upper, double *second,
             int *pivot, int *info);
void dgttrs_(const char *trans, const int *n, const int *n_rhs, const double *lower,
             const double *diagonal, const double *upper, const double *second, const int *pivot,
             double *b, const int *ldb, int *info, size_t);
void zgetrf_(const int *m, const int *n, double complex *A, const int *lda, int *pivot, int *info);
void zgetrs_(const char *trans, const int *n, const int *n_rhs, const double complex *A,
             const int *lda, const int *pivot, double complex *b, const int *ldb, int *info,
             size_t);
void dgesdd_(const char *job, const int *m, const int *n, double *A, const int *lda, double *s,
             double *U, const int *ldu, double *Vt, const int *ldvt, double *work,
             const int *l_work, int *i_work, int *info, size_t);
void dgeev_(const char *left, const char *right, const int *n, double *A, const int *lda,
            double *re, double *im, double *Vl, const int *ldvl, double *Vr, const int *ldvr,
            double *work, const int *l_work, int *info, size_t, size_t);
void dgeqp3_(const int *m, const int *n, double *A, const int *lda, int *pivot, double *tau,
             double *work, const int *l_work, int *info);
void dormqr_(const char *side, const char *trans, const int *m, const int *n, const int *k,
             const double *A, const int *lda, const double *tau, double *C, const int *ldc,
             double *work, const int *l_work, int *info, size_t, size_t);
void dtzrzf_(const int *m, const int *n, double *A, const int *lda, double *tau, double *work,
             const int *l_work, int *info);
void dormrz_(const char *side, const char *trans, const int *m, const int *n, const int *k,
             const int *l, const double *A, const int *lda, const double *tau, double *C,
             const int *ldc, double *work, const int *l_work, int *info, size_t, size_t);

#endif
