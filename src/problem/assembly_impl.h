/* Inside of the assembly, shared by the files of this folder only.
 *
 * A unit is a body restricted to some of its iterations, with the expressions that are wanted
 * there.  The units on top write to F; below each of them hang the units of its sums, which write
 * to arrays in the pool of the workspace.  A program is a tape with its inputs and outputs
 * bound. */
#ifndef RG_PROBLEM_ASSEMBLY_IMPL_H
#define RG_PROBLEM_ASSEMBLY_IMPL_H

#include "problem/assembly.h"
#include "problem/native.h"

typedef enum { AT_Z, AT_POOL, AT_F, AT_J, AT_FIXED, N_HOMES } rg_home;

typedef struct {
    rg_home home;
    int64_t offset; /* AT_POOL */
    const double
        *values; /* AT_FIXED: data of the model, or a constant seed; NULL: the map itself */
    rg_map map;  /* not owned, except by targets with AT_J */
    bool accumulate;
} rg_binding;

typedef struct { /* a binding of a unit with one iteration */
    int64_t place;
    rg_home home;
    bool accumulate;
} rg_single;

typedef struct {
    rg_tape *tape; /* NULL: nothing to compute */
    int number;    /* among all programs of the assembly */
    int n_inputs, n_outputs;
    int64_t results; /* rg_tape_results */
    rg_binding *inputs, *outputs;
    rg_single *single;     /* inputs, then outputs; NULL: more than one iteration */
    bool is_plain, is_run; /* single: all inputs are in z; and side by side */
    int n_plain, n_stored; /* single: leading outputs that just go to F; then those that just
                            * go to J, up to this one */
    int64_t first_source, first_target; /* places in the workspace's lists */
} rg_program;

typedef struct {
    rg_map map;
    bool is_owned;
} rg_kept_map;

typedef enum { SEED_NUMBER, SEED_FIXED, SEED_POOL } rg_seed_kind;

/* An expression of which the Jacobian is wanted: dF(row(k))/d... += seed(k) d(node)/d... */
typedef struct {
    rg_node node;
    rg_kept_map row;
    rg_seed_kind seed;
    double number;  /* SEED_NUMBER */
    double *fixed;  /* SEED_FIXED: not owned */
    int64_t offset; /* SEED_POOL */
} rg_unit_row;

typedef struct
{ /* a sum of the unit's body, derivative `order`: one number per iteration in the pool */
    int32_t sum;
    int order;
    int64_t offset;
} rg_unit_sum;

typedef struct rg_unit {
    const rg_body *body;
    rg_graph *graph; /* the builder's copy of the body's; while being built */
    int64_t count;
    int32_t *iterations; /* NULL: all; while being built */
    int32_t sum;         /* which sum of the unit above; -1: on top */
    rg_kept_map outer;   /* iteration -> iteration of the unit above */

    int n_values;
    rg_node *values;
    int *orders;         /* below a sum: values[v] is derivative orders[v] of the term */
    rg_binding *targets; /* one per value */
    rg_kept_map *target_maps;

    int32_t n_maps; /* of slots (per order), then of data; list found by map_index */
    rg_kept_map *maps;
    int32_t *map_index;

    int n_sums, n_children;
    rg_unit_sum *sums;
    struct rg_unit *children;

    int64_t n_rows, rows_size; /* while being built */
    rg_unit_row *rows;
    int n_fixed;
    double **fixed; /* constant seeds for the units below */

    rg_program value, jacobian; /* jacobian: on top it has the values too */
} rg_unit;

/* One expression of the Jacobian over a unit's iterations. */
typedef struct {
    int64_t count;
    rg_map row, column; /* not owned */
    rg_binding *target; /* NULL: constant */
    double number;      /* constant in all iterations, if array is NULL */
    double *array;      /* constant, one per iteration; owned */
} rg_entry;

typedef struct rg_callback rg_callback;

struct rg_assembly {
    rg_context *ctx;
    const rg_problem *p;
    int64_t n_rows, n_columns;
    bool has_jacobian, is_covered;    /* every row of F is written */
    bool is_constant_finite, is_flat; /* flat: covered, and no unit reads sums */
    bool is_constant;                 /* the Jacobian: no entry depends on t or z */
    int64_t last_varying;             /* ... the last column with one that does, -1: none */
    bool is_bent; /* a part of the Jacobian: entries may depend on columns where it is wanted */
    int n_units, n_programs;
    rg_unit *units;
    int64_t pool_size, n_sources, n_targets;
    size_t tape_workspace;
    rg_pattern pattern;
    double *constant; /* the Jacobian's constant part, in pattern order */
    int64_t n_added;  /* entries that several numbers are added to, one of them not constant */
    int32_t *added;
    rg_callback *callback;
    bool is_shared;         /* everything that is pointed to belongs to another one */
    rg_native_known *known; /* its compiled programs, once asked for; the one thing that changes */
};

