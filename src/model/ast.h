/* Syntax tree of a model text.  The parser knows the grammar of DESIGN section 1 and nothing of
 * meaning. */
#ifndef RG_MODEL_AST_H
#define RG_MODEL_AST_H

#include "base/base.h"

typedef enum {
    RG_AST_NUMBER, /* value */
    RG_AST_NAME,   /* text */
    RG_AST_INDEX,  /* text[ args ] : a name with subscripts */
    /* args[0] applied to args[1..]: function call, or value at a point: x(0), u[3]'(end);
     * args[0] is NAME, INDEX or PRIME */
    RG_AST_CALL,
    RG_AST_PRIME, /* args[0] with `primes` primes: NAME, INDEX or a parenthesized expression */
    RG_AST_UNARY, /* op '-' or 'n' (not) on args[0] */
    /* op '+','-','*','/','^','<','>','l' (<=),'g' (>=),'=' (==),'!' (!=),'a' (and),'o' (or);
     * ':' the line or plane  x = .5  as the last argument of a reduction over a grid */
    RG_AST_BINARY,
    RG_AST_SUM, /* op 's' sum, 'n' min, 'x' max (ranges, args[0]) */
    RG_AST_LIST /* ( v1, v2, ... ): values of a constant array, or a vector on a grid */
} rg_ast_kind;

typedef struct rg_ast rg_ast;

typedef struct { /* i = low .. high */
    char *name;
    rg_span span; /* of the name */
    rg_ast *low, *high;
} rg_ast_range;

struct rg_ast {
    rg_ast_kind kind;
    char op;
    int primes;
    rg_span span; /* whole expression */
    double value;
    char *text;        /* name */
    rg_span name_span; /* of the name; UNARY, BINARY: of the operator */
    int n_args, n_ranges;
    int height; /* of the tree below, at most RG_MODEL_HEIGHT: recursion over a tree is safe */
    rg_ast **args;
    rg_ast_range *ranges;
};

typedef enum {
    RG_STATEMENT_TITLE, /* text */
    RG_STATEMENT_PARAM, /* name, ranges (array), mark '=' or '~', right (expression or LIST) */
    RG_STATEMENT_LET,   /* name, ranges, right */
    RG_STATEMENT_FUN,   /* name, arguments as ranges with only a name, right */
    RG_STATEMENT_TABLE, /* name, argument as for FUN, right (LIST), or text (file) and table */
    /* name, ranges, primes, mark '=', '~' or 0, right (NULL when mark is 0), atol */
    RG_STATEMENT_VAR,
    RG_STATEMENT_START,    /* left (NAME, INDEX, with primes), mark '=' or '~', right */
    RG_STATEMENT_OVER,     /* name, left = from, right = to */
    RG_STATEMENT_EQUATION, /* left = right */
    RG_STATEMENT_BOUNDARY, /* left = right */
    RG_STATEMENT_EXACT,    /* left (NAME, INDEX, with primes) = right */
    /* left: an expression NAME/INDEX/PRIME (right NULL), or name (or name[indices] as INDEX in
     * left) = right */
    RG_STATEMENT_OUTPUT,
    RG_STATEMENT_SOLVE, /* name, text (value as written, without quotes); value_span */
    RG_STATEMENT_FOR,   /* ranges, body */
    RG_STATEMENT_STATE, /* name, ranges (array), right */
    RG_STATEMENT_WHEN,  /* text (a name) or NULL, right (a condition); body: EQUATION, STOP */
    RG_STATEMENT_EVERY, /* left = distance, right = the first time or NULL; body as in WHEN */
    RG_STATEMENT_STOP,  /* text */
    /* fields on grids */
    RG_STATEMENT_DOMAIN, /* name, left = from, right = to, extra = cells, stretch or NULL;
                            mark 'p': periodic */
    RG_STATEMENT_FIELD,  /* name, mark '=', '~' or 0, right */
    RG_STATEMENT_VECTOR, /* the same; right is a LIST, or any expression with vectors */
    RG_STATEMENT_DATA,   /* name, text (file), value_span */
    RG_STATEMENT_SOLID,  /* name, right (a condition) */
    RG_STATEMENT_WELL,   /* name, left = place (LIST or a number), mark 'r': right = rate,
                            'p': right = pressure, extra[0] = radius; body: WITH statements */
    RG_STATEMENT_WITH,   /* inside a well: name, right */
    /* fields: right; else name (a shape), right (LIST of numbers), text or NULL */
    RG_STATEMENT_DRAW
} rg_statement_kind;

