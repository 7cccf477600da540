/* What the files of a sweep share. */
#ifndef RG_BVP_TRANSFER_SWEEP_IMPL_H
#define RG_BVP_TRANSFER_SWEEP_IMPL_H

#include "bvp/transfer/flow.h"
#include "bvp/transfer/sweep.h"
#include "linalg/orthonormal.h"

/* An integrator's way of a sweep: the polynomial of every step. */
struct rg_sweep_track {
    rg_flow *flow;
    /* of all steps: (degree + 1) n numbers each, as rg_integrator_polynomial() has them */
    double *coefficients;
    int64_t size, capacity;
    int64_t *first; /* of step number i, behind node i; size: as many as nodes */
    int64_t n_steps, steps_capacity;
    double *z, *zp, *slope; /* m k + k */
    bool is_ours;           /* a failure has a message that is to be kept */
};

typedef struct { /* a candidate for the next node */
    double *u, *h, *T;
} rg_candidate;

enum { RG_SWEEP_CANDIDATES = 5 };
/* Room for candidate number 0 .. 4 in the workspace. */
rg_candidate rg_sweep_candidate(const rg_sweep *s, int number);

/* One normalised step; RG_RETRY also where the columns become dependent. */
rg_status rg_sweep_step(rg_sweep *s, double t, double dt, const double *u, const double *h,
                        rg_candidate *to);
/* From the last node: a step and two half steps, or one fixed step; the result is in *v
 * (candidate 2). */
rg_status rg_sweep_try(rg_sweep *s, double t, double dt, rg_candidate *v, double *error);

/* The parts of a run that do not depend on the scheme: the first node, further ones, messages. */
rg_status rg_sweep_begin(rg_sweep *s);
rg_status rg_sweep_store(rg_sweep *s, double t, const double *u, const double *h);
rg_status rg_sweep_check_index(rg_sweep *s); /* at the last node */
rg_status rg_sweep_check_interrupt(const rg_sweep *s);
double rg_sweep_limit(const rg_sweep *s, double t);
double rg_sweep_largest_step(const rg_sweep *s);
int64_t rg_sweep_find(const rg_sweep *s, double t); /* the node before t */
rg_status rg_sweep_fail(const rg_sweep *s, double t, const char *reason, const char *remedy);

/* sweep_growth.c: memory; perturbations at t are followed from now on; E <- T^-T E; their size; the
 * same for F' = V F from the last node over dt (0: the first node), false: too much of it. */
rg_status rg_sweep_growth_create(rg_sweep *s);
void rg_sweep_mark(rg_sweep *s, double t);
void rg_sweep_spread(rg_sweep *s, const double *T);
void rg_sweep_note_spread(rg_sweep *s);
bool rg_sweep_grow(rg_sweep *s, double dt, const double *V);

/* sweep_judge.c: the local errors of the step to the last node, with its factor. */
rg_status rg_sweep_judge_room(rg_sweep *s, size_t nodes);
void rg_sweep_judge_step(rg_sweep *s, const double *T);

/* sweep_integrate.c: the run by an integrator, and values in the step behind a node. */
rg_status rg_sweep_track_create(rg_sweep *s);
void rg_sweep_track_destroy(rg_sweep *s);
rg_status rg_sweep_integrate(rg_sweep *s);
rg_status rg_sweep_interpolate(rg_sweep *s, int64_t node, double t, double *u, double *h);

/* sweep_replay.c: room for the record of the next step; part 0, 1: its half steps, 2: the full
 * one, 3: S; their factors. */
rg_status rg_sweep_record_room(rg_sweep *s);
double *rg_sweep_record(const rg_sweep *s, int part); /* NULL: not recorded */
void rg_sweep_record_factor(const rg_sweep *s, int part, const double *T);

/* C = A^T B for A (n x k) and B (n x l). */
void rg_multiply_transposed(int n, int k, int l, const double *A, const double *B, double *C);
/* u^T u, in variant 16 with h h^T. */
void rg_sweep_invariant(const rg_sweep *s, const double *u, const double *h, double *N);
/* Takes its deviation from the start into s->deviation; N: k x k. */
void rg_sweep_note(rg_sweep *s, const double *u, const double *h, double *N);
/* From orthonormal columns to the normalisation of the start; false: values too large. */
bool rg_sweep_restore(rg_sweep *s, rg_candidate *v, rg_candidate *work);

#endif
