/* Expressions of the model at places of the grid, and its definitions: a let or fun that uses axes
 * or fields becomes a function that has them as arguments. */
#include "pdae/expand/write.h"
#include "pdae/form/output.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = sizeof((form_inside *)0)->names / sizeof(spatial_name) };

typedef struct { /* which names of the grid an expression uses; by place in form_inside.names */
    bool on[MOST_NAMES];
} use_set;

/* ---- what definitions use -------------------------------------------------------------------- */
static int name_of(const writer *w, const rg_ast *ast)
{
    char text[2 * RG_MODEL_NAME + 4];

    if (ast->kind == RG_AST_NAME)
        snprintf(text, sizeof text, "%s", ast->text);
    else if (ast->kind == RG_AST_INDEX && ast->n_args == 1 && ast->args[0]->kind == RG_AST_NAME)
        snprintf(text, sizeof text, "%s[%s]", ast->text, ast->args[0]->text);
    else
        return -1;
    for (int k = 0; k < w->in->n_names; k++)
        if (strcmp(w->in->names[k].name, text) == 0) return k;
    return -1;
}

static bool is_argument(const rg_statement *fun, const char *name)
{
    for (int k = 0; fun != NULL && k < fun->n_ranges; k++)
        if (strcmp(fun->ranges[k].name, name) == 0) return true;
    return false;
}

/* The definition behind a name or a call: a let without indices or a fun. */
static const symbol *definition(writer *w, const rg_ast *ast)
{
    const char *name = ast->kind == RG_AST_NAME   ? ast->text
                       : ast->kind == RG_AST_CALL ? ast->args[0]->text
                                                  : NULL;
    const symbol *sym = name != NULL ? rg_find_symbol(&w->in->c, name) : NULL;

    if (sym == NULL) return NULL;
    if (ast->kind == RG_AST_CALL) return sym->kind == SYM_FUN ? sym : NULL;
    return sym->kind == SYM_LET && sym->statement->n_ranges == 0 ? sym : NULL;
}

/* Definitions see earlier ones only, so the recursion ends; `seen` keeps it short. */
static void find_uses(writer *w, const rg_ast *ast, const rg_statement *fun, bool *seen,
                      use_set *out)
{
    const int name = name_of(w, ast);
    const bool is_own = ast->kind == RG_AST_NAME && is_argument(fun, ast->text);

    if (is_own) return;
    if (name >= 0) {
        out->on[name] = true;
        return;
    }
    const symbol *sym = definition(w, ast);
    if (sym != NULL && !seen[sym->position]) {
        seen[sym->position] = true;
        find_uses(w, sym->statement->right, sym->kind == SYM_FUN ? sym->statement : NULL, seen,
                  out);
    }
    for (int k = ast->kind == RG_AST_CALL ? 1 : 0; k < ast->n_args; k++)
        find_uses(w, ast->args[k], fun, seen, out);
}

static use_set uses_of(writer *w, const symbol *sym)
{
    use_set set = {{false}};
    bool *seen = rg_arena_take(w->ctx, &w->arena, (size_t)w->in->c.n_symbols + 1, sizeof *seen);

    if (seen == NULL) {
        w->is_out_of_memory = true;
        return set;
    }
    find_uses(w, sym->statement->right, sym->kind == SYM_FUN ? sym->statement : NULL, seen, &set);
    return set;
}

/* ---- names of the grid at a place ------------------------------------------------------------ */
static const char *argument_name(writer *w, int name)
{
    const char *text = w->in->names[name].name;
    char plain[2 * RG_MODEL_NAME + 8];
    size_t n = 0;

    for (; *text != '\0' && n + 4 < sizeof plain; text++)
        if (*text != ']') plain[n++] = *text == '[' ? '_' : *text;
    plain[n] = '\0';
    return rg_write_text(w, "%s_0", plain);
}

