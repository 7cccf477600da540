/* The parts of the method 'turning-point' that check and write. */
#ifndef RG_BVP_TURNING_METHOD_H
#define RG_BVP_TURNING_METHOD_H

#include "bvp/turning/turning.h"

enum { RG_TURN_LEAST_INTERVALS = 8, RG_TURN_MOST_INTERVALS = 1000000 };

/* RG_ERR_METHOD where the model does not fit, RG_ERR_ARGUMENT where the options do not. */
rg_status rg_turn_check(rg_turning *v, const rg_options *o, rg_turn_variant *variant);
const char *rg_turn_variant_name(rg_turn_variant variant);

/* Points and mesh intervals into a solution.  output.c */
/* The states y, y' of a solution at x, in interval i of its mesh. */
void rg_turn_states(const rg_turn_solution *s, int i, double x, double *y, double *yp);
rg_status rg_turn_write(rg_problem *p, const rg_turn_solution *s, const rg_request *r,
                        rg_solution **out);

#endif
