/* Given values of vectors on sides and solids, p on open sides, and coefficients that must be
 * positive. */
#include "base/vector.h"
#include "pdae/mesh/block.h"
#include "pdae/run/run_impl.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* Component c on the faces of a solid, and on its walls along the other axes. */
static rg_status solid_walls(rg_run_part *p, const rg_quantity *q, double t, int number, int c,
                             rg_solid_faces *s)
{
    const rg_grid *g = p->run->grid;
    double *value = p->f[c];

    RG_TRY(rg_run_at_faces(p->run, q, t, c, value));
    for (int64_t k = 0; k < s->n_fixed; k++)
        if (s->of[k] == number) s->value[k] = value[s->fixed[k]];
    for (int d = 0; d < g->dims; d++) {
        if (d == c) continue;
        RG_TRY(rg_run_at_edges(p->run, q, t, c, d, value));
        for (int64_t k = 0; k < s->n_contacts; k++) {
            const rg_contact *contact = &s->contact[k];
            if (contact->solid != number || contact->axis != d) continue;
            s->value[s->n_fixed + k] = value[contact->at + (contact->high ? g->stride[d] : 0)];
        }
    }
    return RG_OK;
}

rg_status rg_run_walls(void *part, double t, rg_vector_space *s)
{
    rg_run_part *p = part;
    const rg_grid *g = s->grid;

    for (int side = 0; side < 2 * g->dims; side++) {
        const rg_condition *condition = &p->field->side[side];
        if (condition->kind != RG_VECTOR_GIVEN) continue;
        for (int c = 0; c < g->dims; c++)
            RG_TRY(rg_run_at_side(p->run, condition->value[c], t, c, side, s->wall[c]));
    }
    for (int k = 0; k < p->run->form->n_solids; k++) {
        const rg_condition *condition = &p->run->form->solids[k].condition[p->eq->field];
        for (int c = 0; condition->kind == RG_VECTOR_GIVEN && c < g->dims; c++)
            if (!rg_quantity_is_zero(condition->value[c]))
                RG_TRY(solid_walls(p, condition->value[c], t, k + 1, c, &s->solid[c]));
    }
    return RG_OK;
}

rg_status rg_run_outside(void *part, double t, double *out)
{
    rg_run_part *p = part;
    const rg_field *pressure = &p->run->form->fields[p->eq->pressure];

    for (int side = 0; side < 2 * p->run->grid->dims; side++)
        if (p->field->side[side].kind == RG_VECTOR_OPEN)
            RG_TRY(rg_run_at_side(p->run, pressure->side[side].value[0], t, -1, side, out));
    return RG_OK;
}

/* How many numbers of a row are not finite, or below the least one allowed. */
RG_FOR_ALL_VECTORS
static int64_t count_bad(int n, const double *v, double least)
{
    int64_t bad = 0;

    for (int i = 0; i < n; i++)
        bad += !(v[i] >= least) | !(v[i] <= DBL_MAX);
    return bad;
}

static rg_status check_own_cells(const rg_run_part *p, const double *v, const char *what,
                                 bool may_vanish)
{
    const rg_run_grid *r = p->run;
    const rg_grid *g = r->grid;
    char third[32] = "";

    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++) {
            if (count_bad(g->axis[0].n, v + rg_grid_at(g, 0, j, k), may_vanish ? 0.0 : DBL_TRUE_MIN)
                == 0)
                continue;
            for (int i = 0; i < g->axis[0].n; i++) {
                const int64_t at = rg_grid_at(g, i, j, k);
                if (isfinite(v[at]) && (may_vanish ? v[at] >= 0.0 : v[at] > 0.0)) continue;
                if (g->solid && g->solid[at]) continue;
                if (g->dims == 3) snprintf(third, sizeof third, ", %d", k + 1 + g->axis[2].from);
                rg_fail(r->ctx, RG_ERR_INCONSISTENT,
                        "the %s of '%s' is not positive%s and finite in cell (%d, %d%s): %.3g",
                        what, p->field->name, may_vanish ? " or zero" : "", i + 1 + g->axis[0].from,
                        j + 1 + g->axis[1].from, third, v[at]);
                rg_fail_at(r->ctx, r->form->source, p->eq->span);
                if (!r->form->is_steady) rg_fail_time(r->ctx, r->t);
                return rg_remedy(r->ctx, "change the coefficient, or end the run before");
            }
        }
    return RG_OK;
}

rg_status rg_run_check_cells(const rg_run_part *p, const rg_quantity *q, const double *v,
                             const char *what, bool may_vanish)
{
    if (q == NULL || (q->uses == 0 && (may_vanish ? q->value >= 0.0 : q->value > 0.0)))
        return RG_OK;
    return rg_grid_agree(p->run->grid, check_own_cells(p, v, what, may_vanish));
}
