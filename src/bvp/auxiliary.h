/* The boundary lines of a problem as a problem whose unknowns are those at all points: unknown j at
 * point k is number k n + j.  Graphs, data and outputs are borrowed. */
#ifndef RG_BVP_AUXILIARY_H
#define RG_BVP_AUXILIARY_H

#include "problem/problem.h"

/* point[k]: number of the model's point k among the n_points.  A failure leaves what
 * rg_bvp_auxiliary_destroy() accepts. */
rg_status rg_bvp_auxiliary_create(const rg_problem *p, int n_points, const int *point,
                                  rg_problem **out);
void rg_bvp_auxiliary_destroy(rg_problem **auxiliary);

#endif
