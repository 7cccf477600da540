/* The routines of LAPACK under names of our own: each looks for the real one
 * when it is called.  The caller has loaded the library (rg_library_load())
 * before; otherwise info tells of the failure. */
#include "linalg/lapack.h"

#include "linalg/lazy.h"

enum { NOT_LOADED = -1000 };

void rg_dgetrf_(const int *m, const int *n, double *A, const int *lda, int *pivot, int *info)
{
    static void *_Atomic known;
    void (*real)(const int *, const int *, double *, const int *, int *, int *);

    *info = NOT_LOADED;
    if (!rg_library_find(RG_LIBRARY_LAPACK, "dgetrf_", &known, &real)) return;
    rg_lapack_enter();
    real(m, n, A, lda, pivot, info);
    rg_lapack_leave();
}

void rg_dgetrs_(const char *trans, const int *n, const int *n_rhs, const double *A, const int *lda,
                const int *pivot, double *b, const int *ldb, int *info, size_t length0)
{
    static void *_Atomic known;
    void (*real)(const char *, const int *, const int *, const double *, const int *, const int *,
                 double *, const int *, int *, size_t);

    *info = NOT_LOADED;
    if (!rg_library_find(RG_LIBRARY_LAPACK, "dgetrs_", &known, &real)) return;
    rg_lapack_enter();
    real(trans, n, n_rhs, A, lda, pivot, b, ldb, info, length0);
    rg_lapack_leave();
}

void rg_dgttrf_(const int *n, double *lower, double *diagonal, double *upper, double *second,
                int *pivot, int *info)
{
    static void *_Atomic known;
    void (*real)(const int *, double *, double *, double *, double *, int *, int *);

    *info = NOT_LOADED;
    if (!rg_library_find(RG_LIBRARY_LAPACK, "dgttrf_", &known, &real)) return;
    rg_lapack_enter();
    real(n, lower, diagonal, upper, second, pivot, info);
    rg_lapack_leave();
}

void rg_dgttrs_(const char *trans, const int *n, const int *n_rhs, const double *lower,
                const double *diagonal, const double *upper, const double *second, const int *pivot,
                double *b, const int *ldb, int *info, size_t length0)
{
    static void *_Atomic known;
    void (*real)(const char *, const int *, const int *, const double *, const double *,
                 const double *, const double *, const int *, double *, const int *, int *, size_t);

    *info = NOT_LOADED;
    if (!rg_library_find(RG_LIBRARY_LAPACK, "dgttrs_", &known, &real)) return;
    rg_lapack_enter();
    real(trans, n, n_rhs, lower, diagonal, upper, second, pivot, b, ldb, info, length0);
    rg_lapack_leave();
}

void rg_zgetrf_(const int *m, const int *n, double complex *A, const int *lda, int *pivot,
                int *info)
{
    static void *_Atomic known;
    void (*real)(const int *, const int *, double complex *, const int *, int *, int *);

    *info = NOT_LOADED;
    if (!rg_library_find(RG_LIBRARY_LAPACK, "zgetrf_", &known, &real)) return;
    rg_lapack_enter();
    real(m, n, A, lda, pivot, info);
    rg_lapack_leave();
}

void rg_zgetrs_(const char *trans, const int *n, const int *n_rhs, const double complex *A,
                const int *lda, const int *pivot, double complex *b, const int *ldb, int *info,
                size_t length0)
{
    static void *_Atomic known;
    void (*real)(const char *, const int *, const int *, const double complex *, const int *,
                 const int *, double complex *, const int *, int *, size_t);

    *info = NOT_LOADED;
    if (!rg_library_find(RG_LIBRARY_LAPACK, "zgetrs_", &known, &real)) return;
    rg_lapack_enter();
    real(trans, n, n_rhs, A, lda, pivot, b, ldb, info, length0);
    rg_lapack_leave();
}

void rg_dgesdd_(const char *job, const int *m, const int *n, double *A, const int *lda, double *s,
                double *U, const int *ldu, double *Vt, const int *ldvt, double *work,
                const int *l_work, int *i_work, int *info, size_t length0)
{
    static void *_Atomic known;
    void (*real)(const char *, const int *, const int *, double *, const int *, double *, double *,
                 const int *, double *, const int *, double *, const int *, int *, int *, size_t);

    *info = NOT_LOADED;
    if (!rg_library_find(RG_LIBRARY_LAPACK, "dgesdd_", &known, &real)) return;
    rg_lapack_enter();
    real(job, m, n, A, lda, s, U, ldu, Vt, ldvt, work, l_work, i_work, info, length0);
    rg_lapack_leave();
}

void rg_dgeev_(const char *left, const char *right, const int *n, double *A, const int *lda,
               double *re, double *im, double *Vl, const int *ldvl, double *Vr, const int *ldvr,
               double *work, const int *l_work, int *info, size_t length0, size_t length1)
{
    static void *_Atomic known;
    void (*real)(const char *, const char *, const int *, double *, const int *, double *, double *,
                 double *, const int *, double *, const int *, double *, const int *, int *, size_t,
                 size_t);

    *info = NOT_LOADED;
    if (!rg_library_find(RG_LIBRARY_LAPACK, "dgeev_", &known, &real)) return;
    rg_lapack_enter();
    real(left, right, n, A, lda, re, im, Vl, ldvl, Vr, ldvr, work, l_work, info, length0, length1);
    rg_lapack_leave();
}

void rg_dgees_(const char *vectors, const char *sort, int (*select)(const double *, const double *),
               const int *n, double *A, const int *lda, int *count, double *re, double *im,
               double *V, const int *ldv, double *work, const int *l_work, int *b_work, int *info,
               size_t length0, size_t length1)
{
    static void *_Atomic known;
    void (*real)(const char *, const char *, int (*)(const double *, const double *), const int *,
                 double *, const int *, int *, double *, double *, double *, const int *, double *,
                 const int *, int *, int *, size_t, size_t);

    *info = NOT_LOADED;
    if (!rg_library_find(RG_LIBRARY_LAPACK, "dgees_", &known, &real)) return;
    rg_lapack_enter();
    real(vectors, sort, select, n, A, lda, count, re, im, V, ldv, work, l_work, b_work, info,
         length0, length1);
    rg_lapack_leave();
}

void rg_dtrsen_(const char *job, const char *vectors, const int *select, const int *n, double *T,
                const int *ldt, double *V, const int *ldv, double *re, double *im, int *count,
                double *s, double *separation, double *work, const int *l_work, int *i_work,
                const int *l_i_work, int *info, size_t length0, size_t length1)
{
    static void *_Atomic known;
    void (*real)(const char *, const char *, const int *, const int *, double *, const int *,
                 double *, const int *, double *, double *, int *, double *, double *, double *,
                 const int *, int *, const int *, int *, size_t, size_t);

    *info = NOT_LOADED;
    if (!rg_library_find(RG_LIBRARY_LAPACK, "dtrsen_", &known, &real)) return;
    rg_lapack_enter();
    real(job, vectors, select, n, T, ldt, V, ldv, re, im, count, s, separation, work, l_work,
         i_work, l_i_work, info, length0, length1);
    rg_lapack_leave();
}
