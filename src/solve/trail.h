/* Points of a run at which states have become small, thinned where they are many. */
#ifndef RG_SOLVE_TRAIL_H
#define RG_SOLVE_TRAIL_H

#include "solve/solver.h"

typedef struct {
    int64_t n;        /* states; 0: too many, nothing is kept */
    int64_t count;    /* points that are kept, */
    int64_t every;    /* ... of so many, */
    int64_t left_out; /* ... since the last one of them */
    double *t, *y;    /* t, and y, y' of all points */
    uint8_t *begins;  /* per point: there is no way to it from the one before */
    uint8_t *was_low; /* per state: at one of them */
    bool is_low;      /* a state is at the point before, ... */
    bool has_before;  /* ... which is known */
    bool is_kept;     /* ... and kept */
    double t_before, *before;
} rg_trail;

rg_status rg_trail_init(rg_context *ctx, int64_t n, rg_trail *out);
void rg_trail_clear(rg_context *ctx, rg_trail *x);
void rg_trail_forget(rg_trail *x);
void rg_trail_store(rg_trail *x, rg_store *s); /* for checkpoints */
/* A step has ended; is_low: with a state that has become small; rises: one has risen from there. */
void rg_trail_take(rg_trail *x, double t, const double *y, const double *yp, bool is_low,
                   bool rises);
/* The run is over, or another trail begins behind an event. */
void rg_trail_end(rg_trail *x);

#endif
