/* Model text -> problem: what the files of the compiler share.
 *
 * Statements become bodies: one expression graph over an iteration space.  A space is a list of
 * loop index values per iteration; a body built on it is valid for every iteration of the space.  A
 * condition that depends on loop indices alone and differs inside the space splits the space, and
 * each half gets a body of its own, so that the branch not taken is never looked at. */
#ifndef RG_MODEL_COMPILER_H
#define RG_MODEL_COMPILER_H

#include "expr/table.h"
#include "expr/tape.h"
#include "model/ast.h"
#include "problem/problem.h"

enum {
    RG_BAD = -1,   /* a node that could not be made; the error is recorded */
    RG_SPLIT = -2, /* the space must be split on builder.split first */
    RG_MAX_ARGUMENTS = 16,
    RG_MAX_LOOPS = 12,
    RG_MAX_DEFINITIONS = 1000, /* nesting of let and fun inside each other */
    RG_MAX_NESTING =
        2500 /* levels of expressions, through let and fun: the recursion of rg_elaborate */
};

typedef enum {
    SYM_PARAM,
    SYM_ARRAY,
    SYM_LET,
    SYM_FUN,
    SYM_TABLE,
    SYM_VAR,
    SYM_TIME,
    SYM_AXIS, /* these on grids */
    SYM_FIELD,
    SYM_VECTOR,
    SYM_DATA,
    SYM_SOLID,
    SYM_WELL
} symbol_kind;

typedef struct {
    const char *name;
    symbol_kind kind;
    const rg_statement *statement;
    int position;   /* order of declaration: param, fun and let see earlier ones only */
    bool is_bad;    /* its error is already told */
    double value;   /* param */
    double *values; /* array */
    int n_dims;
    int64_t low[RG_MAX_DIMS], extent[RG_MAX_DIMS];
    int32_t family;
    const rg_table *table; /* table */
} symbol;

typedef struct rg_compiler {
    rg_context *ctx;
    const rg_model *model;
    const rg_source *source;
    rg_problem *p;
    int n_settings;
    const rg_setting *settings;
    symbol *symbols;
    int64_t n_symbols, symbol_capacity;
    int32_t *table; /* name hash -> symbol, -1 empty */
    int64_t table_size;
    int n_errors;
    bool lacks_equations; /* there were errors in them */
    bool lacks_interval;  /* there was an error in `over`, or none is there */
    int definitions;      /* nesting of let and fun now */
    int nesting;          /* levels of expressions now */
    int64_t block_capacity, output_capacity, exact_capacity, condition_capacity, point_capacity,
        guess_capacity, drawn_capacity, shape_capacity, event_capacity;
} compiler;

typedef struct { /* what a problem keeps to be built again */
    rg_model *tree;
    rg_fields_fn *fields; /* for texts with fields */
    int n_settings;
    rg_setting *settings; /* names owned */
    bool borrows_tree;    /* from the problem that this one was built from */
} kept_model;

/* ---- spaces ---------------------------------------------------------------------------------- */
typedef struct {
    int64_t count;
    int n_loops;
    double *value[RG_MAX_LOOPS]; /* [loop][iteration] */
    int32_t *parent;             /* iteration of the space this one was extended from, or NULL */
} space;

void rg_clear_space(rg_context *ctx, space *s);
/* Every iteration k of s becomes low[k] .. high[k] of a new last loop. */
rg_status rg_extend_space(rg_context *ctx, const space *s, const double *low, const double *high,
                          space *out);
/* The iterations with keep[k] == wanted. */
rg_status rg_fail_loading(rg_context *ctx); /* interrupted */
rg_status rg_filter_space(rg_context *ctx, const space *s, const double *keep, bool wanted,
                          space *out);

/* ---- bodies under construction --------------------------------------------------------------- */
typedef struct {
    int32_t family, point;
    rg_node index[RG_MAX_DIMS];
    int32_t slot; /* -1: empty */
} slot_entry;

typedef struct {
    const symbol *what; /* NULL: empty */
    int n;
    rg_node argument[RG_MAX_ARGUMENTS];
    rg_node value;
} memo_entry;

typedef struct { /* a name of a grid that stands for an array: axis, field, component u[x], data */
    const char *name;
    int32_t slot; /* of its VAR leaf */
} spatial_name;

typedef struct builder builder;
struct builder {
    compiler *c;
    int n_spatial; /* names that may stand in this body */
    const spatial_name *spatial;
    builder *parent; /* sums: the body around */
    rg_body *body;
    rg_graph *graph; /* of the body */
    int64_t slot_capacity, data_capacity, sum_capacity;
    slot_entry *slots; /* hash table */
    int64_t slots_size, slots_used;
    memo_entry *memo; /* hash table */
    int64_t memo_size, memo_used;
    rg_node split;    /* the condition that differs inside the space */
    int32_t *carried; /* node of the parent's graph -> node here, -1 unknown */
    int32_t carried_size;
};

