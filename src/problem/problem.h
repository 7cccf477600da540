/* A problem is what a model text or a set of callbacks has become.  It is constant once set up.
 *
 * The struct is a handle: the equations and the data behind its pointers never change, and are
 * shared by all handles of one problem; context and study are those of the user of the handle.  The
 * first handle owns the data.  A run, or another thread, has a handle of its own
 * (rg_problem_handle), and so has what is made from it: errors and memory go to its context, what
 * is learnt to its study.  Folders that need the problem with other equations or other start data
 * take a copy of the struct and exchange those pointers.
 *
 * The unknowns are numbered flat, 0 .. n-1, family after family; a family is a declared name,
 * scalar or array. The equations are rows 0 .. n_rows-1; a block is a set of equations that share
 * one body: output o in iteration k is row first_row + o*count + k. */
#ifndef RG_PROBLEM_PROBLEM_H
#define RG_PROBLEM_PROBLEM_H

#include "expr/tape.h"
#include "problem/study.h"

enum { RG_MAX_DIMS = 3, RG_MAX_ORDER = 24 };
enum { RG_NATIVE_OFF, RG_NATIVE_AUTO, RG_NATIVE_ON };

typedef struct {
    char *name;
    int n_dims;
    int64_t low[RG_MAX_DIMS], extent[RG_MAX_DIMS];
    bool first_fastest;   /* which index runs fastest: the last, or (fields on grids) the first */
    int64_t first, count; /* flat range */
    int order;            /* highest derivative written, of all elements; at least 0 */
    bool is_constant;     /* param NAME ~ guess: an unknown constant; or a state */
    bool is_state;        /* state NAME: constant between events */
    rg_span span;
} rg_family;

typedef struct {
    int64_t variable;
    int order;
} rg_derivative;

typedef struct { /* a place where a body looks at an unknown */
    int32_t family;
    rg_map map; /* iteration -> flat number of the unknown */
    int point;  /* boundary conditions: number of the point; -1: the current time */
} rg_slot;

typedef struct { /* a number per iteration: values[map(k)]; never NULL, owned */
    double *values;
    rg_map map;
} rg_data;

typedef struct rg_body rg_body;

typedef struct
{ /* value for outer iteration k: sum over the parts' iterations i with outer(i) = k */
    int n_parts;
    rg_body **parts; /* each has one output */
} rg_sum;

struct rg_body {
    const rg_graph *graph; /* owned */
    int64_t count;         /* iterations */
    int n_outputs;
    rg_node *outputs; /* residual left - right, or the value */
    int32_t n_slots, n_data, n_sums;
    rg_slot *slots;
    rg_data *data; /* the first n_loops are the loop indices, for names in messages */
    int n_loops;
    rg_sum *sums;
    rg_map outer; /* part of a sum: iteration -> iteration of the body around it */
};

typedef struct {
    rg_body *body;
    int64_t first_row;
    rg_span *spans; /* one per output: the equation's text */
} rg_block;

typedef struct {   /* named values: outputs; exact solutions */
    rg_body *body; /* one output: the value */
    rg_map target; /* exact: iteration -> flat unknown */
    int order;     /* exact, output of a family: derivative order */
    char *name;    /* output with a name of its own: without indices */
    int n_index;   /* ... and the body's data slots that hold its indices */
    int32_t index[RG_MAX_DIMS];
    int32_t family; /* output: >= 0: unknowns themselves, slot 0 of the body; names from there */
    int64_t first;  /* output: first column */
    rg_span span;
} rg_value;

typedef struct {      /* draw: a shape, once for every iteration of its values */
    char kind;        /* 'l' line, 'c' circle, 'p' point, 't' text */
    bool is_space;    /* points have three coordinates */
    int first, count; /* its numbers among `drawn` */
    char *text;       /* 't' */
} rg_shape;

typedef struct {  /* NAME = VALUE in an event */
    int32_t slot; /* of the event's body: which unknown */
    int order;
    rg_span span;
} rg_assignment;

typedef struct { /* when CONDITION { ... }, every DISTANCE { ... } */
    char *name;  /* "" where the text gives none */
    int line;
    rg_span span;  /* of its head */
    rg_body *body; /* outputs: the condition (a number for `every`), then the values assigned */
    int n_assignments;
    rg_assignment *assignments;
    char *stop; /* the run ends, with this text; NULL: it goes on */
    double every,
        from; /* at from (NaN: the start), from + every, ...; every 0: whenever it becomes true */
} rg_event;

typedef struct { /* it has happened */
    double t;
    int64_t event; /* no padding behind it: a checkpoint has these bytes */
} rg_event_note;

/* Start data of derivative `order` of unknown: kind RG_START_*, value. */
typedef struct {
    uint8_t *kind;  /* n */
    double *value;  /* n */
    int32_t *place; /* n: 1 + where in the text a 'start' line gives it; 0: none does; or NULL */
} rg_start;

typedef struct {
    char *name, *text;
    rg_span span;
} rg_setting_text; /* from the solve line */

typedef struct { /* a parameter that does not follow from others */
    char *name;
    double value;
} rg_parameter;

/* The setting of rg_problem.model_rebuild that is no parameter: cells along the first axis. */
#define RG_SETTING_CELLS "cells of the first axis"

