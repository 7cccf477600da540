/* Error estimate from two orders on one mesh.
 *
 * With s stages the error inside an interval is O(h^(s+1)), at mesh points O(h^(2s)) (Gauss) or
 * O(h^(2s-1)) (Radau); with s + 1 stages each is smaller by a power of h.  Hence
 * y_{s+1} - y_s = e_s (1 + O(h)).
 *
 * That is so where y is smooth.  Beside a point like the start of y = sqrt(t) more stages hardly
 * help: the Legendre coefficients of y' on an interval fall like k^-q there with a small q, those
 * of y like k^-(q+2), and the difference of two orders is the first term of a sum from k = s + 1
 * on, which is (s + 3/2)/(q + 1) times as large. */
#include "bvp/collocation/collocation.h"
#include "bvp/collocation/tuning.h"
#include "bvp/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_SAMPLES = RG_RULE_MOST + 3 };

typedef struct {
    rg_bvp_form *f;
    double ratio; /* atol/rtol if that is given, else 0 */
    const rg_dense *low, *high;
    int n_samples;
    rg_dense_weights weights[MOST_SAMPLES][2];
    int n_counted, *counted; /* places in z = (x, w) that are compared */
    double *x[2];            /* nx: low, high */
    double *largest;         /* n_counted: values */
    double *difference;      /* N n_counted: the largest in an interval, ... */
    double *inside;          /* ... and the value where it is */
    /* a singular place is in this interval: algebraic unknowns need not exist there */
    bool is_place;
} comparison;

static void sample(comparison *c, int64_t i, int at)
{
    const rg_bvp_form *f = c->f;
    const rg_dense_weights *w = c->weights[at];
    double *most = c->difference + i * c->n_counted, *inside = c->inside + i * c->n_counted;

    rg_dense_states(c->low, i, &w[0], c->x[0]);
    rg_dense_states(c->high, i, &w[1], c->x[1]);
    for (int q = 0; q < c->n_counted; q++) {
        const int k = c->counted[q];
        double low = 0.0, high = 0.0;
        if (k < f->nx) {
            low = c->x[0][k];
            high = c->x[1][k];
        } else if (!c->is_place) {
            low = rg_dense_unknown(c->low, i, &w[0], k - f->nx);
            high = rg_dense_unknown(c->high, i, &w[1], k - f->nx);
        }
        const double size = fabs(high), difference = fabs(high - low);
        if (size > c->largest[q]) c->largest[q] = size;
        if (!(difference < most[q])) {
            inside[q] = size;
            most[q] = difference;
        }
    }
}

/* Everything that is printed counts: states, derivatives among them, and algebraic unknowns.
 * Highest derivatives are not compared: they are those of the polynomial. */
static rg_status prepare(comparison *c)
{
    const rg_bvp_form *f = c->f;
    const int n = f->nx + f->n_algebraic;
    const size_t all = (size_t)c->low->it->N * (size_t)n;

    c->n_samples = c->low->it->rule.s + 3;
    for (int k = 0; k < c->n_samples; k++) {
        const double v = (double)k / (c->n_samples - 1);
        rg_dense_weigh(c->low, v, &c->weights[k][0]);
        rg_dense_weigh(c->high, v, &c->weights[k][1]);
    }
    c->counted = rg_alloc(f->ctx, (size_t)n + 1, sizeof *c->counted);
    c->x[0] = rg_alloc(f->ctx, (size_t)(2 * f->nx + n) + 2 * all + 1, sizeof *c->x[0]);
    if (c->counted == NULL || c->x[0] == NULL) return RG_ERR_MEMORY;
    c->x[1] = c->x[0] + f->nx;
    c->largest = c->x[1] + f->nx;
    c->inside = c->largest + n;
    c->difference = c->inside + all;
    for (int k = 0; k < f->nz; k++)
        if (k < f->nx || f->d[k - f->nx] == 0) c->counted[c->n_counted++] = k;
    return RG_OK;
}

/* out[m][j]: the Legendre coefficient m of a function on [0, 1] is the sum over its values in the
 * Gauss points times these. */
static void legendre(const rg_rule *rule, double out[][RG_RULE_MOST])
{
    for (int j = 0; j < rule->s; j++) {
        const double v = 2.0 * rule->c[j] - 1.0;
        double before = 0.0, now = 1.0;
        for (int m = 0; m < rule->s; m++) {
            out[m][j] = (2.0 * m + 1.0) * rule->b[j] * now;
            const double next = ((2.0 * m + 1.0) * v * now - m * before) / (m + 1.0);
            before = now;
            now = next;
        }
    }
}

/* How much larger than the difference the error of state k in interval i is, from the last four
 * coefficients of its slope; pairs, since one of two may vanish by symmetry. */