/* Mean of the array over the cells around a face or an edge that are there. */
const char *rg_print_mean(writer *w, const char *array, const where *at)
{
    const char *sum = NULL;
    int n = 0;

    for (int a = 0; a < 2; a++)
        for (int b = 0; b < (at->kind == AT_EDGE ? 2 : 1); b++) {
            if (!(a == 0 ? at->low : at->high)) continue;
            if (at->kind == AT_EDGE && !(b == 0 ? at->below : at->above)) continue;
            spot s = rg_write_shift(w, at->s, at->d, a);
            if (at->kind == AT_EDGE) s = rg_write_shift(w, s, at->e, b);
            const char *one = rg_write_element(w, array, s);
            sum = sum == NULL ? one : rg_write_text(w, "%s + %s", sum, one);
            n++;
        }
    return n == 1 ? sum : rg_write_text(w, "((%s)/%d)", sum, n);
}

/* A component at a cell: the mean of its two faces; at a face across another axis: of four. */
static const char *component_at(writer *w, int leaf, const where *at)
{
    const int c = w->form->leaves[leaf].component;
    const char *array = w->inside[leaf];
    const spot low = rg_write_shift(w, at->s, c, -1);

    if (at->kind == AT_FACE && at->d == c) return rg_write_element(w, array, at->s);
    if (at->kind == AT_CELL)
        return rg_write_text(w, "((%s + %s)/2)", rg_write_element(w, array, low),
                             rg_write_element(w, array, at->s));
    const where high = *at;
    where below = *at;
    below.s = low;
    return rg_write_text(w, "((%s + %s)/2)", rg_print_mean(w, array, &below),
                         rg_print_mean(w, array, &high));
}

/* Twice the mean of the two faces across c of a cell. */
static const char *two_faces(writer *w, const char *name, int c, spot s)
{
    return rg_write_text(w, "(%s + %s)", rg_write_element(w, name, s),
                         rg_write_element(w, name, rg_write_shift(w, s, c, -1)));
}

/* The slope of u_c along a in the cells beside a side; NULL: as in the others.  Flow has a given
 * value there, half as far away as the next one; Darcy flow has none. */
static const char *slope_beside(writer *w, int field, int side, const char *value[3])
{
    const rg_field *f = &w->form->fields[field];
    const bool is_darcy = w->form->equations[f->equation].kind == RG_FORM_DARCY;
    const int a = side / 2, high = side % 2, n = rg_write_cells(w, a);
    const char *h = rg_write_number(w, rg_write_width(w, a));

    if (rg_write_is_periodic(w, a)) return NULL;
    if (is_darcy && n == 1) return "0";
    if (is_darcy)
        return rg_write_text(w, "(%s - %s)/(2*%s)", value[high ? 1 : 2], value[high ? 0 : 1], h);
    if (f->side[side].kind != RG_VECTOR_GIVEN || n == 1) return NULL;
    return rg_write_text(w, high ? "(2*%s - %s - %s)/(6*%s)" : "(%s + %s - 2*%s)/(6*%s)", value[2],
                         value[1], value[0], h);
}

/* d(u_c)/dx_a at a cell: difference of the means on its two sides across a. */
static const char *slope(writer *w, int field, int c, int a, spot s)
{
    const int leaf = rg_form_leaf(w->form, field, c), n = rg_write_cells(w, a);
    const char *h = rg_write_number(w, rg_write_width(w, a));
    const char *name = w->ghost[leaf];

    if (a == c)
        return rg_write_text(w, "(%s - %s)/%s", rg_write_element(w, w->inside[leaf], s),
                             rg_write_element(w, w->inside[leaf], rg_write_shift(w, s, c, -1)), h);
    const char *value[3] = {two_faces(w, name, c, rg_write_shift(w, s, a, -1)),
                            two_faces(w, name, c, s),
                            two_faces(w, name, c, rg_write_shift(w, s, a, 1))};
    const char *text = rg_write_text(w, "(%s - %s)/(4*%s)", value[2], value[0], h);
    for (int high = 0; high < 2; high++) {
        const char *beside = slope_beside(w, field, 2 * a + high, value);
        if (beside != NULL)
            text = rg_write_text(w, "if(%s == %d, %s, %s)", s.index[a], high ? n : 1, beside, text);
    }
    return text;
}

