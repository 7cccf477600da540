/* What a defect of the polynomial of a step does to it, by the factors that the step has. */
#ifndef RG_IVP_RADAU_RESPONSE_H
#define RG_IVP_RADAU_RESPONSE_H

#include "base/base.h"
#include "linalg/rule.h"

enum { RG_RESPONSE_PLACES = 4, RG_RESPONSE_MOST = 10, RG_RESPONSE_TERMS = 9 };

typedef enum {
    RG_RESPONSE_FIRST, /* the polynomial of the step: no defect at its stages */
    RG_RESPONSE_FINE,  /* the same with more powers of the real factors */
    RG_RESPONSE_EVEN,  /* what is left then, at two places between the stages and at two stages; */
    RG_RESPONSE_ODD,   /* ... at others */
    RG_RESPONSE_FULL,  /* at all nodes of the result but its end: whatever is left */
    RG_RESPONSE_KINDS
} rg_response_kind;

typedef struct {
    int between, places; /* that many of the places are between the stages, the others at some */
    int powers, terms;
    double x[RG_RESPONSE_MOST]; /* where F is evaluated, in units of the step */
    /* g_k at the nodes of `more`: powers 1 .. of the real factors, then real and imaginary part
     * for each pair */
    double weight[RG_RESPONSE_MOST][RG_RESPONSE_TERMS][RG_RULE_MOST_ODD];
} rg_response;

/* Of a step of the method `m` with 3, 5 or 7 stages; `more`: a method with stages enough for the
 * result, s + 4.  RG_RETRY: the weights cannot be found. */
rg_status rg_response_init(rg_context *ctx, const rg_rule_modes *m, const rg_rule_modes *more,
                           rg_response_kind kind, rg_response *out);

#endif
