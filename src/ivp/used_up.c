/* The rates at which differentiated unknowns drive themselves,
 *
 *     r = -F_y / F_y',
 *
 * each of an equation with one derivative, are compared at both ends of every step, of size
 * h.  With  r(t0) <= 0,  h r(t1) > c  it is taken again with h/4, until growth that begins in it is
 * slow enough to be followed, or the step is a small part of the first one.  Where r(t0) > 0 the
 * solution is one that does not grow, whatever the rate is (a species that is absent), or it grows
 * in steps that follow it. */
#include "ivp/used_up.h"

#include "base/pieces.h"
#include "ivp/method.h"
#include "ivp/tuning.h"

#include <math.h>
#include <string.h>

struct rg_used_up {
    rg_context *ctx;
    void *memory;
    int64_t n_rates;
    int64_t *entry;      /* of every rate */
    double *before, *at; /* rates at t0 and t1 */
    double *seen;        /* those of the last Jacobian of the method itself, */
    double t_seen;       /* which was here; NaN: none */
    double *y, *yp;      /* at the end of the last step, */
    double t;            /* which was there; NaN: none */
    int64_t n_switches;
    double *Jy, *Jyp; /* there */
    bool has_jacobian;
    double first; /* the first step that was taken again lately; 0: none */
};

static rg_status fill(const rg_integrator *g, rg_used_up *d)
{
    const rg_pattern *p = rg_system_pattern(g->system);
    const int64_t n = g->n, entries = p->start[n];
    uint8_t *kinds = rg_alloc(d->ctx, (size_t)entries + 1, 1);
    int32_t *slopes = rg_alloc(d->ctx, (size_t)n + 1, sizeof *slopes);
    rg_status status = kinds != NULL && slopes != NULL ? RG_OK : RG_ERR_MEMORY;

    if (status == RG_OK)
        status =
            RG_TAKE(d->ctx, &d->memory, RG_PIECE(d->entry, entries), RG_PIECE(d->before, entries),
                    RG_PIECE(d->at, entries), RG_PIECE(d->seen, entries), RG_PIECE(d->y, n),
                    RG_PIECE(d->yp, n), RG_PIECE(d->Jy, entries), RG_PIECE(d->Jyp, entries));
    if (status == RG_OK) rg_system_entry_kinds(g->system, kinds);
    for (int64_t e = 0; e < entries && status == RG_OK; e++)
        slopes[p->row[e]] += (kinds[e] & 2) != 0;
    for (int64_t e = 0; e < entries && status == RG_OK; e++)
        if (kinds[e] == 3 && slopes[p->row[e]] == 1) d->entry[d->n_rates++] = e;
    d->t = d->t_seen = NAN;
    rg_free(d->ctx, slopes);
    rg_free(d->ctx, kinds);
    return status;
}

void rg_used_up_store(rg_used_up *d, int64_t n, rg_store *s)
{
    rg_store_reals(s, d->before, d->n_rates);
    rg_store_reals(s, d->seen, d->n_rates);
    RG_STORE(s, d->t_seen);
    rg_store_reals(s, d->y, n);
    rg_store_reals(s, d->yp, n);
    RG_STORE(s, d->t);
    RG_STORE(s, d->n_switches);
    RG_STORE(s, d->first);
}

/* Methods with a Jacobian do; some know better. */
static bool damps(const rg_integrator *g)
{
    return g->method->damps != NULL ? g->method->damps(g) : g->method->jacobian != NULL;
}

rg_status rg_used_up_create(const rg_integrator *g, rg_used_up **out)
{
    const bool may_damp = g->method->damps != NULL || g->method->jacobian != NULL;

    *out = NULL;
    if (g->n == 0 || g->options.step > 0.0 || !may_damp || rg_system_is_linear(g->system)
        || rg_system_index(g->system) > 1 || rg_system_projects(g->system))
        return RG_OK;
    rg_used_up *d = rg_alloc(g->ctx, 1, sizeof *d);
    if (d == NULL) return RG_ERR_MEMORY;
    d->ctx = g->ctx;
    const rg_status status = fill(g, d);
    if (status == RG_OK && d->n_rates > 0)
        *out = d;
    else
        rg_used_up_destroy(&d);
    return status;
}

void rg_used_up_destroy(rg_used_up **watch)
{
    rg_used_up *d = *watch;

    if (d == NULL) return;
    rg_free(d->ctx, d->memory);
    rg_free(d->ctx, d);
    *watch = NULL;
}

