/* A domain without an open side: what sides, solids, wells and q bring in must go out again at
 * every time.  A small miss is spread over the cells by the solve, as that of data sampled on a
 * coarse grid; more has no solution, and is refused. */
#include "pdae/form/tuning.h"
#include "pdae/mesh/block.h"
#include "pdae/run/run_impl.h"

#include <math.h>

typedef struct {
    double in, out;
} through;

static void count(through *f, double flow)
{
    if (flow > 0.0)
        f->in += flow;
    else
        f->out -= flow;
}

/* The area of a face across axis c of the cell at `index`. */
static double area_of(const rg_grid *g, int c, const int index[RG_AXES])
{
    double area = 1.0;

    for (int d = 0; d < g->dims; d++)
        if (d != c) area *= g->axis[d].width[index[d]];
    return area;
}

static void count_side(const rg_vector_space *s, int side, through *f)
{
    const rg_grid *g = s->grid;
    const int c = side / 2, high = side % 2, e1 = (c + 1) % RG_AXES, e2 = (c + 2) % RG_AXES;
    int index[RG_AXES];

    if (s->side[side] != RG_VECTOR_GIVEN) return;
    index[c] = high ? g->axis[c].n - 1 : 0;
    for (index[e2] = 0; index[e2] < g->axis[e2].n; index[e2]++)
        for (index[e1] = 0; index[e1] < g->axis[e1].n; index[e1]++) {
            const int64_t cell = rg_grid_at(g, index[0], index[1], index[2]),
                          face = high ? cell + g->stride[c] : cell;
            if (g->solid && g->solid[cell]) continue;
            count(f, (high ? -1.0 : 1.0) * s->wall[c][face] * area_of(g, c, index));
        }
}

/* Through the faces of solids that move. */
static void count_solids(const rg_vector_space *s, int c, through *f)
{
    const rg_grid *g = s->grid;
    const rg_solid_faces *faces = &s->solid[c];

    for (int64_t k = 0; k < faces->n_fixed; k++) {
        const int64_t at = faces->fixed[k], rest = at - g->origin;
        const int index[RG_AXES] = {(int)(rest % g->stride[1]),
                                    (int)(rest % g->stride[2] / g->stride[1]),
                                    (int)(rest / g->stride[2])};
        if (faces->of[k] == 0 || faces->value[k] == 0.0) continue;
        const bool is_above = g->solid[at] != 0; /* the solid lies behind the face */
        count(f, (is_above ? -1.0 : 1.0) * faces->value[k] * area_of(g, c, index));
    }
}

static void count_source(const rg_grid *g, const double *q, through *f)
{
    for (rg_cells w = rg_grid_cells(g); rg_cells_next(&w);)
        if (q[w.at] != 0.0) count(f, q[w.at] * rg_cells_volume(&w));
}

rg_status rg_run_check_closed(rg_run_part *p, double t, const double *q)
{
    rg_run_grid *r = p->run;
    const rg_grid *g = r->grid;
    through f = {0.0, 0.0};

    if (!p->eq->is_closed) return RG_OK;
    for (int side = 0; side < 2 * g->dims; side++)
        count_side(p->space, side, &f);
    for (int c = 0; g->solid && c < g->dims; c++)
        count_solids(p->space, c, &f);
    count_source(g, q, &f);
    double both[2] = {f.in, f.out};
    rg_grid_sum(g, 2, both);
    f = (through){both[0], both[1]};
    const double miss = fabs(f.in - f.out), most = fmax(f.in, f.out),
                 scale = r->options.step_scale; /* misses of sampled data grow like its square */
    if (miss <= RG_CLOSED_ROUNDING * most) return RG_OK;
    if (miss <= scale * scale * RG_CLOSED_MISS * most) {
        if (!rg_form_knows_flows(r->form, p->eq)) r->stats.miss = fmax(r->stats.miss, miss / most);
        return RG_OK;
    }
    rg_fail(r->ctx, RG_ERR_INCONSISTENT,
            "%.3g flows into the closed domain of '%s' and %.3g out of it, which must be equal",
            f.in, p->field->name, f.out);
    rg_fail_at(r->ctx, r->form->source, p->eq->constraint_span);
    if (!r->form->is_steady) rg_fail_time(r->ctx, t);
    return rg_remedy(r->ctx,
                     "open a side: 'boundary %s(SIDE) = 0', or balance what flows in and out",
                     r->form->fields[p->eq->pressure].name);
}

rg_status rg_run_check_flow(rg_run_part *p, double t, bool is_start)
{
    const bool varies = rg_run_inflow_changes(p)
                        || (p->eq->source != NULL && (p->eq->source->uses & RG_USES_FIELDS) != 0);

    if (!p->eq->is_closed || (!is_start && !varies)) return RG_OK;
    RG_TRY(rg_run_source(p, t, p->q));
    return rg_run_check_closed(p, t, p->q);
}
