/* Cells whose centre fulfils solid NAME = CONDITION are no part of the domain. */
#include "pdae/form/inside.h"

#include <limits.h>
#include <string.h>

/* Given data at the cells, for quantities that read them there. */
static rg_status eval_on_cells(recognizer *r, const rg_quantity *q, double *out)
{
    const rg_points p = rg_points_packed(rg_points_cells(r->form->grid));
    const double **leaves = rg_alloc(r->ctx, (size_t)r->form->n_leaves + 1, sizeof *leaves);
    double *work = rg_alloc(r->ctx, (size_t)q->work_size, sizeof *work);
    rg_status status = leaves == NULL || work == NULL ? RG_ERR_MEMORY : RG_OK;

    if (status == RG_OK) {
        for (int l = 0; l < r->form->n_leaves; l++)
            if (r->form->leaves[l].data >= 0)
                leaves[l] = r->form->data[r->form->leaves[l].data].value;
        rg_quantity_eval(r->form, q, 0, &p, leaves, work, out, NULL);
    }
    rg_free(r->ctx, leaves);
    rg_free(r->ctx, work);
    return status;
}

static rg_status mark(recognizer *r, const rg_statement *st, int number, double *value,
                      unsigned char *mask)
{
    rg_quantity *q[RG_AXES] = {NULL};
    rg_solid *solid = &r->form->solids[number];

    RG_TRY(rg_form_values(r, st->right, false, "the condition of a solid", q));
    rg_status status = RG_OK;
    if (q[0]->uses & (RG_USES_FIELDS | RG_USES_TIME)) {
        rg_bad(r->c, st->right->span, "a solid cannot depend on %s",
               q[0]->uses & RG_USES_FIELDS ? "fields" : "time");
        rg_bad_remedy(r->c, "use axes, data and parameters there");
        status = RG_ERR_SYNTAX;
    }
    if (status == RG_OK) status = eval_on_cells(r, q[0], value);
    rg_quantity_destroy(r->ctx, &q[0]);
    for (int64_t k = 0; k < r->form->grid->cells && status == RG_OK; k++)
        if (value[k] != 0 && mask[k] == 0) {
            mask[k] = (unsigned char)(number + 1);
            solid->n_cells++;
        }
    return status;
}

static rg_status check_left(recognizer *r, const rg_statement *last)
{
    if (r->form->grid->fluid > 0) return RG_OK;
    rg_bad(r->c, last->name_span, "'solid %s' leaves no cell of the domain", last->name);
    rg_bad_remedy(r->c, "make it smaller");
    return RG_ERR_SYNTAX;
}

rg_status rg_form_solids(recognizer *r)
{
    const rg_model *m = r->c->model;
    rg_form *form = r->form;
    const rg_statement *last = NULL;
    rg_status status = RG_OK;
    int n = 0;

    for (int k = 0; k < m->n_statements; k++)
        n += m->statements[k]->kind == RG_STATEMENT_SOLID;
    if (n == 0) return RG_OK;
    if (n > UCHAR_MAX - 1) return rg_form_refuse(r, m->statements[0]->span);
    form->solids = rg_alloc(r->ctx, (size_t)n, sizeof *form->solids);
    double *value = rg_alloc(r->ctx, (size_t)form->grid->cells, sizeof *value);
    unsigned char *mask = rg_alloc(r->ctx, (size_t)form->grid->cells, 1);
    if (form->solids == NULL || value == NULL || mask == NULL) status = RG_ERR_MEMORY;
    for (int k = 0; k < m->n_statements && status == RG_OK; k++) {
        const rg_statement *st = m->statements[k];
        if (st->kind != RG_STATEMENT_SOLID) continue;
        rg_solid *solid = &form->solids[form->n_solids++];
        solid->span = st->name_span;
        solid->name = rg_copy_text(r->ctx, st->name, strlen(st->name));
        solid->condition = rg_alloc(r->ctx, RG_FORM_FIELDS, sizeof *solid->condition);
        status = solid->name == NULL || solid->condition == NULL ? RG_ERR_MEMORY : RG_OK;
        if (status == RG_OK) status = mark(r, st, form->n_solids - 1, value, mask);
        last = st;
    }
    if (status == RG_OK) status = rg_grid_set_solid(form->grid, mask);
    if (status == RG_OK) status = check_left(r, last);
    rg_free(r->ctx, value);
    rg_free(r->ctx, mask);
    return status;
}
