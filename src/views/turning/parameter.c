/* Is eps proportional to a parameter that is negative?  A model with twice the value tells: eps,
 * with b and c unchanged, doubles.  Where the model was divided by eps, b and c are halved. */
#include "views/turning/tuning.h"
#include "views/turning/turning_impl.h"

#include <math.h>

/* eps/b at a point where b is not small, with its sign as written. */
static rg_status ratio_of(const rg_problem *p, double a, double b, double *ratio)
{
    rg_turning *v = NULL;

    *ratio = NAN;
    RG_TRY(rg_turning_create(p, a, b, &v));
    if (v->graph != NULL && v->work != NULL) {
        const double x = v->low + 0.71 * (v->high - v->low);
        *ratio = v->sign * v->eps / (v->sign * rg_turning_b(v, x, 0.37));
    }
    rg_turning_destroy(&v);
    return RG_OK;
}

rg_status rg_turning_parameter(const rg_turning *v, int *number)
{
    const rg_problem *p = v->p;
    double now, then;
    bool has_negative = false;

    *number = -1;
    for (int k = 0; k < p->n_parameters; k++)
        has_negative = has_negative || p->parameters[k].value < 0.0;
    if (p->model_rebuild == NULL || !has_negative) return RG_OK;
    RG_TRY(ratio_of(p, p->a, p->b, &now));
    for (int k = 0; k < p->n_parameters && *number < 0; k++) {
        const double value = p->parameters[k].value;
        rg_problem *other = NULL;
        if (!(value < 0.0)) continue;
        const rg_setting doubled = {p->parameters[k].name, 2.0 * value};
        if (p->model_rebuild(p, 1, &doubled, &other) != RG_OK) {
            rg_clear_error(p->ctx);
            continue;
        }
        const rg_status status = ratio_of(other, other->a, other->b, &then);
        rg_problem_destroy(&other);
        RG_TRY(status);
        if (fabs(then - 2.0 * now) <= RG_TURNING_SAME * fabs(then)) *number = k;
    }
    return RG_OK;
}
