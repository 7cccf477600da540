/* What a name means where it stands. */
#include "model/compiler.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_DOTTED = 64 }; /* bytes of a name that is looked at */

static bool is_unknown(compiler *c, const char *name)
{
    const symbol *found = rg_find_symbol(c, name);

    return found != NULL
           && (found->kind == SYM_VAR || found->kind == SYM_FIELD || found->kind == SYM_VECTOR);
}

/* x_dot, xdot, dot_x, dx, x_t for an unknown x: the length of x and where it begins, or 0.
 * x_ddot, x_tt: two primes. */
static int find_dotted(compiler *c, const char *text, const char **name, const char **primes)
{
    static const char *const ends[] = {"_ddot", "_dot", "ddot", "dot", "_tt", "_t"};
    static const char *const starts[] = {"dot_", "d_", "d"};
    const int length = (int)strlen(text);
    char word[LONGEST_DOTTED];

    *primes = "'";
    if (length >= LONGEST_DOTTED) return 0;
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        const int n = length - (int)strlen(ends[k]);
        if (n <= 0 || strcmp(text + n, ends[k]) != 0) continue;
        snprintf(word, sizeof word, "%.*s", n, text);
        *name = text;
        if (!is_unknown(c, word)) continue;
        if (k % 2 == 0) *primes = "''";
        return n;
    }
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
        const size_t n = strlen(starts[k]);
        if (strncmp(text, starts[k], n) != 0 || text[n] == '\0') continue;
        *name = text + n;
        if (is_unknown(c, *name)) return length - (int)n;
    }
    return 0;
}

/* What a name that nobody declared may be: on grids there are fields, and no 'var'. */
static rg_node ask_for_declaration(compiler *c, const char *name)
{
    bool is_grid = false;

    for (int64_t k = 0; k < c->n_symbols; k++)
        is_grid = is_grid || c->symbols[k].kind == SYM_AXIS;
    if (is_grid && strcmp(name, "t") == 0)
        return rg_bad_remedy(c, "'over t = 0 .. 1' declares the time of a model with time "
                                "derivatives; without them use a parameter");
    return rg_bad_remedy(c, "declare it: '%s %s' for an unknown, 'param %s = VALUE' for a constant",
                         is_grid ? "field" : "var", name, name);
}

/* For "t" and "time": what the independent variable is called here; NULL: nothing of that kind. */
static const char *other_time(compiler *c, const char *name)
{
    if (strcmp(name, "t") != 0 && strcmp(name, "time") != 0) return NULL;
    for (int64_t k = 0; k < c->n_symbols; k++)
        if (c->symbols[k].kind == SYM_TIME) return c->symbols[k].name;
    return NULL;
}

/* x' = 1 -- a remark */
static bool follows_dashes(compiler *c, rg_span span)
{
    const char *text = c->source->text;
    int32_t at = span.start;

    while (at > 0 && text[at - 1] == ' ')
        at--;
    return at >= 2 && text[at - 1] == '-' && text[at - 2] == '-';
}

static rg_node unknown_name(const scope *s, const rg_ast *ast)
{
    compiler *c = s->b->c;
    const char *near = rg_nearest_name(s, ast->text), *of = NULL, *primes = NULL;
    const int n_dotted = find_dotted(c, ast->text, &of, &primes);
    const char *time = other_time(c, ast->text);

    rg_bad(c, ast->name_span, "'%s' is not declared", ast->text);
    if (n_dotted > 0)
        return rg_bad_remedy(c, "a derivative is written with a prime: %.*s%s", n_dotted, of,
                             primes);
    if (follows_dashes(c, ast->name_span))
        return rg_bad_remedy(c, "a comment starts with '#'; '--' is two minus signs");
    if (time != NULL)
        return rg_bad_remedy(c,
                             "the independent variable is called '%s': write '%s', or 'over %s = "
                             "...'",
                             time, time, ast->text);
    if (strcmp(ast->text, "PI") == 0 || strcmp(ast->text, "Pi") == 0
        || strcmp(ast->text, "M_PI") == 0 || strcmp(ast->text, "π") == 0)
        near = "pi";
    if (near != NULL) return rg_bad_remedy(c, "did you mean '%s'?", near);
    if (rg_is_builtin(ast->text))
        return rg_bad_remedy(c, "'%s' is a function: write %s(...)", ast->text, ast->text);
    if (strcmp(ast->text, "d") == 0)
        return rg_bad_remedy(c, "a derivative is written with a prime, as in x'; for a constant "
                                "declare 'param d = VALUE'");
    if (strcmp(ast->text, "e") == 0) return rg_bad_remedy(c, "for Euler's number write exp(1)");
    return ask_for_declaration(c, ast->text);
}

