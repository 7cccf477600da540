/* Where in a step does a branch end first?  Margins are looked at on the polynomial of the step;
 * minima between the samples are looked at more closely (grazing). */
#include "ivp/switching/switching.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 12, FINE = 16, ROUNDS = 3, STEPS = 60 };
static const double LOW = 0.5;          /* a minimum below this part of the samples: look closer */
static const double NOISE = 1e-11;      /* part of S: no change of sign */
static const double NOISE_SLIDE = 1e-7; /* of 1 - mu^2 */
static const double NEAR = 1e-10;       /* part of the step: the zero is known well enough */

/* Parts of the step; the nodes of the three- and five-stage methods are among them. */
static const double sample[SAMPLES] = {0.0571, 0.1551, 0.2168, 0.2768, 0.35,   0.42,
                                       0.5,    0.5836, 0.6449, 0.75,   0.8602, 1.0};

static double limit(const rg_switching *s, int64_t c)
{
    const rg_switch *w = &s->switches[c];

    return w->slides ? -NOISE_SLIDE : -NOISE * s->sizes[c];
}

/* All margins at part x of the last step. */
static bool look(rg_switching *s, double x, double *margins)
{
    const rg_integrator *a = rg_switching_active(s);
    const double t = x == 1.0 ? a->t : a->t_previous + x * (a->t - a->t_previous);

    rg_integrator_eval(a, t, s->here.y, s->here.yp);
    if (x == 1.0) {
        memcpy(s->here.y, a->y, (size_t)a->n * sizeof *a->y);
        memcpy(s->here.yp, a->yp, (size_t)a->n * sizeof *a->yp);
    }
    return rg_switching_margins(s, t, s->here.y, s->here.yp, margins) == RG_OK;
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
    for (int k = 0; k < STEPS && high - low > NEAR * 0.1; k++) {
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
    for (int round = 0; round < ROUNDS; round++) {
        double best = INFINITY, at = left;
        for (int k = 1; k < FINE; k++) {
            const double x = left + (right - left) * k / FINE;
            const double g = look_at(s, x, c);
            if (g < best) {
                best = g;
                at = x;
            }
        }
        *value = best;
        if (best < limit(s, c)) return at;
        const double width = (right - left) / FINE;
        left = at - width;
        right = at + width;
    }
    return NAN;
}

static double *row(const rg_switching *s, int k)
{
    return s->samples + k * s->m;
}

static double part(int k)
{
    return k == 0 ? 0.0 : sample[k - 1];
}

/* Behind a restart the values of switches that were zero there are an extrapolation up to the
 * first stage: they count if the stage itself is on the wrong side. */
static bool counts(const rg_switching *s, int k, int64_t c)
{
    const rg_integrator *a = rg_switching_active(s);

    if (!s->switches[c].is_fresh || a->method != &rg_radau_method) return true;
    return part(k) >= rg_radau_of(a)->table->c[0] * (1.0 - 1e-3);
}

/* Does margin c pass through a minimum near sample k, which the parabola through three samples
 * puts far below them? */
static bool is_low(const rg_switching *s, int k, int64_t c)
{
    if (k < 1 || k >= SAMPLES) return false;
    const double a = row(s, k - 1)[c], b = row(s, k)[c], d = row(s, k + 1)[c];
    const double x = part(k - 1) - part(k), y = part(k + 1) - part(k);

    if (!(b > 0.0 && b <= a && b <= d && (b < a || b < d))) return false;
    const double p = (a - b) / x, q = (d - b) / y;
    const double bend = (q - p) / (y - x), tilt = p - bend * x; /* b + tilt v + bend v^2 */
    return b - tilt * tilt / (4.0 * bend) < LOW * b;
}

rg_status rg_switching_find(rg_switching *s, double *t, int64_t *which)
{
    const rg_integrator *a = rg_switching_active(s);
    const double t0 = a->t_previous, h = a->t - t0;
    double first = 2.0;

    *which = -1;
    for (int k = 0; k <= SAMPLES; k++)
        if (!look(s, part(k), row(s, k)))
            for (int64_t c = 0; c < s->m; c++)
                row(s, k)[c] = k > 0 ? row(s, k - 1)[c] : 0.0;
    rg_status status = rg_switching_sizes(s, a->t, a->y, a->yp);
    if (status < 0) return status;
    for (int k = 1; k <= SAMPLES && first > 1.0; k++)
        for (int64_t c = 0; c < s->m; c++) {
            if (s->switches[c].is_timed) continue;
            double x = NAN;
            if (row(s, k)[c] < limit(s, c) && counts(s, k, c)) {
                int j = k - 1;
                while (j > 0 && row(s, j)[c] <= 0.0)
                    j--;
                x = zero_between(s, c, part(j), part(k), row(s, j)[c], row(s, k)[c]);
            } else if (is_low(s, k, c)) {
                double g;
                const double at = low_point(s, c, part(k - 1), part(k + 1), &g);
                if (!isnan(at)) x = zero_between(s, c, part(k - 1), at, row(s, k - 1)[c], g);
            }
            if (x < first) {
                first = x;
                *which = c;
            }
        }
    *t = t0 + first * h;
    return RG_OK;
}
