/* Error estimate from two orders on one mesh.
 *
 * With s stages the error inside an interval is O(h^(s+1)), at mesh points O(h^(2s)) (Gauss) or
 * O(h^(2s-1)) (Radau); with s + 1 stages each is smaller by a power of h.  Hence
 * y_{s+1} - y_s = e_s (1 + O(h)).
 *
 * That is so where y is smooth; where it is not, see rough.h. */
#include "bvp/collocation/collocation.h"
#include "bvp/collocation/rough.h"
#include "bvp/collocation/tuning.h"
#include "bvp/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_SAMPLES = RG_RULE_MOST + 3 };

typedef struct {
    rg_bvp_form *f;
    const rg_collocation_dense *low, *high;
    int n_samples;
    rg_collocation_dense_weights weights[MOST_SAMPLES][2];
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
    const rg_collocation_dense_weights *w = c->weights[at];
    double *most = c->difference + i * c->n_counted, *inside = c->inside + i * c->n_counted;

    rg_collocation_dense_states(c->low, i, &w[0], c->x[0]);
    rg_collocation_dense_states(c->high, i, &w[1], c->x[1]);
    for (int q = 0; q < c->n_counted; q++) {
        const int k = c->counted[q];
        double low = 0.0, high = 0.0;
        if (k < f->nx) {
            low = c->x[0][k];
            high = c->x[1][k];
        } else if (!c->is_place) {
            low = rg_collocation_dense_unknown(c->low, i, &w[0], k - f->nx);
            high = rg_collocation_dense_unknown(c->high, i, &w[1], k - f->nx);
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
        rg_collocation_dense_weigh(c->low, v, &c->weights[k][0]);
        rg_collocation_dense_weigh(c->high, v, &c->weights[k][1]);
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

/* Differences in intervals in which more stages hardly help. */
static void enlarge_rough(comparison *c)
{
    const rg_curve *high = c->high->it;
    rg_legendre P;

    if (!rg_legendre_init(&high->rule, &P)) return;
    for (int64_t i = 0; i < high->N; i++)
        for (int q = 0; q < c->n_counted && c->counted[q] < c->f->nx; q++)
            c->difference[i * c->n_counted + q] *= rg_rough_factor(high, &P, i, c->counted[q]);
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
double rg_collocation_weight(const rg_bvp_form *f, const rg_collocation_control *control,
                             double length, int k, double value, const double *size)
{
    const int order = k < f->nx ? f->order[k] : 0;
    const double S = size[k - order], ratio = control->atol / control->rtol;
    const double floor = fmax(ratio > 0.0 ? ratio : fmin(S, 1.0), RG_CROSSING_PART * S);

    if (order == 0) return floor + value;
    return fmin(size[k], floor / pow(length, order)) + value;
}

rg_status rg_collocation_compare(rg_bvp_form *f, const rg_collocation_control *control,
                                 const rg_places *places, const rg_curve *low, const rg_curve *high,
                                 const double *past, double *error, double *size)
{
    rg_collocation_dense *a = NULL, *b = NULL;
    comparison c = {.f = f};
    const double length = fabs(low->t[low->N] - low->t[0]);
    rg_status status = rg_collocation_dense_create(f, low, false, &a);

    if (status == RG_OK) status = rg_collocation_dense_create(f, high, false, &b);
    c.low = a;
    c.high = b;
    if (status == RG_OK) status = prepare(&c);
    if (status == RG_OK) look_at_all(&c, places, past, control->rtol, size);
    if (status == RG_OK) enlarge_rough(&c);
    for (int64_t i = 0; i < low->N && status == RG_OK; i++) {
        error[i] = 0.0;
        for (int q = 0; q < c.n_counted; q++) {
            const int64_t at = i * c.n_counted + q;
            const double weight =
                rg_collocation_weight(f, control, length, c.counted[q], c.inside[at], size);
            const double e = c.difference[at] / (control->rtol * weight + 1e-300);
            if (!(e <= error[i])) error[i] = e;
        }
    }
    rg_collocation_dense_destroy(&a);
    rg_collocation_dense_destroy(&b);
    rg_free(f->ctx, c.counted);
    rg_free(f->ctx, c.x[0]);
    return status;
}
