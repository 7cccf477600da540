/* Start values of a run: scalars first, then what follows from them, velocities free of divergence,
 * and momentum equations without time derivatives at rest. */
#include "pdae/flow/rows.h"
#include "pdae/mesh/block.h"
#include "pdae/run/run_impl.h"

#include <math.h>
#include <string.h>

/* Component m of a potential: on the edges of the cells along axis m, at their middles. */
static rg_status sample_potential(rg_run_grid *r, const rg_quantity *q, double t, int m,
                                  double *out)
{
    const rg_grid *g = r->grid;
    rg_points edges = rg_points_cells(g);

    for (int d = 0; d < g->dims; d++) {
        if (d == m) continue;
        edges.count[d] = g->axis[d].n + 1;
        edges.at[d] = g->axis[d].edge;
    }
    return rg_quantity_eval(r->form, q, t, &edges, r->at, r->work, out, NULL);
}

/* u_c += sign dA/dx_a on the faces across c, from values on edges along the third axis. */
static void add_difference(const rg_grid *g, int c, int a, double sign, const double *A, double *u)
{
    int end[RG_AXES], i[RG_AXES];

    for (int d = 0; d < RG_AXES; d++)
        end[d] = g->axis[d].n + (d == c);
    for (i[2] = 0; i[2] < end[2]; i[2]++)
        for (i[1] = 0; i[1] < end[1]; i[1]++)
            for (i[0] = 0; i[0] < end[0]; i[0]++) {
                const int64_t at = rg_grid_at(g, i[0], i[1], i[2]);
                u[at] += sign * (A[at + g->stride[a]] - A[at]) / g->axis[a].width[i[a]];
            }
}

/* A potential on the edges of the cells: its differences are free of divergence on the grid.
 * 2-D: u = (psi_y, -psi_x); 3-D: u = curl A. */
static rg_status start_from_curl(rg_run_grid *r, const rg_field *f, double t, double *const *u)
{
    const rg_grid *g = r->grid;
    double *A = rg_grid_array(g);
    rg_status status = A != NULL ? RG_OK : RG_ERR_MEMORY;

    for (int c = 0; status == RG_OK && c < g->dims; c++)
        memset(u[c], 0, (size_t)g->size * sizeof *u[c]);
    for (int m = g->dims == 2 ? 2 : 0; status == RG_OK && m < RG_AXES; m++) {
        const int c = (m + 1) % RG_AXES, a = (m + 2) % RG_AXES;
        status = sample_potential(r, f->start[g->dims == 2 ? 0 : m], t, m, A);
        if (status != RG_OK) break;
        add_difference(g, c, a, 1.0, A, u[c]);
        add_difference(g, a, c, -1.0, A, u[a]);
    }
    rg_free(r->ctx, A);
    return status;
}

static double size_of(const rg_grid *g, const double *v)
{
    double size = rg_rows_largest(g, v, NULL);

    rg_grid_most(g, 1, &size);
    return size;
}

rg_status rg_run_grid_start(rg_run_grid *r, double t)
{
    r->t = t;
    for (int k = 0; k < r->n_parts; k++) { /* scalars first: velocities may need them */
        rg_run_part *p = &r->part[k];
        if (p->fluid || p->darcy) continue;
        RG_TRY(rg_run_at_cells(r, p->field->start[0], t, p->c));
        for (int64_t at = 0; r->grid->solid && at < r->grid->size; at++)
            if (r->grid->solid[at]) p->c[at] = 0.0;
        RG_TRY(rg_run_scalar_sides(p, t));
        rg_scalar_fill(&p->scalar, p->c);
    }
    RG_TRY(rg_run_determine(r, t));
    for (int k = 0; k < r->n_parts; k++) {
        rg_run_part *p = &r->part[k];
        if (p->fluid == NULL) continue;
        double *const *u = rg_fluid_velocity(p->fluid);
        if (p->field->is_curl)
            RG_TRY(start_from_curl(r, p->field, t, u));
        else
            for (int c = 0; c < r->grid->dims; c++)
                RG_TRY(rg_run_at_faces(r, p->field->start[c], t, c, u[c]));
        RG_TRY(rg_fluid_start(p->fluid, t, &p->moved));
        RG_TRY(rg_run_check_flow(p, t, true));
        for (int c = 0; c < r->grid->dims; c++)
            p->size = fmax(p->size, size_of(r->grid, u[c]));
    }
    if (rg_run_has_fluid(r)) RG_TRY(rg_run_determine(r, t)); /* what the velocities carry */
    for (int k = 0; k < r->n_parts; k++) {
        rg_run_part *p = &r->part[k];
        if (!p->is_carried || p->steep == NULL) continue;
        RG_TRY(rg_run_scalar_terms(p, t, RG_TERMS_NOW, &p->terms)); /* values on sides need them */
        RG_TRY(rg_run_scalar_sides(p, t));
        rg_scalar_fill(&p->scalar, p->c);
    }
    return rg_run_march_to_rest(r);
}