/* curl and div of a vector at a cell, or on a side: on a line with the two cells inside. */
static const char *derived_at(writer *w, const rg_derived *l, const where *at)
{
    if (at->side > 0) {
        const int d = (at->side - 1) / 2, n = rg_write_cells(w, d),
                  first = at->side % 2 == 0 ? n : 1;
        const where near = rg_at_cell(rg_write_fix(at->s, d, first)),
                    next = rg_at_cell(rg_write_fix(at->s, d,
                                                   n == 1       ? 1
                                                   : first == 1 ? 2
                                                                : n - 1));
        return rg_write_text(w, "(1.5*%s - 0.5*%s)", derived_at(w, l, &near),
                             derived_at(w, l, &next));
    }
    const int c = w->form->grid->dims == 2 ? 2 : l->component;
    const int a = (c + 1) % RG_AXES, b = (c + 2) % RG_AXES;
    const char *text = "0";

    if (l->component >= 0)
        return rg_write_text(w, "(%s - %s)", slope(w, l->field, b, a, at->s),
                             slope(w, l->field, a, b, at->s));
    for (int d = 0; d < w->form->grid->dims; d++)
        text = rg_write_text(w, "%s + %s", text, slope(w, l->field, d, d, at->s));
    return rg_write_text(w, "(%s)", text);
}

/* A pressure on a side that is closed: on a line with the two cells inside. */
static const char *closed_pressure(writer *w, int leaf, const where *at)
{
    const int d = (at->side - 1) / 2, n = rg_write_cells(w, d), first = at->side % 2 == 0 ? n : 1;
    const char *near = rg_write_element(w, w->array[leaf], rg_write_fix(at->s, d, first));

    if (n == 1) return near;
    return rg_write_text(
        w, "(1.5*%s - 0.5*%s)", near,
        rg_write_element(w, w->array[leaf], rg_write_fix(at->s, d, first == 1 ? 2 : n - 1)));
}

const char *rg_print_fall(writer *w, int leaf, int side, spot s)
{
    const int field = w->form->leaves[leaf].field, d = side / 2, n = rg_write_cells(w, d);
    const rg_condition *c = &w->form->fields[field].side[side];
    const rg_form_equation *e = &w->form->equations[w->form->fields[field].equation];
    const where cell = rg_at_cell(rg_write_fix(s, d, side % 2 == 1 ? n : 1)),
                at = rg_at_side(w, side, s);

    if (w->form->fields[field].is_vector || c->kind != RG_SCALAR_FLUX || e->has_dispersion
        || rg_quantity_is_zero(e->diffusion[d]))
        return NULL;
    return rg_write_text(w, "(%s)*%s/(2*(%s))", rg_print_quantity(w, c->value[0], &at),
                         rg_write_number(w, rg_write_width(w, d)),
                         rg_print_quantity(w, e->diffusion[d], &cell));
}

static bool is_pressure(const rg_form *form, int field)
{
    return form->equations[form->fields[field].equation].pressure == field;
}

const char *rg_print_leaf(writer *w, int leaf, const where *at)
{
    const int beyond = leaf - w->form->n_leaves;
    const rg_leaf *l = &w->form->leaves[leaf];

    if (beyond >= 0) return derived_at(w, &w->form->derived[beyond], at);
    if (at->side > 0 && at->kind == AT_EDGE) return rg_print_on_edge(w, leaf, at);
    if (at->side > 0 && l->field >= 0) {
        const rg_condition *c = &w->form->fields[l->field].side[at->side - 1];
        const bool is_vector = w->form->fields[l->field].is_vector;
        if (!is_vector && c->kind == RG_SCALAR_VALUE) return rg_print_quantity(w, c->value[0], at);
        const char *fall = at->is_output ? rg_print_fall(w, leaf, at->side - 1, at->s) : NULL;
        if (fall != NULL) {
            const int d = (at->side - 1) / 2, n = rg_write_cells(w, d);
            const spot s = rg_write_fix(at->s, d, at->side % 2 == 0 ? n : 1);
            return rg_write_text(w, "(%s - %s)", rg_write_element(w, w->array[leaf], s), fall);
        }
        if (is_vector && c->kind == RG_VECTOR_GIVEN)
            return rg_print_quantity(w, c->value[l->component], at);
        if (is_pressure(w->form, l->field)) return closed_pressure(w, leaf, at);
    }
    if (l->field >= 0 && w->form->fields[l->field].is_vector) return component_at(w, leaf, at);
    if (at->kind == AT_CELL) return rg_write_element(w, w->array[leaf], at->s);
    return rg_print_mean(w, w->array[leaf], at);
}

