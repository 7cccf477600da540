/* The size of the first step, one rule for all methods that choose it themselves:
 *
 *     h_0 = 0.01 |y| / |y'|
 *
 * in the norm of the error test, over states whose derivative occurs; at most 1/1000 of the
 * interval.  Where y is 0, or as good as, at least what |y| = atol/rtol would give, up to 1e-6 of
 * the interval.  Far from t = 0 rounding of t must not take digits that matter.  The error test has
 * the last word: a failed first attempt costs a factor 10. */
#ifndef RG_IVP_FIRST_H
#define RG_IVP_FIRST_H

#include "ivp/method.h"

typedef struct { /* sums of squares in the norm of the error test; zero to begin with */
    double y, yp;
    int64_t count;
} rg_first;

/* One more state; scale: atol + rtol |y|. */
void rg_first_add(rg_first *f, double y, double yp, double scale);
/* The step from there; rtol: of the scales. */
double rg_first_step(const rg_integrator *g, const rg_first *f, double rtol);
/* ... where y' is not known. */
double rg_first_least(const rg_integrator *g);

#endif