/* While being built: derivatives and seeds are added to copies of the graphs, one per body. */
typedef struct {
    const rg_body *body;
    rg_graph *graph;
} rg_body_copy;

typedef struct {
    rg_context *ctx;
    rg_assembly *a;
    const rg_assembly_spec *spec;
    const uint8_t *is_wanted; /* per column: is the Jacobian wanted there?  NULL: everywhere */
    int32_t *scratch;         /* as many as the largest number of iterations */
    int64_t scratch_size;
    int64_t n_entries, entries_size;
    rg_entry *entries;
    int64_t n_copies, copies_size;
    rg_body_copy *copies;
} rg_builder;

struct rg_assembly_work {
    rg_context *ctx;
    double *pool, *tape, *F;
    double *kept; /* a Jacobian with the constant part in place; NULL: not asked for */
    rg_tape_source *sources;
    rg_tape_target *targets;
    rg_native_fn *const *code; /* compiled programs by number; NULL: interpret */
    rg_native_watch watch;
    double *y, *yp, *other, *column, *saved; /* callback problems */
    double *values[2];
};

/* ---- maps (maps.c) */
static inline int64_t rg_iteration(const int32_t *iterations, int64_t k)
{
    return iterations != NULL ? iterations[k] : k;
}
/* outer(inner(iterations[k])), k = 0 .. n-1; affine where possible.  Negative values are kept in
 * *bad (first k with one, or -1). */
rg_status rg_map_compose(rg_builder *b, int64_t n, const rg_map *outer, const rg_map *inner,
                         const int32_t *iterations, rg_kept_map *out, int64_t *bad);
/* The first n numbers of the scratch list as a map. */
rg_status rg_map_keep(rg_builder *b, int64_t n, rg_map *out);
rg_status rg_builder_scratch(rg_builder *b, int64_t n);
rg_status rg_builder_graph(rg_builder *b, const rg_body *body, rg_graph **out); /* assembly.c */
void rg_kept_map_clear(rg_context *ctx, rg_kept_map *map);

/* ---- units (unit.c) */
rg_status rg_unit_add_row(rg_builder *b, rg_unit *u, const rg_unit_row *row);
rg_status rg_unit_build(rg_builder *b, rg_unit *u);
rg_status rg_unit_add_sums(rg_builder *b, rg_unit *u); /* unit_sums.c */
void rg_unit_clear(rg_context *ctx, rg_unit *u);
/* Frees what only the building needs. */
void rg_unit_trim(rg_context *ctx, rg_unit *u);
rg_status rg_program_create(rg_builder *b, rg_unit *u, int n_outputs, const rg_node *nodes,
                            rg_program *out);
/* Called when all bindings are known. */
rg_status rg_unit_finish(rg_context *ctx, rg_unit *u);
/* Where the unit finds an input of its tapes. */
rg_status rg_unit_bind(rg_builder *b, rg_unit *u, rg_tape_input input, rg_binding *out);

/* ---- Jacobian (unit_jacobian.c, entries.c) */
rg_status rg_unit_build_jacobian(rg_builder *b, rg_unit *u);
rg_status rg_entries_finish(rg_builder *b);

/* ---- compiled programs (native_source.c, native.c) */
/* All programs as C; `rg_kernels` is the table of the functions. */
void rg_assembly_emit(rg_emitter *e, const rg_assembly *a);
int64_t rg_assembly_length(const rg_assembly *a); /* instructions */
/* Begins to watch what the interpreter costs, by a->p->native_mode; RG_NATIVE_ON: waits for the
 * compiler. */
void rg_native_begin(const rg_assembly *a, rg_assembly_work *w);
/* The cost has reached w->watch.next: starts the compiler, or looks how far it is. */
void rg_native_look(const rg_assembly *a, rg_assembly_work *w);

/* ---- callback problems (callback.c) */
rg_status rg_callback_create(rg_builder *b, bool with_jacobian);
void rg_callback_destroy(rg_context *ctx, rg_callback **c);
rg_status rg_callback_work(const rg_assembly *a, rg_assembly_work *w);
rg_status rg_callback_residual(const rg_assembly *a, rg_assembly_work *w, double t, const double *z,
                               double *F);
rg_status rg_callback_jacobian(const rg_assembly *a, rg_assembly_work *w, double t, const double *z,
                               double *F, double *J);

#endif
