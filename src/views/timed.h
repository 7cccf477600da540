/* When functions of time alone change their branch: the one search for such times before a run.
 * Nothing integrates sin(50 t) > 0.9, and a step of a slow model would pass over it. */
#ifndef RG_VIEWS_TIMED_H
#define RG_VIEWS_TIMED_H

#include "base/context.h"

#include <stdint.h>

/* All values at t; one that is not defined is no number. */
typedef rg_status rg_timed_values_fn(void *user, double t, double *values);
/* The branch of a value: -1, 0 on the edge, 1; or one number for each whole part. */
typedef double rg_timed_mode_fn(void *user, int64_t function, double value);

typedef struct {
    int64_t function;             /* its place among the values */
    bool is_whole;                /* its whole part counts, not its sign */
    const struct rg_table *clock; /* the position in this table: its nodes are the times */
} rg_timed_function;

typedef struct {
    rg_context *ctx;
    rg_timed_values_fn *values;
    rg_timed_mode_fn *mode;
    void *user;
    int64_t n_values;
    int64_t n;
    const rg_timed_function *list;
    double a, b; /* in either order */
} rg_timed;

/* Adds all times of the functions to a list, which rg_free() gives back, in no order.  RG_RETRY,
 * without a message: function list[*fastest] turns too often to be followed. */
rg_status rg_timed_find(const rg_timed *w, double **times, int64_t *n, int64_t *size,
                        int64_t *fastest);
/* How often the functions turn from rising to falling and back: of the one that does so most, noise
 * apart; -1: more often than can be followed. */
rg_status rg_timed_turns(const rg_timed *w, int64_t least_samples, int64_t *turns);
/* In the order from a to b; times that are closer together than `least` are one. */
void rg_timed_sort(double *times, int64_t *n, bool is_backwards, double least);

#endif
