/* Error estimate from two orders on one mesh.
 *
 * With s stages the error inside an interval is O(h^(s+1)), at mesh points O(h^(2s)) (Gauss) or
 * O(h^(2s-1)) (Radau); with s + 1 stages each is smaller by a power of h.  Hence
 * y_{s+1} - y_s = e_s (1 + O(h)). */
#include "bvp/collocation/collocation.h"

#include <math.h>
#include <string.h>

enum { MOST_SAMPLES = RG_RULE_MOST + 3 };

typedef struct {
    rg_bvp_form *f;
    const rg_collocation_control *control;
    double floor;
    const rg_dense *low, *high;
    int n_samples;
    rg_dense_weights weights[MOST_SAMPLES][2];
    int n_counted, *counted; /* places in z = (x, w) that are compared */
    double *x[2];            /* nx: low, high */
    double *largest;         /* n_counted: values in the interval, ... */
    double *difference;      /* ... and differences */
    double unknowns;
    /* a singular place is in this interval: algebraic unknowns need not exist there */
    bool is_place;
} comparison;

static bool is_unknown(const rg_bvp_form *f, int k)
{
    return k >= f->nx || f->order[k] == 0;
}

static void sample(comparison *c, int64_t i, int at)
{
    const rg_bvp_form *f = c->f;
    const rg_dense_weights *w = c->weights[at];

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
        if (!(difference <= c->difference[q])) c->difference[q] = difference;
        if (is_unknown(f, k) && !(difference <= c->unknowns * (c->floor + size)))
            c->unknowns = difference / (c->floor + size);
    }
}

static double compare_interval(comparison *c, int64_t i)
{
    double error = 0.0;

    memset(c->largest, 0, (size_t)(2 * c->n_counted) * sizeof(double));
    for (int k = 0; k < c->n_samples; k++)
        sample(c, i, k);
    for (int q = 0; q < c->n_counted; q++) {
        const double e =
            c->difference[q] / (c->control->atol + c->control->rtol * c->largest[q] + 1e-300);
        if (!(e <= error)) error = e;
    }
    return error;
}

/* Highest derivatives are not compared: they are those of the polynomial. */
static rg_status prepare(comparison *c)
{
    const rg_bvp_form *f = c->f;
    const int n = f->nx + f->n_algebraic;

    c->n_samples = c->low->it->rule.s + 3;
    for (int k = 0; k < c->n_samples; k++) {
        const double v = (double)k / (c->n_samples - 1);
        rg_dense_weigh(c->low, v, &c->weights[k][0]);
        rg_dense_weigh(c->high, v, &c->weights[k][1]);
    }
    c->counted = rg_alloc(f->ctx, (size_t)n + 1, sizeof *c->counted);
    c->x[0] = rg_alloc(f->ctx, (size_t)(2 * f->nx + 2 * n) + 1, sizeof *c->x[0]);
    if (c->counted == NULL || c->x[0] == NULL) return RG_ERR_MEMORY;
    c->x[1] = c->x[0] + f->nx;
    c->largest = c->x[1] + f->nx;
    c->difference = c->largest + n;
    for (int k = 0; k < f->nz; k++)
        if (k < f->nx || f->d[k - f->nx] == 0) c->counted[c->n_counted++] = k;
    return RG_OK;
}

rg_status rg_collocation_compare(rg_bvp_form *f, const rg_collocation_control *control,
                                 const rg_places *places, const rg_curve *low, const rg_curve *high,
                                 double *error, double *unknowns)
{
    rg_dense *a = NULL, *b = NULL;
    comparison c = {.f = f, .control = control, .floor = control->atol / control->rtol + 1e-300};
    rg_status status = rg_dense_create(f, low, false, &a);

    if (status == RG_OK) status = rg_dense_create(f, high, false, &b);
    c.low = a;
    c.high = b;
    if (status == RG_OK) status = prepare(&c);
    for (int64_t i = 0; i < low->N && status == RG_OK; i++) {
        c.is_place = rg_places_inside(places, low->t[i], low->t[i + 1]) >= 0;
        error[i] = compare_interval(&c, i);
    }
    *unknowns = c.unknowns;
    rg_dense_destroy(&a);
    rg_dense_destroy(&b);
    rg_free(f->ctx, c.counted);
    rg_free(f->ctx, c.x[0]);
    return status;
}
