/* Where in a step does a branch end first?  Margins are looked at on the polynomial of the step;
 * minima between the samples are looked at more closely (grazing). */
#include "ivp/switching/switching.h"
#include "ivp/switching/tuning.h"
#include "ivp/tuning.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 12 };

/* Parts of the step; the nodes of the three- and five-stage methods are among them. */
static const double sample[SAMPLES] = {0.0571, 0.1551, 0.2168, 0.2768, 0.35,   0.42,
                                       0.5,    0.5836, 0.6449, 0.75,   0.8602, 1.0};

static double limit(const rg_switching *s, int64_t c)
{
    const rg_switch *w = &s->switches[c];

    return w->slides ? -RG_LOCATE_NOISE_SLIDE : -RG_LOCATE_NOISE * s->sizes[c];
}

/* All margins at part x of the last step. */
static bool look(rg_switching *s, double x, double *margins)
{
    rg_integrator *a = rg_switching_active(s);
    const double t = x == 1.0 ? a->t : a->t_previous + x * (a->t - a->t_previous);

    if (!s->is_exact || !(x > 0.0 && x < 1.0))
        rg_integrator_eval(a, t, s->here.y, s->here.yp);
    else if (rg_integrator_step_row(a, t, s->here.y, s->here.yp) != RG_OK)
        return false;
    if (x == 1.0) {
        memcpy(s->here.y, a->y, (size_t)a->n * sizeof *a->y);
        memcpy(s->here.yp, a->yp, (size_t)a->n * sizeof *a->yp);
    }
    const rg_status status = x < 0.0
                                 ? rg_switching_margins_before(s, t, s->here.y, s->here.yp, margins)
                                 : rg_switching_margins(s, t, s->here.y, s->here.yp, margins);
    return status == RG_OK;
}

static double look_at(rg_switching *s, double x, int64_t c)
{
    return look(s, x, s->margins) ? s->margins[c] : NAN;
}

/* The zero of margin c between `low` (valid) and `high` (not valid), by false position, halved
 * where that is slow. */
static double zero_between(rg_switching *s, int64_t c, double low, double high, double g_low,
                           double g_high)
{
    if (!(g_low > 0.0)) return low;
    for (int k = 0; k < RG_LOCATE_STEPS && high - low > RG_LOCATE_NEAR * 0.1; k++) {
        double x = k % 3 == 2 ? 0.5 * (low + high) : low + (high - low) * g_low / (g_low - g_high);
        if (!(x > low && x < high)) x = 0.5 * (low + high);
        const double g = look_at(s, x, c);
        if (g == 0.0) return x;
        if (g > 0.0) {
            low = x;
            g_low = g;
        } else {
            high = x;
            g_high = isnan(g) ? -g_low : g;
        }
    }
    return high;
}

/* A minimum of margin c between two samples: where it is below zero, or NaN. */
static double low_point(rg_switching *s, int64_t c, double left, double right, double *value)
{
    for (int round = 0; round < RG_LOCATE_ROUNDS; round++) {
        double best = INFINITY, at = left;
        for (int k = 1; k < RG_LOCATE_FINE; k++) {
            const double x = left + (right - left) * k / RG_LOCATE_FINE;
            const double g = look_at(s, x, c);
            if (g < best) {
                best = g;
                at = x;
            }
        }
        *value = best;
        if (best < limit(s, c)) return at;
        const double width = (right - left) / RG_LOCATE_FINE;
        left = at - width;
        right = at + width;
    }
    return NAN;
}

static double *row(const rg_switching *s, int k)
{
    return s->samples + (k + 1) * s->m;
}

/* k = 0: the start of the step; one more on either side of it, for minima near its ends. */
static double part(int k)
{
    if (k < 0) return -RG_LOCATE_BEYOND;
    return k == 0 ? 0.0 : k > SAMPLES ? 1.0 + RG_LOCATE_BEYOND : sample[k - 1];
}

/* Behind a restart the values of switches that were zero there are an extrapolation up to the
 * first stage: they count if the stage itself is on the wrong side. */
