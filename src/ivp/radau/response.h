/* What a defect of the polynomial of a step does to it, by the factors that the step has. */
#ifndef RG_IVP_RADAU_RESPONSE_H
#define RG_IVP_RADAU_RESPONSE_H

#include "base/base.h"
#include "linalg/rule.h"

enum { RG_RESPONSE_POINTS = 3, RG_RESPONSE_TERMS = 7 };

typedef struct {
    int points, powers, terms;
    /* Where F is evaluated, in units of the step: `points` places between the stages, for the
     * polynomial of the step; two stages, for what is left. */
    double x[RG_RESPONSE_POINTS + 2];
    double behind, stage, middle, between; /* where to look at the defect */
    /* g_k at the nodes of `more`: powers 1 .. of the real factors, then real and imaginary part
     * for each pair */
    double weight[RG_RESPONSE_POINTS + 2][RG_RESPONSE_TERMS][RG_RULE_MOST_ODD];
} rg_response;

/* Of a step of the method `m` with 3, 5 or 7 stages; `more`: a method with stages enough for the
 * result, s + 3.  Three points: not with 3 stages, where there is no place for them.  RG_RETRY: the
 * weights cannot be found. */
rg_status rg_response_init(rg_context *ctx, const rg_rule_modes *m, const rg_rule_modes *more,
                           int points, rg_response *out);

#endif
