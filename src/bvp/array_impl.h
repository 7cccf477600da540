/* What array.c (layout, the choice of mu), array_point.c (values) and array_rows.c (which rows
 * are G) share. */
#ifndef RG_BVP_ARRAY_IMPL_H
#define RG_BVP_ARRAY_IMPL_H

#include "bvp/array.h"
#include "linalg/cod.h"
#include "structure/array.h"

typedef struct {     /* the rows that are G, per point of time */
    int64_t n, room; /* a hash table of `room` places, a power of two, n of them taken */
    double *t;       /* NaN: free */
    int32_t *row;    /* n_invariants each */
} rg_form_choices;

struct rg_form_array {
    rg_context *ctx;
    rg_array *array; /* its A, once linearized: N, then M, scaled */
    int n, nx;
    int R;    /* (mu + 1) n: rows, and columns of M */
    int rank; /* of M */
    int n_invariants;
    int n_open;           /* directions of w that nothing determines */
    double *z;            /* x, then W: the last point */
    double *row, *column; /* scaling: powers of two */
    rg_cod *cod;          /* of M ... */
    double *M;            /* ... this one */
    bool has_M;
    bool is_lost;        /* M has lost rank at the last point */
    double *b;           /* R */
    double *step, *part; /* R; R x (nx + 1) */
    double *open;        /* n x n_open, orthonormal */
    double *PiN, *norm;  /* nx x R: rows of Pi N as columns; R */
    int32_t *chosen;     /* rows of Pi F_mu that are G */
    rg_form_choices choices;
};

/* F_mu, scaled, at (t, z).  With is_new also A and the decomposition. */
rg_status rg_form_array_linearize(rg_form_array *a, double t, bool is_new);
/* W from x, both in z; what M has lost: is_lost. */
rg_status rg_form_array_solve(rg_form_array *a, double t);
/* PiN. */
void rg_form_array_project(rg_form_array *a);
/* `count` rows of PiN (changed): the least length that was left of one when it was taken, and
 * what is left of the others. */
void rg_form_array_choose(rg_form_array *a, int count, double *least, double *left);
/* The rows that are G at t: as they were chosen there before, unless they have become dependent. */
rg_status rg_form_array_rows(rg_form_array *a, double t);
/* The null space of M in w: `count` directions, and what is left beside them.  Entries of
 * unknowns with a derivative: *moved. */
void rg_form_array_open(rg_form_array *a, int count, double *least, double *left, double *moved);

#endif
