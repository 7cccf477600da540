/* Unknowns that fall below atol and grow again by themselves. */
#include "solve/dips.h"

#include "base/random.h"
#include "ivp/method.h"
#include "solve/tuning.h"

#include <math.h>
#include <string.h>

enum { HIGH = 1, LOW, AGAIN }; /* phases */

rg_status rg_dips_init(rg_context *ctx, int64_t n, rg_dips *out)
{
    out->n = n;
    out->low = rg_alloc(ctx, 3 * (size_t)n + 1, sizeof *out->low);
    if (out->low == NULL) return RG_ERR_MEMORY;
    out->t_low = out->low + n;
    out->phase = out->t_low + n;
    rg_dips_forget(out);
    return RG_OK;
}

void rg_dips_clear(rg_context *ctx, rg_dips *d)
{
    rg_free(ctx, d->low);
    d->low = NULL;
}

void rg_dips_forget(rg_dips *d)
{
    for (int64_t i = 0; i < d->n; i++) {
        d->low[i] = INFINITY;
        d->t_low[i] = d->phase[i] = 0.0;
    }
}

void rg_dips_take(rg_dips *d, const rg_integrator *g, double t, const double *y)
{
    for (int64_t i = 0; i < d->n; i++) {
        const double atol = rg_integrator_atol(g, i), a = fabs(y[i]);
        const int phase = (int)d->phase[i];
        if (a >= RG_SIZE_SMALL * atol && phase != HIGH && phase != AGAIN)
            d->phase[i] = phase == LOW ? AGAIN : HIGH;
        if (!(a < atol) || phase == 0) continue;
        if (phase == HIGH) d->phase[i] = LOW;
        if (a >= d->low[i]) continue;
        d->low[i] = a;
        d->t_low[i] = t;
    }
}

void rg_dips_jump(rg_dips *d, const rg_integrator *g, const double *y)
{
    for (int64_t i = 0; i < d->n; i++) {
        if ((int)d->phase[i] != LOW || !(fabs(y[i]) >= rg_integrator_atol(g, i))) continue;
        d->phase[i] = 0.0;
        d->low[i] = INFINITY;
    }
}

void rg_dips_store(rg_dips *d, rg_store *s)
{
    rg_store_reals(s, d->low, 3 * d->n);
}

/* ---- growth by itself ------------------------------------------------------------------------ */

typedef struct {
    const rg_pattern *p;
    double *Jy, *Jyp; /* at the end of the run */
    double *y, *yp, *F;
} point;

/* All states but one are beside their values at the end, as is the time; that one is 0. */
static void move(const rg_dips *d, const rg_state *now, int64_t state, const point *q)
{
    for (int64_t i = 0; i < d->n; i++) {
        const double part = RG_UNWATCHED_MOVE * (1.0 + 0.6 * rg_random(0, (uint64_t)i));
        q->y[i] = now->y[i] + part * (1.0 + fabs(now->y[i]));
        q->yp[i] = now->yp[i] + part * (1.0 + fabs(now->yp[i]));
    }
    q->y[state] = q->yp[state] = 0.0;
}

static rg_status look(const rg_dips *d, const rg_solver *s, const point *q, int64_t j, bool *grows)
{
    const rg_state now = rg_integrator_state(s->integrator);
    bool is_differential = false;

    *grows = false;
    move(d, &now, j, q);
    const double t = now.t - RG_UNWATCHED_MOVE * (now.t - s->problem->a);
    const rg_status status = rg_system_residual(s->system, s->work, t, q->y, q->yp, q->F);
    if (status != RG_OK) return status < 0 ? status : RG_OK; /* cannot be told */
    for (int64_t k = q->p->start[j]; k < q->p->start[j + 1]; k++) {
        const double own = fmax(fabs(q->Jy[k] * now.y[j]), fabs(q->Jyp[k] * now.yp[j]));
        if (q->Jyp[k] == 0.0) continue;
        if (!(fabs(q->F[q->p->row[k]]) <= RG_SIZE_ROUNDING * own)) return RG_OK; /* moved */
        is_differential = true;
    }
    *grows = is_differential;
    return RG_OK;
}

static rg_status tell(const rg_dips *d, const rg_solver *s, int64_t j)
{
    const char *time = rg_problem_time_name(s->problem);
    char name[128];

    rg_system_state_name(s->system, j, name, sizeof name);
    return rg_problem_warn(
        s->problem,
        "'%s' falls to %.2g at %s = %.4g, below its atol = %.2g, and grows again "
        "from there by itself: so do errors of the size of atol, which the "
        "estimate may not show; run again with --atol %s=%.1g",
        name, d->low[j], time, d->t_low[j], rg_integrator_atol(s->integrator, j), name,
        s->options.rtol * d->low[j]);
}

static rg_status look_at_all(const rg_dips *d, const rg_solver *s, point *q)
{
    const rg_state now = rg_integrator_state(s->integrator);
    const rg_status status =
        rg_system_jacobian(s->system, s->work, now.t, now.y, now.yp, q->Jy, q->Jyp);

    if (status != RG_OK) return status < 0 ? status : RG_OK;
    for (int64_t j = 0; j < d->n; j++) {
        bool grows = false;
        if ((int)d->phase[j] == AGAIN) RG_TRY(look(d, s, q, j, &grows));
        if (grows) return tell(d, s, j);
    }
    return RG_OK;
}

rg_status rg_dips_tell(const rg_dips *d, const rg_solver *s)
{
    point q = {.p = rg_system_pattern(s->system)};
    const size_t n = (size_t)d->n, entries = (size_t)q.p->start[d->n];
    bool is_any = false;

    for (int64_t j = 0; j < d->n; j++)
        is_any = is_any || (int)d->phase[j] == AGAIN;
    if (!is_any || s->options.step > 0.0) return RG_OK;
    q.Jy = rg_alloc(s->ctx, 2 * entries + 3 * n + 1, sizeof *q.Jy);
    if (q.Jy == NULL) return RG_ERR_MEMORY;
    q.Jyp = q.Jy + entries;
    q.y = q.Jyp + entries;
    q.yp = q.y + n;
    q.F = q.yp + n;
    const rg_status status = look_at_all(d, s, &q);
    rg_free(s->ctx, q.Jy);
    return status;
}