static bool counts(const rg_switching *s, int k, int64_t c)
{
    const rg_integrator *a = rg_switching_active(s);

    if (!s->switches[c].is_fresh || !a->method->holds_branches) return true;
    if (!a->method->is_radau) return k > 1; /* their first stage may be the start itself */
    return part(k) >= rg_radau_of(a)->table->c[0] * (1.0 - 1e-3);
}

/* Margin c near sample k: its minimum by the parabola through three samples, or INFINITY where it
 * has none. */
static double minimum(const rg_switching *s, int k, int64_t c)
{
    const double a = row(s, k - 1)[c], b = row(s, k)[c], d = row(s, k + 1)[c];
    const double x = part(k - 1) - part(k), y = part(k + 1) - part(k);

    if (k == 0 && s->switches[c].is_fresh) return INFINITY;
    if (!(b > 0.0 && b <= a && b <= d && (b < a || b < d))) return INFINITY;
    const rg_parabola near = rg_parabola_through(x, a, b, y, d);
    return b - near.tilt * near.tilt / (4.0 * near.bend);
}

/* Does margin c pass through a minimum near sample k that may be below zero?  The parabola is off
 * by a part of what it goes down. */
static bool is_low(const rg_switching *s, int k, int64_t c)
{
    return minimum(s, k, c) < RG_LOCATE_LOW * fmax(row(s, k - 1)[c], row(s, k + 1)[c]);
}

/* Margins at sample k; those that are not defined, as at the sample before. */
static void take_sample(rg_switching *s, int k)
{
    const bool is_there = look(s, part(k), row(s, k));

    for (int64_t c = 0; c < s->m; c++)
        if (!is_there || isnan(row(s, k)[c])) row(s, k)[c] = k >= 0 ? row(s, k - 1)[c] : 0.0;
}

static void take_samples(rg_switching *s)
{
    for (int k = -1; k <= SAMPLES + 1; k++)
        take_sample(s, k);
}

/* How fast margins change in the step, at most. */
static void take_rates(rg_switching *s, double h)
{
    for (int64_t c = 0; c < s->m; c++) {
        double most = 0.0;
        for (int k = 1; k <= SAMPLES; k++)
            most = fmax(most, fabs(row(s, k)[c] - row(s, k - 1)[c]) / (part(k) - part(k - 1)));
        s->switches[c].rate = most / fabs(h);
    }
}

rg_status rg_switching_note_levels(rg_switching *s)
{
    const rg_integrator *a = rg_switching_active(s);

    const rg_status status = rg_switching_margins_before(s, a->t, a->y, a->yp, s->margins);
    if (status != RG_OK) return status < 0 ? status : RG_OK; /* not defined there */
    for (int64_t c = 0; c < s->m; c++) {
        rg_switch *w = &s->switches[c];
        double most = w->slides ? 0.0 : fabs(rg_switching_value(s, c));
        for (int k = 0; k <= SAMPLES && !w->slides && !w->is_whole; k++)
            most = fmax(most, fabs(row(s, k)[c]));
        w->recent = fmax(w->recent, most);
        w->largest = fmax(w->largest, most);
    }
    return RG_OK;
}

typedef struct { /* the end of a branch in a step; places are parts of it */
    int64_t which;
    double at;
    double behind, margin; /* a place behind it, and what the margin is there */
} zero;

/* The first zero of margin c near sample k; false: none. */
static bool zero_near(rg_switching *s, int k, int64_t c, zero *z)
{
    int j = k > 0 ? k - 1 : 0;

    *z = (zero){c, NAN, part(k), row(s, k)[c]};
    if (k > 0 && z->margin < limit(s, c) && counts(s, k, c)) {
        while (j > 0 && row(s, j)[c] <= 0.0)
            j--;
    } else {
        if (!is_low(s, k, c)) return false;
        z->behind = low_point(s, c, part(j), fmin(part(k + 1), 1.0), &z->margin);
        if (isnan(z->behind)) return false;
    }
    z->at = zero_between(s, c, part(j), z->behind, row(s, j)[c], z->margin);
    return true;
}

