/* Sums, products, conjunctions: operands with operators of one level between them. */
#include "model/parser.h"

#include <string.h>

/* Up to this many operands a chain is a left-deep tree, as it stands; longer ones are balanced, so
 * that the height of a tree grows with the logarithm of the length (a generated sum may have a
 * million terms). */
enum { LEFT_DEEP = 16 };

static bool is_inverse(char op)
{
    return op == '-' || op == '/';
}

static char inverse(char op)
{
    switch (op) {
    case '+':
        return '-';
    case '-':
        return '+';
    case '*':
        return '/';
    case '/':
        return '*';
    default:
        return op;
    }
}

/* Operands 0 .. n-1; node[k] (k > 0) is the operator before operand k, with that operand as
 * args[1]. */
typedef struct {
    rg_parser *p;
    rg_ast *first;
    void **node;
} chain;

static rg_ast *node_at(const chain *c, int64_t k)
{
    return c->node[k];
}

/* node = left op right, where inside a group headed by an operand with '-' the signs are turned:
 *     a - b + c - d  =  (a - b) + (c - d)  =  a - (b - c + d) */
static rg_status join(const chain *c, int64_t at, bool is_turned, rg_ast *left, rg_ast *right)
{
    rg_ast *node = node_at(c, at);

    if (is_turned) node->op = inverse(node->op);
    node->args[0] = left;
    node->args[1] = right;
    node->span = (rg_span){left->span.start, right->span.end};
    rg_note_slope(c->p, node);
    return rg_ast_close(c->p, node);
}

/* The tree over operands low .. high-1.  The recursion halves: its depth is the logarithm of
 * their number. */
static rg_status build(const chain *c, int64_t low, int64_t high, bool is_turned, rg_ast **out)
{
    rg_ast *left, *right;

    if (high - low > LEFT_DEEP) {
        const int64_t middle = low + (high - low) / 2;
        const bool turns = is_inverse(node_at(c, middle)->op);
        RG_TRY(build(c, low, middle, is_turned, &left));
        RG_TRY(build(c, middle, high, turns, &right));
        RG_TRY(join(c, middle, is_turned, left, right));
        *out = node_at(c, middle);
        return RG_OK;
    }
    left = low == 0 ? c->first : node_at(c, low)->args[1];
    for (int64_t k = low + 1; k < high; k++) {
        RG_TRY(join(c, k, is_turned, left, node_at(c, k)->args[1]));
        left = node_at(c, k);
    }
    *out = left;
    return RG_OK;
}

/* operator operand, where the operand is args[1] of a new node */
static rg_status parse_link(rg_parser *p, rg_operand_fn *operand, rg_ast **out)
{
    rg_ast *node = rg_ast_create(p, RG_AST_BINARY, 2);

    if (node == NULL) return RG_ERR_MEMORY;
    node->op = p->token.kind;
    node->name_span = p->token.span;
    rg_parser_advance(p);
    *out = node;
    return operand(p, &node->args[1]);
}

static bool is_one_of(char kind, const char *operators)
{
    return kind != RG_TOKEN_EOF && strchr(operators, kind) != NULL;
}

/* chain = operand { operator operand } */
rg_status rg_parse_chain(rg_parser *p, const char *operators, rg_operand_fn *operand, rg_ast **out)
{
    const int64_t base = p->n_stack;
    rg_ast *node;

    RG_TRY(operand(p, out));
    if (!is_one_of(p->token.kind, operators)) return RG_OK;
    RG_TRY(rg_parser_push(p, *out));
    while (is_one_of(p->token.kind, operators)) {
        RG_TRY(parse_link(p, operand, &node));
        RG_TRY(rg_parser_push(p, node));
    }
    const chain c = {p, *out, p->stack + base};
    const int64_t count = p->n_stack - base;
    p->n_stack = base;
    return build(&c, 0, count, false, out);
}
