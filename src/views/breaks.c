/* Finds the times at which switches of time change their branch, by views/timed.h. */
#include "views/breaks.h"

#include "expr/table.h"
#include "views/timed.h"
#include "views/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct {
    const rg_switches *s;
    rg_assembly_work *work;
    double *z; /* unknowns are 0: what moves with them is not asked for */
} look;

static rg_status values_at(void *user, double t, double *values)
{
    look *w = user;

    return rg_switches_follow(w->s, w->work, t, w->z, values);
}

static double mode_of(void *user, int64_t function, double value)
{
    const look *w = user;

    return rg_switch_mode(w->s, function, value);
}

double rg_breaks_gap(double a, double b)
{
    return fmax(8.0 * DBL_EPSILON * fmax(fabs(a), fabs(b)), RG_SAME_MOMENT * fabs(b - a));
}

static rg_status fail_fast(const rg_problem *p, const look *w, int64_t function, double a, double b)
{
    char name[160];

    rg_switches_name(w->s, p, NULL, function, name, sizeof name);
    rg_fail(p->ctx, RG_ERR_CONVERGENCE,
            "a switch of %s in %s turns too often between %s = %.10g and %.10g: not all of its "
            "changes can be found",
            p->time_name, name, p->time_name, a, b);
    return rg_remedy(p->ctx, "give a shorter interval, or write the mean of fast pulses");
}

static rg_status find(const rg_problem *p, look *w, const rg_timed *timed, int64_t *n,
                      double **times)
{
    int64_t size = 0, fastest = 0;
    const rg_status status = rg_timed_find(timed, times, n, &size, &fastest);

    if (status > 0) return fail_fast(p, w, timed->list[fastest].function, timed->a, timed->b);
    rg_timed_sort(*times, n, timed->b < timed->a, rg_breaks_gap(timed->a, timed->b));
    return status;
}

/* A table of so many nodes that does not jump is a function that error estimates see. */
static bool is_smooth(const rg_switches *s, int64_t k, double length)
{
    const rg_table *clock = s->nodes[k].clock;

    if (clock == NULL || s->jumps[k]) return false;
    const double periods = clock->data.period > 0.0 ? ceil(length / clock->data.period) : 1.0;
    return periods * clock->data.n > RG_BREAKS_NODES;
}

static int64_t list_timed(const rg_switches *s, double length, rg_timed_function *list)
{
    int64_t n = 0;

    for (int64_t k = 0; k < s->n; k++)
        if (!s->moves[k] && !is_smooth(s, k, length))
            list[n++] = (rg_timed_function){k, s->kind[k] == RG_SWITCH_FLOOR, s->nodes[k].clock};
    return n;
}

rg_status rg_breaks_find(const rg_problem *p, const rg_switches *s, double a, double b, int64_t *n,
                         double **times)
{
    look w = {.s = s};
    rg_status status = RG_OK;

    *n = 0;
    *times = NULL;
    if (s->n == 0) return RG_OK;
    rg_timed_function *list = rg_alloc(p->ctx, (size_t)s->n, sizeof *list);
    w.z = rg_alloc(p->ctx, (size_t)s->n_columns, sizeof *w.z);
    if (list == NULL || w.z == NULL) status = RG_ERR_MEMORY;
    if (status == RG_OK) status = rg_assembly_work_create(s->values, &w.work);
    if (status == RG_OK) {
        const rg_timed timed = {
            p->ctx, values_at, mode_of, &w, s->n, list_timed(s, fabs(b - a), list), list, a, b};
        status = timed.n > 0 ? find(p, &w, &timed, n, times) : RG_OK;
    }
    rg_assembly_work_destroy(&w.work);
    rg_free(p->ctx, w.z);
    rg_free(p->ctx, list);
    if (status != RG_OK) {
        rg_free(p->ctx, *times);
        *times = NULL;
        *n = 0;
    }
    return status;
}
