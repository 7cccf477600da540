/* Recognizes outputs: every reduction or value at a place becomes a reading, what is left an
 * expression of the readings.  Without an output statement: minimum and maximum of every field. */
#include "pdae/form/output.h"

#include "pdae/form/inside.h"

#include <stdio.h>
#include <string.h>

enum { READINGS = 32 };

typedef struct { /* an output while it is read */
    recognizer *r;
    int n;
    rg_reading reading[READINGS];
    spatial_name name[READINGS];
} reader;

static rg_status bad(recognizer *r, rg_span span, const char *text, const char *remedy)
{
    rg_bad(r->c, span, "%s", text);
    rg_bad_remedy(r->c, "%s", remedy);
    return RG_ERR_SYNTAX;
}

/* Which faces the values of a quantity live on: those of its only component; -1: cells. */
static int component_of(const rg_form *form, const rg_quantity *q)
{
    int found = -1;

    for (int k = 0; k < q->n_inputs; k++) {
        const int l = q->inputs[k];
        if (l >= form->n_leaves) return -1; /* derived ones are on cells */
        const rg_leaf *leaf = &form->leaves[l];
        if (leaf->field < 0 || !form->fields[leaf->field].is_vector) continue;
        if (found >= 0 && found != leaf->component) return -1;
        found = leaf->component;
    }
    return found;
}

/* Splits sums; other expressions are one term. */
static rg_status add_terms(recognizer *r, const rg_ast *ast, double sign, bool split,
                           rg_reading *out)
{
    if (split && ast->kind == RG_AST_BINARY && (ast->op == '+' || ast->op == '-')) {
        RG_TRY(add_terms(r, ast->args[0], sign, true, out));
        return add_terms(r, ast->args[1], ast->op == '-' ? -sign : sign, true, out);
    }
    if (split && ast->kind == RG_AST_UNARY && ast->op == '-')
        return add_terms(r, ast->args[0], -sign, true, out);
    if (out->n_terms == RG_READ_TERMS)
        return bad(r, ast->span, "an output with too many terms", "split it into several outputs");
    rg_read_term *to = &out->term[out->n_terms];
    RG_TRY(rg_quantity_create(r, ast, ast->span, "an output", &to->what));
    out->n_terms++;
    to->sign = sign;
    to->component = component_of(r->form, to->what);
    return RG_OK;
}

static rg_status read_terms(recognizer *r, const rg_ast *ast, bool split, rg_reading *out)
{
    if (rg_form_kind_of(r, ast) == KIND_VECTOR)
        return bad(r, ast->span, "an output cannot be a vector", "take a component, or norm(...)");
    const rg_ast *scalar = rg_form_component(r, ast, 0);
    return scalar == NULL ? RG_ERR_SYNTAX : add_terms(r, scalar, 1.0, split, out);
}

static int find_solid(const rg_form *form, const char *name)
{
    for (int k = 0; k < form->n_solids; k++)
        if (strcmp(form->solids[k].name, name) == 0) return k;
    return -1;
}

static int find_well(const rg_form *form, const rg_ast *ast)
{
    for (int k = 0; ast->kind == RG_AST_NAME && k < form->n_wells; k++)
        if (strcmp(form->wells[k].name, ast->text) == 0) return k;
    return -1;
}

/* x = .5, or a side. */
static rg_status read_restriction(recognizer *r, const rg_ast *ast, rg_reading *out)
{
    if (ast->kind == RG_AST_BINARY && ast->op == ':') {
        out->axis = rg_form_axis(r, ast->args[0]);
        if (out->axis < 0)
            return bad(r, ast->span, "the line or plane of a reduction needs the name of an axis",
                       "write it as in minimum(p, x = 0.5)");
        RG_TRY(rg_constant_value(r->c, ast->args[1], INT32_MAX, "the place of a line or plane",
                                 &out->at[out->axis]));
        const rg_axis *a = &r->form->grid->axis[out->axis];
        if (out->at[out->axis] < a->edge[0] || out->at[out->axis] > a->edge[a->n])
            return bad(r, ast->span, "the line or plane lies outside the domain",
                       "choose a place between the ends of the axis");
        return RG_OK;
    }
    out->side = ast->kind == RG_AST_NAME ? rg_side_find(ast->text) : -1;
    if (out->side < 0 || out->side >= 2 * r->form->grid->dims)
        return bad(r, ast->span, "the second argument of a reduction is a line or plane, or a side",
                   "write it as in minimum(p, x = 0.5) or integral(u[x], right)");
    return RG_OK;
}

