/* Inside of the parser: one function per grammar rule, one token of lookahead.
 *
 * Every rg_parse_X reads the rule stated above it, from the current token to the one behind it, and
 * returns RG_OK, RG_ERR_SYNTAX (reported; the statement is given up) or RG_ERR_MEMORY.  Nothing is
 * owned below rg_model_parse: the tree lies in the arena. */
#ifndef RG_MODEL_PARSER_H
#define RG_MODEL_PARSER_H

#include "model/arena.h"
#include "model/ast.h"
#include "model/lexer.h"

enum { RG_PARSER_SUSPECTS = 8, RG_QUOTE = 64 };

typedef struct { /* a statement word that is read as a name, before `next` */
    rg_span span;
    const char *word, *form;
    char next;
} rg_suspect_word;

typedef struct {
    rg_context *ctx;
    const rg_source *source;
    rg_arena *arena;
    rg_lexer lexer;           /* stands behind `token`, or behind `pending` where token is an END */
    rg_token token, previous; /* current one, and the one before */
    rg_token pending;         /* the token behind an END */
    int nesting;              /* open ( and [ : line ends do not count inside */
    int depth;                /* of the recursion, at most RG_MODEL_DEPTH */
    int n_errors, n_statements;
    bool in_for, in_boundary;
    bool in_when;        /* inside a when or every block, or its head */
    bool has_fields;     /* the text declares a domain: lists are values, places are points */
    bool has_open_block; /* one was reported */
    bool is_keyword;     /* the current statement starts with its word */
    int32_t list_at;     /* where a '(' may start a list of values, or -1 */
    rg_ast *list;        /* ... and the list that was found there, or NULL */
    const char *form;    /* of the current statement, for remedies */
    rg_token start;      /* first token of the current statement */
    const char *word;    /* a statement word that is read as a name at the start, or NULL */
    rg_token joined;     /* the last ',' '=' or operator at a line end, with the number of ... */
    int since_joined;    /* ... tokens read since then; -1: none in this statement */
    void **stack;        /* pieces of lists whose length is not known yet */
    int64_t n_stack, stack_capacity;
    rg_ast *slopes[RG_PARSER_SUSPECTS]; /* quotients that look like dx/dt */
    rg_suspect_word words[RG_PARSER_SUSPECTS];
    int n_slopes, n_words;
} rg_parser;

/* parse_token.c */
void rg_parser_begin(rg_parser *p);    /* first token */
void rg_parser_advance(rg_parser *p);  /* next token */
rg_token rg_parser_peek(rg_parser *p); /* the token behind the current one (END as in advance) */
bool rg_parser_at(const rg_parser *p, char kind);
bool rg_parser_at_end(
    const rg_parser *p); /* of a statement: END, ';', '}' or the end of the text */
rg_status rg_parser_expect(rg_parser *p, char kind, const char *wanted); /* and go on */
rg_token rg_parser_open(rg_parser *p);                                   /* at ( or [ : go inside */
rg_status rg_parser_close(rg_parser *p, rg_token open);                  /* its ) or ] */
rg_status
rg_parser_end(rg_parser *p); /* the statement must end here; the end stays the current token */
char *rg_parser_text(rg_parser *p, rg_span span); /* copy in the arena, or NULL */
rg_status rg_parser_name(rg_parser *p, const char *wanted, char **name, rg_span *span);
rg_status rg_parser_enter(rg_parser *p); /* one level deeper; p->depth-- leaves it */
rg_span rg_parser_span(const rg_parser *p, int32_t start); /* from start to the previous token */

/* parse_item.c: lists of unknown length, and ranges */
rg_status rg_parser_push(rg_parser *p, void *piece);
/* The pieces from `base` on, as an array in the arena (NULL when there are none); they leave the
 * stack. */
rg_status rg_parser_pop(rg_parser *p, int64_t base, void *array, int *count);
rg_status rg_parse_ranges(rg_parser *p, rg_ast_range **ranges, int *count);
rg_status rg_parse_interval(rg_parser *p, rg_statement *s);
rg_status rg_parse_index_ranges(rg_parser *p, rg_statement *s);
typedef rg_status rg_item_fn(rg_parser *p, rg_statement *item);
rg_status rg_parse_items(rg_parser *p, rg_statement_kind kind, rg_item_fn *parse);

