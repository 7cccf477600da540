/* The statement `draw` takes expressions at the cells, and stream lines. */
#include "pdae/form/draw.h"

#include "pdae/form/inside.h"

#include <string.h>

void rg_form_draw_clear(rg_context *ctx, rg_form_draw *d)
{
    for (int c = 0; c < RG_AXES; c++)
        rg_quantity_destroy(ctx, &d->value[c]);
    rg_free(ctx, d->name);
}

static rg_status add_lines(recognizer *r, const rg_ast *ast, rg_form_draw *d)
{
    d->lines = rg_form_field_of(r, ast->args[1], true);
    if (d->lines < 0) {
        rg_bad(r->c, ast->span, "'lines' is for a vector");
        rg_bad_remedy(r->c, "write 'lines(u)' with the name of a vector");
        return RG_ERR_SYNTAX;
    }
    d->is_vector = true;
    return rg_form_values(r, ast->args[1], true, "a picture", d->value);
}

static rg_status add_draw(recognizer *r, const rg_ast *ast)
{
    rg_form_draw *d = &r->form->draws[r->form->n_draws++];
    char quote[RG_QUOTED];

    d->lines = -1;
    rg_form_quote(r, ast->span, quote);
    d->name = rg_copy_text(r->ctx, quote, strlen(quote));
    if (d->name == NULL) return RG_ERR_MEMORY;
    if (rg_form_is_call(ast, "lines", 1)) return add_lines(r, ast, d);
    const kind of = rg_form_kind_of(r, ast);
    if (of == KIND_BAD) return RG_ERR_SYNTAX;
    d->is_vector = of == KIND_VECTOR;
    return rg_form_values(r, ast, d->is_vector, "a picture", d->value);
}

/* Without any: every scalar, and the stream lines of every vector. */
static rg_status add_defaults(recognizer *r)
{
    for (int f = 0; f < r->form->n_fields; f++) {
        const rg_field *field = &r->form->fields[f];
        const rg_ast *name = rg_tree_name(r, field->name, field->span);
        if (name == NULL) return RG_ERR_MEMORY;
        rg_form_draw *d = &r->form->draws[r->form->n_draws++];
        d->lines = field->is_vector ? f : -1;
        d->is_vector = field->is_vector;
        d->name = rg_copy_text(r->ctx, field->name, strlen(field->name));
        if (d->name == NULL) return RG_ERR_MEMORY;
        RG_TRY(rg_form_values(r, name, field->is_vector, "a picture", d->value));
    }
    return RG_OK;
}

rg_status rg_form_read_draws(recognizer *r)
{
    const form_inside *in = r->in;
    const size_t room = (size_t)in->n_draws + RG_FORM_FIELDS;
    rg_status status = RG_OK;

    r->form->draws = rg_alloc(r->ctx, room, sizeof *r->form->draws);
    if (r->form->draws == NULL) return RG_ERR_MEMORY;
    r->in_output = true;
    for (int k = 0; status == RG_OK && k < in->n_draws; k++)
        status = add_draw(r, in->draws[k]->right);
    if (in->n_draws == 0) status = add_defaults(r);
    r->in_output = false;
    return status;
}
