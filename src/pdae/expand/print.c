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
