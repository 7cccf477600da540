/* A syntax tree as model text with all brackets written out: parsing it again gives the same tree.
 * */
#ifndef RG_TESTS_SUPPORT_PRINT_MODEL_H
#define RG_TESTS_SUPPORT_PRINT_MODEL_H

#include "model/ast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void print_ast(FILE *to, const rg_ast *node);

static inline void print_list(FILE *to, int n, rg_ast *const *list)
{
    for (int k = 0; k < n; k++) {
        if (k > 0) fputs(", ", to);
        print_ast(to, list[k]);
    }
}

static inline void print_ranges(FILE *to, int n, const rg_ast_range *ranges)
{
    for (int k = 0; k < n; k++) {
        fprintf(to, "%s%s", k > 0 ? ", " : "", ranges[k].name);
        if (ranges[k].low == NULL) continue;
        fputs(" = ", to);
        print_ast(to, ranges[k].low);
        fputs(" .. ", to);
        print_ast(to, ranges[k].high);
    }
}

static inline const char *operator_text(char op)
{
    static const char *const texts[] = {"l<=", "g>=", "===", "!!=", "aand", "oor", "nnot "};
    static const char single[] = "+\0-\0*\0/\0^\0<\0>";

    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        if (texts[k][0] == op) return texts[k] + 1;
    }
    for (size_t k = 0; k < sizeof single; k += 2) {
        if (single[k] == op) return single + k;
    }
    return "??";
}

static inline void print_primed(FILE *to, const rg_ast *node)
{
    const rg_ast *inner = node->args[0];
    const bool is_plain = inner->kind == RG_AST_NAME || inner->kind == RG_AST_INDEX
                          || inner->kind == RG_AST_BINARY || inner->kind == RG_AST_UNARY;

    if (!is_plain) fputc('(', to);
    print_ast(to, inner);
    if (!is_plain) fputc(')', to);
    for (int k = 0; k < node->primes; k++)
        fputc('\'', to);
}

static inline void print_operator(FILE *to, const rg_ast *node)
{
    if (node->op == ':') { /* no value of its own: without brackets */
        fprintf(to, "%s = ", node->args[0]->text);
        print_ast(to, node->args[1]);
        return;
    }
    fputc('(', to);
    if (node->kind == RG_AST_BINARY) {
        print_ast(to, node->args[0]);
        fprintf(to, " %s ", operator_text(node->op));
    } else {
        fputs(operator_text(node->op), to);
    }
    print_ast(to, node->args[node->n_args - 1]);
    fputc(')', to);
}

static inline void print_ast(FILE *to, const rg_ast *node)
{
    switch (node->kind) {
    case RG_AST_NUMBER:
        fprintf(to, "%.17g", node->value);
        break;
    case RG_AST_NAME:
        fputs(node->text, to);
        break;
    case RG_AST_INDEX:
        fprintf(to, "%s[", node->text);
        print_list(to, node->n_args, node->args);
        fputc(']', to);
        break;
    case RG_AST_CALL:
        print_ast(to, node->args[0]);
        fputc('(', to);
        print_list(to, node->n_args - 1, node->args + 1);
        fputc(')', to);
        break;
    case RG_AST_PRIME:
        print_primed(to, node);
        break;
    case RG_AST_UNARY:
    case RG_AST_BINARY:
        print_operator(to, node);
        break;
    case RG_AST_SUM:
        fputs(node->op == 's' ? "sum(" : node->op == 'n' ? "min(" : "max(", to);
        print_ranges(to, node->n_ranges, node->ranges);
        fputs(", ", to);
        print_ast(to, node->args[0]);
        fputc(')', to);
        break;
    case RG_AST_LIST:
        fputc('(', to);
        print_list(to, node->n_args, node->args);
        fputc(')', to);
        break;
    }
}

