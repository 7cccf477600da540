/* Do the equations hold that were left out as redundant?  The derivative array (array.h) meets
 * combinations of its rows, as many as are independent: with  x + y = a  and  x + y = b  any one of
 * the two.  So at the solution all written equations are looked at. */
#include "bvp/array_impl.h"
#include "bvp/form_hold.h"

#include "bvp/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Row i of F: what it is made of at the last point. */
static double sum_terms(const rg_form_array *a, int i)
{
    double size = 0.0, rest = a->array->s->F[i];

    for (int j = 0; j < a->nx + a->R; j++) {
        const double term = a->array->A[(int64_t)j * a->R + i] * a->z[j] / a->column[j];
        rest -= term;
        size += fabs(term);
    }
    return size + fabs(rest);
}

/* The written equations at (t, x), W solved for from w; all at the last point then. */
static rg_status go_to(rg_form_array *a, double t, const double *x, const double *w)
{
    memcpy(a->z, x, (size_t)a->nx * sizeof *x);
    memcpy(a->z + a->nx, w, (size_t)a->n * sizeof *w);
    RG_TRY(rg_form_array_solve(a, t));
    return rg_form_array_linearize(a, t, true);
}

typedef struct { /* per written equation, over the mesh points */
    double size; /* the largest sum of its terms, */
    double unit; /* the same at the guess, */
    double F, t; /* the largest residual, and where */
} tally;

static void count(const rg_form_array *a, double t, bool is_guess, tally *rows)
{
    for (int i = 0; i < a->n; i++) {
        const double size = sum_terms(a, i), F = a->array->s->F[i];
        double *most = is_guess ? &rows[i].unit : &rows[i].size;
        *most = fmax(*most, size);
        if (is_guess || !(fabs(F) > fabs(rows[i].F))) continue;
        rows[i].F = F;
        rows[i].t = t;
    }
}

static rg_status fail(const rg_bvp_form *f, int row, double t, double miss)
{
    char name[160], number[32];

    rg_row_name(f->p, row, 0, name, sizeof name);
    rg_fail(f->ctx, RG_ERR_INCONSISTENT,
            "%s contradicts the other equations: at %s = %s it misses by %.6g", name,
            rg_problem_time_name(f->p), rg_real_text(t, number), miss);
    rg_fail_time(f->ctx, t);
    if (f->p->source != NULL) rg_fail_at(f->ctx, f->p->source, rg_row_span(f->p, row));
    return rg_remedy(f->ctx, "remove or correct this equation, or one that it depends on");
}

/* Of a solution that is zero the terms are rounding: in that of the guess. */
static rg_status judge(const rg_bvp_form *f, const tally *rows, double tol)
{
    const rg_form_array *a = f->array;

    for (int i = 0; i < a->n; i++) {
        const double F = fabs(rows[i].F);
        if (F > tol * rows[i].size && F > RG_ZERO_NOISE * DBL_EPSILON * rows[i].unit)
            return fail(f, i, rows[i].t, rows[i].F / a->row[i]);
    }
    return RG_OK;
}

rg_status rg_bvp_form_hold(const rg_bvp_form *f, const rg_curve *it, const rg_profile *guess,
                           double rtol)
{
    if (f->array == NULL || f->a->n_redundant == 0) return RG_OK;
    const int nx = f->nx, n = f->n;
    tally *rows = rg_alloc(f->ctx, (size_t)n + 1, sizeof *rows);
    double *x = rg_alloc(f->ctx, (size_t)(2 * nx + n) + 1, sizeof *x);
    rg_status status = rows != NULL && x != NULL ? RG_OK : RG_ERR_MEMORY;

    for (int64_t q = 0; q < 2 * (it->N + 1) && status >= 0; q++) {
        const int64_t i = q / 2;
        const bool is_guess = q % 2 > 0;
        const double *w = rg_curve_w(it, i < it->N ? i : it->N - 1, 0);
        if (is_guess) {
            status = guess->eval(guess->user, it->t[i], x, x + nx, x + 2 * nx);
            w = x + 2 * nx;
        } else {
            status = RG_OK;
            memcpy(x, it->x + i * nx, (size_t)nx * sizeof *x);
        }
        if (status == RG_OK) status = go_to(f->array, it->t[i], x, w);
        if (status == RG_OK) count(f->array, it->t[i], is_guess, rows);
    }
    if (status >= 0) status = judge(f, rows, RG_HOLD_MISS * rtol);
    rg_free(f->ctx, rows);
    rg_free(f->ctx, x);
    return status;
}
