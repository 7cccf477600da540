/* What the files of the view with separate constraints share. */
#ifndef RG_VIEWS_SEMI_IMPL_H
#define RG_VIEWS_SEMI_IMPL_H

#include "linalg/matrix.h"
#include "views/semi/generic.h"
#include "views/semi/semi.h"
#include "views/system_impl.h"

/* What a column of the assembly is: x, v, the highest derivative, y, or a state of events and its
 * derivatives, which are 0. */
typedef enum {
    RG_SLOT_X,
    RG_SLOT_V,
    RG_SLOT_TOP,
    RG_SLOT_Y,
    RG_SLOT_HELD,
    RG_SLOT_ZERO
} rg_semi_slot;

/* Parts of the Jacobian, entry by entry. */
typedef enum { RG_PART_MASS, RG_PART_B, RG_PART_G, RG_PARTS } rg_semi_part_name;
typedef struct {
    int64_t count;
    int64_t *entry; /* of the Jacobian */
    int32_t *row, *column;
} rg_semi_part;

struct rg_semi {
    rg_context *ctx;
    const rg_system *system;
    int order, n_x, n_y, n_definitions;
    bool is_general; /* need not be linear in y, nor of order 1 or 2 */
    bool is_linear;  /* in y */
    /* for half-explicit methods (half.h): no multipliers at all, or constraints on velocities, are
     * fine, and only the lists below are made */
    bool is_half;
    uint8_t *is_velocity; /* ... per equation: a constraint with a velocity in it */
    int64_t *x, *v, *y;   /* states of the system */
    int n_held;           /* states of events: where they stand, which unknowns, their values */
    int64_t *held;
    int32_t *held_unknown;
    const double *held_in; /* ... a vector of all states of the system; NULL: as at the start */
    /* unknowns of the model: x; what v is called where q' = v is written, else -1; y */
    int32_t *x_unknown, *v_unknown, *y_unknown;
    int32_t *dynamic, *constraint, *definition; /* rows of the model; definition: q' = v */
    rg_assembly *rows;                          /* dynamics; g, dg/dt, (d2g/dt2) */
    rg_assembly_work *work;
    int n_columns;
    rg_semi_slot *slot; /* per column */
    int *place;         /* ... and its component there */
    double *z, *F;      /* columns; rows */
    const double *J;    /* entries of the Jacobian, in the workspace */
    double *right;
    double *change, *entries; /* while the equations are looked at */
    rg_semi_part part[RG_PARTS];
    rg_matrix *mass;
    double *mass_values;      /* ... that are factored, if has_mass */
    bool has_mass, has_moved; /* has_moved: there was another one before */
    int32_t *pair;            /* per multiplier: its constraint, in the order of the rows */
    int32_t *unpair;          /* per constraint: its multiplier; behind pair */
};

/* Which unknowns and equations play which part; messages say what is missing. */
rg_status rg_semi_sort(rg_semi *v, const char *method);
/* defined.c: RG_ERR_METHOD unless definitions are q' = v; does an equation contain the time? */
rg_status rg_semi_check_definitions(const rg_semi *s, const char *method);
bool rg_semi_has_time(const rg_problem *p, int64_t equation);
/* Where linearity is looked at, k = 0, 1, ..; false: there are no more.  Late: at times over the
 * whole interval, where equations contain the time. */
typedef struct {
    double scale, t;
    int point;
    bool is_late;
} rg_generic_place;
bool rg_semi_place(const rg_semi *s, int k, rg_generic_place *out);
/* The value of held state k now. */
double rg_semi_held(const rg_semi *v, int k);
/* parts.c */
rg_status rg_semi_make_parts(rg_semi *s);
void rg_semi_clear_parts(rg_semi *s);
rg_status rg_semi_factor_mass(rg_semi *s);
void rg_semi_matrices(rg_semi *s, double *B, double *G); /* full, column-major */
/* pair.c: puts constraints in the order of the multipliers that enforce them; s->J holds a
 * generic point. */
rg_status rg_semi_pair(rg_semi *s);
/* RG_ERR_METHOD unless the dynamics are linear in the highest derivatives and, unless
 * is_general, in y. */
rg_status rg_semi_check(rg_semi *v, const char *method);

#endif
