/* Expressions of the syntax tree -> nodes of a body's graph.
 * The depth of the recursion is bounded by RG_MAX_NESTING. */
#include "model/compiler.h"

#include <math.h>
#include <string.h>

typedef struct {
    const char *name;
    rg_op op;
    int n_args;
} builtin;

/* Functions that are made of others. */
#define two(op, x, y) rg_graph_binary(g, RG_OP_##op, x, y)
#define RG_DEFINED(name, node)                                                                     \
    if (strcmp(function, name) == 0) return node;
static rg_node make_defined(rg_graph *g, const char *function, rg_node a)
{
    const rg_node zero = rg_graph_const(g, 0), one = rg_graph_const(g, 1);

#include "expr/ops.def"
    return RG_BAD;
}
#undef two

static const builtin builtins[] = {
#define RG_FUNCTION(id, name, arity, kink, value, derivative) {name, RG_OP_##id, arity},
#define RG_DEFINED(name, node)                                {name, RG_OP_COUNT, 1},
#include "expr/ops.def"
};
enum { N_BUILTINS = sizeof builtins / sizeof *builtins };

static const builtin *find_builtin(const char *name)
{
    for (int k = 0; k < N_BUILTINS; k++)
        if (strcmp(builtins[k].name, name) == 0) return &builtins[k];
    return NULL;
}

bool rg_is_builtin(const char *name)
{
    return find_builtin(name) != NULL || strcmp(name, "sum") == 0 || strcmp(name, "pi") == 0;
}

const char *rg_builtin_at(int k)
{
    return k < N_BUILTINS ? builtins[k].name : k == N_BUILTINS ? "sum" : NULL;
}

static rg_node elaborate_unary(const scope *s, const rg_ast *ast)
{
    const rg_node x = rg_elaborate(s, ast->args[0]);

    if (x < 0) return x;
    return rg_graph_unary(s->b->graph, ast->op == 'n' ? RG_OP_NOT : RG_OP_NEG, x);
}

/* Signs as the parser stores them; a > b is b < a. */
static const struct {
    char sign;
    rg_op op;
    bool is_turned;
} binary_signs[] = {
    {'+', RG_OP_ADD, false},
    {'-', RG_OP_SUB, false},
    {'*', RG_OP_MUL, false},
    {'/', RG_OP_DIV, false},
    {'^', RG_OP_POW, false},
    {'<', RG_OP_LT,  false},
    {'>', RG_OP_LT,  true },
    {'l', RG_OP_LE,  false},
    {'g', RG_OP_LE,  true },
    {'=', RG_OP_EQ,  false},
    {'!', RG_OP_NE,  false},
    {'a', RG_OP_AND, false},
    {'o', RG_OP_OR,  false},
};

static rg_node elaborate_binary(const scope *s, const rg_ast *ast)
{
    const rg_node x = rg_elaborate(s, ast->args[0]);
    const rg_node y = x < 0 ? x : rg_elaborate(s, ast->args[1]);
    size_t k = 0;

    if (y < 0) return y;
    while (k + 1 < sizeof binary_signs / sizeof *binary_signs && binary_signs[k].sign != ast->op)
        k++;
    const bool is_turned = binary_signs[k].is_turned;
    return rg_graph_binary(s->b->graph, binary_signs[k].op, is_turned ? y : x, is_turned ? x : y);
}

/* x', u[i]'', (expr)' : names raise their order, anything else is differentiated. */
static rg_node elaborate_prime(const scope *s, const rg_ast *ast)
{
    const rg_ast *inner = ast->args[0];

    if (inner->kind == RG_AST_NAME || inner->kind == RG_AST_INDEX)
        return rg_elaborate_name(s, inner, ast->primes, NULL);
    if (!(s->allowed & ALLOW_TIME) || (s->allowed & ALLOW_POINT)) {
        rg_bad(s->b->c, ast->span, "a derivative cannot stand in %s", s->what);
        return rg_bad_remedy(s->b->c, "write the derivative out");
    }
    rg_node node = rg_elaborate(s, inner);
    const rg_table *rough = node < 0 ? NULL : rg_table_rough(s->b->graph, node, ast->primes);
    if (rough != NULL) {
        rg_bad(s->b->c, ast->span, "the table '%s' is %s and has no derivative of order %d",
               rough->name, rg_table_kind_word(rough->kind), ast->primes);
        return rg_bad_remedy(s->b->c, "write %s behind the table",
                             rg_table_kinds_with(ast->primes));
    }
    for (int k = 0; k < ast->primes && node >= 0; k++)
        node = rg_graph_total(s->b->graph, node);
    return node;
}