/* ast.c */
rg_ast *rg_ast_create(rg_parser *p, rg_ast_kind kind, int n_args);
rg_status rg_ast_close(rg_parser *p, rg_ast *node); /* height, once its arguments are there */
rg_statement *rg_statement_create(rg_parser *p, rg_statement_kind kind);

/* parse_chain.c */
typedef rg_status rg_operand_fn(rg_parser *p, rg_ast **out);
rg_status rg_parse_chain(rg_parser *p, const char *operators, rg_operand_fn *operand, rg_ast **out);

/* parse_expression.c, parse_postfix.c */
rg_status rg_parse_expression(rg_parser *p, rg_ast **out);
rg_status rg_parse_additive(rg_parser *p, rg_ast **out);
rg_status rg_parse_postfix(rg_parser *p, rg_ast **out);
rg_status rg_parse_reference(rg_parser *p, rg_ast **out);
rg_status rg_parse_primes(rg_parser *p, int *primes);

/* parse.c, parse_statement.c, parse_declare.c, parse_output.c */
rg_status rg_parse_block(rg_parser *p, rg_statement ***statements, int *count);
rg_status rg_parse_statement(rg_parser *p);
const char *rg_statement_word(const rg_parser *p, rg_token token, rg_token next); /* or NULL */
rg_status rg_parse_param(rg_parser *p);
rg_status rg_parse_let(rg_parser *p);
rg_status rg_parse_fun(rg_parser *p);
rg_status rg_parse_head(rg_parser *p, rg_statement *s);
/* '=' expression */
rg_status rg_parse_assigned(rg_parser *p, rg_statement *s, const char *expected);
rg_status rg_parse_value(rg_parser *p, rg_ast **out);
rg_status rg_parse_table(rg_parser *p); /* parse_table.c */
rg_status rg_parse_var(rg_parser *p);
rg_status rg_parse_start(rg_parser *p);
rg_status rg_parse_over(rg_parser *p);
rg_status rg_parse_title(rg_parser *p);
rg_status rg_parse_exact(rg_parser *p);
rg_status rg_parse_output(rg_parser *p);
rg_status rg_parse_solve(rg_parser *p);
rg_status rg_parse_quoted(rg_parser *p, rg_statement *s);
void rg_parse_mark(rg_parser *p, rg_statement *s);

rg_status rg_parse_body(rg_parser *p, rg_statement *s, const char *word);

/* parse_event.c */
rg_status rg_parse_state(rg_parser *p);
rg_status rg_parse_when(rg_parser *p);
rg_status rg_parse_every(rg_parser *p);
rg_status rg_parse_stop(rg_parser *p);

/* parse_field.c */
bool rg_parser_has_fields(const rg_parser *p); /* looks through the whole text */
rg_status rg_parse_domain(rg_parser *p);
rg_status rg_parse_field(rg_parser *p);
rg_status rg_parse_vector(rg_parser *p);
rg_status rg_parse_data(rg_parser *p);
rg_status rg_parse_solid(rg_parser *p);
rg_status rg_parse_well(rg_parser *p);
rg_status rg_parse_draw(rg_parser *p);

/* parse_recover.c: to the end of a statement that was given up */
void rg_parser_recover(rg_parser *p);

/* parse_mistake.c, parse_spelling.c: messages; all return RG_ERR_SYNTAX */
rg_status rg_mistake_unexpected(rg_parser *p, const char *wanted); /* the current token */
rg_status rg_mistake_missing_equals(rg_parser *p, const rg_ast *left);
rg_status rg_mistake_unclosed(rg_parser *p, rg_token open);
rg_status rg_mistake_spelling(rg_parser *p); /* a bad token */
/* parse_foreign.c: the current token belongs to a form of another language; otherwise RG_OK */
rg_status rg_mistake_foreign(rg_parser *p);
const char *rg_quote(const rg_parser *p, rg_span span, char buffer[RG_QUOTE]);

/* parse_suspect.c */
void rg_note_slope(rg_parser *p, rg_ast *quotient);
void rg_note_word(rg_parser *p, rg_token next);
rg_status rg_mistake_suspects(rg_parser *p, int n, rg_statement *const *statements); /* or RG_OK */

#endif
