/* What all sparse matrices of one pattern share: the analysis of the pattern, made once, in the
 * first factorization, when values tell which entries are large.
 *
 * A diagonal is chosen first (linalg/matching.h): the equations of a model are not in the order of
 * its unknowns.  KLU analyses the pattern and estimates the fill; where the factors will have many
 * operations per entry (grids in two and three dimensions), UMFPACK takes over: it works on
 * dense blocks, several times faster.  Where integers of 32 bits do not do for the factors, those
 * of KLU have 64.
 *
 * A general matrix is that of a boundary value problem on a mesh: conditions at the end stand in
 * rows of the start, and where some modes grow and others decay, pivoting leaves every diagonal.
 * Then the factors with an ordering of A + A^T have several times the entries that it promises,
 * more with every state, and one of A^T A is better: KLU gets room for twice the promised entries,
 * and UMFPACK takes over when that is full (240 cells: a thirtieth of the time that KLU needs to
 * the end); without UMFPACK it is KLU with such an ordering.  Without full partial pivoting errors
 * grow along the mesh (100 cells: by 1e21 at a threshold of 0.1). */
#ifndef RG_LINALG_SPARSE_PLAN_H
#define RG_LINALG_SPARSE_PLAN_H

#include "base/base.h"
#include "linalg/pattern.h"
#include "linalg/sparse_lu.h"

typedef struct {
    rg_context *ctx;
    int users; /* matrices; the last one frees the plan */
    int n;
    bool is_made, uses_umfpack, has_diagonal;
    bool is_general; /* pivots may have to leave the diagonal */
    /* KLU: the wanted pivot comes first in its column; UMFPACK: rows by image[], ascending */
    int *start, *row;
    int *source;                    /* entry k here is entry source[k] of the pattern */
    int *image;                     /* UMFPACK: row i of the pattern is row image[i] here, */
    int *origin;                    /* and row origin[i] of the pattern is row i */
    bool is_reordered;              /* KLU orders columns for any pivots: COLAMD */
    bool is_long;                   /* KLU has indices of 64 bits: */
    klu_symbolic *klu;              /* else */
    rg_pivots *pivots;              /* ... of the first matrix; others may have their own */
    klu_l_symbolic *klu_long;       /* then */
    void *umfpack[2];               /* symbolic objects for real and complex values, */
    int64_t *long_start, *long_row; /* of start and row: factors may pass 2^31 entries */
} rg_sparse_plan;

/* Copies the pattern. */
rg_status rg_sparse_plan_create(rg_context *ctx, const rg_pattern *pattern, rg_sparse_plan **out);
/* Takes one user away. */
void rg_sparse_plan_release(rg_sparse_plan **plan);
/* UMFPACK from now on, for a plan with KLU's analysis. */
rg_status rg_sparse_plan_change(rg_sparse_plan *p);
/* KLU with COLAMD from now on, or with indices of 64 bits. */
rg_status rg_sparse_plan_reorder(rg_sparse_plan *p);
rg_status rg_sparse_plan_lengthen(rg_sparse_plan *p);
/* start and row with 64 bits, once. */
rg_status rg_sparse_plan_long_pattern(rg_sparse_plan *p);
/* size: |a_ij| in pattern order. */
rg_status rg_sparse_plan_make(rg_sparse_plan *p, const double *size);
/* False in a build without it (make GPL=no): KLU does all. */
bool rg_umfpack_is_there(void);
void rg_sparse_plan_free_umfpack(rg_sparse_plan *p);
rg_status rg_sparse_plan_umfpack(rg_sparse_plan *p, bool is_complex);
rg_status rg_sparse_out_of_memory(rg_context *ctx, int n);

#endif
