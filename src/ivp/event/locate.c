/* The time at which the first of some functions comes to its edge, from few looks at them.
 *
 * The functions are smooth along the polynomial of a step, most often linear in it: the last places
 * looked at determine the polynomial p of Newton's divided differences through v_k - edge_k, and
 * its zero is the next place.  The error of p is the next term of that series,
 *
 *     |next term| <= |p'| near/100
 *
 * ends the search: one look behind the zero shows that the function has changed there, by no more
 * than its slope allows.  A function that jumps does not pass that test, and is halved. */
#include "ivp/event/watch.h"

#include "ivp/event/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct { /* c_0 + (t - t_0)(c_1 + (t - t_1)(c_2 + ..)) */
    int n;
    double t[RG_WATCH_POINTS], c[RG_WATCH_POINTS];
} newton_form;

typedef struct {
    double t;     /* where p is zero; NaN: not known */
    double error; /* of that */
} zero;
static const zero nothing = {NAN, INFINITY};

/* p and p' at t. */
static double form_value(const newton_form *p, double t, double *slope)
{
    double v = p->c[p->n - 1], d = 0.0;

    for (int i = p->n - 2; i >= 0; i--) {
        d = v + (t - p->t[i]) * d;
        v = p->c[i] + (t - p->t[i]) * v;
    }
    *slope = d;
    return v;
}

/* The edge that function k passes on its way to the value at hand. */
static double edge_of(const rg_watch *w, int64_t k)
{
    const double value = w->values[k], mode = w->now.mode[k];

    if (rg_conditions_is_whole(w->c, k)) return value < mode ? mode - 0.5 : mode + 0.5;
    const bool is_other = rg_conditions_mode(w->c, k, value) != mode;
    return w->now.pending[k] && is_other ? copysign(w->band[k], value) : 0.0;
}

/* Through the places looked at, nearest first to where the function is nearest to its edge. */
static void fit(const rg_watch *w, int64_t k, newton_form *p)
{
    const double edge = w->edge[k];
    double at = NAN, least = INFINITY;

    p->n = 0;
    for (int i = 0; i < w->n_points; i++)
        if (fabs(w->point[i][k] - edge) < least) {
            least = fabs(w->point[i][k] - edge);
            at = w->point_t[i];
        }
    for (int i = 0; i < w->n_points; i++) {
        const double t = w->point_t[i], v = w->point[i][k] - edge;
        int place = p->n;
        bool is_new = isfinite(v);
        for (int j = 0; j < p->n; j++)
            is_new = is_new && p->t[j] != t;
        if (!is_new) continue;
        for (; place > 0 && fabs(p->t[place - 1] - at) > fabs(t - at); place--) {
            p->t[place] = p->t[place - 1];
            p->c[place] = p->c[place - 1];
        }
        p->t[place] = t;
        p->c[place] = v;
        p->n++;
    }
    for (int i = 1; i < p->n; i++)
        for (int j = p->n - 1; j >= i; j--)
            p->c[j] = (p->c[j] - p->c[j - 1]) / (p->t[j] - p->t[j - i]);
}

/* The zero of p in [a, b], by false position (Illinois); NaN: the signs there do not differ. */
static double zero_of(const newton_form *p, double a, double b)
{
    double slope, fa = form_value(p, a, &slope), fb = form_value(p, b, &slope), best = b;

    if (!(fa * fb < 0.0)) return fb == 0.0 ? b : NAN;
    for (int k = 0; k < RG_EVENT_HALVINGS; k++) {
        const double c = b - fb * (b - a) / (fb - fa), fc = form_value(p, c, &slope);
        const bool is_there = fc == 0.0 || c == best;
        best = c;
        if (is_there) break;
        if (fc * fb < 0.0) {
            a = b;
            fa = fb;
        } else {
            fa *= 0.5;
        }
        b = c;
        fb = fc;
    }
    return best;
}

/* The terms of p at its zero fall like a geometric series. */
static zero find_zero(rg_watch *w, int64_t k, double left, double right)
{
    newton_form p;
    double term = 1.0, before = 0.0, last = 0.0;

    fit(w, k, &p);
    if (p.n < 2) return nothing;
    const double t = zero_of(&p, left, right);
    form_value(&p, t, &w->slope[k]);
    for (int i = 0; i < p.n; i++) {
        before = last;
        last = fabs(p.c[i] * term);
        term *= t - p.t[i];
    }
    const double next = last < before ? last * last / before : last;
    return (zero){t, p.n > 2 ? next / fabs(w->slope[k]) : INFINITY};
}

/* The first zero of those that change; NaN: one of them does not say. */
static zero first_zero(rg_watch *w, double left, double right)
{
    const double sign = w->g->direction;
    zero first = nothing;

    for (int64_t k = 0; k < w->n_functions; k++) {
        if (!w->hit[k]) continue;
        const zero z = find_zero(w, k, left, right);
        if (isnan(z.t)) return z;
        if (isnan(first.t) || sign * z.t < sign * first.t) first = z;
    }
    return first;
}

/* Are all functions that have changed at the place looked at as near to their edges as their slopes
 * say? */
