/* What the files of the view of half-explicit methods share. */
#ifndef RG_VIEWS_SEMI_HALF_IMPL_H
#define RG_VIEWS_SEMI_HALF_IMPL_H

#include "views/semi/half.h"
#include "views/semi/semi_impl.h"

enum { RG_HALF_LEVELS = 3 }; /* levels of constraints, and orders of derivatives: 0, 1, 2 */

/* What is evaluated: D with D_a, D_y; c with c_u; g; dc/dt; the switching functions. */
typedef enum {
    RG_HALF_DYNAMICS,
    RG_HALF_VELOCITY,
    RG_HALF_POSITION,
    RG_HALF_HIDDEN,
    RG_HALF_SWITCHES,
    RG_HALF_PARTS
} rg_half_part_name;

typedef struct {
    rg_matrix *matrix;
    double *values, *factored; /* as filled; as factored */
    bool has_factors;
} rg_half_factors;

struct rg_half {
    rg_context *ctx;
    rg_semi *sorted;       /* which unknowns and equations play which part; nothing else of it */
    uint8_t *is_kinematic; /* per constraint */
    int n_geometric;
    int n_columns;                  /* x, v, a, y, states of events, branches */
    int n_branches;                 /* of switches */
    const rg_system_work *branches; /* that holds them; NULL: they follow the values */
    double *functions;              /* values of the switching functions */
    rg_assembly *part[RG_HALF_PARTS];
    rg_assembly_work *work[RG_HALF_PARTS];
    /* entries of a part that are in the matrix, and where */
    int64_t n_copied[RG_HALF_VELOCITY + 1], *from[RG_HALF_VELOCITY + 1];
    int64_t *place[RG_HALF_VELOCITY + 1];
    int64_t n_entries;
    rg_half_factors use, aside; /* of whoever evaluates now; of the other one, run or rows */
    bool is_linear, is_linear_in_y;
    double *z, *right, *other;
    double *change, *entries; /* while the equations are looked at */
};

/* half_eval.c: linear or not. */
rg_status rg_half_check(rg_half *h);

#endif
