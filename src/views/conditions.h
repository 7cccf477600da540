/* The events of a model at points of a run: conditions, and the values that they assign.
 *
 * Every comparison in a condition has a switching function (views/switches.h).  The conditions are
 * written with the branches of these functions as further unknowns: whoever follows the run holds
 * the branches, and a condition is true or false by them.  Conditions and assignments are numbered
 * event by event in the order of the text, inside an event value by value, then index by index. */
#ifndef RG_VIEWS_CONDITIONS_H
#define RG_VIEWS_CONDITIONS_H

#include "views/switches.h"

typedef struct rg_conditions rg_conditions;

/* The system must live longer. */
rg_status rg_conditions_create(const rg_system *s, rg_conditions **out);
void rg_conditions_destroy(rg_conditions **c);

/* Instances of events: an event inside a `for` has one per index. */
typedef struct {
    int event;         /* of the problem */
    int64_t iteration; /* of its body */
    int64_t condition; /* -1: at known times */
} rg_instance;
int64_t rg_conditions_instances(const rg_conditions *c);
rg_instance rg_conditions_instance(const rg_conditions *c, int64_t k);

int64_t rg_conditions_functions(const rg_conditions *c);
/* The functions at (t, y, y'); those that are not finite are NaN.  The branch of a value: never 0,
 * whole numbers moved by 1/2. */
rg_status rg_conditions_values(rg_conditions *c, double t, const double *y, const double *yp,
                               double *values);
double rg_conditions_mode(const rg_conditions *c, int64_t k, double value);
/* Where all functions are linear in y alone: along a polynomial, y = sum a_k s^k, they are one with
 * the coefficients `out`.  RG_RETRY, without a message: they are not finite. */
bool rg_conditions_is_linear(const rg_conditions *c);
rg_status rg_conditions_along(rg_conditions *c, int degree, const double *a, double *out);
/* What a change by the tolerance of all unknowns but the states is to a function, relative to that
 * tolerance:
 *     sum |ds/dy_i| (|y_i| + unit_i) + sum |ds/dy'_i| (|y'_i| + rate (|y_i| + unit_i)),
 * where y' is the slope of a polynomial over a time 1/rate.  0: nothing but states and time is
 * compared.  terms: the same without unit and rate, and with the states. */
rg_status rg_conditions_sizes(rg_conditions *c, double t, const double *y, const double *yp,
                              const double *unit, double rate, double *sizes, double *terms);
bool rg_conditions_is_timed(const rg_conditions *c, int64_t k);  /* a function of time alone */
bool rg_conditions_has_rates(const rg_conditions *c, int64_t k); /* y' occurs in it */
bool rg_conditions_is_whole(const rg_conditions *c, int64_t k);  /* its whole part counts */
/* Which functions contain one of the states of the system that are marked. */
void rg_conditions_concerned(const rg_conditions *c, const uint8_t *marked, uint8_t *concerned);
/* Do both contain the same unknown, states apart? */
bool rg_conditions_share(const rg_conditions *c, int64_t k, int64_t l);
/* The conditions by the branches: 1 or 0 per instance, 0 for those at known times. */
rg_status rg_conditions_truth(rg_conditions *c, double t, const double *y, const double *yp,
                              const double *mode, double *truth);

/* Assigned values of an instance at (t, y, y'). */
typedef struct {
    int64_t unknown;
    int order;
    double value;
    rg_span span;
} rg_assigned;
/* Room for so many, *n of them are filled.  *stops: the reset callback ends the run. */
int rg_conditions_assigned_most(const rg_conditions *c, int64_t instance);
rg_status rg_conditions_assigned(rg_conditions *c, int64_t instance, double t, const double *y,
                                 const double *yp, rg_assigned *out, int *n, bool *stops);

#endif
