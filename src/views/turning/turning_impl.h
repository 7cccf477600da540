/* What the files of the view share: expressions of one equation at a point (x, u). */
#ifndef RG_VIEWS_TURNING_TURNING_IMPL_H
#define RG_VIEWS_TURNING_TURNING_IMPL_H

#include "views/turning/turning.h"

enum { RG_TURNING_ORDERS = 3, RG_TURNING_OUTPUTS = 11 };

/* One equation: its body, graph (a copy) and output. */
typedef struct {
    const rg_body *body;
    rg_graph *graph;
    rg_node F;
    int64_t iteration;
} rg_turning_row;

/* Derivatives of the unknowns 0 and 1 at a point; what is not in it is 0. */
typedef struct {
    double x, z[2][RG_TURNING_ORDERS];
} rg_turning_at;

/* Sum of the partial derivatives of a node with respect to all leaves that are derivative `order`
 * of an unknown. */
rg_node rg_turning_partial(const rg_turning_row *r, rg_node of, int64_t unknown, int order);
/* What stands for an input of a tape of this equation. */
double rg_turning_input(const rg_turning_row *r, rg_tape_input in, const rg_turning_at *at);
/* Values of a tape whose inputs stand in `work`; false: not finite. */
bool rg_turning_results(const rg_tape *tape, double x, double *work, int n, double *out);
/* Compiles and runs n nodes once. */
rg_status rg_turning_once(rg_context *ctx, const rg_turning_row *r, int n, const rg_node *nodes,
                          int n_points, const rg_turning_at *at, double *out, bool *is_finite);
/* Records why there is no view; RG_OK. */
rg_status rg_turning_refuse(rg_turning *v, rg_turning_fault fault, rg_span span, const char *format,
                            ...) RG_PRINTF(4, 5);
/* u at both ends.  dirichlet.c */
rg_status rg_turning_conditions(rg_turning *v, double a, double b);

#endif
