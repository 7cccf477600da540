/* Unknowns that are small at one time and grow from there by themselves. */
#include "solve/dips.h"

#include "ivp/method.h"
#include "solve/missed.h"
#include "solve/tuning.h"

#include <math.h>
#include <string.h>

static const rg_dip NONE = {
    .low = INFINITY, .least = INFINITY, .start = INFINITY, .t_rise = NAN, .t_large = NAN};

rg_status rg_dips_init(rg_context *ctx, int64_t n, double interval, rg_dips *out)
{
    out->n = n;
    out->early = RG_SIZE_EARLY * fabs(interval);
    out->now = rg_alloc(ctx, 2 * (size_t)n + 1, sizeof *out->now);
    if (out->now == NULL) return RG_ERR_MEMORY;
    out->risen = out->now + n;
    RG_TRY(rg_trail_init(ctx, n, &out->trail));
    rg_dips_forget(out);
    return RG_OK;
}

void rg_dips_clear(rg_context *ctx, rg_dips *d)
{
    rg_free(ctx, d->now);
    d->now = NULL;
    rg_trail_clear(ctx, &d->trail);
}

static void forget_risen(rg_dips *d)
{
    for (int64_t i = 0; i < d->n; i++)
        d->risen[i] = NONE;
}

void rg_dips_forget(rg_dips *d)
{
    for (int64_t i = 0; i < d->n; i++)
        d->now[i] = NONE;
    forget_risen(d);
    rg_trail_forget(&d->trail);
}

/* Growth from values below takes away three digits, or leaves two, unless their atol was chosen by
 * their size. */
static double small_at(const rg_integrator *g, double atol)
{
    return atol * fmax(RG_SIZE_SMALL, RG_DIP_SMALL / g->options.rtol);
}

/* From 0, which is exact, a state comes to any value within steps that are short enough: the first
 * ones say nothing of the digits that it needs. */
void rg_dips_take(rg_dips *d, const rg_integrator *g, double t, const double *y, const double *yp)
{
    const bool is_given = g->options.atol_is_given && !g->options.atol_is_auto;
    bool is_low = false, rises = false;

    for (int64_t i = 0; i < d->n; i++) {
        const double a = fabs(y[i]);
        rg_dip *now = &d->now[i];
        if (isinf(now->low)) {
            now->start = a;
            now->t_start = t;
        }
        now->most = fmax(now->most, a);
        if (a < now->low) {
            now->low = a;
            now->t_low = t;
            now->t_rise = NAN;
        }
        const bool is_early = now->start == 0.0 && fabs(t - now->t_start) < d->early;
        if (a > 0.0 && a < now->least && !is_early) now->least = a;
        if (a >= RG_DIP_RISE * now->low && a >= RG_DIP_ABOVE * rg_integrator_atol(g, i)) {
            rises = rises || isnan(now->t_rise);
            if (isnan(now->t_rise)) now->t_rise = t;
            d->risen[i] = *now;
        }
        const double atol = fmax(g->options.atol, rg_integrator_atol(g, i));
        if (a >= small_at(g, atol)) now->t_large = t;
        const bool begins_small = is_given && now->start > 0.0 && now->start < atol;
        if (!begins_small && !(RG_DIP_RISE * a <= now->most)) continue;
        if (!(a < small_at(g, atol)) || now->most == 0.0 || d->trail.n == 0) continue;
        is_low = true;
        d->trail.was_low[i] = 1;
    }
    rg_trail_take(&d->trail, t, y, yp, is_low, rises);
}

void rg_dips_jump(rg_dips *d, const rg_integrator *g, double t, const double *y, const double *yp)
{
    rg_trail_end(&d->trail);
    for (int64_t i = 0; i < d->n; i++) {
        const rg_dip before = d->now[i];
        d->now[i] = NONE;
        d->now[i].most = before.most;
        d->now[i].t_large = before.t_large;
    }
    rg_dips_take(d, g, t, y, yp);
}

void rg_dips_store(rg_dips *d, rg_store *s)
{
    for (int64_t i = 0; i < 2 * d->n; i++)
        RG_STORE(s, d->now[i]);
    rg_trail_store(&d->trail, s);
}

double rg_dips_size(const rg_dips *d, int64_t state)
{
    const double least = d->now != NULL ? d->risen[state].least : INFINITY;

    return least > RG_SIZE_LEAST && isfinite(least) ? least : NAN;
}

bool rg_dips_is_any(const rg_dips *d)
{
    bool is_any = false;

    for (int64_t j = 0; j < d->n; j++)
        is_any = is_any || !isnan(rg_dips_size(d, j));
    return is_any;
}

/* ---- growth by itself ------------------------------------------------------------------------ */

static double small(const rg_solver *s, int64_t j)
{
    return small_at(s->integrator, fmax(s->options.atol, rg_integrator_atol(s->integrator, j)));
}

/* Were all states in question small at one time, beside themselves at others, too? */
static bool are_low_together(const rg_dips *d, const rg_solver *s, const rg_closed *q)
{
    bool is_low = false;

    for (int64_t k = 0; k < d->trail.count && !is_low; k++) {
        const double *y = d->trail.y + 2 * d->n * k;
        is_low = true;
        for (int64_t j = 0; j < d->n && is_low; j++)
            is_low = !q->is_in[j]
                     || (fabs(y[j]) < small(s, j)
                         && RG_DIP_RISE * fabs(y[j]) <= fmax(d->now[j].most, d->risen[j].most));
    }
    return is_low;
}

static bool begins_small(const rg_dips *d, const rg_solver *s, int64_t j)
{
    const rg_dip *x = &d->risen[j];

    return isfinite(x->low) && x->start < small(s, j) && RG_DIP_RISE * x->start <= x->most;
}

