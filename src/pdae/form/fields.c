/* Names of field, vector and data become leaves; so do start values, exact solutions, outputs and
 * pictures. */
#include "pdae/form/inside.h"

#include <stdio.h>
#include <string.h>

enum { MOST_DATA = 40 };

int rg_form_find_field(const rg_form *form, const char *name)
{
    for (int k = 0; k < form->n_fields; k++)
        if (strcmp(form->fields[k].name, name) == 0) return k;
    return -1;
}

int rg_form_leaf(const rg_form *form, int field, int component)
{
    for (int l = 0; l < form->n_leaves; l++)
        if (form->leaves[l].field == field && form->leaves[l].component == component) return l;
    return -1;
}

/* ---- names ----------------------------------------------------------------------------------- */
static rg_status add_leaf(recognizer *r, rg_leaf leaf, const char *name, int axis)
{
    const size_t room = strlen(name) + RG_MODEL_NAME + 4;
    char *text = rg_arena_take(r->ctx, &r->in->arena, room, 1);

    if (text == NULL) return RG_ERR_MEMORY;
    if (axis >= 0)
        snprintf(text, room, "%s[%s]", name, r->form->axis_name[axis]);
    else
        snprintf(text, room, "%s", name);
    const int l = r->form->n_leaves++;
    r->form->leaves[l] = leaf;
    r->in->names[r->in->n_names++] = (spatial_name){text, RG_AXES + l};
    return RG_OK;
}

static rg_status add_field(recognizer *r, const rg_statement *st)
{
    const int f = r->form->n_fields;
    rg_field *field = &r->form->fields[f];

    if (f == RG_FORM_FIELDS) {
        rg_bad(r->c, st->name_span, "more than %d fields", RG_FORM_FIELDS);
        rg_bad_remedy(r->c, "leave some out");
        return RG_ERR_SYNTAX;
    }
    field->name = rg_copy_text(r->ctx, st->name, strlen(st->name));
    if (field->name == NULL) return RG_ERR_MEMORY;
    r->form->n_fields++;
    field->span = st->name_span;
    field->is_vector = st->kind == RG_STATEMENT_VECTOR;
    field->equation = -1;
    for (int d = 0; d < (field->is_vector ? r->form->grid->dims : 1); d++)
        RG_TRY(add_leaf(r, (rg_leaf){f, d, -1}, st->name, field->is_vector ? d : -1));
    return RG_OK;
}

static rg_status add_data(recognizer *r, const rg_statement *st)
{
    const int n = r->form->n_data;

    if (n == MOST_DATA) {
        rg_bad(r->c, st->name_span, "more than %d data files", MOST_DATA);
        rg_bad_remedy(r->c, "leave some out");
        return RG_ERR_SYNTAX;
    }
    rg_field_data *data = &r->form->data[r->form->n_data++];
    data->name = rg_copy_text(r->ctx, st->name, strlen(st->name));
    data->file = rg_copy_text(r->ctx, st->text, strlen(st->text));
    data->span = st->name_span;
    if (data->name == NULL || data->file == NULL) return RG_ERR_MEMORY;
    return add_leaf(r, (rg_leaf){-1, 0, n}, st->name, -1);
}

rg_status rg_form_fields(recognizer *r)
{
    rg_form *form = r->form;
    const size_t leaves = RG_AXES * RG_FORM_FIELDS + MOST_DATA;

    form->fields = rg_alloc(r->ctx, RG_FORM_FIELDS, sizeof *form->fields);
    form->data = rg_alloc(r->ctx, MOST_DATA, sizeof *form->data);
    form->leaves = rg_alloc(r->ctx, leaves, sizeof *form->leaves);
    if (form->fields == NULL || form->data == NULL || form->leaves == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < r->c->model->n_statements; k++) {
        const rg_statement *st = r->c->model->statements[k];
        if (st->kind == RG_STATEMENT_FIELD || st->kind == RG_STATEMENT_VECTOR)
            RG_TRY(add_field(r, st));
        if (st->kind == RG_STATEMENT_DATA) RG_TRY(add_data(r, st));
    }
    if (form->n_fields > 0) return RG_OK;
    rg_fail(r->ctx, RG_ERR_SYNTAX, "the model has a domain, but no field");
    r->c->n_errors++;
    rg_remedy(r->ctx, "declare 'field c = 0' or 'vector u = (0, 0)'");
    return RG_ERR_SYNTAX;
}

