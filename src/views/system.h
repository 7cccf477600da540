/* The view F(t, y, y') = 0 that integrators work on: first order, states y, exact sparse Jacobians.
 *
 * State (j, r) is the r-th derivative of unknown j, r = 0 .. m_j - 1.  Direct view: equations as
 * written, m_j = the highest derivative written (at least 1).  Reduced view: every equation
 * differentiated c_i times, m_j = max(d_j, 1): index at most 1, and the equations F_i^(k), k < c_i,
 * are invariants, kept by projection.  Stabilized view: index at most 2, all hidden levels but the
 * last are equations (views/ggl.h).  States 0 .. n_unknowns-1 are the unknowns themselves; chain
 * equations (j,r)' = (j,r+1) come behind the model's. */
#ifndef RG_VIEWS_SYSTEM_H
#define RG_VIEWS_SYSTEM_H

#include "newton/consistent.h"

typedef struct rg_system rg_system;
typedef struct rg_system_work rg_system_work; /* one per thread */

typedef enum { RG_VIEW_DIRECT, RG_VIEW_REDUCED, RG_VIEW_STABILIZED } rg_view_kind;

rg_status rg_system_create(const rg_problem *p, const rg_analysis *a, rg_view_kind kind,
                           rg_system **out);
/* The same for residuals and Jacobians alone: nothing is projected, no drift is told. */
rg_status rg_system_create_bare(const rg_problem *p, const rg_analysis *a, rg_view_kind kind,
                                rg_system **out);
/* The same as rg_system_create(), for another handle of the problem of `from`: where it would be
 * the same view, it borrows what `from` has compiled, which must live longer.  from may be NULL. */
rg_status rg_system_create_like(const rg_system *from, const rg_problem *p, const rg_analysis *a,
                                rg_view_kind kind, rg_system **out);
void rg_system_destroy(rg_system **s);
rg_context *rg_system_context(const rg_system *s);
int64_t rg_system_size(const rg_system *s);     /* states */
int64_t rg_system_unknowns(const rg_system *s); /* unknowns of the model */
/* Union pattern of dF/dy and dF/dy', n x n, compressed columns. */
const rg_pattern *rg_system_pattern(const rg_system *s);
/* Are dF/dy and dF/dy' known to be the same everywhere? */
bool rg_system_is_linear(const rg_system *s);
/* Is F known to be M y' - f(t, y) with a constant M? */
bool rg_system_has_mass(const rg_system *s);
/* Per entry of the pattern: 1, it occurs in dF/dy; 2, in dF/dy'; 3, in both.  With branches as
 * states: it may occur. */
void rg_system_entry_kinds(const rg_system *s, uint8_t *kinds);
/* The row of  F_i^(level), or -1: it is none. */
int64_t rg_system_row(const rg_system *s, int64_t equation, int level);
/* Stabilized view: the state that is the multiplier mu of the lower constraint F_i^(level), or
 * -1. */
int64_t rg_system_multiplier(const rg_system *s, int64_t equation, int level);
/* Per state: 1, 2 or 3, for error and Newton norms. */
const int *rg_system_variable_index(const rg_system *s);
/* Equations that follow from the others everywhere: so many unknowns stay undetermined. */
int64_t rg_system_redundant(const rg_system *s);
/* So many rows that follow from the others at a point, and columns of unknowns that stay
 * undetermined, from the matrices there.  x: what F_y' counts beside F_y; most: as many numbers as
 * the pattern has, 0 at first and the caller's to keep (rg_matrix_find_dependent).  RG_RETRY: not
 * finite, or no multipliers. */
rg_status rg_system_find_pins(const rg_system *s, double x, const double *Jy, const double *Jyp,
                              double *most, int *rows, int *columns);
/* Reduced view: an unknown of whose derivatives none is determined by the equations (d_j = 0),
 * such as a multiplier. */
bool rg_system_is_open(const rg_system *s, int64_t state);
/* Is dF/d(y', and y without a derivative) known to be regular?  So it is in a reduced view, and
 * where no equation is to be differentiated. */
bool rg_system_is_regular(const rg_system *s);
int rg_system_index(const rg_system *s); /* of the model */
/* State number of derivative `order` of an unknown, or -1. */
int64_t rg_system_state(const rg_system *s, int64_t unknown, int order);

/* Per state: atol/rtol of its unknown, or that of the options.  False: the same for all of them,
 * and nothing was written. */
bool rg_system_units(const rg_system *s, const rg_options *o, double *unit);

rg_status rg_system_work_create(const rg_system *s, rg_system_work **out);
void rg_system_work_destroy(rg_system_work **w);
/* RG_RETRY: cannot evaluate here. */
rg_status rg_system_residual(const rg_system *s, rg_system_work *w, double t, const double *y,
                             const double *yp, double *F);
/* The same of the point (y, y') that the caller has written, side by side, to the place that
 * rg_system_point() gives; three numbers behind them may be written too. */
double *rg_system_point(rg_system_work *w);
rg_status rg_system_residual_here(const rg_system *s, rg_system_work *w, double t, double *F);
/* dF/dy and dF/dy' in pattern order. */
rg_status rg_system_jacobian(const rg_system *s, rg_system_work *w, double t, const double *y,
                             const double *yp, double *Jy, double *Jyp);
/* Consistent start: fills y and yp. */
void rg_system_start(const rg_system *s, const rg_consistent *c, double *y, double *yp);

/* Hidden constraints: levels 0 .. n-1 (index - 1 of them); residual maxima per level at (t, y,
 * y'). */
int rg_system_drift_levels(const rg_system *s);
rg_status rg_system_drift(const rg_system *s, rg_system_work *w, double t, const double *y,
                          const double *yp, double *level_max);
