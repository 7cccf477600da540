/* A linear problem with no data but 0 has the solution 0, or it is singular.  From a guess that is
 * another one Newton's method finds 0 up to rounding in the guess, and mesh after mesh would be
 * judged beside that rounding: nothing else has a size.  From 0 it stays there, exactly. */
#include "bvp/collocation/run.h"

#include "bvp/array.h"
#include "views/linear/linear.h"

#include <string.h>

static bool is_all_zero(int64_t count, const double *values)
{
    for (int64_t k = 0; k < count; k++)
        if (values[k] != 0.0) return false;
    return true;
}

static rg_status rest(void *user, double t, double *x, double *xp, double *w)
{
    const rg_bvp_form *f = user;

    (void)t;
    memset(x, 0, (size_t)f->nx * sizeof *x);
    memset(xp, 0, (size_t)f->nx * sizeof *xp);
    memset(w, 0, (size_t)f->n * sizeof *w);
    return RG_OK;
}

/* At 0: zero has room for all points of the conditions, F for every kind of values. */
static rg_status look(const rg_bvp_run *r, const double *zero, double *F, bool *is_solution)
{
    rg_bvp_form *f = r->f;
    rg_status status = rg_bvp_conditions_eval(r->c, zero, F, NULL);

    if (status != RG_OK || !is_all_zero(r->c->n_rows, F)) return status;
    if (f->array != NULL) rg_form_array_rest(f->array);
    for (int64_t i = 0; i <= r->N && status == RG_OK; i++) {
        status = rg_bvp_form_residual(f, r->t[i], zero, zero, F);
        if (status == RG_OK && !is_all_zero(f->n, F)) return RG_OK;
    }
    *is_solution = status == RG_OK;
    return status;
}

rg_status rg_run_start_at_zero(const rg_bvp_run *r, rg_profile *out)
{
    rg_bvp_form *f = r->f;
    rg_linearity linearity = {0};
    bool is_solution = false;

    *out = *r->guess;
    if (f->p->n_blocks > 0) RG_TRY(rg_linearity_find(f->p, &linearity));
    if (!linearity.is_linear) return RG_OK;
    const size_t many = (size_t)f->nz * (size_t)r->c->n_points;
    double *zero = rg_alloc(f->ctx, many + (size_t)(r->c->n_rows + f->n) + 1, sizeof *zero);
    if (zero == NULL) return RG_ERR_MEMORY;
    const rg_status status = look(r, zero, zero + many, &is_solution);
    rg_free(f->ctx, zero);
    if (is_solution) *out = (rg_profile){rest, f};
    return status < 0 ? status : RG_OK; /* what cannot be evaluated at 0 has no solution there */
}
