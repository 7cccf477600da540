/* Units of time and its origin: random models in seconds, milliseconds, microseconds and days, from
 * t0 = 0, 1e6 s and 1.6e9 s, give the same answers.  An error is to be at most
 *
 *     max(10 tol, 2 e) + 4 floor,
 *
 * e that of the same model in seconds from t = 0, and floor = eps |t| |y'| what the rounding of t
 * makes of a value; multipliers of index 2 and 3 see that noise through one or two derivatives, in
 * steps of a few hundredths of a second.  Multipliers of index 2 as written carry about half of the
 * digits, in every unit: 100 tol. */
#include "base/base.h"
#include "random/models.h"
#include "regula.h"
#include "support/test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODELS = 12, LENGTH = 6 };
static const double TIMES[] = {1.0, 1e3, 1e6, 1.0 / 86400.0}; /* one second in s, ms, us, days */
static const double STARTS[] = {0.0, 1e6, 1.6e9};             /* seconds */
static const double TOL = 1e-6;
static const double STEP = 0.02; /* seconds */

static random_model model;

static random_request request_of(int k, double scale, double t0)
{
    return (random_request){.kind = (random_kind)(k % RANDOM_KINDS),
                            .seed = 40 + (uint64_t)k,
                            .scale = scale,
                            .t0 = t0 * scale,
                            .length = LENGTH,
                            .units = 1.0};
}

/* What the rounding of t leaves undecided. */
static double floor_of(const random_request *r, int i)
{
    const double rounding = DBL_EPSILON * fabs(model.t_end);
    const double rate = 3.0 / model.scale;
    const bool is_rest = i >= model.n_states;

    if (is_rest && r->kind == RANDOM_INDEX2) return rounding * rate / STEP;
    if (is_rest && r->kind == RANDOM_INDEX3) return rounding * rate / (STEP * STEP);
    return rounding * rate;
}

/* Errors of the unknowns at the end, relative to 1 + |y|; false: the run failed. */
static bool run(rg_context *ctx, const random_request *r, const char *form, double *error,
                double *estimate)
{
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;
    double y[2 * RANDOM_MOST];
    char tol[32];

    random_model_make(r, &model);
    snprintf(tol, sizeof tol, "%g", TOL);
    rg_status status = rg_problem_from_text(ctx, model.text, &p);
    if (status == RG_OK) status = rg_options_create(ctx, &o);
    if (status == RG_OK) status = rg_options_set(o, "tol", tol);
    if (status == RG_OK) status = rg_options_set(o, "native", "off");
    if (status == RG_OK) status = rg_options_set(o, "formulation", form);
    const rg_request request = {.keep = RG_KEEP_LAST, .estimate = 1};
    if (status == RG_OK) status = rg_solve_request(p, model.t_end, o, &request, &s);
    if (status == RG_OK) status = rg_solution_eval(s, model.t_end, y, NULL);
    for (int i = 0; status == RG_OK && i < model.n_states + model.n_rest; i++) {
        const double exact = random_model_exact(&model, i, 0, model.t_end);
        error[i] = fabs(y[i] - exact) / (1.0 + fabs(exact));
    }
    *estimate = status == RG_OK ? rg_solution_estimate(s) : NAN;
    if (status != RG_OK) printf("%s\n", rg_last_error(ctx)->message);
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    return status == RG_OK;
}

static double limit_of(const random_request *r, const char *form, int i, double first)
{
    const bool is_direct = r->kind == RANDOM_INDEX2 && strcmp(form, "direct") == 0;
    const double least = is_direct && i >= model.n_states ? 100.0 : 10.0;

    return fmax(least * TOL, 2.0 * first) + 4.0 * floor_of(r, i);
}