/* NAME [ranges] primes mark value */
static inline void print_declared(FILE *to, const char *word, const rg_statement *s)
{
    const bool is_fun = s->kind == RG_STATEMENT_FUN;

    fprintf(to, "%s %s", word, s->name);
    if (s->n_ranges > 0 || is_fun) {
        fputc(is_fun ? '(' : '[', to);
        print_ranges(to, s->n_ranges, s->ranges);
        fputc(is_fun ? ')' : ']', to);
    }
    for (int k = 0; k < s->primes; k++)
        fputc('\'', to);
    if (s->right == NULL) return;
    fprintf(to, " %c ", s->mark);
    print_ast(to, s->right);
}

/* Without brackets at its left edge: behind a statement word a '(' would make the word a name.  The
 * same tree comes back as long as no chain on that edge is long enough to be balanced. */
static inline void print_left_edge(FILE *to, const rg_ast *node)
{
    if (node->kind != RG_AST_BINARY) {
        print_ast(to, node);
        return;
    }
    print_left_edge(to, node->args[0]);
    fprintf(to, " %s ", operator_text(node->op));
    print_ast(to, node->args[1]);
}

static inline void print_sides(FILE *to, const char *word, const rg_statement *s)
{
    fputs(word, to);
    if (s->kind == RG_STATEMENT_BOUNDARY) {
        print_left_edge(to, s->left);
    } else {
        print_ast(to, s->left);
    }
    if (s->right == NULL) return;
    fprintf(to, " %c ", s->kind == RG_STATEMENT_START ? s->mark : '=');
    print_ast(to, s->right);
}

/* domain, data, well: the words between the values. */
static inline void print_on_grid(FILE *to, const rg_statement *s)
{
    fprintf(to, "%s %s",
            s->kind == RG_STATEMENT_DOMAIN ? "domain"
            : s->kind == RG_STATEMENT_DATA ? "data"
                                           : "well",
            s->name);
    if (s->kind == RG_STATEMENT_DATA) {
        fprintf(to, " = \"%s\"", s->text);
        return;
    }
    fputs(s->kind == RG_STATEMENT_DOMAIN ? " = " : " at ", to);
    print_ast(to, s->left);
    fputs(s->kind == RG_STATEMENT_DOMAIN ? " .. " : s->mark == 'r' ? " rate " : " pressure ", to);
    print_ast(to, s->right);
    if (s->extra[0] != NULL) {
        fputs(s->kind == RG_STATEMENT_DOMAIN ? " cells " : " radius ", to);
        print_ast(to, s->extra[0]);
    }
    if (s->kind == RG_STATEMENT_DOMAIN && s->mark == 'p') fputs(" periodic", to);
    if (s->extra[1] != NULL) {
        fputs(" stretch ", to);
        print_ast(to, s->extra[1]);
    }
    for (int k = 0; k < s->n_body; k++) {
        fprintf(to, "%s %s = ", k == 0 ? " with" : ",", s->body[k]->name);
        print_ast(to, s->body[k]->right);
    }
}

static inline void print_table(FILE *to, const rg_statement *s)
{
    const rg_table_words *w = s->table;

    fprintf(to, "table %s(", s->name);
    for (int k = 0; k < s->n_ranges; k++)
        fprintf(to, "%s%s", k > 0 ? ", " : "", s->ranges[k].name);
    fputs(") = ", to);
    if (s->right != NULL)
        print_ast(to, s->right);
    else
        fprintf(to, "file \"%s\"", s->text);
    if (w->column != NULL) fprintf(to, " column \"%s\"", w->column);
    if (w->by != NULL) fprintf(to, " by \"%s\"", w->by);
    fprintf(to, " %s %s", w->kind != NULL ? w->kind : "", w->beyond != NULL ? w->beyond : "");
}

static inline void print_statement(FILE *to, const rg_statement *s);

