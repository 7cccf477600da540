/* Denominators of the equations.  A solution keeps the signs of those that depend on algebraic
 * unknowns: between two signs lies a pole, and behind it another branch, on which an iteration may
 * end all the same.  (Where the numerator vanishes too, a solution may pass.) */
#ifndef RG_VIEWS_POLES_H
#define RG_VIEWS_POLES_H

#include "views/system.h"

typedef struct rg_poles rg_poles;

typedef enum {
    RG_POLES_ALGEBRAIC, /* denominators with algebraic unknowns */
    RG_POLES_ALL        /* the factors of all that move, tan, and functions with a narrow peak */
} rg_poles_kind;

/* NULL: there are none. */
rg_status rg_poles_create(const rg_system *s, rg_poles_kind kind, rg_poles **out);
void rg_poles_destroy(rg_poles **poles);
int64_t rg_poles_count(const rg_poles *p);
/* All denominators at a point of the system; NaN where one has no finite value. */
rg_status rg_poles_values(rg_poles *p, double t, const double *y, const double *yp, double *values);
/* The equation of the model that denominator k stands in, for messages. */
int rg_poles_name(const rg_poles *p, int64_t k, char *buffer, int size);
/* Does it stand for the peak of a function?  Then it is never 0, however small. */
bool rg_poles_is_peak(const rg_poles *p, int64_t k);
/* A state in it that is algebraic, or whose derivative is meant; -1: none. */
int64_t rg_poles_state(const rg_poles *p, int64_t k);

#endif
