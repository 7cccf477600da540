/* The LAPACK routines that are called (OpenBLAS, 32-bit integers), which is
 * loaded when it is first needed.  Text arguments pass their lengths at the
 * end, as gfortran expects. */
#ifndef RG_LINALG_LAPACK_H
#define RG_LINALG_LAPACK_H

#include <complex.h>
#include <stddef.h>

void rg_dgetrf_(const int *m, const int *n, double *A, const int *lda, int *pivot, int *info);
void rg_dgetrs_(const char *trans, const int *n, const int *n_rhs, const double *A, const int *lda,
                const int *pivot, double *b, const int *ldb, int *info, size_t);
void rg_dgttrf_(const int *n, double *lower, double *diagonal, double *upper, double *second,
                int *pivot, int *info);
void rg_dgttrs_(const char *trans, const int *n, const int *n_rhs, const double *lower,
                const double *diagonal, const double *upper, const double *second, const int *pivot,
                double *b, const int *ldb, int *info, size_t);
void rg_zgetrf_(const int *m, const int *n, double complex *A, const int *lda, int *pivot,
                int *info);
void rg_zgetrs_(const char *trans, const int *n, const int *n_rhs, const double complex *A,
                const int *lda, const int *pivot, double complex *b, const int *ldb, int *info,
                size_t);
void rg_dgesdd_(const char *job, const int *m, const int *n, double *A, const int *lda, double *s,
                double *U, const int *ldu, double *Vt, const int *ldvt, double *work,
                const int *l_work, int *i_work, int *info, size_t);
void rg_dgeev_(const char *left, const char *right, const int *n, double *A, const int *lda,
               double *re, double *im, double *Vl, const int *ldvl, double *Vr, const int *ldvr,
               double *work, const int *l_work, int *info, size_t, size_t);

void rg_dgees_(const char *vectors, const char *sort, int (*select)(const double *, const double *),
               const int *n, double *A, const int *lda, int *count, double *re, double *im,
               double *V, const int *ldv, double *work, const int *l_work, int *b_work, int *info,
               size_t, size_t);
void rg_dtrsen_(const char *job, const char *vectors, const int *select, const int *n, double *T,
                const int *ldt, double *V, const int *ldv, double *re, double *im, int *count,
                double *s, double *separation, double *work, const int *l_work, int *i_work,
                const int *l_i_work, int *info, size_t, size_t);

#endif