typedef struct { /* of a table: what stands behind its file or list; NULL, 0: left out */
    char *column, *by;
    rg_span column_span, by_span; /* within the quotes */
    const char *kind, *beyond;    /* words of the language */
    char *other;                  /* file in place of the one in the text */
    struct rg_table *made; /* read from a file, for all problems of this text; owned, or ... */
    bool is_borrowed;      /* ... another text's */
} rg_table_words;

typedef struct rg_statement rg_statement;
struct rg_statement { /* one declared item: "param a = 1, b = 2" gives two statements */
    rg_statement_kind kind;
    char mark;
    int primes;
    char *name, *text;
    rg_span span, name_span, value_span;
    int n_ranges;
    rg_ast_range *ranges;
    rg_ast *left, *right, *extra[2];
    rg_ast *atol; /* VAR: atol VALUE, or NULL */
    rg_table_words *table;
    int n_body;
    rg_statement **body; /* FOR, WHEN, EVERY, WELL */
};

typedef struct rg_model rg_model;
struct rg_model {
    rg_source *source;
    int n_statements;
    rg_statement **statements;
    bool has_fields; /* a domain is declared */
    void *arena;     /* everything above but the source lies here */
};

/* Limits, stated in the manual; beyond them an error, never a crash. */
enum {
    RG_MODEL_DEPTH = 200,   /* nesting of expressions and blocks */
    RG_MODEL_ERRORS = 20,   /* errors reported in one run */
    RG_MODEL_PRIMES = 16,   /* primes on one name */
    RG_MODEL_HEIGHT = 1000, /* levels of one syntax tree (longer sums and products are balanced) */
    RG_MODEL_INDICES = 3,   /* indices of an array */
    RG_MODEL_NAME = 200     /* bytes of a name */
};

/* Takes *source (NULL afterwards), also on failure.  On a syntax error goes on with the next
 * statement to report several errors; returns RG_ERR_SYNTAX with all of them recorded. */
rg_status rg_model_parse(rg_context *ctx, rg_source **source, rg_model **out);
void rg_model_destroy(rg_context *ctx, rg_model **model);
/* Another file for a table of the text, before it is compiled. */
rg_status rg_model_set_table(rg_context *ctx, rg_model *model, const char *name, const char *path);

/* Fields of a text on a grid, once its names are declared: src/pdae/form knows them. */
struct rg_compiler;
typedef rg_status rg_fields_fn(struct rg_compiler *c);

/* Model text -> problem; takes *model.  Errors of meaning: unknown names, bounds, wrong use. */
rg_status rg_model_compile(rg_context *ctx, rg_model **model, int n_settings,
                           const rg_setting *settings, rg_problem **out);
/* The same, also for texts with fields. */
rg_status rg_model_compile_with(rg_context *ctx, rg_model **model, int n_settings,
                                const rg_setting *settings, rg_fields_fn *fields, rg_problem **out);
/* The tree that a problem was made from; NULL: it has none. */
const rg_model *rg_model_of(const rg_problem *p);
/* p becomes *fresh, which its model_rebuild has made, and *fresh is gone. */
void rg_model_exchange(rg_problem *p, rg_problem **fresh);

/* Expressions of time and parameters, given apart from the text of p: a problem with unknowns u_k
 * and equations u_k = expression k.  RG_ERR_SYNTAX: the messages speak of a text that the user
 * has not seen. */
rg_status rg_model_expressions(rg_context *ctx, const rg_problem *p, int n,
                               const char *const *texts, rg_problem **out);

#endif