bool rg_used_up_jacobian(const rg_used_up *d, const rg_integrator *g, double *Jy, double *Jyp)
{
    const size_t size = (size_t)g->n * sizeof *g->y;
    const size_t entries = (size_t)rg_system_pattern(g->system)->start[g->n] * sizeof *Jy;

    if (d == NULL || !d->has_jacobian || d->t != g->t || d->n_switches != g->n_switches
        || memcmp(d->y, g->y, size) != 0 || memcmp(d->yp, g->yp, size) != 0)
        return false;
    memcpy(Jy, d->Jy, entries);
    memcpy(Jyp, d->Jyp, entries);
    return true;
}

static double rate(const rg_used_up *d, const rg_integrator *g, int64_t k, const double *Jy,
                   const double *Jyp)
{
    return -g->direction * Jy[d->entry[k]] / Jyp[d->entry[k]];
}

/* May the step have passed over such a place?  Where the method has a Jacobian in it, and had one
 * before, rates that go on at three times their slope tell; a Jacobian at its end need not be
 * evaluated then. */
static bool may_pass(rg_used_up *d, const rg_integrator *g, double h)
{
    rg_ivp_jacobian now;
    bool is_so = false;

    if (g->method->jacobian == NULL) return true;
    g->method->jacobian(g, &now);
    if (!((now.t - g->t_previous) * g->direction > 0.0)) return true;
    const double since = (now.t - d->t_seen) * g->direction;
    const double times = RG_USED_UP_AHEAD * fabs(g->t - now.t) / since;
    const bool is_known = since > 0.0 && d->n_switches == g->n_switches;
    for (int64_t k = 0; k < d->n_rates; k++) {
        const double r = rate(d, g, k, now.Jy, now.Jyp), last = d->seen[k];
        const double ahead = r + times * (r - last);
        is_so = is_so || ((r <= 0.0 || last <= 0.0) && !(2.0 * h * ahead <= RG_USED_UP_MOST));
        d->seen[k] = r;
    }
    d->t_seen = now.t;
    return is_so || !is_known;
}

/* The rates at a point; NaN: none. */
static rg_status find_rates(rg_used_up *d, rg_integrator *g, double t, const double *y,
                            const double *yp, double *rates)
{
    const rg_status status = rg_system_jacobian(g->system, g->work, t, y, yp, d->Jy, d->Jyp);

    if (status < 0) return status;
    d->has_jacobian = status == RG_OK;
    for (int64_t k = 0; k < d->n_rates; k++)
        rates[k] = status == RG_OK ? rate(d, g, k, d->Jy, d->Jyp) : NAN;
    return RG_OK;
}

static void remember(rg_used_up *d, const rg_integrator *g, double h)
{
    double *const free = d->before;

    d->before = d->at;
    d->at = free;
    memcpy(d->y, g->y, (size_t)g->n * sizeof *g->y);
    memcpy(d->yp, g->yp, (size_t)g->n * sizeof *g->yp);
    d->t = g->t;
    d->n_switches = g->n_switches;
    if (h > d->first) d->first = 0.0;
}

/* Those at the start of the last step are those at the end of the one before, but for restarts. */
static rg_status begin(rg_used_up *d, rg_integrator *g)
{
    if (d->t == g->t_previous && d->n_switches == g->n_switches) return RG_OK;
    rg_integrator_eval(g, g->t_previous, d->y, d->yp);
    d->t = g->t_previous;
    return find_rates(d, g, d->t, d->y, d->yp, d->before);
}

rg_status rg_used_up_look(rg_used_up *d, rg_integrator *g)
{
    const double h = fabs(g->t - g->t_previous);
    bool is_driven = false;

    if (h == 0.0 || !damps(g)) return RG_OK;
    if (!may_pass(d, g, h)) {
        d->has_jacobian = false;
        d->t = NAN;
        return RG_OK;
    }
    RG_TRY(begin(d, g));
    RG_TRY(find_rates(d, g, g->t, g->y, g->yp, d->at));
    for (int64_t k = 0; k < d->n_rates && !is_driven; k++)
        is_driven = d->before[k] <= 0.0 && h * d->at[k] > RG_USED_UP_MOST;
    if (!is_driven || h <= RG_BRANCH_LEAST * d->first) {
        remember(d, g, h);
        return RG_OK;
    }
    if (d->first == 0.0) d->first = h;
    d->has_jacobian = false;
    const rg_state from = {d->t, d->y, d->yp};
    RG_TRY(rg_integrator_restart(g, &from, h / 4.0));
    g->stats.steps--;
    g->stats.rejected++;
    return (rg_status)RG_RETRY;
}
