/* The runs of a sweep: which values every swept parameter has in run 1, 2, ...
 *
 * Every --over is a list of values, and belongs to a factor: lists that go together (drawn at
 * random, columns of one file, --zip) share one.  The runs are all combinations of the factors, the
 * last one varies fastest.  Only the lists are stored, not the combinations. */
#ifndef RG_SOLVE_SWEEP_PLAN_H
#define RG_SOLVE_SWEEP_PLAN_H

#include "problem/problem.h"

typedef struct {
    char *name;     /* "l", "start(x')" */
    char *variable; /* of a start value: "x"; NULL: a parameter */
    int order;      /* ... its derivative */
    int factor;
    int64_t count;
    double *values;
} rg_sweep_list;

typedef struct {
    rg_context *ctx;
    int n_lists, n_factors, random_factor; /* -1: nothing is drawn */
    int64_t capacity, factor_capacity;
    rg_sweep_list *lists;
    int64_t *counts; /* of the factors */
    int64_t runs;    /* of all tasks */
    int64_t task, n_tasks;
    uint64_t seed;
} rg_sweep_plan;

/* Reads what is to be swept.  p: for the names of unknowns.  RG_ERR_ARGUMENT names what is wrong;
 * the plan is to be cleared also then. */
rg_status rg_sweep_plan_read(const rg_problem *p, const rg_sweep *s, rg_sweep_plan *plan);
void rg_sweep_plan_clear(rg_sweep_plan *plan);
/* Runs of the task, and the number, from 1, of its run k = 0, 1, ... among all. */
int64_t rg_sweep_plan_count(const rg_sweep_plan *plan);
int64_t rg_sweep_plan_run(const rg_sweep_plan *plan, int64_t k);
/* The values of all lists in a run (numbered from 1). */
void rg_sweep_plan_values(const rg_sweep_plan *plan, int64_t run, double *values);

/* sweep_values.c: "a,b,c", "A..B:N", "A..B:N:log", "normal(m,s):N", "uniform(a,b):N".  `stream` is
 * the number of the list among those drawn at random.  *out is the caller's. */
rg_status rg_sweep_values(rg_context *ctx, const char *name, const char *spec, uint64_t seed,
                          int stream, int64_t *count, double **out, bool *is_random);

#endif
