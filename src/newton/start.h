/* The start value problem as one sparse system  F(t0, z) = 0:  z holds y_j^(r), r = 0..d_j, and the
 * rows are F_i^(k), k = 0..c_i.  Parts of src/newton share it; nobody else needs it. */
#ifndef RG_NEWTON_START_H
#define RG_NEWTON_START_H

#include "newton/consistent.h"

#include <limits.h>

/* What a column is to the model.  Undetermined values are left where this is largest. */
enum {
    RG_PLACE_HIGH = 0,      /* a highest derivative, or above: never needs data */
    RG_PLACE_ALGEBRAIC = 1, /* an unknown that appears without derivatives      */
    RG_PLACE_STATE = 2      /* below the highest derivative written             */
};

enum { RG_STAGE_ALL = INT_MIN };

struct rg_start_system {
    rg_context *ctx;
    const rg_problem *p;
    double t;
    int n_orders, n_levels;
    int32_t **column; /* [order][unknown] -> place in z, or -1 */
    int32_t **row;    /* [level][equation] -> row, or -1       */
    int64_t n_columns, n_rows;

    /* per column */
    int32_t *unknown;
    uint8_t *order;
    uint8_t *below; /* highest order of the unknown minus this order: 0 at the top */
    uint8_t *given; /* RG_START_*: what the user said                                         */
    uint8_t *role;  /* RG_START_*: NONE free, GUESS moves as little as possible, KEPT fixed   */
    uint8_t *place; /* RG_PLACE_*                                                             */
    double
        *given_value; /* 0 where nothing is given                                               */
    double *scale;    /* size of one unit of change of a guess or kept value                    */
    double *z;

    /* per row */
    int32_t *equation;
    uint8_t *level;
    uint8_t *rank;    /* differentiations of the equation: larger means more of a constraint */
    double *F, *size; /* size_i = sum_j |J_ij| max(|z_j|, floors_j): what |F_i| is compared with */

    rg_assembly *assembly;
    rg_assembly_work *work;
    const rg_pattern *pattern;
    double *J;      /* in pattern order, at z after rg_start_linearize */
    double *floors; /* per column: values below this count as this large in row sizes */
    /* redundant constraints or a singular start: algebraic unknowns need not be unique */
    bool is_degenerate;
    bool is_singular; /* the second of these */
    int stage;        /* rows of stages below (stages.c) are left out: 0 = 0 */
    int64_t conflict; /* row that the guesses of states contradict; -1: they need not move */
};

rg_status rg_start_system_create(const rg_problem *p, const rg_analysis *a, double t,
                                 rg_start_system **out);
void rg_start_system_destroy(rg_start_system **s);
/* The same at another time, with the data that the problem has now; their orders stay. */
rg_status rg_start_system_reload(rg_start_system *s, const rg_analysis *a, double t);

/* impulse.c: given velocities that are not kept become those behind impulses, at a solution in
 * s->z, J linearized there.  RG_RETRY: nothing has changed, since this is no mechanics or since the
 * velocities are those of the solution. */
rg_status rg_start_impulse(rg_start_system *s, const rg_analysis *a);
/* ... the first equation that the analysis takes for one of the highest derivatives, but that is
 * none with the values at hand; -1: there is none, or no memory to tell. */
int64_t rg_start_changed(rg_start_system *s, const rg_analysis *a);

/* sizes.c: scale and floors of all columns, from the given values. */
rg_status rg_start_fill_sizes(rg_start_system *s);

/* F and J at s->z.  RG_RETRY: cannot be evaluated there. */
rg_status rg_start_linearize(rg_start_system *s);
/* F only, at any z. */
rg_status rg_start_residual(const rg_start_system *s, const double *z, double *F);
/* Largest |F_i| / size_i at the linearized point, 0 where |F_i| is below the least normal number,
 * and its row (or NULL).  Fills s->size. */
double rg_start_miss(rg_start_system *s, int64_t *row);
/* Fails if the run was interrupted. */
rg_status rg_start_poll(const rg_start_system *s);

/* The movable columns, those first that should be computed: without data before guesses, high
 * places before states, what is nearest to the highest derivative before what is integrated
 * often.  list: n_columns entries; returns the count. */
int64_t rg_start_movable(const rg_start_system *s, int32_t *list);

int rg_start_column_name(const rg_start_system *s, int64_t column, char *buffer, int size);
int rg_start_row_name(const rg_start_system *s, int64_t row, char *buffer, int size);

#endif
