/* Does 'turning-point' fit the model, and which variant?  Every refusal names the coefficient and
 * the method that does fit. */
#include "bvp/turning/method.h"
#include "bvp/turning/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const rg_variant_info variants[] = {
    {"sweep",        "(6.13) to (6.24)",        "repulsive: one explicit sweep per half, error M (h + eps)",          0},
    {"two-pass",     "(6.13) to (6.24), twice", "repulsive: second order sweep and correction",                       0},
    {"conservative", "(6.35)",                  "attractive: conservation form on a mesh dense at the point",         0},
    {"upwind",       "",                        "upwind differences on a uniform mesh, for comparison",               0},
    {"shishkin",     "",                        "upwind differences, half of the mesh in the layers, for comparison", 0}
};
enum { N_VARIANTS = sizeof variants / sizeof *variants };

int rg_turning_variant_count(const char *method)
{
    (void)method;
    return N_VARIANTS;
}

rg_variant_info rg_turning_variant_at(const char *method, int k)
{
    (void)method;
    return variants[k];
}

const char *rg_turn_variant_name(rg_turn_variant variant)
{
    return variants[variant].name;
}

static rg_status go_elsewhere(rg_context *ctx)
{
    return rg_remedy(ctx, "take --method collocation");
}

static rg_status refuse_form(const rg_turning *v)
{
    rg_fail(v->ctx, RG_ERR_METHOD,
            "'turning-point' solves -eps*u'' - b(x,u)*u' + c(x,u) = 0 with u given at both ends; "
            "not this model: %s",
            v->reason);
    if (v->p->source != NULL && v->span.end > 0) rg_fail_at(v->ctx, v->p->source, v->span);
    return go_elsewhere(v->ctx);
}

/* The sign of eps cannot be seen on the equation, whose sides may be exchanged; but where eps is
 * proportional to a parameter, that one must be positive. */
static rg_status check_eps(const rg_turning *v)
{
    int number;
    char text[40];

    RG_TRY(rg_turning_parameter(v, &number));
    if (number < 0) return RG_OK;
    const rg_parameter *p = &v->p->parameters[number];
    rg_fail(v->ctx, RG_ERR_METHOD,
            "'turning-point': the coefficient of the second derivative is %s = %s, and must be "
            "greater than 0",
            p->name, rg_real_text(p->value, text));
    return rg_remedy(v->ctx, "give --set %s=%s", p->name, rg_real_text(-p->value, text));
}

static rg_status refuse_points(const rg_turning *v, const char *why)
{
    char u[64];

    rg_variable_name(v->p, v->unknown, 1, u, sizeof u);
    rg_fail(v->ctx, RG_ERR_METHOD, "'turning-point': the coefficient b of %s %s", u, why);
    return go_elsewhere(v->ctx);
}

static rg_status check_points(const rg_turning *v)
{
    const rg_turning_facts *f = &v->facts;
    char why[160], number[40];
    const char *x = rg_problem_time_name(v->p);

    if (v->is_moving) return refuse_points(v, "has zeros that move with the solution");
    if (f->n_points == 0)
        return refuse_points(v, "has no zero in the interval, so there is no turning point and no "
                                "method for one is needed");
    if (f->n_points > 1) {
        snprintf(why, sizeof why, "has %d zeros, and this method takes one turning point",
                 f->n_points);
        return refuse_points(v, why);
    }
    const rg_turn_kind kind = f->point[0].kind;
    if (kind == RG_TURN_REPULSIVE || kind == RG_TURN_ATTRACTIVE) return RG_OK;
    snprintf(why, sizeof why,
             kind == RG_TURN_BOUNDARY ? "is 0 at the end %s = %s: a boundary turning point"
                                      : "has a double zero at %s = %s",
             x, rg_real_text(f->point[0].t, number));
    return refuse_points(v, why);
}

static bool needs(rg_turn_variant variant, rg_turn_kind kind)
{
    if (variant <= RG_TURN_TWO_PASS) return kind == RG_TURN_REPULSIVE;
    return variant != RG_TURN_CONSERVATIVE || kind == RG_TURN_ATTRACTIVE;
}

static rg_status choose_variant(const rg_turning *v, const char *name, rg_turn_variant *out)
{
    const rg_turn_kind kind = v->facts.point[0].kind;
    const bool is_repulsive = kind == RG_TURN_REPULSIVE;
    int k = 0;

    *out = is_repulsive ? RG_TURN_SWEEP : RG_TURN_CONSERVATIVE;
    if (strcmp(name, "auto") == 0) return RG_OK;
    while (k < N_VARIANTS && strcmp(name, variants[k].name) != 0)
        k++;
    if (k == N_VARIANTS) {
        rg_fail(v->ctx, RG_ERR_METHOD, "'turning-point' has no variant '%s'", name);
        return rg_remedy(v->ctx,
                         "give --variant sweep, two-pass, conservative, upwind or shishkin");
    }
    *out = (rg_turn_variant)k;
    if (needs(*out, kind)) return RG_OK;
    rg_fail(v->ctx, RG_ERR_METHOD, "variant '%s' is for %s turning points; this one is %s", name,
            is_repulsive ? "attractive" : "repulsive", is_repulsive ? "repulsive" : "attractive");
    return rg_remedy(v->ctx, "give --variant %s", is_repulsive ? "sweep" : "conservative");
}

static rg_status check_intervals(rg_context *ctx, int n)
{
    if (n % 2 == 0) return RG_OK;
    rg_fail(ctx, RG_ERR_ARGUMENT, "intervals = %d is odd; both halves of the mesh take as many", n);
    return rg_remedy(ctx, "give an even number from %d to %d, as %d", RG_TURN_LEAST_INTERVALS,
                     RG_TURN_MOST_INTERVALS, n + 1);
}

/* An attractive point: where c is not of size eps there, Theorem 6.3 says nothing; where it falls
 * with u, the difference equations lose their stability. */
static rg_status check_inner(rg_turning *v)
{
    const double length = v->high - v->low, x = v->facts.point[0].t;
    rg_turning_values now;
    double largest = 0.0, falling = 0.0;

    for (int k = 0; k < 3; k++) {
        const double u = v->value[0] + 0.5 * k * (v->value[1] - v->value[0]);
        if (!rg_turning_eval(v, x, u, 1, &now)) continue;
        largest = fmax(largest, fabs(now.c_u) * length * length);
        falling = fmax(falling, -now.c_u * length * length);
    }
    const double small = RG_TURN_OF_SIZE_EPS * v->eps;
    if (falling > small)
        return refuse_points(v, "rises through its zero, but the term c without derivatives falls "
                                "with the unknown there (c_u < 0)");
    if (largest <= small) return RG_OK;
    return rg_problem_warn(v->p,
                           "the term without derivatives does not vanish with eps at the turning "
                           "point: that the error is the same for all eps is not proved here");
}

rg_status rg_turn_check(rg_turning *v, const rg_options *o, rg_turn_variant *variant)
{
    RG_TRY(check_intervals(v->ctx, o->intervals));
    if (v->fault != RG_TURNING_IS_FORM) return refuse_form(v);
    RG_TRY(check_eps(v));
    RG_TRY(check_points(v));
    RG_TRY(choose_variant(v, o->variant, variant));
    return v->facts.point[0].kind == RG_TURN_ATTRACTIVE ? check_inner(v) : RG_OK;
}