static const char *axis_at(writer *w, int axis, const where *at)
{
    if (at->axis[axis] != NULL) return at->axis[axis];
    const bool is_face = (at->kind == AT_FACE || at->kind == AT_EDGE)
                         && (axis == at->d || (at->kind == AT_EDGE && axis == at->e));
    return is_face ? rg_write_edge(w, axis, at->s.index[axis])
                   : rg_write_centre(w, axis, at->s.index[axis]);
}

static const char *name_at(writer *w, int name, const where *at)
{
    const int slot = w->in->names[name].slot;

    if (at->kind == AT_FUNCTION) return argument_name(w, name);
    return slot < RG_AXES ? axis_at(w, slot, at) : rg_print_leaf(w, slot - RG_AXES, at);
}

/* ---- expressions ----------------------------------------------------------------------------- */
static void print_extra(writer *w, FILE *to, const symbol *sym, bool is_first, const where *at)
{
    const use_set set = uses_of(w, sym);

    for (int k = 0; k < w->in->n_names; k++) {
        if (!set.on[k]) continue;
        fprintf(to, "%s%s", is_first ? "" : ", ", name_at(w, k, at));
        is_first = false;
    }
}

static bool has_extra(writer *w, const symbol *sym)
{
    const use_set set = uses_of(w, sym);

    for (int k = 0; k < w->in->n_names; k++)
        if (set.on[k]) return true;
    return false;
}

static void print_call(writer *w, FILE *to, const rg_ast *ast, const where *at)
{
    const symbol *sym = definition(w, ast);

    fprintf(to, "%s(", ast->args[0]->text);
    for (int k = 1; k < ast->n_args; k++) {
        if (k > 1) fputs(", ", to);
        rg_print_ast(w, to, ast->args[k], at);
    }
    if (sym != NULL) print_extra(w, to, sym, ast->n_args == 1, at);
    fputs(")", to);
}

static void print_name(writer *w, FILE *to, const rg_ast *ast, const where *at)
{
    const int name = name_of(w, ast);
    const symbol *sym = definition(w, ast);

    if (at->kind == AT_OUTPUT && ast->text[0] == '#') {
        fputs(w->reduced[atoi(ast->text + 1) - 1], to);
        return;
    }
    if (at->kind == AT_FUNCTION && ast->kind == RG_AST_NAME && is_argument(at->fun, ast->text)) {
        fputs(ast->text, to);
    } else if (name >= 0) {
        fputs(name_at(w, name, at), to);
    } else if (sym != NULL && has_extra(w, sym)) {
        fprintf(to, "%s(", ast->text);
        print_extra(w, to, sym, true, at);
        fputs(")", to);
    } else {
        fputs(ast->text, to);
        if (ast->kind != RG_AST_INDEX) return;
        fputs("[", to);
        for (int k = 0; k < ast->n_args; k++) {
            if (k > 0) fputs(",", to);
            rg_print_ast(w, to, ast->args[k], at);
        }
        fputs("]", to);
    }
}

static void print_sum(writer *w, FILE *to, const rg_ast *ast, const where *at)
{
    fprintf(to, "%s(", ast->op == 's' ? "sum" : ast->op == 'n' ? "min" : "max");
    for (int k = 0; k < ast->n_ranges; k++) {
        fprintf(to, "%s=", ast->ranges[k].name);
        rg_print_ast(w, to, ast->ranges[k].low, at);
        fputs("..", to);
        rg_print_ast(w, to, ast->ranges[k].high, at);
        fputs(", ", to);
    }
    rg_print_ast(w, to, ast->args[0], at);
    fputs(")", to);
}

