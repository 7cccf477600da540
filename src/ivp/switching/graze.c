/* A switch that jumps and just misses zero, or passes it for a moment only: an error e of its value
 * decides which.  With a margin g = g0 + k/2 v^2 near its lowest point the other branch would hold
 * for a moment sqrt(8 e/k), unless g turns in another way on it.  What that changes is seen in
 * trial steps with either branch: slopes of what is integrated, times that moment, and values of
 * the rest, which count if they are put out in it. */
#include "ivp/switching/search.h"
#include "ivp/switching/tuning.h"
#include "ivp/tuning.h"

#include <math.h>

typedef struct {    /* trial steps from a point with both branches of a switch */
    double margin;  /* there */
    double rise[2]; /* of the margin, with the branch that is held and with the other one */
    double *change; /* of what is integrated, in the moment, and of other values */
} trials;

typedef struct {
    rg_switching *s;
    int64_t c;
    double moment;
    rg_low low;
} touch;

/* A trial step with the other branch of switch c, and of those that it makes jump. */
static rg_status try_other(rg_switching *s, int64_t c, double h)
{
    rg_status status = RG_OK;
    bool is_again = true;

    for (int64_t k = 0; k < s->m; k++)
        s->switches[k].back = s->switches[k].branch;
    rg_switch_turn(&s->switches[c], rg_switching_value(s, c));
    for (int round = 0; round < RG_BEHIND_TOGETHER && is_again && status == RG_OK; round++) {
        is_again = false;
        status = rg_switching_try(s, h, false);
        if (status == RG_OK)
            status = rg_switching_margins_before(s, s->here.t, s->Y, s->Yp, s->margins);
        for (int64_t k = 0; k < s->m && status == RG_OK; k++) {
            rg_switch *w = &s->switches[k];
            if (k == c || w->is_timed || w->slides || w->branch != w->back) continue;
            if (!(s->margins[k] < -RG_LOCATE_NOISE * s->sizes[k])) continue;
            rg_switch_turn(w, rg_switching_value(s, k));
            is_again = true;
        }
    }
    for (int64_t k = 0; k < s->m; k++)
        s->switches[k].branch = s->switches[k].back;
    return status;
}

/* Trial steps of length h at part x of the last step.  RG_RETRY: no solution. */
static rg_status try_both(const touch *f, double x, double h, trials *out)
{
    rg_switching *s = f->s;
    const rg_integrator *a = rg_switching_active(s);

    s->here.t = a->t_previous + x * (a->t - a->t_previous);
    rg_integrator_eval(a, s->here.t, s->here.y, s->here.yp);
    if (s->trial == NULL) RG_TRY(rg_switching_make_trial(s));
    const int64_t last = (RADAU_TRIAL_STAGES - 1) * s->trial->n;
    for (int k = 0; k < 2; k++) {
        rg_switching_hold(s);
        RG_TRY(rg_switching_margins_before(s, s->here.t, s->here.y, s->here.yp, s->margins));
        out->margin = s->margins[f->c];
        RG_TRY(k == 0 ? rg_switching_try(s, h, false) : try_other(s, f->c, h));
        rg_switch_take_point(s);
        for (int64_t j = 0; j < s->g->n; j++) {
            const bool is_held = rg_switch_is_held(s, j);
            const double now = is_held ? f->moment * s->behind.yp[j] : s->behind.y[j];
            out->change[j] = now - (k == 0 ? 0.0 : out->change[j]);
        }
        RG_TRY(rg_switching_margins_before(s, s->here.t + s->g->direction * h, s->Y + last,
                                           s->Yp + last, s->margins));
        out->rise[k] = s->margins[f->c] - out->margin;
    }
    return RG_OK;
}

/* The largest change by size, of what is integrated and of the rest; up to the tolerance: none. */
static bool find_most(const rg_switching *s, const double *change, double most[2])
{
    const rg_integrator *g = s->g;

    most[0] = most[1] = 0.0;
    for (int64_t j = 0; j < g->n; j++) {
        const double part = fabs(change[j]) / (fabs(s->here.y[j]) + rg_integrator_unit(g, j));
        const int k = part > g->options.rtol && !rg_switch_is_held(s, j);
        if (part > g->options.rtol) most[k] = fmax(most[k], part);
    }
    return most[0] > 0.0 || most[1] > 0.0;
}

