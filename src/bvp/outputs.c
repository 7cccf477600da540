/* Errors of outputs of boundary value problems: see outputs.h. */
#include "bvp/outputs.h"

#include "bvp/collocation/tuning.h"
#include "bvp/tuning.h"
#include "solution/number.h"

#include <math.h>
#include <string.h>

/* A derivative that is no state: its error is not that of an unknown. */
static bool is_derivative(const rg_problem *p, int64_t variable, int order)
{
    return order > 0 && order >= rg_variable_order(p, variable);
}

bool rg_bvp_outputs_any(const rg_problem *p)
{
    int64_t variable;
    int order;

    for (int64_t k = 0; p->n_outputs > 0 && k < rg_column_count(p); k++)
        if (!rg_column_unknown(p, k, &variable, &order) || is_derivative(p, variable, order))
            return true;
    return false;
}

/* The floors of columns: atol/rtol of an output, that of the unknown over the length of the
 * interval for a derivative; NAN: this column is not looked at. */
static void choose_floors(rg_bvp_outputs *b, const rg_options *o, const double *size, double length)
{
    const rg_problem *p = b->solution->problem;
    int64_t variable;
    int order;

    for (int64_t k = 0; k < rg_column_count(p); k++) {
        b->floor[k] = b->ratio;
        if (!rg_column_unknown(p, k, &variable, &order)) continue;
        b->floor[k] = NAN;
        if (size == NULL || !is_derivative(p, variable, order) || size[variable] == 0.0) continue;
        const double S = size[variable], own = o->atol != o->rtol ? b->ratio : fmin(S, 1.0);
        b->floor[k] = fmax(own, RG_CROSSING_PART * S) / pow(length, order);
    }
}

rg_status rg_bvp_outputs_init(const rg_solution *s, const rg_options *o, const double *size,
                              double length, rg_bvp_outputs *out)
{
    const size_t columns = (size_t)rg_solution_columns(s);

    *out = (rg_bvp_outputs){.solution = s, .ratio = o->atol / o->rtol, .column = -1};
    if (!rg_bvp_outputs_any(s->problem)) return RG_OK;
    out->z = rg_alloc(s->ctx, 2 * (size_t)s->n + 3 * columns + 1, sizeof *out->z);
    if (out->z == NULL) return RG_ERR_MEMORY;
    out->values = out->z + 2 * s->n;
    out->floor = out->values + 2 * columns;
    choose_floors(out, o, size, length);
    return RG_OK;
}

void rg_bvp_outputs_clear(rg_bvp_outputs *b)
{
    if (b->solution != NULL) rg_free(b->solution->ctx, b->z);
    *b = (rg_bvp_outputs){0};
}

static rg_status eval(rg_bvp_outputs *b, double t, const double *y, const double *yp, double *out)
{
    const size_t bytes = (size_t)b->solution->n * sizeof *y;

    memcpy(b->z, y, bytes);
    memcpy(b->z + b->solution->n, yp, bytes);
    return rg_columns_eval(b->solution->columns, t, b->z, out);
}

/* The difference is 1 where one solution alone has a value; NaN, which is not counted: neither. */
static double difference(double floor, double P, double better)
{
    if (isfinite(P) != isfinite(better)) return 1.0;
    return fabs(P - better) / (floor + fabs(better));
}

rg_status rg_bvp_outputs_look(rg_bvp_outputs *b, double t, const double *y, const double *yp,
                              const double *w, const double *wp)
{
    const int64_t n = b->z != NULL ? rg_solution_columns(b->solution) : 0;

    if (n == 0) return RG_OK;
    RG_TRY(eval(b, t, y, yp, b->values));
    RG_TRY(eval(b, t, w, wp, b->values + n));
    for (int64_t k = 0; k < n; k++) {
        const double e = difference(b->floor[k], b->values[k], b->values[n + k]);
        if (isnan(b->floor[k]) || !(e > b->worst)) continue;
        b->worst = e;
        b->t = t;
        b->column = k;
        b->has_no_value = !isfinite(b->values[k]);
    }
    return RG_OK;
}

/* What it is, and where. */
static void describe(const rg_bvp_outputs *b, double estimate, char *text, size_t size)
{
    char number[40];

    snprintf(text, size, "%s near %s = %.4g%s", rg_short_text(estimate, 1, number),
             rg_problem_time_name(b->solution->problem), b->t,
             b->has_no_value ? ", where it has no finite value" : "");
}

rg_status rg_bvp_outputs_judge(const rg_bvp_outputs *b, double factor, const rg_options *o,
                               rg_solution *s)
{
    const double estimate = factor * b->worst;
    rg_context *ctx = s->problem->ctx;
    char name[128], what[256];

    if (!(b->worst > 0.0)) return RG_OK;
    if (!(estimate <= s->estimate)) s->estimate = estimate;
    if (estimate <= RG_BVP_OUTPUT_MISS * o->rtol) return RG_OK;
    rg_solution_column_name(s, b->column, name, sizeof name);
    describe(b, estimate, what, sizeof what);
    if (estimate <= RG_ESTIMATE_NO_DIGIT || o->accept_doubt)
        return rg_problem_warn(s->problem,
                               "the estimated error of the output '%s' is %s, more than the "
                               "tolerance %.2g: it magnifies errors of the unknowns in it; give a "
                               "smaller --tol",
                               name, what, o->rtol);
    rg_fail(ctx, RG_ERR_CONVERGENCE,
            "the estimated error of the output '%s' is %s: not one digit is certain there", name,
            what);
    return rg_remedy(ctx, "give a smaller --tol, or make what the output is computed from an "
                          "unknown; --accept-doubt takes the result as it is");
}
