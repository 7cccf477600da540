/* A boundary value problem as its methods take it, and its solution by collocation. */
#ifndef RG_BVP_BOUNDARY_H
#define RG_BVP_BOUNDARY_H

#include "bvp/collocation/collocation.h"
#include "bvp/guess.h"

typedef struct {         /* one set of parameter values: what the method works on */
    rg_problem *problem; /* the one given, or the branch of it that the guess is on; not owned */
    rg_bvp_form *form;
    rg_bvp_conditions *conditions;
    rg_guess *guess;
} rg_boundary;

/* Form, conditions, guess; refuses what is not well posed.  path: guess file or "". */
rg_status rg_boundary_create(rg_problem *p, double t_end, const char *path, rg_boundary **out);
void rg_boundary_destroy(rg_context *ctx, rg_boundary **b);

/* Collocation as the options want it, with continuation; *b belongs to the result.
 * collocation/method.c */
rg_status rg_boundary_collocate(rg_problem *p, double t_end, const rg_options *o, rg_boundary **b,
                                rg_collocation_result *result);

/* The warning for problems that answer strongly to changes of their equations. */
rg_status rg_boundary_warn_equations(rg_problem *p, double amplification);

/* Into the study: how strongly a rough solution of p answers to its conditions, or why that is not
 * known. */
rg_status rg_boundary_conditioning(rg_problem *p, const rg_options *options, rg_study *study);

/* Solves for NAME = A, then step by step up to B; *result is the last solution, *b belongs to it.
 * text: "NAME=A..B".  continuation.c */
rg_status rg_boundary_continue(rg_problem *p, double t_end, const char *text, const char *path,
                               const rg_collocation_control *control, rg_boundary **b,
                               rg_collocation_result *result);

/* The largest difference of outputs that are expressions from those of the second solution,
 * relative to atol/rtol + |value|. */
rg_status rg_boundary_outputs_error(rg_problem *p, const rg_boundary *b,
                                    const rg_collocation_result *result, const rg_options *o,
                                    double *worst);
/* Hands a piecewise polynomial to a solution, and compares outputs with those of the second one.
 * collocation/output.c */
rg_status rg_boundary_write(rg_problem *p, const rg_boundary *b,
                            const rg_collocation_result *result, const rg_options *o,
                            const rg_request *r, rg_solution **out);

#endif
