/* The functions of UMFPACK under names of our own: each looks for the real one
 * when it is first called.  Where the library cannot be loaded, memory is told
 * to be short. */
#include "linalg/lazy_umfpack.h"

#include "linalg/lazy.h"

SuiteSparse_long rg_umfpack_dl_symbolic(SuiteSparse_long n_row, SuiteSparse_long n_col,
                                        const SuiteSparse_long *Ap, const SuiteSparse_long *Ai,
                                        const double *Ax, void **Symbolic,
                                        const double Control[UMFPACK_CONTROL],
                                        double Info[UMFPACK_INFO])
{
    static void *_Atomic known;
    SuiteSparse_long (*real)(SuiteSparse_long, SuiteSparse_long, const SuiteSparse_long *,
                             const SuiteSparse_long *, const double *, void **, const double *,
                             double *);

    return rg_library_find(RG_LIBRARY_UMFPACK, "umfpack_dl_symbolic", &known, &real)
               ? real(n_row, n_col, Ap, Ai, Ax, Symbolic, Control, Info)
               : UMFPACK_ERROR_out_of_memory;
}

SuiteSparse_long rg_umfpack_dl_numeric(const SuiteSparse_long *Ap, const SuiteSparse_long *Ai,
                                       const double *Ax, void *Symbolic, void **Numeric,
                                       const double Control[UMFPACK_CONTROL],
                                       double Info[UMFPACK_INFO])
{
    static void *_Atomic known;
    SuiteSparse_long (*real)(const SuiteSparse_long *, const SuiteSparse_long *, const double *,
                             void *, void **, const double *, double *);

    return rg_library_find(RG_LIBRARY_UMFPACK, "umfpack_dl_numeric", &known, &real)
               ? real(Ap, Ai, Ax, Symbolic, Numeric, Control, Info)
               : UMFPACK_ERROR_out_of_memory;
}

SuiteSparse_long rg_umfpack_dl_wsolve(SuiteSparse_long sys, const SuiteSparse_long *Ap,
                                      const SuiteSparse_long *Ai, const double *Ax, double *X,
                                      const double *B, void *Numeric,
                                      const double Control[UMFPACK_CONTROL],
                                      double Info[UMFPACK_INFO], SuiteSparse_long *Wi, double *W)
{
    static void *_Atomic known;
    SuiteSparse_long (*real)(SuiteSparse_long, const SuiteSparse_long *, const SuiteSparse_long *,
                             const double *, double *, const double *, void *, const double *,
                             double *, SuiteSparse_long *, double *);

    return rg_library_find(RG_LIBRARY_UMFPACK, "umfpack_dl_wsolve", &known, &real)
               ? real(sys, Ap, Ai, Ax, X, B, Numeric, Control, Info, Wi, W)
               : UMFPACK_ERROR_out_of_memory;
}

void rg_umfpack_dl_free_symbolic(void **Symbolic)
{
    static void *_Atomic known;
    void (*real)(void **);

    if (rg_library_find(RG_LIBRARY_UMFPACK, "umfpack_dl_free_symbolic", &known, &real))
        real(Symbolic);
}

void rg_umfpack_dl_free_numeric(void **Numeric)
{
    static void *_Atomic known;
    void (*real)(void **);

    if (rg_library_find(RG_LIBRARY_UMFPACK, "umfpack_dl_free_numeric", &known, &real))
        real(Numeric);
}

void rg_umfpack_dl_defaults(double Control[UMFPACK_CONTROL])
{
    static void *_Atomic known;
    void (*real)(double *);

    if (rg_library_find(RG_LIBRARY_UMFPACK, "umfpack_dl_defaults", &known, &real)) real(Control);
}

SuiteSparse_long rg_umfpack_zl_symbolic(SuiteSparse_long n_row, SuiteSparse_long n_col,
                                        const SuiteSparse_long *Ap, const SuiteSparse_long *Ai,
                                        const double *Ax, const double *Az, void **Symbolic,
                                        const double Control[UMFPACK_CONTROL],
                                        double Info[UMFPACK_INFO])
{
    static void *_Atomic known;
    SuiteSparse_long (*real)(SuiteSparse_long, SuiteSparse_long, const SuiteSparse_long *,
                             const SuiteSparse_long *, const double *, const double *, void **,
                             const double *, double *);

    return rg_library_find(RG_LIBRARY_UMFPACK, "umfpack_zl_symbolic", &known, &real)
               ? real(n_row, n_col, Ap, Ai, Ax, Az, Symbolic, Control, Info)
               : UMFPACK_ERROR_out_of_memory;
}

SuiteSparse_long rg_umfpack_zl_numeric(const SuiteSparse_long *Ap, const SuiteSparse_long *Ai,
                                       const double *Ax, const double *Az, void *Symbolic,
                                       void **Numeric, const double Control[UMFPACK_CONTROL],
                                       double Info[UMFPACK_INFO])
{
    static void *_Atomic known;
    SuiteSparse_long (*real)(const SuiteSparse_long *, const SuiteSparse_long *, const double *,
                             const double *, void *, void **, const double *, double *);

    return rg_library_find(RG_LIBRARY_UMFPACK, "umfpack_zl_numeric", &known, &real)
               ? real(Ap, Ai, Ax, Az, Symbolic, Numeric, Control, Info)
               : UMFPACK_ERROR_out_of_memory;
}

