/* Matrices A + s whose shift s hardly fixes the constant, as that of closed flow: iterations would
 * divide rounding by it.  The constant follows from the sum of the residual, and the solver gets
 *
 *     A y = r,  r = b - (A + s) x,  sum r = 0,
 *
 * again for what is left, |s y| of |r|, as long as that falls. */
#include "pdae/solve/elliptic_impl.h"
#include "pdae/solve/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The sums of s and of the diagonal over the cells that are not solid. */
static void sum_entries(const rg_elliptic *e, double *s, double *all)
{
    const rg_grid *g = e->A.grid;

    *s = *all = 0.0;
    for (rg_cells w = rg_grid_cells(g); rg_cells_next(&w);) {
        const int64_t at = w.at;
        *s += e->A.s[at];
        for (int d = 0; d < g->dims; d++)
            *all += e->A.T[d][at] + e->A.T[d][at + g->stride[d]];
    }
}

rg_status rg_level_split(rg_elliptic *e)
{
    double sum, all;

    if (!e->method->needs_level || e->A.s == NULL || rg_elliptic_has_open_side(e)) return RG_OK;
    sum_entries(e, &sum, &all);
    if (!(sum > 0.0) || sum > RG_GRID_FLOATING * all) return RG_OK;
    if (e->defect == NULL && (e->defect = rg_grid_array(e->A.grid)) == NULL) return RG_ERR_MEMORY;
    if (e->part == NULL && (e->part = rg_grid_array(e->A.grid)) == NULL) return RG_ERR_MEMORY;
    e->shift = e->A.s;
    e->shift_sum = sum;
    e->A.s = NULL;
    e->singular = true;
    return RG_OK;
}

void rg_level_join(rg_elliptic *e)
{
    if (e->shift == NULL) return;
    e->A.s = e->shift;
    e->shift = NULL;
    e->singular = false;
}

/* b - (A + s) x of a cell; *size: how large its terms are. */
static double defect_at(const rg_elliptic *e, int64_t at, double b, const double *x, double *size)
{
    const rg_grid *g = e->A.grid;
    double ax = e->shift[at] * x[at], T = e->shift[at];

    for (int d = 0; d < g->dims; d++) {
        const int64_t step = g->stride[d];
        const double low = e->A.T[d][at], high = e->A.T[d][at + step];
        ax += low * (x[at] - x[at - step]) + high * (x[at] - x[at + step]);
        T += low + high;
    }
    *size = T * x[at];
    return b - ax;
}

/* The defect of x, into e->defect; its sum, and the squares of it, of b and of the terms. */
static void find_defect(rg_elliptic *e, const double *b, double *x, double out[4])
{
    const rg_grid *g = e->A.grid;

    memset(out, 0, 4 * sizeof *out);
    rg_elliptic_fill_ends(g, x);
    for (rg_cells w = rg_grid_cells(g); rg_cells_next(&w);) {
        const int64_t at = w.at;
        double size;
        const double r = e->defect[at] = defect_at(e, at, b[at], x, &size);
        out[0] += r;
        out[1] += r * r;
        out[2] += b[at] * b[at];
        out[3] += size * size;
    }
}

/* x <- x + y + c on the cells that are not solid */
static void add(const rg_elliptic *e, double *x, const double *y, double c)
{
    const rg_grid *g = e->A.grid;

    for (rg_cells w = rg_grid_cells(g); rg_cells_next(&w);)
        x[w.at] += (y ? y[w.at] : 0.0) + c;
}

rg_status rg_level_solve(rg_elliptic *e, rg_level_once *once, const double *b, double *x,
                         bool *is_good)
{
    const double tol = e->options.tol;
    double sums[4], before = INFINITY, floor = 0.0;
    bool is_inner_good = true;

    e->has_converged = true;

    for (int round = 0;; round++) {
        find_defect(e, b, x, sums);
        add(e, x, NULL, sums[0] / e->shift_sum);
        find_defect(e, b, x, sums);
        e->residual = sums[2] > 0.0 ? sqrt(sums[1] / sums[2]) : sqrt(sums[1]);
        floor = sums[2] > 0.0 ? DBL_EPSILON * sqrt(sums[3] / sums[2]) : 0.0;
        const double left = e->residual;
        const bool is_stuck = !is_inner_good && !e->has_converged;
        if (!(left > tol) || left > RG_GRID_REFINE * before || round == RG_GRID_LEVEL_ROUNDS
            || is_stuck)
            break;
        before = round > 0 ? left : INFINITY; /* the guess may be as good */
        memset(e->part, 0, (size_t)e->A.grid->size * sizeof *e->part);
        e->options.tol = fmax(tol, fmin(RG_GRID_REFINE, 0.5 * tol / left));
        e->has_converged = false;
        const rg_status status = once(e, e->defect, e->part, &is_inner_good);
        e->options.tol = tol;
        RG_TRY(status);
        add(e, x, e->part, 0.0);
    }
    *is_good = e->residual <= tol * RG_GRID_RESIDUAL_SLACK + RG_GRID_ROUNDING * floor;
    return RG_OK;
}