static const char *operator_text(char op)
{
    static const char *const words[] = {"l<=", "g>=", "===", "!!=", "aand", "oor"};
    static const char single[] = "+\0-\0*\0/\0^\0<\0>";

    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (words[k][0] == op) return words[k] + 1;
    for (size_t k = 0; k < sizeof single; k += 2)
        if (single[k] == op) return single + k;
    return "?";
}

void rg_print_ast(writer *w, FILE *to, const rg_ast *ast, const where *at)
{
    switch (ast->kind) {
    case RG_AST_NUMBER:
        fputs(rg_write_number(w, ast->value), to);
        break;
    case RG_AST_NAME:
    case RG_AST_INDEX:
        print_name(w, to, ast, at);
        break;
    case RG_AST_CALL:
        print_call(w, to, ast, at);
        break;
    case RG_AST_UNARY:
        fputs(ast->op == '-' ? "(-" : "(not ", to);
        rg_print_ast(w, to, ast->args[0], at);
        fputs(")", to);
        break;
    case RG_AST_BINARY:
        fputs("(", to);
        rg_print_ast(w, to, ast->args[0], at);
        fprintf(to, " %s ", operator_text(ast->op));
        rg_print_ast(w, to, ast->args[1], at);
        fputs(")", to);
        break;
    case RG_AST_SUM:
        print_sum(w, to, ast, at);
        break;
    default:
        fputs("0", to);
        break;
    }
}

const char *rg_print_text(writer *w, const rg_ast *ast, const where *at)
{
    char *made = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&made, &length);
    const char *text = "";

    if (to == NULL) {
        w->is_out_of_memory = true;
        return text;
    }
    rg_print_ast(w, to, ast, at);
    if (fclose(to) == 0) text = rg_write_text(w, "%s", made);
    free(made);
    return text;
}

/* An axis across which the place may lie on a seam, with no coordinate chosen yet; or -1. */
static int seam_axis(const writer *w, const where *at)
{
    const bool is_edge = at->kind == AT_EDGE;

    if (at->kind != AT_FACE && !is_edge) return -1;
    if (rg_write_is_periodic(w, at->d) && at->axis[at->d] == NULL) return at->d;
    return is_edge && rg_write_is_periodic(w, at->e) && at->axis[at->e] == NULL ? at->e : -1;
}

/* On the seam of a periodic axis, face n, the mean of what it is at both ends. */
static const char *print_joined(writer *w, const rg_quantity *q, const where *at)
{
    const int d = seam_axis(w, at);
    const char *text[3], *index[3] = {d >= 0 ? at->s.index[d] : "", "0", ""};

    if (d < 0) return rg_print_text(w, q->ast, at);
    index[2] = rg_write_text(w, "%d", rg_write_cells(w, d));
    for (int k = 0; k < 3; k++) {
        where one = *at;
        one.axis[d] = rg_write_edge(w, d, index[k]);
        text[k] = print_joined(w, q, &one);
    }
    if (strcmp(text[1], text[2]) == 0) return text[0];
    if (strcmp(text[0], text[2]) == 0) return rg_write_text(w, "((%s + %s)/2)", text[1], text[2]);
    return rg_write_text(w, "if(%s == %s, (%s + %s)/2, %s)", index[0], index[2], text[1], text[2],
                         text[0]);
}

const char *rg_print_quantity(writer *w, const rg_quantity *q, const where *at)
{
    if (q == NULL) return "0";
    if (q->uses == 0) return rg_write_number(w, q->value);
    return q->uses & RG_USES_SPACE ? print_joined(w, q, at) : rg_print_text(w, q->ast, at);
}

