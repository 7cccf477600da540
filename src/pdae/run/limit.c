/* How long a step of carried scalars may be.
 *
 *     1/k = outflow/cfl + diffusion/(its part),     of the cell where that is largest:
 *
 * both together empty it, for upwind and limited convection are diffusion too (central one is
 * not).  Beyond k (outflow + diffusion) = 1 two-stage steps grow. */
#include "base/vector.h"
#include "pdae/mesh/block.h"
#include "pdae/run/run_impl.h"
#include "pdae/run/tuning.h"

#include <math.h>
#include <string.h>

RG_INLINE double positive(double x)
{
    return x > 0.0 ? x : 0.0;
}

RG_INLINE double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The part of what a cell holds that convection takes away per time, by upstream values, added to
 * out: what flows out of it for a div(u c), also into a well; of b u.grad c what flows in. */
static rg_status add_outflow(rg_run_part *p, const rg_convection *cv, double t, double *out)
{
    const rg_grid *g = p->run->grid;
    const double w = cv->conservative + cv->advective;
    double *const *u;

    RG_TRY(rg_run_carrier(p, cv, t, 1.0, &u));
    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++) {
                const int64_t at = rg_grid_at(g, i, j, k);
                const int index[RG_AXES] = {i, j, k};
                double sum = 0.0, in = 0.0;
                for (int d = 0; d < g->dims; d++) {
                    const double low = w * u[d][at], high = w * u[d][at + g->stride[d]];
                    sum += (positive(-low) + positive(high)) * g->axis[d].over[index[d]];
                    in += (positive(low) + positive(-high)) * g->axis[d].over[index[d]];
                }
                out[at] += (cv->advective != 0.0 ? larger(sum, in) : sum) / p->storage[at];
            }
    for (int m = 0; cv->velocity >= 0 && m < p->run->form->n_wells; m++) {
        int index[RG_AXES];
        const int64_t at = rg_grid_place(g, p->run->form->wells[m].cell, index);
        const double rate = cv->conservative * rg_run_well_rate(p->run, m, t); /* on all ranks */
        if (at < 0) continue;
        const double V = rg_grid_volume(g, index[0], index[1], index[2]);
        out[at] += positive(-rate) / (V * p->storage[at]);
    }
    return RG_OK;
}

/* Diffusion through the two faces of a cell across d: D/(h gap) each.  A cell of n faces inside has
 * this as its diagonal entry and the same sum beside it; the entry of a side with a given value, at
 * half the distance, is twice as large with nothing beside it: the largest eigenvalue is at most
 * twice the largest sum (Gershgorin's circles). */
static double through_faces(const rg_run_part *p, const double *D, int d, int i, int64_t at)
{
    const rg_grid *g = p->run->grid;
    const double w = g->axis[d].width[i], *gap = g->axis[d].gap + i;
    const int64_t high = at + g->stride[d], low = at - g->stride[d];
    const bool low_solid = g->solid && g->solid[low], high_solid = g->solid && g->solid[high];

    return D[at] / (w * (low_solid ? w : gap[0])) + D[high] / (w * (high_solid ? w : gap[1]));
}

/* The same by diffusion.  Cross terms of a tensor take central differences: with |D_de| at most
 * sqrt(D_dd D_ee) the symbol of all terms is at most
 *
 *     sum over d of D_dd/h_d^2 (2 (1 - cos a_d) + (dims - 1) sin^2 a_d),
 *
 * whose brackets are 4 in the plane, without cross terms too, and 9/2 in space. */
static double diffusive_rate(const rg_run_part *p, const int *index, int64_t at)
{
    const rg_grid *g = p->run->grid;
    const double cross = g->dims == 3 ? 9.0 / 8.0 : 1.0;
    double sum = 0.0;

    for (int d = 0; d < g->dims; d++) {
        if (p->terms.k) sum += through_faces(p, p->k[d], d, index[d], at);
        if (p->terms.D) sum += cross * through_faces(p, p->D[d * g->dims + d], d, index[d], at);
    }
    return sum / p->storage[at];
}

/* The largest stable step; a given step that is longer is refused.  The largest eigenvalue is at
 * most twice the sum. */
rg_status rg_run_carry_limit(rg_run_part *p, double t, double *limit, double *carried,
                             double *decay)
{
    rg_run_grid *r = p->run;
    const rg_grid *g = r->grid;
    const bool is_fixed = r->options.step > 0.0;
    const double cfl = is_fixed ? 1.0 : r->options.cfl, part = is_fixed ? 1.0 : RG_GRID_DIFFUSIVE;
    const bool is_central = r->options.transport == RG_CARRY_CENTRAL;
    double *out = p->delta, most[3] = {0.0, 0.0, 0.0}; /* limit, carried, decay */

    memset(out, 0, (size_t)g->size * sizeof *out);
    RG_TRY(rg_run_scalar_terms(p, t, RG_TERMS_NOW, &p->terms));
    for (int m = 0; m < p->eq->n_convections; m++)
        RG_TRY(add_outflow(p, &p->eq->convections[m], t, out));
    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++) {
                const int64_t at = rg_grid_at(g, i, j, k);
                const int index[RG_AXES] = {i, j, k};
                if (g->solid && g->solid[at]) continue;
                const double spread = r->options.implicit ? 0.0 : diffusive_rate(p, index, at);
                const double sum = out[at] / cfl + spread / part;
                most[0] = larger(is_fixed && is_central ? larger(out[at], spread) : sum, most[0]);
                most[1] = larger(out[at] / cfl, most[1]);
                most[2] = larger(2.0 * (out[at] + spread), most[2]);
            }
    rg_grid_most(g, 3, most);
    if (most[0] > 0.0) *limit = fmin(*limit, 1.0 / most[0]);
    if (most[1] > 0.0) *carried = fmin(*carried, 1.0 / most[1]);
    *decay = fmax(*decay, most[2]);
    return RG_OK;
}
