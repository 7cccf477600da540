/* Fields on grids: their names, places and values. */
#include "api/entry.h"
#include "pdae/draw/vtk.h"
#include "solution/solution.h"

#include <string.h>

static const rg_family *family_of(const rg_problem *p, int k)
{
    return p->form != NULL && k >= 0 && k < p->n_families ? &p->families[k] : NULL;
}

/* Families are the leaves that are no data, in their order. */
static int across_of(const rg_problem *p, int k)
{
    const rg_form *form = p->form;

    for (int l = 0; l < form->n_leaves; l++) {
        const rg_leaf *leaf = &form->leaves[l];
        if (leaf->field < 0 || k-- > 0) continue;
        return form->fields[leaf->field].is_vector ? leaf->component : -1;
    }
    return -1;
}

static rg_status no_field(rg_context *ctx, int k)
{
    rg_fail(ctx, RG_ERR_ARGUMENT, "there is no field %d", k);
    return rg_remedy(ctx, "rg_problem_field_count() tells how many there are; the first is 0");
}

int rg_problem_field_count(const rg_problem *p)
{
    return p != NULL && p->form != NULL ? p->n_families : 0;
}

rg_status rg_problem_field(const rg_problem *p, int k, rg_field_info *out)
{
    RG_TRY(rg_enter(p != NULL ? p->ctx : NULL, out != NULL, "rg_problem_field"));
    const rg_family *f = family_of(p, k);
    if (f == NULL) return no_field(p->ctx, k);
    *out = (rg_field_info){
        .name = f->name,
        .dims = f->n_dims,
        .shape = {1, 1, 1},
        .across = across_of(p, k),
        .first = f->first,
        .count = f->count
    };
    for (int d = 0; d < f->n_dims; d++)
        out->shape[d] = f->extent[d];
    return RG_OK;
}

rg_status rg_problem_field_points(const rg_problem *p, int k, int axis, double *out)
{
    RG_TRY(rg_enter(p != NULL ? p->ctx : NULL, out != NULL, "rg_problem_field_points"));
    const rg_family *f = family_of(p, k);
    if (f == NULL || axis < 0 || axis >= f->n_dims) return no_field(p->ctx, k);
    const rg_axis *a = &p->form->grid->axis[axis];
    memcpy(out, across_of(p, k) == axis ? a->edge : a->centre,
           (size_t)f->extent[axis] * sizeof *out);
    return RG_OK;
}

rg_status rg_solution_field(const rg_solution *s, int k, double *out)
{
    RG_TRY(rg_enter(s != NULL ? s->ctx : NULL, out != NULL, "rg_solution_field"));
    const rg_family *f = s->unknown != NULL ? family_of(s->given, k) : NULL;
    if (f == NULL) return no_field(s->ctx, k);
    memcpy(out, s->unknown + f->first, (size_t)f->count * sizeof *out);
    return RG_OK;
}

rg_status rg_solution_write_vtk(const rg_solution *s, const char *path)
{
    rg_frame frame;

    RG_TRY(rg_enter(s != NULL ? s->ctx : NULL, path != NULL, "rg_solution_write_vtk"));
    if (s->unknown == NULL) return no_field(s->ctx, 0);
    rg_status status = rg_frame_create(s->given->form, &frame);
    if (status == RG_OK) {
        rg_frame_set(&frame, s->t_last, s->unknown);
        status = rg_vtk_write(s->ctx, &frame, path);
    }
    rg_frame_clear(&frame);
    return status;
}