/* ---- definitions ----------------------------------------------------------------------------- */
static void print_function(writer *w, const symbol *sym)
{
    const rg_statement *st = sym->statement;
    const use_set set = uses_of(w, sym);
    const where inside = {.kind = AT_FUNCTION, .fun = sym->kind == SYM_FUN ? st : NULL};
    bool is_first = true;

    if (sym->kind == SYM_LET && !has_extra(w, sym)) {
        fprintf(w->to, "let %s = ", sym->name);
    } else {
        fprintf(w->to, "fun %s(", sym->name);
        for (int k = 0; sym->kind == SYM_FUN && k < st->n_ranges; k++, is_first = false)
            fprintf(w->to, "%s%s", is_first ? "" : ", ", st->ranges[k].name);
        for (int k = 0; k < w->in->n_names; k++) {
            if (!set.on[k]) continue;
            fprintf(w->to, "%s%s", is_first ? "" : ", ", argument_name(w, k));
            is_first = false;
        }
        fputs(") = ", w->to);
    }
    rg_print_ast(w, w->to, st->right, &inside);
    fputs("\n", w->to);
}

/* What only grids know is written out where it is used. */
static bool is_plain(writer *w, const rg_ast *ast)
{
    static const char *const names[] = {"norm", "dot",     "curl",       "grad",
                                        "div",  "lap",     "dispersion", "integral",
                                        "mean", "minimum", "maximum",    "force"};
    const symbol *sym = definition(w, ast);

    if (ast->kind == RG_AST_LIST) return false;
    if (ast->kind == RG_AST_CALL && ast->args[0]->kind != RG_AST_NAME) return false;
    if (ast->kind == RG_AST_NAME || ast->kind == RG_AST_INDEX) {
        const symbol *any = rg_find_symbol(&w->in->c, ast->text);
        if (any != NULL && any->kind == SYM_VECTOR && name_of(w, ast) < 0) return false;
    }
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (rg_form_is_call(ast, names[k], -1)) return false;
    if (ast->kind == RG_AST_CALL) {
        const symbol *any = rg_find_symbol(&w->in->c, ast->args[0]->text);
        if (any != NULL && any->kind != SYM_FUN) return false; /* the value of a field at a point */
    }
    if (sym != NULL && !is_plain(w, sym->statement->right)) return false;
    for (int k = ast->kind == RG_AST_CALL ? 1 : 0; k < ast->n_args; k++)
        if (!is_plain(w, ast->args[k])) return false;
    return true;
}

static void print_parameter(writer *w, const symbol *sym)
{
    const rg_span span = sym->statement->span;
    char number[32];

    if (sym->kind == SYM_PARAM)
        fprintf(w->to, "param %s = %s\n", sym->name, rg_real_text(sym->value, number));
    else
        fprintf(w->to, "param %.*s\n", (int)(span.end - span.start),
                w->form->source->text + span.start);
}

/* Cell values, the last index fastest as in any array. */
static void print_data(writer *w, int leaf)
{
    const rg_field_data *data = &w->form->data[w->form->leaves[leaf].data];
    const rg_grid *g = w->form->grid;
    char number[32];
    bool is_first = true;

    fprintf(w->to, "param %s[%s] = (", w->array[leaf], rg_write_ranges(w, -1, 0, 0));
    for (int i = 0; i < g->axis[0].n; i++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int k = 0; k < g->axis[2].n; k++) {
                const int64_t at = i + (int64_t)g->axis[0].n * (j + (int64_t)g->axis[1].n * k);
                fprintf(w->to, "%s%s", is_first ? "" : ", ",
                        rg_real_digits(data->value[at], number));
                is_first = false;
            }
    fputs(")\n", w->to);
}

void rg_print_definitions(writer *w)
{
    for (int64_t k = 0; k < w->in->c.n_symbols; k++) {
        const symbol *sym = &w->in->c.symbols[k];
        const bool is_definition = sym->kind == SYM_LET || sym->kind == SYM_FUN;
        if (sym->kind == SYM_PARAM || sym->kind == SYM_ARRAY) print_parameter(w, sym);
        if (is_definition && is_plain(w, sym->statement->right)
            && (sym->kind == SYM_FUN || sym->statement->n_ranges == 0))
            print_function(w, sym);
    }
    for (int l = 0; l < w->form->n_leaves; l++)
        if (w->form->leaves[l].data >= 0) print_data(w, l);
}