/* Subscripts -> index nodes; they are made of loop indices and parameters. */
static rg_status subscripts(const scope *s, const rg_ast *ast, int n_dims, rg_node *index)
{
    compiler *c = s->b->c;
    const int given = ast->kind == RG_AST_INDEX ? ast->n_args : 0;
    scope inner = *s;

    if (given != n_dims) {
        if (n_dims == 0)
            rg_bad(c, ast->span, "'%s' is a single value: it has no elements", ast->text);
        else
            rg_bad(c, ast->span, "'%s' has %d ind%s, not %d", ast->text, n_dims,
                   n_dims == 1 ? "ex" : "ices", given);
        rg_bad_remedy(c, n_dims == 0 ? "drop the brackets, or declare an array: var x[i=1..N]"
                                     : "write every index, as in x[i] or c[i,j]");
        return RG_ERR_SYNTAX;
    }
    inner.allowed = IN_INDEX;
    inner.what = "an index";
    for (int k = 0; k < n_dims; k++) {
        index[k] = rg_elaborate(&inner, ast->args[k]);
        if (index[k] < 0) return RG_ERR_SYNTAX;
    }
    return RG_OK;
}

static bool is_word(compiler *c, const rg_ast *ast, const char *word)
{
    return ast->kind == RG_AST_NAME && strcmp(ast->text, word) == 0 && !rg_find_symbol(c, word);
}

/* Number of the point among the problem's points; `start` and `end` are words here, and move
 * with the interval. */
static rg_status point_number(const scope *s, const rg_ast *ast, int *out)
{
    compiler *c = s->b->c;
    rg_problem *p = c->p;
    int *word = is_word(c, ast, "start") ? &p->start_point
                : is_word(c, ast, "end") ? &p->end_point
                                         : NULL;
    double value = word == &p->start_point ? p->a : p->b;

    if (word == NULL) RG_TRY(rg_constant_value(c, ast, s->position, "a point", &value));
    if (!c->lacks_interval && (value < fmin(p->a, p->b) || value > fmax(p->a, p->b))) {
        rg_bad(c, ast->span, "the point %g lies outside %g .. %g", value, p->a, p->b);
        rg_bad_remedy(c, "use a point of the interval given by 'over'");
        return RG_ERR_SYNTAX;
    }
    for (*out = 0; *out < p->n_points && p->points[*out] != value;)
        ++*out;
    const bool is_new = *out == p->n_points;
    if (is_new) {
        RG_TRY(rg_grow(c->ctx, &p->points, p->n_points, &c->point_capacity, sizeof *p->points));
        p->points[p->n_points++] = value;
    }
    const int number = *out + 1;
    p->is_end_mixed |=
        !is_new
        && (word != NULL ? *word != number : number == p->start_point || number == p->end_point);
    if (word != NULL) *word = number;
    return RG_OK;
}

static rg_node unknown_value(const scope *s, symbol *sym, const rg_ast *ast, int primes,
                             const rg_ast *point)
{
    compiler *c = s->b->c;
    rg_node index[RG_MAX_DIMS];
    int at = -1;

    const bool is_state = sym->statement->kind == RG_STATEMENT_STATE;
    if (!(s->allowed & ALLOW_UNKNOWN) && !(is_state && (s->allowed & ALLOW_STATE))) {
        rg_bad(c, ast->span, "'%s' is %s and cannot stand in %s", ast->text,
               is_state ? "a state" : "an unknown", s->what);
        return rg_bad_remedy(c, "use parameters there");
    }
    if ((s->allowed & ALLOW_POINT) && point == NULL && !c->p->families[sym->family].is_constant) {
        rg_bad(c, ast->span, "a boundary condition needs the point at which '%s' is taken",
               ast->text);
        return rg_bad_remedy(c, "write %s(start), %s(end) or %s(VALUE)", ast->text, ast->text,
                             ast->text);
    }
    if (point != NULL && point_number(s, point, &at) != RG_OK) return RG_BAD;
    if (subscripts(s, ast, c->p->families[sym->family].n_dims, index) != RG_OK) return RG_BAD;
    return rg_builder_var(s->b, sym->family, primes, at, index, ast);
}

/* Values of let NAME[...] with these index nodes: its expression, with the indices bound. */
rg_node rg_let_value(const scope *s, symbol *let, const rg_ast *ast)
{
    compiler *c = s->b->c;
    const rg_statement *st = let->statement;
    rg_node index[RG_MAX_DIMS];
    binding bound[RG_MAX_DIMS];

    if (let->is_bad) return RG_BAD;
    if (ast != NULL && subscripts(s, ast, let->n_dims, index) != RG_OK) return RG_BAD;
    const rg_node *known = rg_memo_find(s->b, let, let->n_dims, index);
    if (known != NULL) return *known;
    scope inner = {s->b, NULL, let->position, s->allowed & (unsigned)~IN_INDEX, s->what};
    for (int k = 0; k < let->n_dims; k++) {
        bound[k] = (binding){st->ranges[k].name, s->b, index[k], inner.names};
        inner.names = &bound[k];
    }
    if (++c->definitions > RG_MAX_DEFINITIONS) {
        c->definitions--;
        rg_bad(c, st->span, "definitions are nested more than %d deep", RG_MAX_DEFINITIONS);
        return rg_bad_remedy(c, "make an intermediate value an unknown of its own");
    }
    const rg_node value = rg_elaborate(&inner, st->right);
    c->definitions--;
    if (value == RG_BAD) let->is_bad = true;
    if (value >= 0 && rg_memo_add(s->b, let, let->n_dims, index, value) != RG_OK) return RG_BAD;
    return value;
}