static void first_zero(rg_switching *s, zero *first)
{
    zero z;

    *first = (zero){-1, 2.0, 2.0, 0.0};
    for (int k = 0; k <= SAMPLES && first->at > 1.0; k++)
        for (int64_t c = 0; c < s->m; c++)
            if (!s->switches[c].is_timed && zero_near(s, k, c, &z) && z.at < first->at) *first = z;
}

/* What an error of the unknowns of d tolerances may make of margin c. */
static double doubt(const rg_switching *s, int64_t c, double d)
{
    return s->switches[c].slides ? 0.0 : RG_SWITCH_CLOSE * d * s->g->options.rtol * s->sizes[c];
}

/* May a margin be below zero that is not on the polynomial, which is off by d tolerances? */
static bool is_close(const rg_switching *s, double d)
{
    for (int64_t c = 0; c < s->m; c++) {
        const rg_switch *w = &s->switches[c];
        const double error = doubt(s, c, d);
        if (w->is_timed || w->slides) continue;
        for (int k = 0; k <= SAMPLES; k++)
            if (minimum(s, k, c) < error || (k > 0 && row(s, k)[c] < error && counts(s, k, c)))
                return true;
    }
    return false;
}

static rg_status compare_row(rg_switching *s, rg_integrator *a, double t)
{
    const rg_status status = rg_integrator_step_row(a, t, s->here.y, s->here.yp);

    if (status != RG_OK) return status < 0 ? status : RG_OK;
    rg_integrator_eval(a, t, s->behind.y, s->behind.yp);
    for (int64_t j = 0; j < a->n; j++) {
        const double tol = rg_integrator_atol(a, j) + a->options.rtol * fabs(s->here.y[j]);
        s->rough.d = fmax(s->rough.d, fabs(s->here.y[j] - s->behind.y[j]) / tol);
    }
    return RG_OK;
}

/* For methods whose rows are side steps: these beside the polynomial. */
static rg_status compare_rows(rg_switching *s, rg_integrator *a)
{
    const double h = a->t - a->t_previous;

    if (!rg_integrator_has_rows(a) || a->options.step > 0.0) return RG_OK;
    RG_TRY(rg_integrator_step_rows(a, 2));
    RG_TRY(compare_row(s, a, a->t_previous + 0.3 * h));
    return compare_row(s, a, a->t_previous + 0.7 * h);
}

/* Equations hold on the polynomial to the tolerance only: u - e of a diode that conducts may be
 * larger there than its current, in units of its own.  At the ends of steps they hold: a zero that
 * may be none is looked at there, and if it is none, all samples that may be on either side. */
static rg_status settle_doubt(rg_switching *s, double d, zero *first)
{
    rg_integrator *a = rg_switching_active(s);

    if (!a->method->is_radau || first->which < 0 || first->behind == 1.0) return RG_OK;
    if (first->margin < -doubt(s, first->which, d)) return RG_OK;
    s->is_exact = true;
    RG_TRY(rg_radau_side_rows(a));
    if (look_at(s, first->behind, first->which) < limit(s, first->which)) return RG_OK;
    for (int k = 1; k < SAMPLES; k++) {
        bool is_so = false;
        for (int64_t c = 0; c < s->m && !is_so; c++)
            is_so = !s->switches[c].is_timed && row(s, k)[c] < doubt(s, c, d);
        if (is_so) take_sample(s, k);
    }
    first_zero(s, first);
    return RG_OK;
}

/* How far the polynomial of the last step is off, once for every step. */
static rg_status look_between(rg_switching *s)
{
    rg_integrator *a = rg_switching_active(s);

    if (s->rough.taker == a && s->rough.t0 == a->t_previous && s->rough.t1 == a->t) return RG_OK;
    s->rough = (rg_switch_rough){.taker = a, .t0 = a->t_previous, .t1 = a->t};
    if (!a->method->holds_branches || s->is_timed) return RG_OK;
    if (!a->method->is_radau) return compare_rows(s, a);
    return rg_radau_roughness(a, s->g->n, &s->rough.d, &s->rough.off);
}

/* What follows a signal without being integrated, the branch of a sliding switch too, is in no
 * error test: on the polynomial of a step that is too long for it ends of branches are missed. */