/* Takes the loop values of s. */
rg_status rg_builder_init(builder *b, compiler *c, builder *parent, space *s);
void rg_builder_clear(builder *b); /* destroys an untaken body */
rg_body *rg_builder_take(builder *b);
/* Values of an expression of loop indices and parameters, one per iteration (caller frees). */
rg_status rg_builder_values(builder *b, rg_node node, double **out);
rg_node rg_builder_var(builder *b, int32_t family, int order, int point, const rg_node *index,
                       const rg_ast *where);
rg_node rg_builder_array(builder *b, const symbol *array, const rg_node *index,
                         const rg_ast *where);
rg_node rg_builder_data(builder *b, double *values); /* a number per iteration; takes values */
/* A node of the body around, here. */
rg_node rg_builder_carry(builder *b, rg_node node);
/* Same, through all bodies between `owner` and b. */
rg_node rg_builder_carry_from(builder *b, builder *owner, rg_node node);
const rg_node *rg_memo_find(const builder *b, const symbol *what, int n, const rg_node *argument);
rg_status rg_memo_add(builder *b, const symbol *what, int n, const rg_node *argument,
                      rg_node value);
/* Shortest map that says the same as the numbers; takes nothing. */
rg_status rg_make_map(rg_context *ctx, int64_t count, const double *numbers, rg_map *out);

/* ---- expressions ----------------------------------------------------------------------------- */
typedef enum {
    ALLOW_UNKNOWN = 1, /* x, x' */
    ALLOW_TIME = 2,
    ALLOW_POINT = 4, /* x(0): boundary conditions */
    IN_INDEX = 8,    /* conditions become numbers, not splits */
    ALLOW_STATE = 16 /* names declared by `state` */
} allow;

typedef struct binding binding;
struct binding { /* a name that stands for a node: loop index or argument */
    const char *name;
    builder *owner;
    rg_node node;
    const binding *next;
};

typedef struct {
    builder *b;
    const binding *names;
    int position; /* declarations from here on are not visible to param, let and fun */
    unsigned allowed;
    const char *what; /* "a parameter", "an index", ...: for messages */
} scope;

rg_node rg_elaborate(const scope *s, const rg_ast *ast);
rg_node rg_elaborate_name(const scope *s, const rg_ast *ast, int primes, const rg_ast *point);
rg_node rg_elaborate_call(const scope *s, const rg_ast *ast);
rg_node rg_elaborate_sum(const scope *s, const rg_ast *ast);
rg_node rg_elaborate_extremum(const scope *s, const rg_ast *ast); /* min or max over ranges */
rg_node rg_elaborate_user(const scope *s, symbol *function, const rg_ast *ast);
rg_node rg_let_value(const scope *s, symbol *let, const rg_ast *ast);
/* Low and high of a range, per iteration of the body's space; whole numbers. */
rg_status rg_range_values(const scope *s, const rg_ast_range *range, double **low, double **high);

/* ---- expressions of space -------------------------------------------------------------------- */
/* An expression of axes, fields and time as a tape; inputs are VAR leaves with the slots of the
 * names.  Only the independent variable, parameters, let, fun and these names may stand in it. */
typedef struct {
    rg_tape *tape; /* the caller's */
    /* Of time and space: a_k(t) and F_k (expr/separate.h), if it is a sum of their products; NULL:
     * it is none.  The caller's. */
    rg_tape *of_time, *of_space;
    bool uses_time, is_constant;
    double value; /* of a constant */
} spatial_tape;
rg_status rg_spatial_compile(compiler *c, const rg_ast *ast, int n_names, const spatial_name *names,
                             const char *what, spatial_tape *out);
void rg_spatial_clear(spatial_tape *s);
/* The leaf of a name, if it is one of the body's; otherwise RG_BAD without a message. */
rg_node rg_spatial_find(const scope *s, const rg_ast *ast);
/* ... with the message that it cannot stand here. */
rg_node rg_spatial_refuse(const scope *s, const symbol *sym, const rg_ast *ast);
void rg_compiler_clear(compiler *c);

/* ---- names ----------------------------------------------------------------------------------- */
symbol *rg_find_symbol(compiler *c, const char *name);
rg_status rg_add_symbol(compiler *c, const rg_statement *st, symbol_kind kind, symbol **out);
bool rg_is_builtin(const char *name);
/* The name of the k-th function; NULL behind the last. */
const char *rg_builtin_at(int k);
/* Says that there is no such function, and what to write; other_names.c. */
rg_node rg_unknown_function(const scope *s, const rg_ast *ast);
const char *rg_nearest_name(const scope *s, const char *name);
rg_status rg_check_loop_name(compiler *c, const rg_ast_range *range, const binding *names);

