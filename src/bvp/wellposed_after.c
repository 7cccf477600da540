/* Tests whether the solution that was found meets all conditions. */
#include "bvp/tuning.h"
#include "bvp/wellposed.h"

#include <math.h>
#include <string.h>

static rg_status fail_branch(const rg_bvp_conditions *c, int row, double miss)
{
    char name[160], number[32];
    rg_span span;

    rg_bvp_condition_name(c, row, name, sizeof name);
    rg_fail(c->ctx, RG_ERR_CONVERGENCE,
            "a solution was found on another branch of the constraints than %s, which it misses by "
            "%s",
            name, rg_real_text(miss, number));
    if (rg_bvp_condition_span(c, row, &span)) rg_fail_at(c->ctx, c->form->p->source, span);
    return rg_remedy(c->ctx, "give a guess with '~' on the branch that is meant");
}

static double largest(const rg_curve *it, int k)
{
    double most = 0.0;

    for (int64_t i = 0; i <= it->N; i++)
        most = fmax(most, fabs(it->x[i * it->nx + k]));
    return most;
}

rg_status rg_bvp_conditions_hold(rg_bvp_conditions *c, const rg_curve *it, double rtol, double atol)
{
    const int nx = it->nx, n = it->n, nz = nx + n, columns = c->n_points * nz, rows = c->n_rows;
    rg_status status = RG_OK;

    if (rg_bvp_conditions_count(c) == rows) return RG_OK;
    double *z = rg_alloc(c->ctx, (size_t)(columns + rows * (columns + 1)) + 1, sizeof *z);
    if (z == NULL) return RG_ERR_MEMORY;
    double *values = z + columns, *J = values + rows;
    for (int k = 0; k < c->n_points; k++) {
        memcpy(z + k * nz, it->x + it->node[k] * nx, (size_t)nx * sizeof *z);
        memcpy(z + k * nz + nx, it->wn + k * n, (size_t)n * sizeof *z);
    }
    const rg_status found = rg_bvp_conditions_eval(c, z, values, J);
    if (found < 0) status = found;
    for (int i = 0; i < rows && found == RG_OK && status == RG_OK; i++) {
        double size = 0.0;
        for (int j = 0; j < columns; j++)
            size += fabs(J[(int64_t)i * columns + j])
                    * (atol + rtol * (j % nz < nx ? largest(it, j % nz) : fabs(z[j])));
        if (c->is_dropped[i] && !(fabs(values[i]) <= RG_CONDITION_MISS * size))
            status = fail_branch(c, i, values[i]);
    }
    rg_free(c->ctx, z);
    return status;
}
