/* Error estimate from two orders on one mesh.
 *
 * With s stages the error inside an interval is O(h^(s+1)), at mesh points O(h^(2s)) (Gauss) or O(h^(2s-1)) (Radau);
 * with s + 1 stages each is smaller by a power of h.  Hence  y_{s+1} - y_s = e_s (1 + O(h)). */
#include "bvp/collocation/collocation.h"

#include <math.h>
#include <string.h>

typedef struct {
    rg_bvp_form *f;
    const rg_collocation_control *control;
    double floor;
    double *x[2], *w[2]; /* low, high at a point */
    double *largest;     /* nz: largest value in the interval */
    double *difference;  /* nz */
    double unknowns;
    bool
        is_place; /* a singular place is in this interval: algebraic unknowns need not exist there */
} comparison;

static bool is_unknown(const rg_bvp_form *f, int k)
{
    return k >= f->nx || f->order[k] == 0;
}

/* Highest derivatives are not compared: they are those of the polynomial. */
static bool is_counted(const comparison *c, int k)
{
    return k < c->f->nx || (c->f->d[k - c->f->nx] == 0 && !c->is_place);
}

static void look_at(comparison *c)
{
    const rg_bvp_form *f = c->f;

    for (int k = 0; k < f->nz; k++) {
        if (!is_counted(c, k)) continue;
        const double low = k < f->nx ? c->x[0][k] : c->w[0][k - f->nx];
        const double high = k < f->nx ? c->x[1][k] : c->w[1][k - f->nx];
        const double difference = fabs(high - low), size = fabs(high);
        c->largest[k] = fmax(c->largest[k], size);
        if (!(difference <= c->difference[k])) c->difference[k] = difference;
        if (is_unknown(f, k) && !(difference / (c->floor + size) <= c->unknowns))
            c->unknowns = difference / (c->floor + size);
    }
}

static double compare_interval(comparison *c, const rg_dense *low, const rg_dense *high, int64_t i)
{
    const rg_bvp_form *f = c->f;
    const int samples = low->it->rule.s + 2;
    double error = 0.0;

    memset(c->largest, 0, (size_t)f->nz * sizeof(double));
    memset(c->difference, 0, (size_t)f->nz * sizeof(double));
    for (int k = 0; k <= samples; k++) {
        const double v = (double)k / samples;
        rg_dense_eval(low, i, v, c->x[0], c->w[0]);
        rg_dense_eval(high, i, v, c->x[1], c->w[1]);
        look_at(c);
    }
    for (int k = 0; k < f->nz; k++) {
        const double e =
            c->difference[k] / (c->control->atol + c->control->rtol * c->largest[k] + 1e-300);
        if (is_counted(c, k) && !(e <= error)) error = e;
    }
    return error;
}

rg_status rg_collocation_compare(rg_bvp_form *f, const rg_collocation_control *control,
                                 const rg_places *places, const rg_iterate *low,
                                 const rg_iterate *high, double *error, double *unknowns)
{
    const int nz = f->nz;
    rg_dense *a = NULL, *b = NULL;
    double *work = rg_alloc(f->ctx, (size_t)(4 * nz) + 1, sizeof *work);
    rg_status status = work == NULL ? RG_ERR_MEMORY : RG_OK;

    if (status == RG_OK) status = rg_dense_create(f, low, false, &a);
    if (status == RG_OK) status = rg_dense_create(f, high, false, &b);
    if (status == RG_OK) {
        comparison c = {
            .f = f,
            .control = control,
            .floor = control->atol / control->rtol + 1e-300,
            .x = {work,         work + nz        },
            .w = {work + f->nx, work + nz + f->nx},
            .largest = work + 2 * nz,
            .difference = work + 3 * nz
        };
        for (int64_t i = 0; i < low->N; i++) {
            c.is_place = rg_places_inside(places, low->t[i], low->t[i + 1]) != NULL;
            error[i] = compare_interval(&c, a, b, i);
        }
        *unknowns = c.unknowns;
    }
    rg_dense_destroy(&a);
    rg_dense_destroy(&b);
    rg_free(f->ctx, work);
    return status;
}