static void check_model(rg_context *ctx, int k, const char *form)
{
    double first[2 * RANDOM_MOST], error[2 * RANDOM_MOST], estimate;
    random_request r = request_of(k, 1.0, 0.0);

    if (!CHECK(run(ctx, &r, form, first, &estimate))) return;
    for (size_t a = 0; a < sizeof TIMES / sizeof *TIMES; a++)
        for (size_t b = 0; b < sizeof STARTS / sizeof *STARTS; b++) {
            r = request_of(k, TIMES[a], STARTS[b]);
            if (!CHECK(run(ctx, &r, form, error, &estimate))) {
                printf("model %d, kind %d, scale %g, t0 %g: failed\n", k, (int)r.kind, TIMES[a],
                       STARTS[b]);
                continue;
            }
            double worst = 0.0, least = 0.0;
            for (int i = 0; i < model.n_states + model.n_rest; i++) {
                const double limit = limit_of(&r, form, i, first[i]);
                if (!CHECK(error[i] <= limit))
                    printf("model %d, kind %d, unknown %d, scale %g, t0 %g: error %.2g, %.2g in "
                           "seconds from 0\n",
                           k, (int)r.kind, i, TIMES[a], STARTS[b], error[i], first[i]);
                worst = fmax(worst, error[i]);
                least = fmax(least, 4.0 * floor_of(&r, i));
            }
            if (!CHECK(worst <= 10.0 * estimate + least))
                printf("model %d, kind %d, scale %g, t0 %g: error %.2g, estimate %.2g\n", k,
                       (int)r.kind, TIMES[a], STARTS[b], worst, estimate);
        }
}

static void time_units(void)
{
    rg_context *ctx = NULL;

    if (!CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    for (int k = 0; k < MODELS; k++)
        if (k % RANDOM_KINDS != RANDOM_INDEX2) check_model(ctx, k, "auto");
    for (int k = RANDOM_INDEX2; k < MODELS; k += RANDOM_KINDS) {
        check_model(ctx, k, "direct");
        check_model(ctx, k, "projected");
    }
    rg_context_destroy(&ctx);
}

/* Index 2 with an unknown beside the multiplier, counted from 1e6 and 1.6e9 s: as written six
 * of these runs stopped with a step of the size of the rounding of t, at 1e-3 as well. */
static void late_starts(void)
{
    static const double starts[] = {0.0, 1e6, 1.6e9}, tols[] = {1e-3, 1e-4, 1e-5, 1e-6};
    rg_context *ctx = NULL;
    char text[1024];

    if (!CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    for (int k = 0; k < 36; k++) {
        const double t0 = starts[k % 3], tol = tols[k / 3 % 4], w = 1.0 + k / 12;
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        snprintf(text, sizeof text,
                 "param w = %g, t0 = %.17g\nlet s = t - t0\n"
                 "let X = 0.2 + 0.3*s - 0.1*sin(w*s), U = 0.1 - 0.9/(1 + (s - 0.7)^2)\n"
                 "let P = cos(w*s)\n"
                 "var x = 0.2, u, p = 1\n"
                 "x' + 0.3*x - 1.3*u = X' + 0.3*X - 1.3*U\n"
                 "p' + 1.9*p - 0.2*tanh(x^2) + 0.3*sin(u) = P' + 1.9*P - 0.2*tanh(X^2)"
                 " + 0.3*sin(U)\n"
                 "x + 0.2*sin(x) = X + 0.2*sin(X)\n"
                 "exact x = X, u = U, p = P\n"
                 "over t = %.17g .. %.17g\nsolve tol = %g\n",
                 w, t0, t0, t0 + w, tol);
        const rg_request request = {.keep = RG_KEEP_ROWS, .estimate = 1};
        rg_status status = rg_problem_from_text(ctx, text, &p);
        if (status == RG_OK) status = rg_solve_request(p, t0 + w, NULL, &request, &s);
        if (!CHECK_INT(status, RG_OK)) printf("%s\n%s\n", rg_last_error(ctx)->message, text);
        for (int i = 0; i < 3 && status == RG_OK; i++)
            CHECK(rg_solution_error(s, i) <= 10.0 * tol + 8.0 * DBL_EPSILON * t0);
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

int main(void)
{
    static const test_case cases[] = {
        {"units and origin of time", time_units },
        {"late starts",              late_starts},
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
