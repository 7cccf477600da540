/* Inside of the recognition: the symbols of the text, syntax trees made on the way, and the steps
 * from statements to an rg_form. */
#ifndef RG_PDAE_FORM_INSIDE_H
#define RG_PDAE_FORM_INSIDE_H

#include "model/arena.h"
#include "model/compiler.h"
#include "pdae/form/form.h"

enum {
    RG_FORM_FIELDS = 20,
    RG_FORM_WELLS = 200,
    RG_QUOTED = 64,
    RG_TERMS = 64,
    RG_TREE_LIMIT = 1000000
};

typedef struct {
    compiler c; /* symbols are owned once the form is made; c.p is not to be used then */
    rg_arena arena;
    spatial_name names[RG_AXES + 4 * RG_FORM_FIELDS + 64];
    int n_names;
    int n_outputs, n_draws;
    const rg_statement **outputs, **draws;
} form_inside;

typedef struct { /* while a form is made */
    compiler *c;
    rg_context *ctx;
    rg_form *form;
    form_inside *in;
    bool in_output;  /* derivatives of fields are values to read */
    int64_t n_nodes; /* of trees made so far */
} recognizer;

static inline form_inside *rg_form_inside(const rg_form *form)
{
    return form->inside;
}

/* ---- quantities (quantity.c) ----------------------------------------------------------------- */
/* NULL ast gives NULL.  The tree must be scalar: rg_form_component() makes it so. */
rg_status rg_quantity_create(recognizer *r, const rg_ast *ast, rg_span span, const char *what,
                             rg_quantity **out);
/* The same with other names than those of the form. */
rg_status rg_quantity_create_with(recognizer *r, const rg_ast *ast, rg_span span, const char *what,
                                  int n_names, const spatial_name *names, rg_quantity **out);
void rg_quantity_destroy(rg_context *ctx, rg_quantity **q);

/* ---- trees (tree.c) -------------------------------------------------------------------------- */
rg_ast *rg_tree_number(recognizer *r, double value);
rg_ast *rg_tree_name(recognizer *r, const char *name, rg_span span);
rg_ast *rg_tree_call(recognizer *r, const char *name, int n, const rg_ast *const *args);
rg_ast *rg_tree_negate(recognizer *r, const rg_ast *a);
/* These take NULL for the neutral element (0 of + and -, 1 of * and /), and may return it. */
rg_ast *rg_tree_add(recognizer *r, const rg_ast *a, const rg_ast *b);
rg_ast *rg_tree_multiply(recognizer *r, const rg_ast *a, const rg_ast *b);
rg_ast *rg_tree_divide(recognizer *r, const rg_ast *a, const rg_ast *b);
rg_ast *rg_tree_scale(recognizer *r, double factor, const rg_ast *a); /* a NULL: the number */
rg_ast *rg_tree_copy(recognizer *r, const rg_ast *ast); /* one node, with the same arguments */
/* The text of a span, cut to RG_QUOTED. */
const char *rg_form_quote(const recognizer *r, rg_span span, char buffer[RG_QUOTED]);

/* ---- kinds (kind.c) -------------------------------------------------------------------------- */
typedef enum { KIND_BAD, KIND_SCALAR, KIND_VECTOR, KIND_TENSOR } kind;
/* What an expression is; KIND_BAD: an error was recorded. */
kind rg_form_kind_of(recognizer *r, const rg_ast *ast);
bool rg_form_is_single(recognizer *r, const rg_ast *ast); /* a vector of one component? */
bool rg_form_has_derivatives(recognizer *r, const rg_ast *ast);
/* The definition of a name that is a let without indices, or NULL. */
const rg_ast *rg_form_let(recognizer *r, const rg_ast *ast);
const symbol *rg_form_symbol(recognizer *r, const rg_ast *ast); /* of a NAME or INDEX, or NULL */
int rg_form_axis(recognizer *r, const rg_ast *ast);             /* of a NAME; -1: no axis */
/* The scalar or the vector that a NAME is; -1: neither. */
int rg_form_field_of(recognizer *r, const rg_ast *ast, bool is_vector);
bool rg_form_is_call(const rg_ast *ast, const char *name, int n_args);

/* Component d of a vector expression, or a scalar expression as it is, without anything that only
 * grids know: u[x], norm, dot and curl become names and sums of products.  NULL: failed. */
const rg_ast *rg_form_component(recognizer *r, const rg_ast *ast, int d);
/* The components of a vector value, or value[0] of a scalar, as quantities. */
rg_status rg_form_values(recognizer *r, const rg_ast *ast, bool is_vector, const char *what,
                         rg_quantity *value[RG_AXES]);

/* ---- terms (term.c) -------------------------------------------------------------------------- */
typedef enum {
    TERM_PLAIN,      /* coefficient alone, or times `vector`, an expression without derivatives */
    TERM_RATE,       /* field' */
    TERM_GRADIENT,   /* grad(field) */
    TERM_DIVERGENCE, /* div(velocity) */
    TERM_CONVECTION, /* div(velocity*field) */
    TERM_ADVECTION,  /* dot(velocity, grad(field)) */
    TERM_DIFFUSION,  /* div(inner*grad(field)) */
    TERM_DISPERSION  /* div(dispersion(velocity, ...)*inner*grad(field)) */
} term_kind;

typedef struct { /* scale * factor * what `kind` says */
    term_kind kind;
    double scale;
    const rg_ast *factor; /* NULL: 1 */
    const rg_ast *inner;  /* NULL: 1 */
    const rg_ast *vector; /* plain vectors; the call of dispersion */
    const rg_ast *given;  /* convection by a given vector; velocity is -1 then */
    int field, velocity;
    rg_span span;
} term;

typedef struct { /* an equation: the sum of its terms is 0 */
    const rg_statement *statement;
    kind kind;
    int n_terms;
    term terms[RG_TERMS];
    bool is_taken;
} equation;

rg_status rg_form_split(recognizer *r, const rg_statement *st, equation *out);
rg_status rg_form_refuse(recognizer *r, rg_span span); /* fits none of the forms */

/* ---- steps ----------------------------------------------------------------------------------- */
rg_status rg_form_domain(recognizer *r);       /* domain.c: axes */
rg_status rg_form_fields(recognizer *r);       /* fields.c: names, leaves */
rg_status rg_form_data(recognizer *r);         /* data.c: files */
rg_status rg_form_solids(recognizer *r);       /* solid.c */
rg_status rg_form_equations(recognizer *r);    /* match.c */
rg_status rg_form_conditions(recognizer *r);   /* condition.c: sides */
rg_status rg_form_wells(recognizer *r);        /* well.c */
rg_status rg_form_starts(recognizer *r);       /* fields.c: start values, exact solutions */
rg_status rg_form_outputs(recognizer *r);      /* fields.c: outputs, pictures */
rg_status rg_form_read_outputs(recognizer *r); /* output.c: what they read */
rg_status rg_form_read_draws(recognizer *r);   /* draw.c: pictures */
void rg_form_draw_clear(rg_context *ctx, struct rg_form_draw *d);
void rg_form_output_clear(rg_context *ctx, struct rg_form_output *o);
rg_status rg_form_check(recognizer *r);         /* check.c: coefficients, counts */
rg_status rg_form_check_balance(recognizer *r); /* balance.c: closed domains */
rg_status rg_form_check_parts(recognizer *r);   /* balance.c: parts cut off by solids */

rg_status rg_form_compile(compiler *c); /* form.c: the rg_fields_fn */

#endif