SuiteSparse_long rg_umfpack_zl_wsolve(SuiteSparse_long sys, const SuiteSparse_long *Ap,
                                      const SuiteSparse_long *Ai, const double *Ax,
                                      const double *Az, double *Xx, double *Xz, const double *Bx,
                                      const double *Bz, void *Numeric,
                                      const double Control[UMFPACK_CONTROL],
                                      double Info[UMFPACK_INFO], SuiteSparse_long *Wi, double *W)
{
    static void *_Atomic known;
    SuiteSparse_long (*real)(SuiteSparse_long, const SuiteSparse_long *, const SuiteSparse_long *,
                             const double *, const double *, double *, double *, const double *,
                             const double *, void *, const double *, double *, SuiteSparse_long *,
                             double *);

    return rg_library_find(RG_LIBRARY_UMFPACK, "umfpack_zl_wsolve", &known, &real)
               ? real(sys, Ap, Ai, Ax, Az, Xx, Xz, Bx, Bz, Numeric, Control, Info, Wi, W)
               : UMFPACK_ERROR_out_of_memory;
}

void rg_umfpack_zl_free_symbolic(void **Symbolic)
{
    static void *_Atomic known;
    void (*real)(void **);

    if (rg_library_find(RG_LIBRARY_UMFPACK, "umfpack_zl_free_symbolic", &known, &real))
        real(Symbolic);
}

void rg_umfpack_zl_free_numeric(void **Numeric)
{
    static void *_Atomic known;
    void (*real)(void **);

    if (rg_library_find(RG_LIBRARY_UMFPACK, "umfpack_zl_free_numeric", &known, &real))
        real(Numeric);
}

void rg_umfpack_zl_defaults(double Control[UMFPACK_CONTROL])
{
    static void *_Atomic known;
    void (*real)(double *);

    if (rg_library_find(RG_LIBRARY_UMFPACK, "umfpack_zl_defaults", &known, &real)) real(Control);
}

SuiteSparse_long rg_umfpack_dl_get_lunz(SuiteSparse_long *lnz, SuiteSparse_long *unz,
                                        SuiteSparse_long *n_row, SuiteSparse_long *n_col,
                                        SuiteSparse_long *nz_udiag, void *Numeric)
{
    static void *_Atomic known;
    SuiteSparse_long (*real)(SuiteSparse_long *, SuiteSparse_long *, SuiteSparse_long *,
                             SuiteSparse_long *, SuiteSparse_long *, void *);

    return rg_library_find(RG_LIBRARY_UMFPACK, "umfpack_dl_get_lunz", &known, &real)
               ? real(lnz, unz, n_row, n_col, nz_udiag, Numeric)
               : UMFPACK_ERROR_out_of_memory;
}

SuiteSparse_long rg_umfpack_zl_get_lunz(SuiteSparse_long *lnz, SuiteSparse_long *unz,
                                        SuiteSparse_long *n_row, SuiteSparse_long *n_col,
                                        SuiteSparse_long *nz_udiag, void *Numeric)
{
    static void *_Atomic known;
    SuiteSparse_long (*real)(SuiteSparse_long *, SuiteSparse_long *, SuiteSparse_long *,
                             SuiteSparse_long *, SuiteSparse_long *, void *);

    return rg_library_find(RG_LIBRARY_UMFPACK, "umfpack_zl_get_lunz", &known, &real)
               ? real(lnz, unz, n_row, n_col, nz_udiag, Numeric)
               : UMFPACK_ERROR_out_of_memory;
}

SuiteSparse_long rg_umfpack_dl_get_numeric(SuiteSparse_long *Lp, SuiteSparse_long *Lj, double *Lx,
                                           SuiteSparse_long *Up, SuiteSparse_long *Ui, double *Ux,
                                           SuiteSparse_long *P, SuiteSparse_long *Q, double *Dx,
                                           SuiteSparse_long *do_recip, double *Rs, void *Numeric)
{
    static void *_Atomic known;
    SuiteSparse_long (*real)(SuiteSparse_long *, SuiteSparse_long *, double *, SuiteSparse_long *,
                             SuiteSparse_long *, double *, SuiteSparse_long *, SuiteSparse_long *,
                             double *, SuiteSparse_long *, double *, void *);

    return rg_library_find(RG_LIBRARY_UMFPACK, "umfpack_dl_get_numeric", &known, &real)
               ? real(Lp, Lj, Lx, Up, Ui, Ux, P, Q, Dx, do_recip, Rs, Numeric)
               : UMFPACK_ERROR_out_of_memory;
}

SuiteSparse_long rg_umfpack_zl_get_numeric(SuiteSparse_long *Lp, SuiteSparse_long *Lj, double *Lx,
                                           double *Lz, SuiteSparse_long *Up, SuiteSparse_long *Ui,
                                           double *Ux, double *Uz, SuiteSparse_long *P,
                                           SuiteSparse_long *Q, double *Dx, double *Dz,
                                           SuiteSparse_long *do_recip, double *Rs, void *Numeric)
{
    static void *_Atomic known;
    SuiteSparse_long (*real)(SuiteSparse_long *, SuiteSparse_long *, double *, double *,
                             SuiteSparse_long *, SuiteSparse_long *, double *, double *,
                             SuiteSparse_long *, SuiteSparse_long *, double *, double *,
                             SuiteSparse_long *, double *, void *);

    return rg_library_find(RG_LIBRARY_UMFPACK, "umfpack_zl_get_numeric", &known, &real)
               ? real(Lp, Lj, Lx, Lz, Up, Ui, Ux, Uz, P, Q, Dx, Dz, do_recip, Rs, Numeric)
               : UMFPACK_ERROR_out_of_memory;
}