static inline void print_event(FILE *to, const rg_statement *s)
{
    fputs(s->kind == RG_STATEMENT_WHEN ? "when " : "every ", to);
    if (s->text != NULL) fprintf(to, "\"%s\" ", s->text);
    print_left_edge(to, s->kind == RG_STATEMENT_WHEN ? s->right : s->left);
    if (s->kind == RG_STATEMENT_EVERY && s->right != NULL) {
        fputs(" from ", to);
        print_ast(to, s->right);
    }
    fputs(" {\n", to);
    for (int k = 0; k < s->n_body; k++) {
        print_statement(to, s->body[k]);
        fputs("\n", to);
    }
    fputs("}", to);
}

/* The word in front of what is declared; NULL: it declares nothing. */
static inline const char *word_of_declared(rg_statement_kind kind)
{
    switch (kind) {
    case RG_STATEMENT_PARAM:
        return "param";
    case RG_STATEMENT_LET:
        return "let";
    case RG_STATEMENT_FUN:
        return "fun";
    case RG_STATEMENT_VAR:
        return "var";
    case RG_STATEMENT_FIELD:
        return "field";
    case RG_STATEMENT_VECTOR:
        return "vector";
    case RG_STATEMENT_SOLID:
    case RG_STATEMENT_WITH:
        return "solid";
    case RG_STATEMENT_STATE:
        return "state";
    default:
        return NULL;
    }
}

/* The word in front of two sides; NULL: it has none. */
static inline const char *word_of_sides(rg_statement_kind kind)
{
    switch (kind) {
    case RG_STATEMENT_START:
        return "start ";
    case RG_STATEMENT_EQUATION:
        return "";
    case RG_STATEMENT_BOUNDARY:
        return "boundary ";
    case RG_STATEMENT_EXACT:
        return "exact ";
    case RG_STATEMENT_OUTPUT:
        return "output ";
    default:
        return NULL;
    }
}

static inline void print_loop(FILE *to, const rg_statement *s)
{
    fputs("for ", to);
    print_ranges(to, s->n_ranges, s->ranges);
    fputs(" {\n", to);
    for (int k = 0; k < s->n_body; k++)
        print_statement(to, s->body[k]);
    fputc('}', to);
}

static inline void print_statement(FILE *to, const rg_statement *s)
{
    const char *declared = word_of_declared(s->kind), *sides = word_of_sides(s->kind);

    if (declared != NULL) print_declared(to, declared, s);
    if (sides != NULL) print_sides(to, sides, s);
    switch (s->kind) {
    case RG_STATEMENT_TITLE:
        fprintf(to, "title \"%s\"", s->text);
        break;
    case RG_STATEMENT_TABLE:
        print_table(to, s);
        break;
    case RG_STATEMENT_OVER:
        fprintf(to, "over %s = ", s->name);
        print_ast(to, s->left);
        fputs(" .. ", to);
        print_ast(to, s->right);
        break;
    case RG_STATEMENT_SOLVE:
        fprintf(to, "solve %s = \"%s\"", s->name, s->text);
        break;
    case RG_STATEMENT_DOMAIN:
    case RG_STATEMENT_DATA:
    case RG_STATEMENT_WELL:
        print_on_grid(to, s);
        break;
    case RG_STATEMENT_DRAW:
        fputs("draw ", to);
        print_left_edge(to, s->right);
        break;
    case RG_STATEMENT_WHEN:
    case RG_STATEMENT_EVERY:
        print_event(to, s);
        break;
    case RG_STATEMENT_STOP:
        fprintf(to, "stop \"%s\"", s->text);
        break;
    case RG_STATEMENT_FOR:
        print_loop(to, s);
        break;
    default:
        break;
    }
    fputc('\n', to);
}

/* The caller frees it. */
static inline char *print_model(const rg_model *model)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);

    if (to == NULL) return NULL;
    for (int k = 0; k < model->n_statements; k++)
        print_statement(to, model->statements[k]);
    return fclose(to) == 0 ? text : NULL;
}

#endif
