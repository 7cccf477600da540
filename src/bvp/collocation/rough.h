/* Where more stages hardly help, and what the error is there.
 *
 * The difference of two orders is the error of the lower one where the solution is smooth.  Beside
 * a point like the start of y = t^a, a < 2, the Legendre coefficients of y' on an interval fall
 * like k^-q with q = 2 a - 1, those of y like k^-(q+2), and the difference of two orders is the
 * first term of a sum from k = s + 1 on, which is (s + 3/2)/(q + 1) times as large.
 *
 * That holds for a point at an end of an interval.  Inside of one the difference may be small by
 * chance.  So before a solution is accepted, the few intervals in which the coefficients do not
 * fall are cut into many, and the solution there tells the error of the one that was found. */
#ifndef RG_BVP_COLLOCATION_ROUGH_H
#define RG_BVP_COLLOCATION_ROUGH_H

#include "curve/curve.h"

typedef struct { /* coefficient m of a function: the sum over its values in the stages times this */
    double weight[RG_RULE_MOST][RG_RULE_MOST];
} rg_legendre;

typedef struct {
    double local;    /* what further stages may add to the states, in tolerances */
    double ratio;    /* of the last coefficients to those before, where that counts */
    bool is_doubted; /* the last one is not small beside the one before */
} rg_rough;

/* False: for Gauss points and four of them at least. */
bool rg_legendre_init(const rg_rule *rule, rg_legendre *out);
/* How much larger than the difference of two orders the error of state k in interval i is. */
double rg_rough_factor(const rg_curve *high, const rg_legendre *P, int64_t i, int k);

#endif