static rg_node elaborate_kind(const scope *s, const rg_ast *ast)
{
    rg_node node;

    switch (ast->kind) {
    case RG_AST_NUMBER:
        node = rg_graph_const(s->b->graph, ast->value);
        break;
    case RG_AST_NAME:
    case RG_AST_INDEX:
        node = rg_elaborate_name(s, ast, 0, NULL);
        break;
    case RG_AST_CALL:
        node = rg_elaborate_call(s, ast);
        break;
    case RG_AST_PRIME:
        node = elaborate_prime(s, ast);
        break;
    case RG_AST_UNARY:
        node = elaborate_unary(s, ast);
        break;
    case RG_AST_BINARY:
        node = elaborate_binary(s, ast);
        break;
    case RG_AST_SUM:
        node = ast->op == 's' ? rg_elaborate_sum(s, ast) : rg_elaborate_extremum(s, ast);
        break;
    default:
        rg_bad(s->b->c, ast->span, "a list of values cannot stand here");
        return rg_bad_remedy(s->b->c, "lists are for constant arrays: param A[i=1..3] = (1, 2, 3)");
    }
    if (node < 0 && node != RG_SPLIT && rg_graph_status(s->b->graph) != RG_OK
        && s->b->c->n_errors == 0)
        s->b->c->n_errors = 1; /* memory or size limit: told by the graph */
    return node;
}

rg_node rg_elaborate(const scope *s, const rg_ast *ast)
{
    compiler *c = s->b->c;

    if (c->nesting >= RG_MAX_NESTING) {
        rg_bad(c, ast->span, "expressions are nested more than %d deep through let and fun",
               RG_MAX_NESTING);
        return rg_bad_remedy(c, "make an intermediate value an unknown of its own");
    }
    c->nesting++;
    const rg_node node = elaborate_kind(s, ast);
    c->nesting--;
    return node;
}

/* A condition of indices and parameters alone is decided now; if it differs inside the space, the
 * space is split and the body built anew for each half. */
static rg_node decide(const scope *s, const rg_ast *ast, rg_node condition)
{
    double *values;
    bool all_true = true, all_false = true;

    if (rg_builder_values(s->b, condition, &values) != RG_OK) return RG_BAD;
    for (int64_t k = 0; k < s->b->body->count; k++) {
        all_true = all_true && values[k] != 0.0;
        all_false = all_false && values[k] == 0.0;
    }
    rg_free(s->b->c->ctx, values);
    if (all_true) return rg_elaborate(s, ast->args[2]);
    if (all_false) return rg_elaborate(s, ast->args[3]);
    s->b->split = condition;
    return RG_SPLIT;
}

static rg_node elaborate_if(const scope *s, const rg_ast *ast)
{
    rg_graph *g = s->b->graph;
    const rg_node condition = rg_elaborate(s, ast->args[1]);

    if (condition < 0) return condition;
    const unsigned depends = rg_graph_at(g, condition)->depends;
    const bool moves = (depends & (RG_DEP_VAR | RG_DEP_TIME | RG_DEP_SUM)) != 0;
    if (!moves && (!(s->allowed & IN_INDEX) || rg_graph_at(g, condition)->op == RG_OP_CONST))
        return decide(s, ast, condition);
    const rg_node x = rg_elaborate(s, ast->args[2]);
    const rg_node y = x < 0 ? x : rg_elaborate(s, ast->args[3]);
    return y < 0 ? y : rg_graph_if(g, condition, x, y);
}

static rg_node elaborate_builtin(const scope *s, const builtin *f, const rg_ast *ast)
{
    rg_graph *g = s->b->graph;
    const int given = ast->n_args - 1;

    if (given != f->n_args) {
        rg_bad(s->b->c, ast->span, "'%s' takes %d argument%s, not %d", f->name, f->n_args,
               f->n_args == 1 ? "" : "s", given);
        const bool is_extreme = f->op == RG_OP_MIN || f->op == RG_OP_MAX;
        if (is_extreme && given > 2)
            return rg_bad_remedy(s->b->c,
                                 "write %s(a, %s(b, c)) for three, %s(i=1..N, x[i]) for "
                                 "those of an array",
                                 f->name, f->name, f->name);
        return rg_bad_remedy(s->b->c, f->op == RG_OP_IF ? "write if(CONDITION, a, b)"
                                                        : "check the commas and brackets");
    }
    if (f->op == RG_OP_IF) return elaborate_if(s, ast);
    const rg_node x = rg_elaborate(s, ast->args[1]);
    if (x >= 0 && f->op == RG_OP_COUNT) return make_defined(g, f->name, x);
    if (x < 0 || f->n_args == 1) return x < 0 ? x : rg_graph_unary(g, f->op, x);
    const rg_node y = rg_elaborate(s, ast->args[2]);
    return y < 0 ? y : rg_graph_binary(g, f->op, x, y);
}