rg_status rg_switching_resolve(rg_switching *s, double *part)
{
    const rg_integrator *a = rg_switching_active(s);

    *part = INFINITY;
    RG_TRY(look_between(s));
    const double error = fmax(s->rough.d * s->g->options.rtol, s->rough.off) / RG_SWITCH_ROUGH;
    if (error > 0.0) *part = RG_RADAU_SAFETY / pow(error, 1.0 / (a->degree + 1.0));
    return RG_OK;
}

/* The lowest point of the parabola through margin c at x and `width` before and behind it. */
static bool look_lower(rg_switching *s, int64_t c, double width, rg_low *low)
{
    const double a = look_at(s, low->x - width, c), b = look_at(s, low->x, c);
    const double d = look_at(s, low->x + width, c);
    const rg_parabola near = rg_parabola_through(-width, a, b, width, d);

    if (!(near.bend > 0.0)) return false;
    const double move = -0.5 * near.tilt / near.bend;
    *low = (rg_low){low->x + move, b + 0.5 * near.tilt * move, near.bend};
    return fabs(move) <= 2.0 * width;
}

/* The same in a row where the polynomial is not as good as steps. */
static bool look_closely(rg_switching *s, int64_t c, rg_low *low)
{
    if (!(s->rough.d > 1.0) || !(low->x > 0.0 && low->x < 1.0)) return true;
    if (rg_integrator_step_rows(rg_switching_active(s), 1) != RG_OK) return false;
    s->is_exact = true;
    low->g = look_at(s, low->x, c);
    s->is_exact = false;
    return true;
}

bool rg_switching_lowest(rg_switching *s, int64_t c, bool is_passed, double near, rg_low *low)
{
    const double off = near * (1.0 + fmax(s->rough.d, 0.0));
    int k = 0;

    for (int j = 1; j <= SAMPLES; j++)
        if (row(s, j)[c] < row(s, k)[c]) k = j;
    if (s->switches[c].is_fresh && (k == 0 || !counts(s, k, c))) return false;
    const double a = row(s, k - 1)[c], b = row(s, k)[c], d = row(s, k + 1)[c];
    const rg_parabola rough =
        rg_parabola_through(part(k - 1) - part(k), a, b, part(k + 1) - part(k), d);
    if (!(rough.bend > 0.0)) return false;
    const double move = -0.5 * rough.tilt / rough.bend, g = b + 0.5 * rough.tilt * move;
    *low = (rg_low){part(k) + move, g, rough.bend};
    /* the parabola is off by a part of what it goes down */
    if (!(fabs(g) <= off + RG_LOCATE_LOW * (fmax(a, d) - g))) return false;
    if (low->x > 1.0 + RG_LOCATE_BEYOND) return is_passed && low->x < 2.0 && fabs(g) <= near;
    if (low->x < -RG_LOCATE_BEYOND) return false;
    double width = 0.5 * (part(k + 1) - part(k));
    for (int round = 0; round < RG_LOCATE_ROUNDS; round++, width *= 0.25)
        if (!look_lower(s, c, width, low)) return false;
    return fabs(low->g) <= off && look_closely(s, c, low) && fabs(low->g) <= near;
}

rg_status rg_switching_find(rg_switching *s, double *t, int64_t *which)
{
    rg_integrator *a = rg_switching_active(s);
    const double t0 = a->t_previous, h = a->t - t0;
    zero first;

    s->is_exact = false;
    take_samples(s);
    take_rates(s, h);
    const rg_status status = rg_switching_sizes(s, a->t, a->y, a->yp);
    if (status < 0) return status;
    first_zero(s, &first);
    RG_TRY(look_between(s));
    double d = s->rough.d;
    if (d > 1.0 && (first.which >= 0 || is_close(s, d))) { /* values as good as those of steps */
        s->is_exact = true;
        RG_TRY(rg_integrator_step_rows(a, SAMPLES));
        take_samples(s);
        first_zero(s, &first);
        d = RG_ROWS_TARGET;
    }
    RG_TRY(settle_doubt(s, d, &first));
    s->is_exact = false;
    *which = first.which;
    *t = t0 + first.at * h;
    return RG_OK;
}
