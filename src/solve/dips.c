/* Unknowns that are small at one time and grow from there by themselves. */
#include "solve/dips.h"

#include "base/random.h"
#include "ivp/method.h"
#include "solve/tuning.h"

#include <math.h>
#include <string.h>

static const rg_dip NONE = {INFINITY, 0.0, INFINITY, INFINITY, 0.0};

rg_status rg_dips_init(rg_context *ctx, int64_t n, rg_dips *out)
{
    out->n = n;
    out->now = rg_alloc(ctx, 2 * (size_t)n + 1, sizeof *out->now);
    if (out->now == NULL) return RG_ERR_MEMORY;
    out->risen = out->now + n;
    rg_dips_forget(out);
    return RG_OK;
}

void rg_dips_clear(rg_context *ctx, rg_dips *d)
{
    rg_free(ctx, d->now);
    d->now = NULL;
}

void rg_dips_forget(rg_dips *d)
{
    for (int64_t i = 0; i < 2 * d->n; i++)
        d->now[i] = NONE;
}

void rg_dips_take(rg_dips *d, const rg_integrator *g, double t, const double *y)
{
    for (int64_t i = 0; i < d->n; i++) {
        const double a = fabs(y[i]);
        rg_dip *now = &d->now[i];
        if (isinf(now->low)) now->start = a;
        now->most = fmax(now->most, a);
        if (a < now->low) {
            now->low = a;
            now->t_low = t;
        }
        if (a > 0.0 && a < now->least) now->least = a;
        if (a >= RG_DIP_RISE * now->low && a >= RG_DIP_ABOVE * rg_integrator_atol(g, i))
            d->risen[i] = *now;
    }
}

void rg_dips_jump(rg_dips *d, const rg_integrator *g, double t, const double *y)
{
    for (int64_t i = 0; i < d->n; i++)
        d->now[i] = NONE;
    rg_dips_take(d, g, t, y);
}

void rg_dips_store(rg_dips *d, rg_store *s)
{
    for (int64_t i = 0; i < 2 * d->n; i++)
        RG_STORE(s, d->now[i]);
}

double rg_dips_size(const rg_dips *d, int64_t state)
{
    const double least = d->now != NULL ? d->risen[state].least : INFINITY;

    return least > RG_SIZE_LEAST && isfinite(least) ? least : NAN;
}

/* ---- growth by itself ------------------------------------------------------------------------ */

/* Growth from values below takes away three digits, or leaves two, unless their atol was chosen by
 * their size. */
static double small(const rg_solver *s, int64_t j)
{
    const double atol = fmax(s->options.atol, rg_integrator_atol(s->integrator, j));

    return atol * fmax(RG_SIZE_SMALL, RG_DIP_SMALL / s->options.rtol);
}

typedef struct {
    const rg_pattern *p;
    double *Jy, *Jyp; /* at the end of the run */
    double *y, *yp, *F;
    double *own;                  /* per row: the largest term of the states in question */
    uint8_t *is_dynamic, *drives; /* per row: it has a derivative, and a state in question */
    uint8_t *is_in, *is_so;       /* per state: in question; grows by itself */
} point;

static rg_status take_memory(rg_context *ctx, int64_t n, point *q)
{
    const size_t entries = (size_t)q->p->start[n], size = (size_t)n;

    q->Jy = rg_alloc(ctx, 2 * entries + 4 * size + 1, sizeof *q->Jy);
    q->is_dynamic = rg_alloc(ctx, 4 * size + 1, sizeof *q->is_dynamic);
    if (q->Jy == NULL || q->is_dynamic == NULL) return RG_ERR_MEMORY;
    q->Jyp = q->Jy + entries;
    q->y = q->Jyp + entries;
    q->yp = q->y + n;
    q->F = q->yp + n;
    q->own = q->F + n;
    q->is_in = q->is_dynamic + n;
    q->is_so = q->is_in + n;
    q->drives = q->is_so + n;
    return RG_OK;
}

/* The states in question are 0; all others are near their values at the end, or far from them, as
 * is the time. */