/* Branches that join at zero differ in proportion to the margin, others by a jump. */
static void drop_kinks(const rg_switching *s, double *change, const double *beside)
{
    for (int64_t j = 0; j < s->g->n; j++)
        if (fabs(beside[j] - change[j]) > RG_GRAZE_KINK * fabs(change[j])) change[j] = 0.0;
}

/* What the other branch might change, and for how long; *stay = 0: nothing, or the margin has no
 * such lowest point. */
static rg_status find_effect(const touch *f, double most[2], double *stay)
{
    rg_switching *s = f->s;
    const rg_integrator *a = rg_switching_active(s);
    const double h = RG_BEHIND_STEP * f->moment, part = f->moment / (a->t - a->t_previous);
    const double parabola = f->low.bend * part * part;
    const double beside = sqrt(fabs(f->low.g) / f->low.bend);
    trials low = {.change = s->row}, other = {.change = s->row + s->n_row};

    *stay = 0.0;
    RG_TRY(try_both(f, f->low.x, h, &low));
    if (!find_most(s, low.change, most)) return RG_OK;
    RG_TRY(try_both(f, f->low.x - (beside < f->low.x ? beside : -beside), h, &other));
    drop_kinks(s, low.change, other.change);
    if (!find_most(s, low.change, most)) return RG_OK;
    RG_TRY(try_both(f, f->low.x, f->moment, &other));
    if (!(fabs(other.rise[0] - parabola) < RG_LOCATE_LOW * parabola)) return RG_OK;
    const double rest = fabs(s->g->t_end - s->here.t);
    *stay = other.rise[1] > 0.0 ? fmin(f->moment * other.rise[0] / other.rise[1], rest) : rest;
    most[0] *= *stay / f->moment;
    return RG_OK;
}

static rg_status judge(const touch *f)
{
    rg_switching *s = f->s;
    rg_integrator *g = s->g, *a = rg_switching_active(s);
    const rg_switch *w = &s->switches[f->c];
    const rg_stats before = s->trial != NULL ? s->trial->stats : (rg_stats){0};
    const double t = a->t_previous + f->low.x * (a->t - a->t_previous);
    double most[2], stay;

    if (g->grazed.last == w->function + 1 && fabs(t - g->grazed.t_last) <= f->moment) return RG_OK;
    const rg_status status = find_effect(f, most, &stay);
    rg_switching_hold(s);
    if (s->trial != NULL) rg_switching_take_stats(&g->stats, &s->trial->stats, &before);
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    g->grazed.last = w->function + 1;
    g->grazed.t_last = t;
    if (stay == 0.0) return RG_OK;
    rg_log(s->ctx, 2, "switch %lld is %.3g from zero at t = %.10g: %.3g by its other branch",
           (long long)w->function, f->low.g, t, most[0]);
    const rg_graze one = {t, f->low.g, RG_GRAZE_TOLERANCES * w->error, w->function};
    rg_grazed_note(&g->grazed, &one, most, stay);
    return RG_OK;
}

rg_status rg_switching_graze(rg_switching *s, double t, int64_t which)
{
    const rg_integrator *a = rg_switching_active(s);
    const double step = a->t - a->t_previous;

    for (int64_t c = 0; c < s->m; c++) {
        const rg_switch *w = &s->switches[c];
        const double error = RG_GRAZE_TOLERANCES * w->error;
        touch f = {.s = s, .c = c};
        if (!w->jumps || w->is_timed || w->slides) continue;
        if (!rg_switching_lowest(s, c, c == which, error, &f.low)) continue;
        f.moment = fabs(step) * fmin(2.0 * sqrt(error / f.low.bend), 1.0);
        const double at = a->t_previous + f.low.x * step;
        if (which < 0 || c == which || (at - t) * s->g->direction < 0.0) RG_TRY(judge(&f));
    }
    return RG_OK;
}
