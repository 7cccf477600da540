/* What the files of a sweep share. */
#ifndef RG_BVP_TRANSFER_SWEEP_IMPL_H
#define RG_BVP_TRANSFER_SWEEP_IMPL_H

#include "bvp/transfer/sweep.h"

typedef struct { /* a candidate for the next node */
    double *u, *h, *T;
} rg_candidate;

enum { RG_SWEEP_CANDIDATES = 5 };
/* Room for candidate number 0 .. 4 in the workspace. */
rg_candidate rg_sweep_candidate(const rg_sweep *s, int number);

/* One normalised step; RG_RETRY also where the columns become dependent. */
rg_status rg_sweep_step(rg_sweep *s, double t, double dt, const double *u, const double *h,
                        rg_candidate *to);
/* From the last node: a step and two half steps, or one fixed step; the result is in *v (candidate 2). */
rg_status rg_sweep_try(rg_sweep *s, double t, double dt, rg_candidate *v, double *error);

/* C = A^T B for A (n x k) and B (n x l). */
void rg_multiply_transposed(int n, int k, int l, const double *A, const double *B, double *C);
/* u^T u, in variant 16 with h h^T. */
void rg_sweep_invariant(const rg_sweep *s, const double *u, const double *h, double *N);
/* Takes its deviation from the start into s->deviation; N: k x k. */
void rg_sweep_note(rg_sweep *s, const double *u, const double *h, double *N);
/* From orthonormal columns to the normalisation of the start; false: values too large. */
bool rg_sweep_restore(rg_sweep *s, rg_candidate *v, rg_candidate *work);

#endif