/* Is it an unknown, possibly with subscripts and primes?  Then the call is a value at a point. */
static bool names_unknown(const scope *s, const rg_ast *callee)
{
    while (callee->kind == RG_AST_PRIME)
        callee = callee->args[0];
    if (callee->text == NULL) return false;
    const symbol *sym = rg_find_symbol(s->b->c, callee->text);
    return sym != NULL && sym->kind == SYM_VAR;
}

/* Is it the independent variable? */
static bool is_time(compiler *c, const rg_ast *ast)
{
    const symbol *sym = ast->kind == RG_AST_NAME ? rg_find_symbol(c, ast->text) : NULL;

    return sym != NULL && sym->kind == SYM_TIME;
}

/* x(i), a(i, j) for elements of an array: the indices as they stand. */
static rg_node refuse_round_brackets(const scope *s, const rg_ast *callee, const rg_ast *ast)
{
    compiler *c = s->b->c;
    const rg_span span = {ast->args[1]->span.start, ast->args[ast->n_args - 1]->span.end};

    rg_bad(c, ast->span, "'%s' is an array, not a function", callee->text);
    if (span.end - span.start > 60)
        return rg_bad_remedy(c, "indices stand in square brackets: %s[i]", callee->text);
    return rg_bad_remedy(c, "indices stand in square brackets: %s[%.*s]", callee->text,
                         (int)(span.end - span.start), c->source->text + span.start);
}

/* Is it an array without its indices, called with so many? */
static bool has_indices_of(compiler *c, const rg_ast *callee, const rg_ast *ast)
{
    const symbol *sym = callee->kind == RG_AST_NAME ? rg_find_symbol(c, callee->text) : NULL;

    return sym != NULL && sym->n_dims > 0 && sym->n_dims == ast->n_args - 1
           && (sym->kind == SYM_VAR || sym->kind == SYM_ARRAY || sym->kind == SYM_LET);
}

static rg_node value_at_point(const scope *s, const rg_ast *ast)
{
    const rg_ast *callee = ast->args[0];
    const int primes = callee->kind == RG_AST_PRIME ? callee->primes : 0;
    const rg_ast *name = callee->kind == RG_AST_PRIME ? callee->args[0] : callee;

    if (!(s->allowed & ALLOW_POINT) && has_indices_of(s->b->c, callee, ast))
        return refuse_round_brackets(s, callee, ast);
    if (!(s->allowed & ALLOW_POINT)) {
        rg_bad(s->b->c, ast->span,
               "'%s' is an unknown, not a function: values at a point belong in "
               "'boundary' lines",
               name->text);
        if (ast->n_args == 2 && is_time(s->b->c, ast->args[1]))
            return rg_bad_remedy(s->b->c, "write %s%.*s: unknowns depend on %s by themselves",
                                 name->text, primes, "''''''''", ast->args[1]->text);
        return rg_bad_remedy(s->b->c,
                             "for a product write '%s*(...)'; a start value is: var %s%.*s = VALUE",
                             name->text, name->text, primes, "''''''''");
    }
    if (ast->n_args != 2) {
        rg_bad(s->b->c, ast->span, "'%s' is taken at one point, not %d", name->text,
               ast->n_args - 1);
        return rg_bad_remedy(s->b->c, "write for example %s(start) = 1", name->text);
    }
    return rg_elaborate_name(s, name, primes, ast->args[1]);
}

rg_node rg_elaborate_call(const scope *s, const rg_ast *ast)
{
    const rg_ast *callee = ast->args[0];
    compiler *c = s->b->c;

    if (names_unknown(s, callee)) return value_at_point(s, ast);
    if (callee->kind == RG_AST_NAME) {
        const builtin *f = find_builtin(callee->text);
        symbol *sym = rg_find_symbol(c, callee->text);
        if (f != NULL) return elaborate_builtin(s, f, ast);
        if (sym != NULL && sym->kind == SYM_FUN) return rg_elaborate_user(s, sym, ast);
        if (sym != NULL && sym->kind == SYM_TABLE) return rg_elaborate_table(s, sym, ast);
        if (sym == NULL) return rg_unknown_function(s, ast);
    }
    if (has_indices_of(c, callee, ast)) return refuse_round_brackets(s, callee, ast);
    rg_bad(c, callee->span, "%s%s%s cannot be called like a function",
           callee->text != NULL ? "'" : "this", callee->text != NULL ? callee->text : "",
           callee->text != NULL ? "'" : "");
    return rg_bad_remedy(c, "for a product write a '*' before the bracket");
}