/* ---- values ---------------------------------------------------------------------------------- */
/* Start values, exact solutions and data of sides are known beforehand. */
static rg_status check_known(recognizer *r, rg_quantity *const value[RG_AXES], const char *what,
                             unsigned beyond)
{
    for (int d = 0; d < RG_AXES; d++) {
        if (value[d] == NULL || (value[d]->uses & beyond) == 0) continue;
        rg_bad(r->c, value[d]->span, "%s cannot depend on %s", what,
               value[d]->uses & RG_USES_FIELDS ? "fields" : "time");
        rg_bad_remedy(r->c, "use axes, data and parameters there");
        return RG_ERR_SYNTAX;
    }
    return RG_OK;
}

static rg_status start_of(recognizer *r, const rg_statement *st, rg_field *field)
{
    const rg_ast *value = st->right;

    field->start_kind = st->mark == '=' ? RG_START_KEPT : RG_START_GUESS;
    if (field->is_vector && rg_form_is_call(value, "curl", 1)) {
        field->is_curl = true;
        const bool is_2d = r->form->grid->dims == 2;
        if (rg_form_kind_of(r, value) == KIND_BAD) return RG_ERR_SYNTAX;
        RG_TRY(rg_form_values(r, value->args[1], !is_2d, "a potential", field->start));
    } else {
        RG_TRY(rg_form_values(r, value, field->is_vector, "a start value", field->start));
    }
    return check_known(r, field->start, "a start value", RG_USES_FIELDS);
}

static rg_status exact_of(recognizer *r, const rg_statement *st)
{
    const int f = st->left->kind == RG_AST_NAME ? rg_form_find_field(r->form, st->left->text) : -1;

    if (f < 0) {
        rg_bad(r->c, st->left->span, "'exact' is for a field or a whole vector");
        rg_bad_remedy(r->c, "write 'exact u = (EXPR, EXPR), c = EXPR'");
        return RG_ERR_SYNTAX;
    }
    rg_field *field = &r->form->fields[f];
    if (field->exact[0] != NULL) {
        rg_bad(r->c, st->span, "a second exact solution for '%s'", field->name);
        rg_bad_remedy(r->c, "keep one of them");
        return RG_ERR_SYNTAX;
    }
    RG_TRY(rg_form_values(r, st->right, field->is_vector, "an exact solution", field->exact));
    return check_known(r, field->exact, "an exact solution", RG_USES_FIELDS);
}

rg_status rg_form_starts(recognizer *r)
{
    int f = 0;

    for (int k = 0; k < r->c->model->n_statements; k++) {
        const rg_statement *st = r->c->model->statements[k];
        if (st->kind == RG_STATEMENT_EXACT) RG_TRY(exact_of(r, st));
        if (st->kind != RG_STATEMENT_FIELD && st->kind != RG_STATEMENT_VECTOR) continue;
        rg_field *field = &r->form->fields[f++];
        if (st->mark != 0) RG_TRY(start_of(r, st, field));
    }
    return RG_OK;
}

rg_status rg_form_outputs(recognizer *r)
{
    const rg_model *m = r->c->model;
    form_inside *in = r->in;

    in->outputs = rg_alloc(r->ctx, (size_t)m->n_statements + 1, sizeof *in->outputs);
    in->draws = rg_alloc(r->ctx, (size_t)m->n_statements + 1, sizeof *in->draws);
    if (in->outputs == NULL || in->draws == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < m->n_statements; k++) {
        const rg_statement *st = m->statements[k];
        if (st->kind == RG_STATEMENT_OUTPUT) in->outputs[in->n_outputs++] = st;
        if (st->kind == RG_STATEMENT_DRAW) in->draws[in->n_draws++] = st;
    }
    return RG_OK;
}