static void move(const rg_dips *d, const rg_state *now, int number, const point *q)
{
    const double size = number == 0 ? RG_UNWATCHED_MOVE : 1.0;

    for (int64_t i = 0; i < d->n; i++) {
        const double part = size * (1.6 * rg_random((uint64_t)number, (uint64_t)i) - 0.6);
        q->y[i] = q->is_in[i] ? 0.0 : now->y[i] + part * (1.0 + fabs(now->y[i]));
        q->yp[i] = q->is_in[i] ? 0.0 : now->yp[i] + part * (1.0 + fabs(now->yp[i]));
    }
}

static void measure_rows(const rg_dips *d, const rg_state *now, const point *q)
{
    memset(q->own, 0, (size_t)d->n * sizeof *q->own);
    memset(q->drives, 0, (size_t)d->n);
    for (int64_t j = 0; j < d->n; j++)
        for (int64_t k = q->p->start[j]; k < q->p->start[j + 1]; k++) {
            const int64_t i = q->p->row[k];
            const double term = fmax(fabs(q->Jy[k] * now->y[j]), fabs(q->Jyp[k] * now->yp[j]));
            if (q->Jyp[k] != 0.0) q->is_dynamic[i] = 1;
            if (!q->is_in[j]) continue;
            q->own[i] = fmax(q->own[i], term);
            if (q->Jy[k] != 0.0) q->drives[i] = 1;
        }
}

/* Do the equations that determine a state hold, and does one of those in question move it?  Those
 * of its derivative; of an algebraic one all that have no derivative. */
static bool holds(const point *q, int64_t j)
{
    bool is_differential = false, is_driven = false;

    for (int64_t k = q->p->start[j]; k < q->p->start[j + 1]; k++)
        is_differential = is_differential || q->Jyp[k] != 0.0;
    for (int64_t k = q->p->start[j]; k < q->p->start[j + 1]; k++) {
        const int64_t i = q->p->row[k];
        if (is_differential ? q->Jyp[k] == 0.0 : q->is_dynamic[i] || q->Jy[k] == 0.0) continue;
        if (!(fabs(q->F[i]) <= RG_SIZE_ROUNDING * q->own[i])) return false;
        is_driven = is_driven || q->drives[i];
    }
    return is_driven;
}

static bool is_moving(const rg_dips *d, const point *q)
{
    for (int64_t j = 0; j < d->n; j++)
        for (int64_t k = q->p->start[j]; q->is_in[j] && k < q->p->start[j + 1]; k++)
            if (q->Jyp[k] != 0.0) return true;
    return false;
}

/* Leaves out those in question whose equations do not hold at a point. */
static rg_status leave_out(const rg_dips *d, const rg_solver *s, const point *q, int number,
                           bool *has_more)
{
    const rg_state now = rg_integrator_state(s->integrator);
    const double t = now.t - RG_UNWATCHED_MOVE * (number + 1) * (now.t - s->problem->a);

    move(d, &now, number, q);
    measure_rows(d, &now, q);
    const rg_status status = rg_system_residual(s->system, s->work, t, q->y, q->yp, q->F);
    if (status < 0) return status;
    if (status != RG_OK && number == 0) memset(q->is_in, 0, (size_t)d->n); /* cannot be told */
    for (int64_t j = 0; j < d->n && status == RG_OK; j++) {
        if (!q->is_in[j] || holds(q, j)) continue;
        q->is_in[j] = 0;
        *has_more = true;
    }
    return RG_OK;
}

static bool is_any_in(const rg_dips *d, const point *q)
{
    return memchr(q->is_in, 1, (size_t)d->n) != NULL;
}

/* Leaves those in question that are 0 together by themselves, wherever the others are; none where
 * too many had to be left out one after the other. */