static bool is_steady(const rg_watch *w, double near)
{
    bool is_all = true;

    for (int64_t k = 0; k < w->n_functions && is_all; k++)
        if (w->hit[k] && rg_watch_is_beyond(w, k))
            is_all = fabs(w->values[k] - w->edge[k])
                     <= RG_EVENT_STEADY * fabs(w->slope[k]) * near + w->noise[k];
    return is_all;
}

/* A place strictly between both; NaN: there is none. */
static double place_between(double left, double right, double at)
{
    const double middle = left + 0.5 * (right - left);

    if ((at - left) * (right - at) > 0.0) return at;
    return middle != left && middle != right ? middle : NAN;
}

static bool is_any_beyond(const rg_watch *w)
{
    bool is_any = false;

    for (int64_t k = 0; k < w->n_functions && !is_any; k++)
        is_any = rg_watch_is_beyond(w, k);
    return is_any;
}

double rg_watch_guess(rg_watch *w, double near, double left, double right)
{
    for (int64_t k = 0; k < w->n_functions; k++)
        w->edge[k] = edge_of(w, k);
    const zero z = first_zero(w, left, right);
    return z.error <= fabs(near) ? z.t : NAN;
}

rg_status rg_watch_locate(rg_watch *w, double near, double *left, double *right)
{
    const double width = 0.25 * DBL_EPSILON * fmax(fabs(*left), fabs(*right)); /* near t = 0 */
    double reach =
        DBL_EPSILON * fabs(*right); /* behind a zero the change is sure, up to rounding */
    const double enough = fmax(RG_EVENT_LAST * fabs(near), reach);
    double error = INFINITY; /* of the interpolation before */
    bool is_quick = true;
    zero z = nothing;

    for (int64_t k = 0; k < w->n_functions; k++)
        w->edge[k] = edge_of(w, k);
    w->is_halved = false;
    for (int k = 0; fabs(*right - *left) > width; k++) {
        const bool is_slow =
            k >= RG_EVENT_QUICK && !is_quick && (k % 2 == 0 || k >= 3 * RG_EVENT_QUICK);
        const bool is_last = !is_slow && z.error <= enough;
        if (!is_last) z = is_slow ? nothing : first_zero(w, *left, *right);
        is_quick = !is_slow && z.error <= RG_EVENT_GAIN * error;
        if (!is_slow) error = z.error;
        const bool is_known = is_last || z.error <= enough;
        if (is_known && !is_last) reach = fmax(reach, 2.0 * z.error);
        const double place = is_known ? z.t + copysign(fmin(reach, fabs(near)), near) : z.t;
        if (is_known && (*right - place) * near <= 0.0) return RG_OK;
        const double at = place_between(*left, *right, place);
        if (isnan(at)) break;
        RG_TRY(rg_watch_look(w, at));
        w->n_looks++;
        const bool is_before = is_any_beyond(w);
        *(is_before ? right : left) = at;
        if (is_known && is_before && is_steady(w, fabs(near))) return RG_OK;
        if (is_known && is_before) z = nothing;
        if (is_known) reach *= RG_EVENT_FURTHER;
    }
    w->is_halved = true;
    return RG_OK;
}

/* How far behind `right` function k comes to its edge, by its straight line; negative: before it.
 * INFINITY: it does not, or nothing is known of it. */
static double ahead_of(rg_watch *w, int64_t k, double right, double *slope)
{
    const double sign = w->g->direction;
    newton_form p;

    if (w->algebraic[k] || (!w->hit[k] && w->now.pending[k]) || rg_conditions_is_whole(w->c, k))
        return INFINITY;
    if (!w->hit[k]) w->edge[k] = 0.0;
    fit(w, k, &p);
    if (p.n < 2) return INFINITY;
    const double v = form_value(&p, right, slope);
    const bool is_leaving = w->hit[k] || w->now.mode[k] * *slope * sign < 0.0;
    return is_leaving ? -v / *slope * sign : INFINITY;
}

/* Does it compare an unknown with one of those that have come to their edges?  Then their order is
 * known, whatever the tolerance. */
static bool is_ordered(rg_watch *w, int64_t k, double right)
{
    double slope;
    bool is_any = false;

    for (int64_t i = 0; i < w->n_functions && !is_any; i++)
        is_any = i != k && w->hit[i] && ahead_of(w, i, right, &slope) <= 0.0
                 && rg_conditions_share(w->c, i, k);
    return is_any;
}

/* Functions that come to their edges behind `right` by no more than rounding does to that; or, as
 * methods amplify rounding, by a small part of the tolerance, where they compare other unknowns.
 * Of functions that jump nothing is known. */
double rg_watch_together(rg_watch *w, double near, double right)
{
    const double sign = w->g->direction;
    double last = w->is_halved ? right + near : right;

    for (int64_t k = 0; k < w->n_functions; k++) {
        double slope;
        const double ahead = ahead_of(w, k, right, &slope);
        if (!(ahead >= 0.0 && ahead < INFINITY)) continue;
        const double least = fabs(near) + w->noise[k] / fabs(slope);
        const double most = fabs(near) + RG_EVENT_TOGETHER * w->band[k] / fabs(slope);
        if (ahead > least && (ahead > most || is_ordered(w, k, right))) continue;
        if (sign * (right + sign * ahead + near) > sign * last) last = right + sign * ahead + near;
    }
    return last;
}