struct rg_problem {
    rg_context *ctx;
    rg_study *study;                  /* NULL: a helper of some folder that nobody studies */
    bool is_shared;                   /* the data belong to another handle */
    const struct rg_problem *written; /* with products where this one has a factor; NULL: none */
    rg_source *source;                /* NULL for callback problems */
    char *title, *time_name;
    double a, b; /* over t = a .. b */
    int64_t n, n_rows;
    int n_families, n_blocks;
    rg_family *families;
    uint8_t *order;  /* [n]: highest derivative of each unknown in the equations; NULL: callbacks */
    int64_t n_lower; /* derivatives below these, order by order */
    rg_derivative *lower;
    rg_block *blocks;
    int max_order;                    /* highest derivative written in an equation */
    rg_start start[RG_MAX_ORDER + 1]; /* [order]; kind == NULL: no data for that order */
    int start_orders;                 /* orders 0 .. start_orders-1 have data */
    double *atol[RG_MAX_ORDER + 1];   /* [order]: var x atol VALUE; NaN: none; NULL: none at all */
    rg_span atol_span;                /* of the first of them */
    bool holds_nodes;                 /* of a handle: no step across nodes of tables of time */
    const struct rg_units *units;     /* of a handle: sizes known from a run before; NULL: none */

    int n_outputs, n_exact;
    rg_value *outputs, *exact;
    int64_t n_columns;     /* output columns; 0 without an output statement */
    int n_shapes, n_drawn; /* what is drawn (models without fields), and the numbers it needs */
    rg_shape *shapes;
    rg_value *drawn;

    bool has_start_conditions; /* conditions that hold at the start, beyond kept values */
    bool is_boundary;          /* a condition names a point other than the start */
    int n_conditions, n_points;
    rg_block *conditions; /* bodies with slots at points */
    double *points;
    int start_point,
        end_point;     /* numbers, from 1, of the points written as `start` and `end`; 0: none */
    bool is_end_mixed; /* one of them is also written as a number */
    int n_guesses;     /* boundary value problems: ~ values as functions of time; target, order */
    rg_value *guesses;

    int n_tables;
    struct rg_table **tables; /* in the text; the graphs borrow them */
    int n_events;             /* in the order of the text */
    rg_event *events;
    int64_t n_states; /* unknowns that are states */

    int n_parameters;
    rg_parameter *parameters;
    int n_settings;
    rg_setting_text *settings;

    /* callback problems */
    rg_residual_fn *residual;
    rg_rhs_fn *rhs;
    rg_jacobian_fn *jacobian;
    rg_event_fn *event; /* conditions of n_events events, NULL: none or from a text */
    rg_reset_fn *reset;
    void *user;
    double *mass;                         /* column-major, or NULL */
    int64_t *pattern_start, *pattern_row; /* NULL: dense */
    int *given_index;                     /* per variable, or NULL */

    struct rg_native *native; /* compiled kernels, safe to share; NULL: nothing to compile */
    int native_mode;          /* of the assemblies made from this handle: RG_NATIVE_* */

    struct rg_form *form; /* fields on a grid (pdae/form): blocks and start are empty then */
    void (*form_destroy)(rg_context *ctx, struct rg_form **form);

    void *model; /* owned by model/: the syntax tree, to build again with other parameters */
    void (*model_destroy)(rg_context *ctx, void **model);
    /* The same text with other parameter values, as a problem of its own in the context of the
     * handle p, whose text must live longer. */
    rg_status (*model_rebuild)(const struct rg_problem *p, int n, const rg_setting *settings,
                               struct rg_problem **out);
    /* rg_model_expressions() */
    rg_status (*model_expressions)(rg_context *ctx, const struct rg_problem *p, int n,
                                   const char *const *texts, struct rg_problem **out);
};

void rg_body_destroy(rg_context *ctx, rg_body **body);
void rg_events_clear(rg_context *ctx, rg_event *events, int n);
/* Does a branch of abs, min, if ... depend on time or on unknowns? */
bool rg_body_has_switches(const rg_body *body);
bool rg_problem_has_switches(const rg_problem *p);
unsigned rg_problem_switched(const rg_problem *p); /* RG_DEP_* of expressions that have some */
/* Another handle of the same problem, which must live longer, with a study of its own.  That begins
 * with what is known: a study of the problem that lives longer, or NULL. */
rg_status rg_problem_handle(rg_context *ctx, const rg_problem *p, const rg_study *known,
                            rg_problem **out);
/* A warning for the study of the handle. */
rg_status rg_problem_warn(const rg_problem *p, const char *format, ...) RG_PRINTF(2, 3);
/* The problem changed: drops analysis and start values. */
void rg_problem_forget(rg_problem *p);
/* Another interval; `start` and `end` move along. */
void rg_problem_move(rg_problem *p, double a, double b);
/* Name of an output column as it is written in CSV and JSON; like snprintf. */
int rg_output_name(const rg_problem *p, int64_t column, char *buffer, int size);
/* Flat number of an unknown written as "x" or "u[3]", or -1. */
int64_t rg_problem_find(const rg_problem *p, const char *name);
/* Highest derivative of an unknown that is written in the equations, 0 where they are not known. */
int rg_variable_order(const rg_problem *p, int64_t variable);
bool rg_variable_is_state(const rg_problem *p, int64_t variable); /* constant between events */
int64_t rg_problem_states(const rg_problem *p);                   /* ... how many of them */
/* Text of variable name with `order` primes; returns the length it has (like snprintf). */
int rg_variable_name(const rg_problem *p, int64_t variable, int order, char *buffer, int size);
/* Which block, output and iteration a row is. */
void rg_row_place(const rg_problem *p, int64_t row, int *block, int *output, int64_t *iteration);
/* "line 7", "line 7 (i=3, j=2)", "the second derivative of line 7": for messages; span of its
 * text. */
int rg_row_name(const rg_problem *p, int64_t row, int order, char *buffer, int size);
rg_span rg_row_span(const rg_problem *p, int64_t row);

#endif