/* Reduced and stabilized view: moves y (weights w) onto the invariants by the least change;
 * RG_OK at once for the direct view. */
bool rg_system_projects(const rg_system *s);
rg_status rg_system_project(const rg_system *s, rg_system_work *w, double t, const double *weight,
                            double *y, double *yp);
/* dy <- the nearest change along the invariants at (t, y, y') */
rg_status rg_system_tangent(const rg_system *s, rg_system_work *w, double t, const double *weight,
                            const double *y, const double *yp, double *dy);
/* Projections no longer depend on those before. */
void rg_system_forget(rg_system_work *w);
/* Reduced view: the most that an equation is differentiated, 0: there are no hidden constraints.
 * The values of F_i^(c_i - e) at (t, y) as a right-hand side b, in the row of F_i^(c_i); and the
 * change that follows, added to the states x_j^(d_j - e). */
int rg_system_hidden_levels(const rg_system *s);
rg_status rg_system_violation(const rg_system *s, rg_system_work *w, double t, const double *y,
                              int e, double *b);
void rg_system_move(const rg_system *s, int e, const double *change, double *y);
/* The norm of that change beside weights of the states that it moves. */
double rg_system_move_size(const rg_system *s, int e, const double *change, const double *weight);
/* Switches: functions whose mode (sign or floor) tells which branch the equations are on; 0: on
 * the edge. */
int64_t rg_system_switch_count(const rg_system *s);
/* Do switches stand in equations that are differentiated to reduce the index? */
bool rg_switches_in_constraints(const rg_problem *p, const rg_analysis *a);
/* Can branches be held?  Not in the stabilized view.  Then per switch: is the branch a whole
 * number; may what it switches jump; does the function depend on time alone (or on nothing); for a
 * position among the nodes of a table: which nodes. */
bool rg_system_can_hold(const rg_system *s);
typedef struct {                  /* of a function that is a position among nodes; else 0 */
    uint64_t grid;                /* of the table (rg_table) */
    const struct rg_table *clock; /* the table, where its argument is the time itself */
} rg_switch_nodes;
typedef struct {
    bool is_whole, jumps, is_timed;
    rg_switch_nodes nodes;
} rg_switch_nature;
rg_switch_nature rg_system_switch_nature(const rg_system *s, int64_t k);
/* Holds the branches: per switch -1 (function below 0), 1, numbers between for both together, or
 * the whole number.  NULL: they follow the values again, as at first. */
void rg_system_hold(const rg_system *s, rg_system_work *w, const double *branch);
bool rg_system_is_held(const rg_system_work *w);
/* Those that are held; false: none are. */
bool rg_system_held(const rg_system *s, const rg_system_work *w, double *branch);
/* Equations that have no value with the branches that are held, sqrt(max(a, 0)) for a < 0, have
 * that of the branches of kinks which the values stand for: steps may lead behind their ends. */
void rg_system_join(rg_system_work *w, bool is_on);
void rg_system_hold_as(const rg_system *s, rg_system_work *w, const rg_system_work *from);
/* The functions; the branch that a value stands for; sizes
 *     sum |ds/dy_i| |y_i| + sum |ds/dy'_i| |y'_i|,  and spans  sum |ds/dy_i| unit_i. */
rg_status rg_system_switch_values(const rg_system *s, rg_system_work *w, double t, const double *y,
                                  const double *yp, double *values);
double rg_system_switch_mode(const rg_system *s, int64_t k, double value);
rg_status rg_system_switch_sizes(const rg_system *s, rg_system_work *w, double t, const double *y,
                                 const double *yp, const double *unit, double *sizes,
                                 double *spans);
/* Per function a number that is the same for those that are proportional,
 *     sum_i r_i log |ds/dz_i / s|  over the i with ds/dz_i != 0,  z = (y, y'),
 * r_i random, other ones where ds/dz_i / s < 0: every dependence counts, in any units.  NaN: s or a
 * derivative is 0 or not finite. */
rg_status rg_system_switch_prints(const rg_system *s, rg_system_work *w, double t, const double *y,
                                  const double *yp, double *prints);
/* Values are not finite behind a point because the argument of a table comes to its end there: the
 * error is set.  False: no table is at its end. */
bool rg_system_fail_table(const rg_system *s, double t, const double *y, const double *yp);
/* The equation of the model that switch k stands in, for messages. */
int rg_system_switch_name(const rg_system *s, int64_t k, char *buffer, int size);
/* The view with m branches as states behind those of `base`, which must live longer: branch[k] is
 * the state that branch k follows, with the factor sign[k], or -1; function[c] is the switch that
 * is zero while state c slides, else the state is constant. */
typedef struct {
    int64_t m;
    const int64_t *function; /* m */
    const int32_t *branch;   /* per switch */
    const int8_t *sign;      /* per switch */
} rg_sliding;
rg_status rg_system_slide_create(const rg_system *base, const rg_sliding *sliding, rg_system **out);
/* Which states slide, and the branches of all others, with the upper one of whole numbers that
 * slide; the arrays are kept. */
void rg_system_slide_hold(rg_system_work *w, const uint8_t *slides, const double *branch);
rg_status rg_system_switch_modes(const rg_system *s, rg_system_work *w, double t, const double *y,
                                 const double *yp, double *mode);
/* Consistent values at (t, y, y'): differentiated unknowns stay where they are as far as the
 * constraints allow, all others and the derivatives are computed anew.  RG_RETRY: none found; y
 * and y' are as before. */
rg_status rg_system_restart(const rg_system *s, double t, double *y, double *yp);
/* Name of a state ("x", "x'") and of an equation of the view, for messages. */
int rg_system_state_name(const rg_system *s, int64_t state, char *buffer, int size);
int rg_system_row_name(const rg_system *s, int64_t row, char *buffer, int size);

#endif