static rg_status read_reduction(recognizer *r, const rg_ast *ast, rg_read_kind how, rg_reading *out)
{
    const bool split = how == RG_READ_INTEGRAL || how == RG_READ_MEAN;

    out->kind = how;
    if (ast->n_args < 2 || ast->n_args > 3)
        return bad(r, ast->span,
                   "a reduction has one expression, and perhaps a line, plane or side",
                   "write it as in maximum(c), maximum(c, x = 0.5), integral(u[x], right)");
    RG_TRY(read_terms(r, ast->args[1], split, out));
    return ast->n_args == 3 ? read_restriction(r, ast->args[2], out) : RG_OK;
}

static rg_status read_force(recognizer *r, const rg_ast *ast, rg_reading *out)
{
    out->kind = RG_READ_FORCE;
    if (ast->n_args == 3 && ast->args[1]->kind == RG_AST_NAME) {
        out->solid = find_solid(r->form, ast->args[1]->text);
        out->axis = rg_form_axis(r, ast->args[2]);
        if (out->solid >= 0 && out->axis >= 0) return RG_OK;
    }
    return bad(r, ast->span, "a force acts on a solid along an axis",
               "write it as in force(cylinder, x)");
}

/* Does a place lie inside a solid, with no cell of the fluid beside it? */
static rg_status check_solid(recognizer *r, const rg_ast *ast, const double at[RG_AXES])
{
    const rg_grid *g = r->form->grid;
    int low[RG_AXES] = {0}, high[RG_AXES] = {0}, i[RG_AXES], solid = 0;

    for (int d = 0; g->solid && d < g->dims; d++) { /* the cells whose centres are around it */
        const rg_axis *a = &g->axis[d];
        while (high[d] < a->n - 1 && a->centre[high[d]] < at[d])
            high[d]++;
        low[d] = high[d] > 0 && a->centre[high[d]] > at[d] ? high[d] - 1 : high[d];
    }
    for (i[2] = low[2]; g->solid && i[2] <= high[2]; i[2]++)
        for (i[1] = low[1]; i[1] <= high[1]; i[1]++)
            for (i[0] = low[0]; i[0] <= high[0]; i[0]++)
                if ((solid = g->solid[rg_grid_at(g, i[0], i[1], i[2])]) == 0) return RG_OK;
    if (solid == 0) return RG_OK;
    rg_bad(r->c, ast->span, "the place lies inside 'solid %s'", r->form->solids[solid - 1].name);
    rg_bad_remedy(r->c, "choose a place in the fluid or on the surface");
    return RG_ERR_SYNTAX;
}

/* p(.5, .5), u[x](.5, .25), c(WELL). */
static rg_status read_place(recognizer *r, const rg_ast *ast, rg_reading *out)
{
    const int dims = r->form->grid->dims;

    RG_TRY(read_terms(r, ast->args[0], false, out));
    if (ast->n_args == 2 && (out->well = find_well(r->form, ast->args[1])) >= 0) {
        out->kind = RG_READ_CELL;
        return RG_OK;
    }
    out->kind = RG_READ_POINT;
    if (ast->n_args != dims + 1)
        return bad(r, ast->span, "a value at a place needs one coordinate per axis, or a well",
                   "give the coordinates, as in p(0.5, 0.5)");
    for (int d = 0; d < dims; d++) {
        const rg_axis *a = &r->form->grid->axis[d];
        RG_TRY(rg_constant_value(r->c, ast->args[d + 1], INT32_MAX, "a coordinate", &out->at[d]));
        if (out->at[d] < a->edge[0] || out->at[d] > a->edge[a->n])
            return bad(r, ast->args[d + 1]->span, "the place lies outside the domain",
                       "choose a place between the ends of the axis");
    }
    return check_solid(r, ast, out->at);
}

/* Is this a reading?  *status tells whether it is a right one. */
static bool read(recognizer *r, const rg_ast *ast, rg_reading *out, rg_status *status)
{
    static const struct {
        const char *name;
        rg_read_kind kind;
    } reductions[] = {
        {"integral", RG_READ_INTEGRAL},
        {"mean",     RG_READ_MEAN    },
        {"minimum",  RG_READ_MINIMUM },
        {"maximum",  RG_READ_MAXIMUM }
    };

    *status = RG_OK;
    if (ast->kind != RG_AST_CALL) return false;
    for (size_t k = 0; k < sizeof reductions / sizeof *reductions; k++)
        if (rg_form_is_call(ast, reductions[k].name, -1)) {
            *status = read_reduction(r, ast, reductions[k].kind, out);
            return true;
        }
    if (rg_form_is_call(ast, "force", -1)) {
        *status = read_force(r, ast, out);
        return true;
    }
    if (ast->n_args == 2 && find_well(r->form, ast->args[1]) >= 0
        && (rg_form_is_call(ast, "rate", 1) || rg_form_is_call(ast, "pressure", 1))) {
        out->kind = rg_form_is_call(ast, "rate", 1) ? RG_READ_RATE : RG_READ_PRESSURE;
        out->well = find_well(r->form, ast->args[1]);
        return true;
    }
    const rg_ast *head = ast->args[0];
    const symbol *sym =
        head->kind == RG_AST_NAME || head->kind == RG_AST_INDEX ? rg_form_symbol(r, head) : NULL;
    if (sym == NULL || (sym->kind != SYM_FIELD && sym->kind != SYM_VECTOR && sym->kind != SYM_DATA))
        return false;
    *status = read_place(r, ast, out);
    return true;
}

