/* Runs of random models, judged by their known solutions: see judge.h. */
#include "random/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

random_request judge_request(random_kind kind, uint64_t seed)
{
    return (random_request){.kind = kind,
                            .seed = seed,
                            .scale = 1.0,
                            .length = 6.0,
                            .units = 1.0,
                            .start = RANDOM_KEPT,
                            .is_array = seed % 2 == 0};
}

const char *judge_kind(random_kind kind)
{
    static const char *const names[] = {"ode", "stiff", "index 1", "index 2", "index 3"};

    return names[kind];
}

/* The largest error of a row, of the first n unknowns. */
static double error_at(const random_model *m, const rg_solution *s, double t, int n)
{
    double y[2 * RANDOM_MOST], worst = 0.0;

    if (rg_solution_eval(s, t, y, NULL) != RG_OK) return NAN;
    for (int i = 0; i < n; i++) {
        const double exact = random_model_exact(m, i, 0, t);
        const double e = fabs(y[i] - exact) / (1.0 + fabs(exact));
        if (!(e <= worst)) worst = e;
    }
    return worst;
}

static double error_over(const random_model *m, const rg_solution *s, int n)
{
    double worst = 0.0;

    for (int64_t k = 0; k < rg_solution_rows(s); k++) {
        const double e = error_at(m, s, rg_solution_time(s, k), n);
        if (!(e <= worst)) worst = e;
    }
    return worst;
}

static rg_status solve(const rg_problem *p, const random_model *m, const rg_options *o,
                       int64_t n_times, rg_solution **out)
{
    double times[JUDGE_POINTS];

    for (int k = 0; k < JUDGE_POINTS; k++)
        times[k] =
            k == JUDGE_POINTS - 1 ? m->t_end : m->t0 + (m->t_end - m->t0) * k / (JUDGE_POINTS - 1);
    const rg_request r = {.keep = RG_KEEP_ROWS, .n_times = n_times, .times = times, .estimate = 1};
    return rg_solve_request(p, m->t_end, o, &r, out);
}

static rg_status judge(const rg_problem *p, const random_model *m, double tol, const rg_options *o,
                       judgement *out)
{
    const int n = m->n_states + m->n_rest;
    rg_solution *s = NULL;

    rg_status status = solve(p, m, o, 0, &s);
    if (status == RG_OK) {
        const double estimate = rg_solution_estimate(s), end = error_at(m, s, m->t_end, n);
        const double steps = error_over(m, s, n);
        out->end = end / tol;
        out->steps = steps / tol;
        out->at_end = end / rg_solution_estimate_end(s);
        out->of_steps = steps / estimate;
        out->taken = rg_solution_stats(s).steps;
        out->plain = rg_solution_stats(s).evaluations;
    }
    rg_solution_destroy(&s);
    if (status != RG_OK) return status;
    status = solve(p, m, o, JUDGE_POINTS, &s);
    if (status == RG_OK) {
        out->points = error_over(m, s, n) / tol;
        out->states = error_over(m, s, m->n_states) / tol;
        out->of_points = out->points * tol / rg_solution_estimate(s);
        out->chosen = rg_solution_stats(s).evaluations;
    }
    rg_solution_destroy(&s);
    return status;
}

void judge_run(const random_model *m, double tol, const char *formulation, judgement *out)
{
    judge_method(m, tol, "auto", formulation, out);
}

/* method, or method:option=value. */
static rg_status set_method(rg_options *o, const char *text)
{
    char word[64];
    snprintf(word, sizeof word, "%s", text);
    char *colon = strchr(word, ':'), *equals = colon != NULL ? strchr(colon, '=') : NULL;

    if (equals == NULL) return rg_options_set(o, "method", word);
    *colon = *equals = '\0';
    const rg_status status = rg_options_set(o, "method", word);
    return status == RG_OK ? rg_options_set(o, colon + 1, equals + 1) : status;
}

void judge_method(const random_model *m, double tol, const char *method, const char *formulation,
                  judgement *out)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_options *o = NULL;
    char text[32];

    *out = (judgement){.end = NAN, .steps = NAN, .points = NAN, .of_steps = NAN, .of_points = NAN};
    snprintf(text, sizeof text, "%.17g", tol);
    out->status = rg_context_create(&ctx);
    if (out->status == RG_OK) out->status = rg_problem_from_text(ctx, m->text, &p);
    if (out->status == RG_OK) out->status = rg_options_create(ctx, &o);
    if (out->status == RG_OK) out->status = rg_options_set(o, "tol", text);
    if (out->status == RG_OK) out->status = set_method(o, method);
    if (out->status == RG_OK) out->status = rg_options_set(o, "formulation", formulation);
    if (out->status == RG_OK) out->status = judge(p, m, tol, o, out);
    if (out->status != RG_OK && ctx != NULL)
        printf("seed failed: %s\n", rg_last_error(ctx)->message);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}