/* ---- errors: recorded, counted, RG_BAD ------------------------------------------------------- */
rg_node rg_bad(compiler *c, rg_span span, const char *format, ...) RG_PRINTF(3, 4);
rg_node rg_bad_remedy(compiler *c, const char *format, ...) RG_PRINTF(2, 3);

/* ---- statements ------------------------------------------------------------------------------ */
/* p->parameters. */
rg_status rg_keep_parameters(compiler *c);
rg_status rg_declare_all(compiler *c);
/* A number that uses parameters only. */
rg_status rg_constant_value(compiler *c, const rg_ast *ast, int position, const char *what,
                            double *out);
/* Bounds of a declared array, its size, and what to say when that is too much. */
rg_status rg_declare_ranges(compiler *c, symbol *sym);
double rg_array_size(const symbol *sym);
rg_status rg_too_large(compiler *c, const rg_statement *st, double size);
rg_status rg_declare_array(compiler *c, symbol *array);
/* tables.c */
rg_status rg_declare_table(compiler *c, symbol *sym);
/* table_file.c: nodes of a file in spec; *numbers is the caller's */
rg_status rg_table_from_file(compiler *c, const rg_statement *st, rg_table_spec *spec,
                             double **numbers);
rg_node rg_elaborate_table(const scope *s, const symbol *sym, const rg_ast *ast);
rg_status rg_start_values(compiler *c);
rg_status rg_compile_equations(compiler *c);
rg_status rg_compile_conditions(compiler *c);
rg_status rg_compile_exact(compiler *c);
rg_status rg_compile_outputs(compiler *c);
/* distinct.c: refuses outputs, or exact solutions, of the same name */
rg_status rg_check_distinct(compiler *c, int64_t n, const rg_value *values, bool is_exact);
/* drawing.c: what the model draws */
rg_status rg_compile_drawings(compiler *c);
/* values.c: the one value of a body */
rg_status rg_set_output(compiler *c, builder *b, rg_node node);
rg_status rg_compile_settings(compiler *c);
rg_status rg_compile_events(compiler *c);
/* What is wrong with a model that has events, in `where`; nothing for one without. */
rg_status rg_refuse_events(compiler *c, const char *where);

/* Where bodies are built: at the top (outer NULL), or inside the expression of another body (sums).
 * names[] are the loops beyond those of the body around. */
typedef struct {
    const scope *outer;
    const char *names[RG_MAX_LOOPS];
    int n_names;
} place;

/* Runs `make` on bodies over s, split until no condition on indices differs inside; RG_RETRY from
 * `make` asks for the split on b->split. */
typedef rg_status body_fn(compiler *c, builder *b, const binding *loops, void *user);
rg_status rg_for_each_body(compiler *c, const place *at, const space *s, body_fn *make, void *user);
/* Extends the space by the ranges, one after the other; later bounds may use earlier indices. */
rg_status rg_extend_ranges(compiler *c, place *at, const space *from, int n_ranges,
                           const rg_ast_range *ranges, space *out);
rg_status rg_copy_space(rg_context *ctx, const space *s, space *out);

/* ---- values of unknowns: start values, tolerances -------------------------------------------- */
typedef struct {
    symbol *sym;
    const rg_statement *st;
    const rg_ast *target; /* NAME or INDEX; NULL: the loops are the indices */
    int primes;
} start_item;

/* Runs an expression of the loop indices and of time over the body's space, at t = a. */
rg_status rg_start_evaluate(compiler *c, builder *b, rg_node node, double *out);
/* Flat numbers of the unknowns that the item names, one per iteration of the body. */
rg_status rg_start_targets(compiler *c, builder *b, const binding *loops, const start_item *item,
                           rg_map *out);
/* make() on the bodies over the index ranges of a declared unknown; user: its start_item. */
rg_status rg_start_each(compiler *c, const rg_statement *st, body_fn *make);
rg_status rg_compile_tolerances(compiler *c);

/* Calls group() for the statements of one kind at the top level (space of one iteration, no loops)
 * and in every `for` (its space): equations and conditions of a level together, outputs, exact
 * solutions and start values one by one in the order of the text. */
typedef rg_status group_fn(compiler *c, const place *at, const space *s, int n,
                           const rg_statement *const *list);
rg_status rg_walk_statements(compiler *c, rg_statement_kind kind, group_fn *group);

#endif
