/* Life of a measurement of orders, and what can be asked of it. */
#include "solution/orders.h"
#include "solution/tuning.h"

#include <math.h>
#include <string.h>

rg_status rg_orders_create(const rg_problem *p, int n_steps, const double *steps, rg_orders **out)
{
    rg_orders *o = rg_alloc(p->ctx, 1, sizeof *o);
    const size_t n = (size_t)p->n, count = (size_t)n_steps * n;

    *out = o;
    if (o == NULL) return RG_ERR_MEMORY;
    o->ctx = p->ctx;
    o->problem = p;
    o->n_steps = n_steps;
    o->steps = rg_alloc(p->ctx, (size_t)n_steps, sizeof *o->steps);
    o->errors = rg_alloc(p->ctx, count + 1, sizeof *o->errors);
    o->noise = rg_alloc(p->ctx, count + 1, sizeof *o->noise);
    o->size = rg_alloc(p->ctx, n + 1, sizeof *o->size);
    o->kind = rg_alloc(p->ctx, n + 1, sizeof *o->kind);
    o->theory = rg_alloc(p->ctx, n + 1, sizeof *o->theory);
    o->verdict = rg_alloc(p->ctx, n + 1, sizeof *o->verdict);
    if (o->steps == NULL || o->errors == NULL || o->noise == NULL || o->size == NULL
        || o->kind == NULL || o->theory == NULL || o->verdict == NULL) {
        rg_orders_destroy(out);
        return RG_ERR_MEMORY;
    }
    memcpy(o->steps, steps, (size_t)n_steps * sizeof *steps);
    for (size_t k = 0; k < count; k++)
        o->errors[k] = NAN;
    return RG_OK;
}

void rg_orders_destroy(rg_orders **orders)
{
    rg_orders *o = orders == NULL ? NULL : *orders;

    if (o == NULL) return;
    rg_problem_destroy(&o->own);
    rg_free(o->ctx, o->steps);
    rg_free(o->ctx, o->eps);
    rg_free(o->ctx, o->errors);
    rg_free(o->ctx, o->noise);
    rg_free(o->ctx, o->size);
    rg_free(o->ctx, o->kind);
    rg_free(o->ctx, o->theory);
    rg_free(o->ctx, o->verdict);
    rg_free(o->ctx, o);
    *orders = NULL;
}

static bool is_there(const rg_orders *o, int64_t variable)
{
    return o != NULL && variable >= 0 && variable < o->problem->n;
}

int rg_orders_count(const rg_orders *o)
{
    return o != NULL ? o->n_steps : 0;
}

double rg_orders_step(const rg_orders *o, int k)
{
    return o != NULL && k >= 0 && k < o->n_steps ? o->steps[k] : NAN;
}

double rg_orders_error(const rg_orders *o, int k, int64_t variable)
{
    return is_there(o, variable) && k >= 0 && k < o->n_steps
               ? o->errors[k * o->problem->n + variable]
               : NAN;
}

double rg_orders_observed(const rg_orders *o, int k, int64_t variable)
{
    const double before = rg_orders_error(o, k, variable);
    const double after = rg_orders_error(o, k + 1, variable);

    if (!(before > 0.0 && after > 0.0)) return NAN;
    return log(before / after) / log(o->steps[k] / o->steps[k + 1]);
}

/* One measurement of rounding is one sample, which may be small by chance: the largest of all of
 * its kind, with this step and larger ones, where rounding is not larger. */
double rg_orders_rounding(const rg_orders *o, int step, int64_t variable)
{
    const int64_t n = o->problem->n;
    double noise = 0.0;

    for (int64_t j = 0; j < n; j++)
        for (int k = 0; k < o->n_steps && o->kind[j] == o->kind[variable]; k++)
            if (o->steps[k] >= o->steps[step])
                noise = fmax(noise, o->noise[k * n + j] / o->size[j]);
    return o->size[variable] * (noise > 0.0 ? RG_ORDER_NOISE * noise : RG_ORDER_ROUNDING);
}

int rg_orders_last_pair(const rg_orders *o, int64_t variable)
{
    for (int k = o->n_done - 2; k >= 0; k--)
        if (rg_orders_error(o, k, variable) >= rg_orders_rounding(o, k, variable)
            && rg_orders_error(o, k + 1, variable) >= rg_orders_rounding(o, k + 1, variable))
            return k;
    return -1;
}

int rg_orders_kind(const rg_orders *o, int64_t variable)
{
    return is_there(o, variable) ? o->kind[variable] : 0;
}

int rg_orders_theory(const rg_orders *o, int64_t variable)
{
    return is_there(o, variable) ? o->theory[variable] : 0;
}

const char *rg_orders_verdict(const rg_orders *o, int64_t variable)
{
    static const char *const words[] = {[RG_ORDER_IS_OK] = "ok",
                                        [RG_ORDER_IS_ROUNDING] = "rounding",
                                        [RG_ORDER_IS_BELOW] = "below"};

    return is_there(o, variable) ? words[o->verdict[variable]] : "";
}
