/* The Newton matrix  M = (re + i im) Jyp + Jy  of an implicit method: formed, factored, solved;
 * dense or sparse.
 *
 * Jy and Jyp share one pattern.  Small or full matrices are kept dense (linalg/lu.h), the others
 * are sparse (linalg/sparse.h): one symbolic analysis, KLU or UMFPACK. */
#ifndef RG_LINALG_MATRIX_H
#define RG_LINALG_MATRIX_H

#include "base/base.h"
#include "linalg/pattern.h"

typedef struct rg_matrix rg_matrix;

/* Copies the pattern, which must be square.  is_complex false: im is 0 throughout. */
rg_status rg_matrix_create(rg_context *ctx, const rg_pattern *pattern, bool is_complex,
                           rg_matrix **out);
/* Another matrix with the pattern of `other`: shares the analysis of a sparse pattern. */
rg_status rg_matrix_create_like(const rg_matrix *other, bool is_complex, rg_matrix **out);
void rg_matrix_destroy(rg_matrix **m);
bool rg_matrix_is_sparse(const rg_matrix *m);

/* Dependent equations: row rows[k] is replaced by x_columns[k] = 0, in factor and solve alike.  The
 * matrix becomes dense; copies both arrays.  Before the first factorization. */
rg_status rg_matrix_pin(rg_matrix *m, int count, const int *rows, const int *columns);
/* Which equations and unknowns to pin in M = x Jyp + Jy, whose rank is n - count: those that
 * elimination with complete pivoting leaves over.  most: the largest entries so far of such
 * matrices, in pattern order, which those of M join; 0 at first.  RG_RETRY: an entry is not finite,
 * or there are fewer columns than that. */
rg_status rg_matrix_find_dependent(rg_context *ctx, const rg_pattern *pattern, double x,
                                   const double *Jy, const double *Jyp, double *most, int count,
                                   int *rows, int *columns);

/* Values in pattern order.  Jyp may be NULL: M = Jy.  RG_RETRY, without a message: singular, or an
 * entry is not finite.  Nothing is allocated for dense matrices. */
rg_status rg_matrix_factor(rg_matrix *m, double re, double im, const double *Jy, const double *Jyp);
/* The same for a matrix that is near the last one of m: its rows are scaled as those were. */
rg_status rg_matrix_factor_near(rg_matrix *m, double re, double im, const double *Jy,
                                const double *Jyp);
/* The same for several matrices (re_k, im_k), those of a step: in threads of their own where that
 * pays, and with the same results in any case.  The first failure counts. */
typedef struct {
    rg_matrix *m;
    double re, im;
} rg_matrix_task;
rg_status rg_matrix_factor_all(int count, const rg_matrix_task *tasks, const double *Jy,
                               const double *Jyp);
/* (b_re, b_im) <- M^-1 (b_re, b_im); b_im is not used for real matrices.  Only after a factor
 * call that returned RG_OK. */
void rg_matrix_solve(rg_matrix *m, double *b_re, double *b_im);
/* The same for several right-hand sides: four of them cost as much as one with sparse factors of
 * KLU. */
void rg_matrix_solve_several(rg_matrix *m, int count, const rg_sides *b);
/* b <- M^-T b by the factors of M, where they can do that: not those of dense matrices. */
bool rg_matrix_has_transposed(const rg_matrix *m);
void rg_matrix_solve_transposed(rg_matrix *m, double *b);

/* Work of a factorization and of a solution in multiplications, counted as if real; known after
 * the first factorization. */
void rg_matrix_work(const rg_matrix *m, double *factor, double *solve);

/* y += a A x for values A in pattern order */
void rg_pattern_multiply(const rg_pattern *p, const double *A, double a, const double *x,
                         double *y);

#endif