/* Those that begin small at one time, that of the run or of an event, and grow together: they are 0
 * there.  left: n. */
static rg_status find_beginning(const rg_dips *d, const rg_solver *s, const rg_closed *q,
                                uint8_t *left)
{
    bool is_closed;

    for (int64_t j = 0; j < d->n; j++)
        left[j] = begins_small(d, s, j);
    memset(q->is_so, 0, (size_t)d->n);
    for (int k = 0; k < RG_DIP_MOST && memchr(left, 1, (size_t)d->n) != NULL; k++) {
        const uint8_t *first = memchr(left, 1, (size_t)d->n);
        const double t = d->risen[first - left].t_start;
        for (int64_t j = 0; j < d->n; j++) {
            q->is_in[j] = left[j] && d->risen[j].t_start == t;
            left[j] = left[j] && !q->is_in[j];
        }
        RG_TRY(rg_closed_reduce(s, q, &is_closed));
        for (int64_t j = 0; j < d->n; j++)
            q->is_so[j] |= q->is_in[j] && is_closed;
    }
    return RG_OK;
}

/* q->is_so, per state: it grows by itself, with others or alone.  An oscillation passes 0 again and
 * again, but not all of its states at a time.  left: n. */
static rg_status find_growing(const rg_dips *d, const rg_solver *s, const rg_closed *q,
                              uint8_t *left)
{
    bool is_closed;

    RG_TRY(find_beginning(d, s, q, left));
    for (int64_t j = 0; j < d->n; j++)
        q->is_in[j] = isfinite(d->risen[j].low);
    RG_TRY(rg_closed_reduce(s, q, &is_closed));
    const bool is_together = is_closed && are_low_together(d, s, q);
    for (int64_t j = 0; j < d->n; j++) {
        q->is_so[j] |= q->is_in[j] && is_together;
        left[j] = q->is_in[j] && !q->is_so[j];
    }
    return rg_closed_alone(s, q, left);
}

static rg_status judge_risen(rg_dips *d, const rg_solver *s)
{
    rg_closed q;
    bool is_there;
    uint8_t *left = rg_alloc(s->ctx, (size_t)d->n + 1, sizeof *left);
    double *t_rise = rg_alloc(s->ctx, (size_t)d->n + 1, sizeof *t_rise);
    rg_status status = rg_closed_create(s, &q, &is_there);

    if (status == RG_OK && (left == NULL || t_rise == NULL)) status = RG_ERR_MEMORY;
    for (int64_t j = 0; j < d->n && status == RG_OK; j++)
        t_rise[j] = d->risen[j].t_rise;
    q.trail = &d->trail;
    q.t_rise = t_rise;
    if (status == RG_OK && is_there) status = find_growing(d, s, &q, left);
    for (int64_t j = 0; j < d->n && status == RG_OK; j++)
        if (!q.is_so[j]) d->risen[j] = NONE;
    rg_closed_clear(s->ctx, &q);
    rg_free(s->ctx, left);
    rg_free(s->ctx, t_rise);
    return status;
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

/* Growth that the run did not follow counts like growth that it did.  What has come to values that
 * count since then was followed; an oscillation rises from every 0, as small as it may be. */
static rg_status judge_missed(rg_dips *d, const rg_solver *s)
{
    const double direction = s->integrator->direction;
    rg_missed *missed = rg_alloc(s->ctx, (size_t)d->n + 1, sizeof *missed);
    double *least = rg_alloc(s->ctx, (size_t)d->n + 1, sizeof *least);
    rg_status status = missed != NULL && least != NULL ? RG_OK : RG_ERR_MEMORY;

    for (int64_t j = 0; j < d->n && status == RG_OK; j++)
        least[j] = small(s, j);
    if (status == RG_OK) status = rg_missed_find(&d->trail, s, least, missed);
    for (int64_t j = 0; j < d->n && status == RG_OK; j++)
        if (!isnan(missed[j].least)
            && !((d->now[j].t_large - missed[j].t_least) * direction > 0.0)) {
            d->risen[j] = (rg_dip){.low = missed[j].least,
                                   .t_low = missed[j].t_least,
                                   .least = missed[j].least,
                                   .is_missed = true};
        }
    rg_free(s->ctx, missed);
    rg_free(s->ctx, least);
    return status;
}

rg_status rg_dips_judge(rg_dips *d, const rg_solver *s)
{
    if (s->options.step > 0.0 || !is_any_small(d, s))
        forget_risen(d);
    else
        RG_TRY(judge_risen(d, s));
    return judge_missed(d, s);
}

static rg_status advise(const rg_dip *at, const rg_solver *s, const char *name)
{
    const rg_options *o = &s->options;

    if (o->step > 0.0)
        return rg_remedy(s->ctx, "leave --step out; --accept-doubt takes the result as it is");
    if (!(at->least > RG_SIZE_LEAST))
        return rg_remedy(s->ctx,
                         "take its logarithm as the unknown; --accept-doubt takes the result as it "
                         "is");
    return rg_remedy(s->ctx, "give --atol %s=%.1g; --accept-doubt takes the result as it is", name,
                     o->rtol * at->least);
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
    return advise(at, s, name);
}

rg_status rg_dips_tell(const rg_dips *d, const rg_solver *s)
{
    for (int64_t j = 0; j < d->n; j++) {
        const rg_dip *x = &d->risen[j];
        const bool is_noise = !isnan(rg_dips_size(d, j)) && x->low > 0.0
                              && x->least < rg_integrator_atol(s->integrator, j);
        if (x->is_missed || is_noise) return tell(x, s, j);
    }
    return RG_OK;
}
