/* Outputs of a boundary value problem beside those of a second, better solution: their errors,
 * which those of the unknowns do not tell where an output magnifies them. */
#ifndef RG_BVP_OUTPUTS_H
#define RG_BVP_OUTPUTS_H

#include "solution/solution.h"

typedef struct {
    const rg_solution *solution;
    double ratio;   /* atol/rtol */
    double *z;      /* of a point, 2 n; NULL: there is nothing to compare */
    double *values; /* of its columns, twice */
    double *floor;  /* of the columns: errors are relative to floor + |value|; NAN: not compared */
    double worst, t;
    int64_t column;    /* -1: none yet */
    bool has_no_value; /* in the first solution, where the second has one */
} rg_bvp_outputs;

/* Has the model outputs that are not unknowns, or derivatives that are no states? */
bool rg_bvp_outputs_any(const rg_problem *p);
/* Afterwards z is NULL where the model has no outputs, or unknowns alone.  size: the largest values
 * of the unknowns over the interval, of this length, for derivatives; NULL: these are left out. */
rg_status rg_bvp_outputs_init(const rg_solution *s, const rg_options *o, const double *size,
                              double length, rg_bvp_outputs *out);
void rg_bvp_outputs_clear(rg_bvp_outputs *b);
/* y, y' of both solutions at a row. */
rg_status rg_bvp_outputs_look(rg_bvp_outputs *b, double t, const double *y, const double *yp,
                              const double *w, const double *wp);
/* Raises the estimate of s by `factor` times the largest difference.  RG_ERR_CONVERGENCE: no digit
 * of an output is certain, and that is not accepted. */
rg_status rg_bvp_outputs_judge(const rg_bvp_outputs *b, double factor, const rg_options *o,
                               rg_solution *s);

#endif