/* A field by itself has no single value. */
static bool refuse_field(recognizer *r, const rg_ast *ast)
{
    const bool is_name = ast->kind == RG_AST_NAME || ast->kind == RG_AST_INDEX;
    const symbol *sym = is_name ? rg_form_symbol(r, ast) : NULL;
    char quote[RG_QUOTED];

    if (sym == NULL || (sym->kind != SYM_FIELD && sym->kind != SYM_VECTOR && sym->kind != SYM_DATA))
        return false;
    const char *of = rg_form_quote(r, ast->span, quote);
    rg_bad(r->c, ast->span, "'%s' has a value in every cell, and an output is one number", of);
    if (sym->kind == SYM_VECTOR && ast->kind == RG_AST_NAME)
        rg_bad_remedy(r->c,
                      "take a component somewhere, as in maximum(%s[%s]), or maximum(norm(%s))", of,
                      r->form->axis_name[0], of);
    else
        rg_bad_remedy(r->c, "say which: mean(%s), maximum(%s), or its value at a place", of, of);
    return true;
}

/* Replaces readings by their names; NULL: failed. */
static const rg_ast *collect(reader *w, const rg_ast *ast)
{
    recognizer *r = w->r;
    rg_reading one = {.axis = -1, .side = -1, .solid = -1, .well = -1};
    const rg_ast *let = rg_form_let(r, ast);
    rg_status status;

    if (let != NULL) return collect(w, let);
    if (read(r, ast, &one, &status)) {
        char *name = rg_arena_take(r->ctx, &r->in->arena, 16, 1);
        if (w->n == READINGS)
            status = bad(r, ast->span, "an output with too many values", "split it");
        if (w->n < READINGS) w->reading[w->n] = one; /* also what failed: it is freed with it */
        w->n += w->n < READINGS;
        if (status != RG_OK || name == NULL) return NULL;
        snprintf(name, 16, "#%d", w->n);
        w->name[w->n - 1] = (spatial_name){name, RG_AXES + w->n - 1};
        return rg_tree_name(r, name, ast->span);
    }
    if (refuse_field(r, ast)) return NULL;
    rg_ast *node = rg_tree_copy(r, ast);
    for (int k = ast->kind == RG_AST_CALL ? 1 : 0; node != NULL && k < ast->n_args; k++) {
        const rg_ast *part = collect(w, ast->args[k]);
        if (part == NULL) return NULL;
        node->args[k] = (rg_ast *)(uintptr_t)part;
    }
    return node;
}

static void free_readings(rg_context *ctx, int n, rg_reading *readings)
{
    for (int k = 0; k < n; k++)
        for (int m = 0; m < readings[k].n_terms; m++)
            rg_quantity_destroy(ctx, &readings[k].term[m].what);
}

void rg_form_output_clear(rg_context *ctx, rg_form_output *o)
{
    free_readings(ctx, o->n_readings, o->readings);
    rg_free(ctx, o->readings);
    rg_free(ctx, o->name);
    rg_quantity_destroy(ctx, &o->value);
}

static rg_status add_output(recognizer *r, const char *name, rg_span span, const rg_ast *ast)
{
    rg_form_output *o = &r->form->outputs[r->form->n_outputs];
    reader *w = rg_alloc(r->ctx, 1, sizeof *w);
    rg_status status = RG_ERR_SYNTAX;

    if (w == NULL) return RG_ERR_MEMORY;
    w->r = r;
    const rg_ast *rest = collect(w, ast);
    if (rest != NULL)
        status = rg_quantity_create_with(r, rest, ast->span, "an output", w->n, w->name, &o->value);
    if (status == RG_OK) {
        o->name = rg_copy_text(r->ctx, name, strlen(name));
        o->readings = rg_alloc(r->ctx, (size_t)w->n + 1, sizeof *o->readings);
        if (o->name == NULL || o->readings == NULL) status = RG_ERR_MEMORY;
    }
    o->span = span;
    r->form->n_outputs++; /* cleared with the form, also after a failure */
    if (o->readings != NULL) {
        memcpy(o->readings, w->reading, (size_t)w->n * sizeof *o->readings);
        o->n_readings = w->n;
    } else {
        free_readings(r->ctx, w->n, w->reading);
    }
    rg_free(r->ctx, w);
    return status;
}

