/* Sizes beside which changes are small, in any unit: the largest values so far; where an iteration
 * stands still, also what equations with terms that large have to tell apart: a component that is 0
 * while the terms of its constraint are not has no size of its own but rounding. */
#include "ivp/half_explicit/half_explicit.h"

#include <math.h>
#include <string.h>

void rg_half_explicit_see(rg_half_explicit *e)
{
    const double h = fabs(e->pace.h), *a = e->f + e->N - e->n;

    for (int k = 0; k < e->N; k++)
        e->seen.x[k] = fmax(e->seen.x[k], fmax(fabs(e->x[k]), h * fabs(e->f[k])));
    for (int k = 0; k < e->n; k++)
        e->seen.a[k] = fmax(e->seen.a[k], fabs(a[k]));
    for (int k = 0; k < e->m; k++)
        e->seen.y[k] = fmax(e->seen.y[k], fabs(e->y[k]));
}

void rg_half_explicit_forget(rg_half_explicit *e)
{
    memset(e->seen.x, 0, (size_t)e->N * sizeof *e->seen.x);
    memset(e->seen.a, 0, (size_t)e->n * sizeof *e->seen.a);
    memset(e->seen.y, 0, (size_t)e->m * sizeof *e->seen.y);
}

void rg_half_explicit_begin(rg_half_explicit *e)
{
    e->has_rounding = false;
}

/* largest |by change|/size, size: of the value, before, or of rounding (NULL: none); at most 1;
 * infinite where a change is not finite */
static double relative(int n, double by, const double *change, const double *value,
                       const double *seen, const double *rounding)
{
    double largest = 0.0;

    for (int k = 0; k < n; k++) {
        const double moved = fabs(by * change[k]);
        if (!isfinite(moved)) return INFINITY;
        double size = fmax(fmax(seen[k], fabs(value[k])), moved);
        if (rounding != NULL && isfinite(rounding[k])) size = fmax(size, fabs(rounding[k]));
        if (moved != 0.0) largest = fmax(largest, moved / size);
    }
    return largest;
}

double rg_half_explicit_of_x(const rg_half_explicit *e, double by, const double *change,
                             const double *value, bool is_top)
{
    const double *seen = e->seen.x + (is_top ? e->N - e->n : 0);

    return relative(e->n, by, change, value, seen, e->has_rounding ? e->round_x : NULL);
}

double rg_half_explicit_of_a(const rg_half_explicit *e, const double *change, const double *value)
{
    return relative(e->n, 1.0, change, value, e->seen.a, e->has_rounding ? e->round_a : NULL);
}

double rg_half_explicit_of_y(const rg_half_explicit *e, const double *change, const double *value)
{
    return relative(e->m, 1.0, change, value, e->seen.y, e->has_rounding ? e->round_y : NULL);
}

void rg_half_explicit_look_closer(rg_half_explicit *e, double h, bool is_top)
{
    const double *u = e->seen.x + (is_top ? e->N - e->n : 0);
    double *unused = e->round_y;

    if (e->has_rounding) return;
    e->has_rounding = true;
    rg_half_rounding(e->view, NULL, NULL, u, e->round_x, unused);
    for (int k = 0; k < e->n; k++) /* c from u, dc/dt from a: u/h where a follows from c */
        e->round_u[k] = h != 0.0 ? u[k] / fabs(h) : e->seen.a[k];
    rg_half_rounding(e->view, e->seen.a, e->seen.y, e->round_u, e->round_a, e->round_y);
}