static rg_status leave_closed(const rg_dips *d, const rg_solver *s, const point *q)
{
    bool has_more = true;

    for (int round = 0; round < RG_DIP_ROUNDS && has_more; round++) {
        has_more = false;
        for (int number = 0; number < RG_DIP_POINTS && is_any_in(d, q); number++)
            RG_TRY(leave_out(d, s, q, number, &has_more));
    }
    if (has_more || !is_moving(d, q)) memset(q->is_in, 0, (size_t)d->n);
    return RG_OK;
}

/* Those that begin small and grow from there, together (an oscillation passes 0 again and again,
 * but not all of its states at a time), and every other one alone.  is_so: per state. */
static rg_status find_growing(const rg_dips *d, const rg_solver *s, const point *q, uint8_t *is_so)
{
    int count = 0;

    for (int64_t j = 0; j < d->n; j++) {
        const rg_dip *x = &d->risen[j];
        q->is_in[j] =
            isfinite(x->low) && x->start < small(s, j) && RG_DIP_RISE * x->start <= x->most;
    }
    RG_TRY(leave_closed(d, s, q));
    memcpy(is_so, q->is_in, (size_t)d->n);
    for (int64_t j = 0; j < d->n; j++) {
        if (!isfinite(d->risen[j].low) || is_so[j] || ++count > RG_DIP_MOST) continue;
        memset(q->is_in, 0, (size_t)d->n);
        q->is_in[j] = 1;
        RG_TRY(leave_closed(d, s, q));
        is_so[j] = q->is_in[j];
    }
    return RG_OK;
}

static rg_status judge_all(rg_dips *d, const rg_solver *s, const point *q)
{
    const rg_state now = rg_integrator_state(s->integrator);
    const rg_status status =
        rg_system_jacobian(s->system, s->work, now.t, now.y, now.yp, q->Jy, q->Jyp);

    if (status < 0) return status;
    if (status == RG_OK) RG_TRY(find_growing(d, s, q, q->is_so));
    for (int64_t j = 0; j < d->n; j++)
        if (!q->is_so[j]) d->risen[j] = NONE;
    return RG_OK;
}

/* What is large enough where it is least keeps its digits. */
static bool is_any_small(rg_dips *d, const rg_solver *s)
{
    bool is_any = false;

    for (int64_t j = 0; j < d->n; j++) {
        if (!(d->risen[j].low < small(s, j))) d->risen[j] = NONE;
        is_any = is_any || isfinite(d->risen[j].low);
    }
    return is_any;
}

rg_status rg_dips_judge(rg_dips *d, const rg_solver *s)
{
    point q = {.p = rg_system_pattern(s->system)};

    if (s->options.step > 0.0 || !is_any_small(d, s)) {
        rg_dips_forget(d);
        return RG_OK;
    }
    rg_status status = take_memory(s->ctx, d->n, &q);
    if (status == RG_OK) status = judge_all(d, s, &q);
    rg_free(s->ctx, q.Jy);
    rg_free(s->ctx, q.is_dynamic);
    return status;
}

static rg_status tell(const rg_dip *at, const rg_solver *s, int64_t j)
{
    static const char what[] = "'%s' is %.2g at %s = %.4g, below its atol = %.2g, and grows from "
                               "there by itself: so do errors of the size of atol";
    const char *time = rg_problem_time_name(s->problem);
    const double atol = rg_integrator_atol(s->integrator, j);
    char name[128];

    rg_system_state_name(s->system, j, name, sizeof name);
    if (s->options.accept_doubt)
        return rg_problem_warn(s->problem, what, name, at->low, time, at->t_low, atol);
    rg_fail(s->ctx, RG_ERR_CONVERGENCE, what, name, at->low, time, at->t_low, atol);
    return rg_remedy(s->ctx, "give --atol %s=%.1g; --accept-doubt takes the result as it is", name,
                     s->options.rtol * at->least);
}

rg_status rg_dips_tell(const rg_dips *d, const rg_solver *s)
{
    for (int64_t j = 0; j < d->n; j++)
        if (!isnan(rg_dips_size(d, j)) && d->risen[j].low > 0.0
            && d->risen[j].least < rg_integrator_atol(s->integrator, j))
            return tell(&d->risen[j], s, j);
    return RG_OK;
}
