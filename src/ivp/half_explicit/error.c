/* The error of a step of a half-explicit method.
 *
 * Order 5: the embedded method of order 4, with f at the new point as its last stage.  The stages
 * of the others are good to a low order only; what is accurate are both ends, and there
 *
 *     x_{n+1} - x_n - int q,     q: polynomial through f_n, f_{n+1}, for order 4 also f_{n-1},
 *
 * is the error of the trapezoidal rule, O(h^3), or of the third Adams method, O(h^4).
 *
 * With order 5 a component counts relative to its size in the steps before, which fades: what was
 * lost while a velocity was large is not found again where it goes through 0. */
#include "ivp/half_explicit/half_explicit.h"

#include <float.h>
#include <math.h>

static void embedded(rg_half_explicit *e)
{
    const rg_tableau *a = e->tableau;
    double weight[RG_TABLEAU_MOST];

    for (int i = 0; i < a->s; i++)
        weight[i] = e->pace.h * (a->embedded[i] - a->b[i]);
    for (int k = 0; k < e->N; k++)
        e->error[k] = e->pace.h * a->embedded[a->s] * e->f_new[k];
    rg_half_explicit_add(e, a->s, weight, e->error, e->error);
}

/* int_0^h of q = f_n + s (f_1 - f_n)/h + s (s - h) d,  d: divided difference with f_{n-1} at -H. */
static void integrated(rg_half_explicit *e)
{
    const double h = e->pace.h, H = e->pace.h_accepted;
    const bool has_third = e->tableau->order == 4 && H != 0.0;

    for (int k = 0; k < e->N; k++) {
        const double ahead = (e->f_new[k] - e->f[k]) / h;
        double sum = 0.5 * h * (e->f[k] + e->f_new[k]);
        if (has_third) {
            const double behind = (e->f[k] - e->f_before[k]) / H;
            sum -= h * h * h / 6.0 * (ahead - behind) / (h + H);
        }
        e->error[k] = e->x_new[k] - e->x[k] - sum;
    }
}

double rg_half_explicit_norm(const rg_integrator *g, const double *error, const double *x_new)
{
    const rg_half_explicit *e = rg_half_explicit_of(g);
    double sum = 0.0;

    for (int k = 0; k < e->N; k++) {
        const int64_t state = k < e->n ? rg_half_x(e->view)[k] : rg_half_v(e->view)[k - e->n];
        const double b = fabs(x_new[k]), c = e->size[k];
        const double scale = rg_integrator_atol(g, state) + g->options.rtol * (b > c ? b : c);
        const double part = error[k] / (scale > DBL_MIN ? scale : DBL_MIN);
        sum += part * part;
    }
    return e->N > 0 ? sqrt(sum / e->N) : 0.0;
}

void rg_half_explicit_note_size(rg_half_explicit *e)
{
    for (int k = 0; k < e->N; k++) {
        const double a = fabs(e->x[k]), b = e->fade * e->size[k];
        e->size[k] = a > b ? a : b;
    }
}

double rg_half_explicit_error(rg_integrator *g)
{
    rg_half_explicit *e = rg_half_explicit_of(g);

    if (e->tableau->embedded[0] != 0.0)
        embedded(e);
    else
        integrated(e);
    return rg_half_explicit_norm(g, e->error, e->x_new) / e->part;
}
