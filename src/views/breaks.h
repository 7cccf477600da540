/* Times at which switches that are functions of time alone change their branch: known before
 * anything is solved, they become ends of steps and mesh points. */
#ifndef RG_VIEWS_BREAKS_H
#define RG_VIEWS_BREAKS_H

#include "views/switches.h"

/* Those of `s`, the switches of p, from a to b, in this order; the caller frees them.  Fails where
 * a function turns too often for all of its times to be found. */
rg_status rg_breaks_find(const rg_problem *p, const rg_switches *s, double a, double b, int64_t *n,
                         double **times);
/* How far apart two of them are at least. */
double rg_breaks_gap(double a, double b);

#endif