static double rough_factor(const rg_curve *high, double P[][RG_RULE_MOST], int64_t i, int k)
{
    const int s = high->rule.s;
    double pair[2] = {0.0, 0.0};

    for (int m = s - 4; m < s; m++) {
        double a = 0.0;
        for (int j = 0; j < s; j++)
            a += P[m][j] * rg_curve_slope(high, i, j)[k];
        pair[m >= s - 2] = fmax(pair[m >= s - 2], fabs(a));
    }
    if (!(pair[1] > RG_ROUGH_COEFFICIENTS * pair[0])) return 1.0;
    const double q = log(fmax(pair[0] / pair[1], 1.0)) / log((s - 1.0) / (s - 3.0));
    return fmax(1.0, (s + 0.5) / (q + 1.0));
}

/* Differences in intervals in which more stages hardly help. */
static void enlarge_rough(comparison *c)
{
    const rg_curve *high = c->high->it;
    double P[RG_RULE_MOST][RG_RULE_MOST];

    if (high->rule.kind != RG_RULE_GAUSS || high->rule.s < 4) return;
    legendre(&high->rule, P);
    for (int64_t i = 0; i < high->N; i++)
        for (int q = 0; q < c->n_counted && c->counted[q] < c->f->nx; q++)
            c->difference[i * c->n_counted + q] *= rough_factor(high, P, i, c->counted[q]);
}

/* All intervals; size: the largest |z_k| over the time; of what has no correct digit, at least
 * RG_ZERO_PART of what it is made of. */
static void look_at_all(comparison *c, const rg_places *places, const double *past, double rtol,
                        double *size)
{
    const double *t = c->low->it->t;
    const int64_t N = c->low->it->N;

    for (int64_t i = 0; i < N; i++) {
        c->is_place = rg_places_inside(places, t[i], t[i + 1]) >= 0;
        for (int k = 0; k < c->n_samples; k++)
            sample(c, i, k);
    }
    for (int q = 0; q < c->n_counted; q++) {
        double difference = 0.0, *out = &size[c->counted[q]];
        for (int64_t i = 0; i < N; i++)
            if (!(c->difference[i * c->n_counted + q] <= difference))
                difference = c->difference[i * c->n_counted + q];
        const bool is_known = difference <= RG_NO_DIGIT * c->largest[q]
                              && c->largest[q] > RG_ZERO_NOISE * DBL_EPSILON * *out;
        const int k = c->counted[q];
        const double before = k < c->f->nx ? past[k] : 0.0;
        if (c->largest[q] < RG_ZERO_NOISE * DBL_EPSILON * before)
            *out = before;
        else
            *out = is_known ? c->largest[q] : fmax(c->largest[q], RG_ZERO_PART * *out);
        *out = fmax(*out, RG_NOISE_SINGLE * DBL_EPSILON * size[c->f->nz + k] / rtol);
    }
}

/* The weight of a difference:  floor + |value|  as in the tolerance of initial values, where the
 * floor of an unknown, atol/rtol, follows its size S so that units do not matter:
 *
 *     floor = min(S, 1)  unless atol is given, at least  RG_CROSSING_PART S  (zero crossings)
 *
 * A derivative that is large in a layer is not large elsewhere: its floor is that of its unknown
 * over the length of the whole. */
static double weigh(const comparison *c, int q, double inside, const double *size)
{
    const rg_bvp_form *f = c->f;
    const rg_curve *it = c->low->it;
    const int k = c->counted[q], order = k < f->nx ? f->order[k] : 0;
    const double S = size[k - order];
    const double floor = fmax(c->ratio > 0.0 ? c->ratio : fmin(S, 1.0), RG_CROSSING_PART * S);

    if (order == 0) return floor + inside;
    return fmin(size[k], floor / pow(fabs(it->t[it->N] - it->t[0]), order)) + inside;
}

rg_status rg_collocation_compare(rg_bvp_form *f, const rg_collocation_control *control,
                                 const rg_places *places, const rg_curve *low, const rg_curve *high,
                                 const double *past, double *error, double *size)
{
    rg_dense *a = NULL, *b = NULL;
    comparison c = {.f = f, .ratio = control->atol / control->rtol};
    rg_status status = rg_dense_create(f, low, false, &a);

    if (status == RG_OK) status = rg_dense_create(f, high, false, &b);
    c.low = a;
    c.high = b;
    if (status == RG_OK) status = prepare(&c);
    if (status == RG_OK) look_at_all(&c, places, past, control->rtol, size);
    if (status == RG_OK) enlarge_rough(&c);
    for (int64_t i = 0; i < low->N && status == RG_OK; i++) {
        error[i] = 0.0;
        for (int q = 0; q < c.n_counted; q++) {
            const int64_t at = i * c.n_counted + q;
            const double weight = control->rtol * weigh(&c, q, c.inside[at], size);
            const double e = c.difference[at] / (weight + 1e-300);
            if (!(e <= error[i])) error[i] = e;
        }
    }
    rg_dense_destroy(&a);
    rg_dense_destroy(&b);
    rg_free(f->ctx, c.counted);
    rg_free(f->ctx, c.x[0]);
    return status;
}