static rg_node let_checked(const scope *s, symbol *let, const rg_ast *ast, int primes)
{
    compiler *c = s->b->c;
    rg_node index[RG_MAX_DIMS];
    double *values;

    if (!let->is_bad && let->n_dims > 0 && subscripts(s, ast, let->n_dims, index) != RG_OK)
        return RG_BAD;
    for (int dim = 0; dim < let->n_dims && !let->is_bad; dim++) { /* inside the declared range? */
        if (rg_builder_values(s->b, index[dim], &values) != RG_OK) return RG_BAD;
        for (int64_t k = 0; k < s->b->body->count; k++) {
            const double i = values[k], low = (double)let->low[dim], n = (double)let->extent[dim];
            if (floor(i) == i && i >= low && i < low + n) continue;
            rg_free(c->ctx, values);
            rg_bad(c, ast->args[dim]->span,
                   "'%s' has no element %g: this index runs from %.0f to %.0f", let->name, i, low,
                   low + n - 1.0);
            return rg_bad_remedy(
                c, "shorten the range, or take the edge apart with if(CONDITION, a, b)");
        }
        rg_free(c->ctx, values);
    }
    rg_node node = rg_let_value(s, let, ast);
    for (int k = 0; k < primes && node >= 0; k++)
        node = rg_graph_total(s->b->graph, node);
    return node;
}

static rg_node no_derivative(const scope *s, const rg_ast *ast)
{
    rg_bad(s->b->c, ast->span, "'%s' is no unknown: it has no derivative", ast->text);
    return rg_bad_remedy(s->b->c, "declare it with 'var', or drop the prime");
}

static rg_node symbol_value(const scope *s, symbol *sym, const rg_ast *ast, int primes,
                            const rg_ast *point)
{
    compiler *c = s->b->c;
    rg_node index[RG_MAX_DIMS];

    switch (sym->kind) {
    case SYM_VAR:
        return unknown_value(s, sym, ast, primes, point);
    case SYM_LET:
        return let_checked(s, sym, ast, primes);
    case SYM_PARAM:
        if (primes > 0) return no_derivative(s, ast);
        if (subscripts(s, ast, 0, index) != RG_OK) return RG_BAD;
        return rg_graph_const(s->b->graph, sym->value);
    case SYM_ARRAY:
        if (primes > 0) return no_derivative(s, ast);
        if (subscripts(s, ast, sym->n_dims, index) != RG_OK) return RG_BAD;
        return rg_builder_array(s->b, sym, index, ast);
    case SYM_TIME:
        if (primes > 0) return no_derivative(s, ast);
        if (subscripts(s, ast, 0, index) != RG_OK) return RG_BAD;
        if (s->allowed & ALLOW_TIME) return rg_graph_time(s->b->graph);
        rg_bad(c, ast->span, "the independent variable '%s' cannot stand in %s", ast->text,
               s->what);
        return rg_bad_remedy(c, "use parameters there");
    default:
        rg_bad(c, ast->span, "'%s' is a function: it needs its arguments", ast->text);
        return rg_bad_remedy(c, "write %s(...)", ast->text);
    }
}

rg_node rg_elaborate_name(const scope *s, const rg_ast *ast, int primes, const rg_ast *point)
{
    compiler *c = s->b->c;
    rg_node index[1];

    for (const binding *k = s->names; k != NULL; k = k->next) {
        if (strcmp(k->name, ast->text) != 0) continue;
        if (subscripts(s, ast, 0, index) != RG_OK) return RG_BAD;
        rg_node node = rg_builder_carry_from(s->b, k->owner, k->node);
        if (node == RG_SPLIT) {
            rg_bad(c, ast->span, "'%s' holds a sum, and is used inside another sum", ast->text);
            return rg_bad_remedy(c, "make that sum an unknown with an equation of its own");
        }
        for (int d = 0; d < primes && node >= 0; d++)
            node = rg_graph_total(s->b->graph, node);
        return node;
    }
    if (primes == 0 && point == NULL && s->b->n_spatial > 0) {
        const rg_node leaf = rg_spatial_find(s, ast);
        if (leaf >= 0) return leaf;
    }
    symbol *sym = rg_find_symbol(c, ast->text);
    if (sym == NULL && strcmp(ast->text, "pi") == 0 && ast->kind == RG_AST_NAME && primes == 0)
        return rg_graph_const(s->b->graph, 3.14159265358979323846);
    if (sym == NULL) return unknown_name(s, ast);
    if (sym->is_bad) return RG_BAD;
    if (sym->kind >= SYM_AXIS) return rg_spatial_refuse(s, sym, ast);
    if (sym->position >= s->position && sym->kind != SYM_VAR && sym->kind != SYM_TIME) {
        rg_bad(c, ast->span, "'%s' is used before its declaration", ast->text);
        return rg_bad_remedy(c, "move its declaration up");
    }
    return symbol_value(s, sym, ast, primes, point);
}
