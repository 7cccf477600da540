/* With D a denominator, t0 and t1 the ends of a step of size h: the step is taken again with h/4 as
 * long as D(t0) D(t1) < 0.  A solution that goes through D = 0 comes closer and closer to it that
 * way; when h has fallen to RG_BRANCH_LEAST of the first step that crossed, the change
 *
 *     D(t1) - D(t0)   against   h (D(t0) - D(t-1))/h-1
 *
 * of the step before tells a continuous passage from a jump. */
#include "ivp/branch.h"

#include "base/pieces.h"
#include "ivp/method.h"
#include "ivp/tuning.h"
#include "views/poles.h"

#include <math.h>
#include <string.h>

struct rg_branch {
    rg_context *ctx;
    rg_integrator *g;
    rg_poles *poles;
    int64_t n;
    void *memory;
    double *before, *now, *next; /* denominators at t-1, t0, t1 */
    double *y0, *yp0;            /* at t0 */
    double last;                 /* size of the step before; 0: there is none */
    double t;                    /* end of that step */
    double first;                /* size of the first step that crossed; 0: none did lately */
    bool is_off;
    double t_jump; /* NaN: none */
};

rg_status rg_branch_create(rg_integrator *g, rg_branch **out)
{
    rg_poles *poles = NULL;

    *out = NULL;
    if (g->options.step > 0.0) return RG_OK;
    RG_TRY(rg_poles_create(g->system, RG_POLES_ALGEBRAIC, &poles));
    if (poles == NULL) return RG_OK;
    rg_branch *b = rg_alloc(g->ctx, 1, sizeof *b);
    if (b == NULL) {
        rg_poles_destroy(&poles);
        return RG_ERR_MEMORY;
    }
    b->ctx = g->ctx;
    b->g = g;
    b->poles = poles;
    b->n = rg_poles_count(poles);
    b->t = b->t_jump = NAN;
    const rg_status status =
        RG_TAKE(g->ctx, &b->memory, RG_PIECE(b->before, b->n), RG_PIECE(b->now, b->n),
                RG_PIECE(b->next, b->n), RG_PIECE(b->y0, g->n), RG_PIECE(b->yp0, g->n));
    if (status == RG_OK)
        *out = b;
    else
        rg_branch_destroy(&b);
    return status;
}

void rg_branch_destroy(rg_branch **branch)
{
    rg_branch *b = *branch;

    if (b == NULL) return;
    rg_poles_destroy(&b->poles);
    rg_free(b->ctx, b->memory);
    rg_free(b->ctx, b);
    *branch = NULL;
}

void rg_branch_store(rg_branch *b, rg_store *s)
{
    rg_store_reals(s, b->before, b->n);
    RG_STORE(s, b->last);
    RG_STORE(s, b->t);
    RG_STORE(s, b->first);
    RG_STORE(s, b->is_off);
    RG_STORE(s, b->t_jump);
}

bool rg_branch_has_jumped(const rg_branch *b, double *t)
{
    if (b == NULL) return false;
    *t = b->t_jump;
    return !isnan(b->t_jump);
}

/* The first denominator that changes its sign in the last step; -1: none. */
static int64_t find_crossing(rg_branch *b)
{
    const rg_integrator *g = b->g;

    if (rg_poles_values(b->poles, g->t, g->y, g->yp, b->next) != RG_OK) return -1;
    for (int64_t k = 0; k < b->n; k++)
        if (b->now[k] * b->next[k] < 0.0) return k;
    return -1;
}

static bool is_jump(const rg_branch *b, int64_t k, double h)
{
    if (!(b->last > 0.0) || b->t != b->g->t_previous) return false;
    const double slope = fabs(b->now[k] - b->before[k]) / b->last;

    return fabs(b->next[k] - b->now[k]) > RG_BRANCH_JUMP * slope * h;
}

static rg_status stop(rg_branch *b, int64_t k, double t)
{
    char name[128], unknown[128];

    rg_poles_name(b->poles, k, name, sizeof name);
    rg_system_state_name(b->g->system, rg_poles_state(b->poles, k), unknown, sizeof unknown);
    rg_fail(b->ctx, RG_ERR_CONVERGENCE,
            "at t = %.10g the solution does not go on: behind a pole of %s, where a denominator is "
            "0, the equations have another solution",
            t, name);
    rg_fail_time(b->ctx, t);
    return rg_remedy(b->ctx,
                     "give %s a smaller absolute tolerance with --atol NAME=VALUE: its size "
                     "before the pole may be far below the one it has",
                     unknown);
}

/* The step goes over a pole, however short it is. */
static rg_status go_over(rg_branch *b, int64_t k, double h)
{
    b->is_off = true;
    if (!is_jump(b, k, h)) return RG_OK;
    if (!b->g->options.accept_doubt) return stop(b, k, b->g->t_previous);
    b->t_jump = b->g->t;
    return RG_OK;
}

/* What the next step compares with. */
static void remember(rg_branch *b, double h)
{
    double *old = b->before;

    b->before = b->now;
    b->now = old;
    b->last = h;
    b->t = b->g->t;
    if (h > b->first) b->first = 0.0; /* away from the pole again */
}

rg_status rg_branch_step(rg_branch *b, rg_status (*step)(rg_integrator *g))
{
    rg_integrator *g = b->g;
    const double t0 = g->t;

    if (b->is_off || rg_poles_values(b->poles, t0, g->y, g->yp, b->now) != RG_OK) return step(g);
    memcpy(b->y0, g->y, (size_t)g->n * sizeof *g->y);
    memcpy(b->yp0, g->yp, (size_t)g->n * sizeof *g->yp);
    for (;;) {
        RG_TRY(step(g));
        const double h = fabs(g->t - t0);
        const int64_t k = find_crossing(b);
        if (k < 0) {
            remember(b, h);
            return RG_OK;
        }
        if (b->first == 0.0) b->first = h;
        if (h <= RG_BRANCH_LEAST * b->first) return go_over(b, k, h);
        const rg_state from = {t0, b->y0, b->yp0};
        RG_TRY(rg_integrator_restart(g, &from, h / 4.0));
        g->stats.steps--;
        g->stats.rejected++;
    }
}
