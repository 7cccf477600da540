/* The method table: one row per method serves dispatch, `regula methods` and the messages.
 *
 * A method has functions for initial values, for boundary values, or for both.  What the rest of
 * the library has to know of it are flags of its row; nothing outside its folder asks for its
 * name. */
#ifndef RG_SOLVE_METHODS_H
#define RG_SOLVE_METHODS_H

#include "bvp/method.h"
#include "ivp/irk/theory.h"
#include "ivp/method.h"

typedef struct {
    const char *name, *solves, *options, *source;
    int max_direct_index;       /* higher: the reduced view */
    int min_stages, max_stages; /* what --stages may ask for; 0: nothing */
    int min_order, max_order;   /* the same of --order */
    int stages, order;          /* what is taken where nothing is asked for */
    bool is_general;            /* what 'auto' takes, and messages advise */
    bool has_formulation;       /* --formulation: takes any form of the equations */
    bool can_be_watched;        /* ivp/passage may stop its steps at singular positions ... */
    bool passes_singular;       /* ... and these it passes by itself */
    bool has_mesh;              /* boundary values: "intervals" in place of "steps" */
    bool has_given_mesh;        /* --intervals: orders over meshes can be measured */
    bool is_linear_implicit;    /* y' is an unknown: M(y) y' = f, M singular, reduced */
    bool is_undamped;           /* R(infinity) = +-1: index 2 as written with fixed steps only */
    bool can_project;           /* --projected on */
    bool keeps_invariants;      /* over long times, with fixed steps: phases may be lost */
    bool steps_by_scheme;       /* --scheme and --step mean the same for all methods with this */
    bool continues;             /* boundary values: --continue */
    int (*variant_count)(const char *method); /* of --variant; NULL: none */
    rg_variant_info (*variant_at)(const char *method, int k);
    const rg_ivp_method *ivp;      /* how it steps; NULL: no initial values */
    const rg_ivp_method *ivp_even; /* ... with an even number of stages; NULL: the same way */
    int (*direct_index)(const rg_options *o, int index); /* in place of max_direct_index; or NULL */
    rg_order_fn *theory;  /* orders with a fixed step; NULL: not known */
    rg_bvp_solve_fn *bvp; /* NULL: no boundary values */
} rg_method;

const rg_method *rg_method_find(const char *name); /* NULL: no such method */
/* "auto": the method for this problem. */
const rg_method *rg_method_choose(const rg_problem *p);
/* By name, or chosen where that is "auto"; NULL: no such method. */
const rg_method *rg_method_asked(const rg_problem *p, const char *name);
/* RG_ERR_ARGUMENT, suggesting the nearest one, unless the name is in the table or "auto". */
rg_status rg_method_check(rg_context *ctx, const char *name);
/* The order of an unknown; stages and order of the question are filled in.  0: does not converge; a
 * method of unknown theory: -1. */
int rg_method_theory(const rg_method *m, const rg_options *o, rg_order_question q);
/* Whose solution it is and why, for reports. */
void rg_method_sign(const rg_method *m, const rg_options *o, rg_solution *s);

#endif
