/* How far is the system Jacobian A (views/leading.h) from losing rank?
 *
 *     s = sigma_min(D_R^-1 A D_C^-1)
 *
 * (D_R, D_C: scales of rows and columns by the largest entries so far, balance.c)
 *
 * of the core of A (core.h), or the smallest of the pivots beside it, if that is smaller.  Scales
 * are never made anew at a point: a row that vanishes would be scaled away, and nothing would be
 * seen. */
#ifndef RG_IVP_PASSAGE_RANK_H
#define RG_IVP_PASSAGE_RANK_H

#include "ivp/passage/core.h"
#include "linalg/matrix.h"
#include "views/leading.h"

enum { RANK_SMALL = 20 }; /* rows: dense up to here */

typedef struct {
    rg_context *ctx;
    const rg_leading *leading;
    rg_core core;                     /* of its pattern: only this is factored */
    int n, n_all;                     /* rows of the core, of the matrix */
    int64_t entries;                  /* of the matrix */
    double *A, *before;               /* now, to be filled; as kept before */
    double *scaled, *inverse;         /* the core with scales; 1/(R_i C_j) of every entry */
    double *largest, *row_largest;    /* entries so far; of rows */
    double *at_scales;                /* largest, when the scales were made */
    double *row_scale, *column_scale; /* logarithms of the scales (balance.c) */
    double *squares, *means;          /* those of its two iterations, rows and columns */
    double *sum;                      /* 3 n_all */
    bool has_scales, is_rescaled;     /* rescaled: signals from before do not compare */
    double *dense, *x, *y;            /* n x n factors (small matrices); vector of the change; n */
    int *pivot;
    double least;                   /* of the pivots beside the core */
    rg_matrix *direct, *transposed; /* the others */
    bool has_transposed;            /* it is factored, too */
    int64_t *transposed_index;      /* per entry of the core */
    double *transposed_values, *v;  /* v: singular vector */
    double *generic;                /* a vector that is not special */
} rg_passage_rank;

/* Notes the entries of A; new scales where one has grown beyond them. */
void rg_passage_rank_note_scales(rg_passage_rank *r);
rg_status rg_passage_rank_create(rg_context *ctx, const rg_leading *leading, rg_passage_rank **out);
void rg_passage_rank_destroy(rg_passage_rank **rank);
/* Factors of A; scales grow with it.  false: singular, or not finite. */
bool rg_passage_rank_factor(rg_passage_rank *r);
/* s of the matrix that was factored. */
double rg_passage_rank_signal(rg_passage_rank *r);
/* s of A with the scales as they are; 0: singular. */
double rg_passage_rank_measure(rg_passage_rank *r);
/* s of the matrix kept before, with the scales of today. */
double rg_passage_rank_measure_before(rg_passage_rank *r);
/* e, the spectral radius of  A^-1 (A - before),  after rg_passage_rank_factor(r):  on the straight
 * line between them, at the part x of the way from A,  A (I - x A^-1 (A - before))  is regular for
 * x e < 1. */
double rg_passage_rank_change(rg_passage_rank *r);
void rg_passage_rank_keep(rg_passage_rank *r); /* before <- A */
/* A branch of a switch has changed: A now, in `scaled` that of the old branch at the same point.
 * What an entry was so far goes with it, by the ratio of the two.  Are any others? */
bool rg_passage_rank_turn(rg_passage_rank *r);

#endif