/* curl and divergence of every vector, as names that outputs may contain. */
static rg_status add_derived(recognizer *r)
{
    rg_form *form = r->form;
    const int dims = form->grid->dims;

    form->derived = rg_alloc(r->ctx, 4 * (size_t)form->n_fields + 1, sizeof *form->derived);
    if (form->derived == NULL) return RG_ERR_MEMORY;
    for (int f = 0; f < form->n_fields; f++) {
        if (!form->fields[f].is_vector) continue;
        for (int c = -1; c < (dims == 3 ? 3 : 1); c++) {
            const size_t room = 2 * RG_MODEL_NAME + 16;
            char *text = rg_arena_take(r->ctx, &r->in->arena, room, 1);
            if (text == NULL) return RG_ERR_MEMORY;
            if (c < 0)
                snprintf(text, room, "div(%s)", form->fields[f].name);
            else if (dims == 3)
                snprintf(text, room, "curl(%s)[%s]", form->fields[f].name, form->axis_name[c]);
            else
                snprintf(text, room, "curl(%s)", form->fields[f].name);
            if ((size_t)r->in->n_names == sizeof r->in->names / sizeof *r->in->names) break;
            r->in->names[r->in->n_names++] =
                (spatial_name){text, RG_AXES + form->n_leaves + form->n_derived};
            form->derived[form->n_derived++] = (rg_derived){f, c};
        }
    }
    return RG_OK;
}

/* minimum(F), maximum(F) of a field or component with this name. */
static rg_status add_default(recognizer *r, const char *head, const rg_ast *of, const char *name)
{
    char text[2 * RG_MODEL_NAME + 24];

    snprintf(text, sizeof text, "%s(%s)", head, name);
    const rg_span none = {0, 0};
    const rg_ast *call = rg_tree_call(r, head, 1, &of);
    return call == NULL ? RG_ERR_MEMORY : add_output(r, text, none, call);
}

static rg_status add_defaults(recognizer *r)
{
    rg_form *form = r->form;

    for (int l = 0; l < form->n_leaves; l++) {
        if (form->leaves[l].field < 0) continue;
        const char *name = r->in->names[form->grid->dims + l].name;
        const rg_ast *of = rg_tree_name(r, name, form->fields[form->leaves[l].field].span);
        if (of == NULL) return RG_ERR_MEMORY;
        RG_TRY(add_default(r, "minimum", of, name));
        RG_TRY(add_default(r, "maximum", of, name));
    }
    return RG_OK;
}

/* Every column has a name of its own, and the first one is the time. */
static rg_status check_name(recognizer *r, int k)
{
    const form_inside *in = r->in;
    const rg_ast *name = in->outputs[k]->left;
    const symbol *found = rg_find_symbol(r->c, in->outputs[k]->name);

    if (name->kind != RG_AST_NAME) return RG_OK;
    if (found != NULL && found->kind == SYM_TIME) {
        rg_bad(r->c, name->span, "'%s' is the first column of every table already", name->text);
        rg_bad_remedy(r->c, "leave it out");
        return RG_ERR_SYNTAX;
    }
    for (int i = 0; i < k; i++) {
        const rg_ast *other = in->outputs[i]->left;
        if (other->kind != RG_AST_NAME || strcmp(other->text, name->text) != 0) continue;
        rg_bad(r->c, name->span, "the output '%s' is listed twice", name->text);
        rg_bad_remedy(r->c, "keep one of them, or give the other one a new name: NAME = ...");
        return RG_ERR_SYNTAX;
    }
    return RG_OK;
}

rg_status rg_form_read_outputs(recognizer *r)
{
    const form_inside *in = r->in;
    const size_t room = (size_t)in->n_outputs + 2 * (size_t)r->form->n_leaves + 1;
    rg_status status = RG_OK;

    r->form->outputs = rg_alloc(r->ctx, room, sizeof *r->form->outputs);
    if (r->form->outputs == NULL) return RG_ERR_MEMORY;
    r->in_output = true;
    RG_TRY(add_derived(r));
    for (int k = 0; status == RG_OK && k < in->n_outputs; k++) {
        const rg_statement *st = in->outputs[k];
        const rg_ast *what = st->right ? st->right : st->left;
        status = check_name(r, k);
        if (status == RG_OK) status = add_output(r, st->name, st->span, what);
    }
    if (status == RG_OK && in->n_outputs == 0) status = add_defaults(r);
    r->in_output = false;
    return status;
}
