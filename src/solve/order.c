/* Observed orders of convergence: the same problem with several fixed steps, errors at the end of
 * the interval.
 *
 * Errors are against the exact solution of the model, or against a run with a tight tolerance.
 * Theory comes from the row of the method (ivp/irk/theory.c). */
#include "solve/order.h"
#include "solve/grid.h"
#include "solve/solver.h"
#include "solve/tuning.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HALVINGS = 5 };

/* Methods with known orders can be measured. */
static rg_status check_method(const rg_problem *p, const rg_method *m)
{
    char names[256] = "";
    size_t used = 0;

    if (m->theory != NULL && !p->is_boundary) return RG_OK;
    for (int k = 0; k < rg_method_count(); k++) {
        const rg_method_info info = rg_method_at(k);
        if (rg_method_find(info.name)->theory == NULL || used + 40 > sizeof names) continue;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "",
                                 info.name);
    }
    if (p->is_boundary)
        rg_fail(p->ctx, RG_ERR_METHOD,
                "orders are measured for initial values; this is a boundary "
                "value problem");
    else
        rg_fail(p->ctx, RG_ERR_METHOD, "'%s' does not take fixed steps of a known order", m->name);
    return rg_remedy(p->ctx, "methods that can: %s", names);
}

/* Every step divides the interval, into no more parts than a run may take; no two are the same. */
static rg_status check_steps(const rg_problem *p, const rg_options *o, double length, int count,
                             const double *steps)
{
    for (int k = 0; k < count; k++) {
        const double parts = length / steps[k];
        if (!(steps[k] > 0.0) || !isfinite(steps[k])) {
            rg_fail(p->ctx, RG_ERR_ARGUMENT, "the step %g is not a positive number", steps[k]);
            return rg_remedy(p->ctx, "give steps as in --steps 0.1,0.05,0.025");
        }
        if (!(parts <= (double)o->max_steps)) {
            rg_fail(p->ctx, RG_ERR_ARGUMENT,
                    "the step %g divides the interval of length %g into more than max_steps = %lld "
                    "parts",
                    steps[k], length, (long long)o->max_steps);
            return rg_remedy(p->ctx, "give longer steps, or a larger max_steps");
        }
        if (fabs(parts - floor(parts + 0.5)) > RG_SAME * parts) {
            rg_fail(p->ctx, RG_ERR_ARGUMENT,
                    "the step %g does not divide the interval of length %g: the last one would be "
                    "shorter, and orders mean nothing",
                    steps[k], length);
            return rg_remedy(p->ctx, "give steps such as %g", length / ceil(parts));
        }
        if (k > 0 && steps[k] == steps[k - 1]) {
            rg_fail(p->ctx, RG_ERR_ARGUMENT, "the step %g is given twice in a row", steps[k]);
            return rg_remedy(p->ctx, "give different steps");
        }
    }
    if (count > 1) return RG_OK;
    rg_fail(p->ctx, RG_ERR_ARGUMENT, "an order needs two steps at least");
    return rg_remedy(p->ctx, "give steps as in --steps 0.1,0.05,0.025, or none");
}

/* Kind and theory of every unknown, on the view that the method works on. */
static rg_status take_theory(const rg_solver *s, rg_orders *out)
{
    const rg_pattern *p = rg_system_pattern(s->system);
    const int *kind = rg_system_variable_index(s->system);
    const int64_t entries = p->start[p->n_columns];
    uint8_t *kinds = rg_alloc(s->ctx, (size_t)entries + 1, sizeof *kinds);
    const rg_analysis *a;
    rg_order_question q = {.index = 1};

    if (kinds == NULL) return RG_ERR_MEMORY;
    rg_status status = rg_analysis_get(s->problem, &a);
    if (status == RG_OK) status = rg_choose_structure(s->problem, a, &q.has_velocities);
    rg_system_entry_kinds(s->system, kinds);
    for (int64_t k = 0; k < s->n; k++)
        if (kind[k] > q.index) q.index = kind[k];
    /* B(y) y' = a(y): y as in index 2, HLR89 (1.13) */
    for (int64_t i = 0; i < s->problem->n && s->choice.view == RG_VIEW_DIRECT; i++)
        if (status == RG_OK && q.index == 1 && a->is_structural && a->c[i] > 0) q.index = 2;
    for (int64_t j = 0; j < out->problem->n; j++) {
        const int64_t state = rg_system_state(s->system, j, 0);
        q.is_algebraic = true;
        for (int64_t k = p->start[state]; k < p->start[state + 1]; k++)
            if (kinds[k] & 2) q.is_algebraic = false;
        q.kind = out->kind[j] = kind[state];
        out->theory[j] = rg_method_theory(s->choice.method, &s->options, q);
    }
    rg_free(s->ctx, kinds);
    return status;
}

/* Method, view, kinds. */
static rg_status find_facts(const rg_problem *p, rg_options *o, rg_orders *out)
{
    rg_solver *s = NULL;

    rg_status status = rg_solver_prepare(p, o, &s);
    if (status == RG_OK) {
        const rg_method *m = s->choice.method;
        snprintf(out->method, sizeof out->method, "%s", m->name);
        snprintf(out->formulation, sizeof out->formulation, "%s",
                 rg_choice_formulation(&s->choice));
        out->stages = m->max_stages > 0 ? o->stages : 0;
        out->order = m->max_order > 0 ? (o->order > 0 ? o->order : m->order) : 0;
        status = take_theory(s, out);
    }
    rg_solver_destroy(&s);
    return status;
}

/* A run that keeps its end alone. */
static rg_status run_to_end(const rg_problem *p, double t_end, const rg_options *o,
                            rg_solution **out)
{
    const rg_request request = {.keep = RG_KEEP_ROWS, .n_times = 1, .times = &t_end};

    return rg_solve_request(p, t_end, o, &request, out);
}

static rg_status run_reference(const rg_problem *p, double t_end, const rg_options *given,
                               rg_orders *out, double *y)
{
    rg_options o = rg_options_default();
    rg_solution *s = NULL;

    out->tol = fmin(RG_ORDER_REFERENCE, fmin(given->rtol, given->atol));
    o.rtol = o.atol = out->tol = fmax(out->tol, RG_ORDER_REFERENCE_LEAST);
    rg_status status = run_to_end(p, t_end, &o, &s);
    if (status >= 0) status = rg_solution_eval(s, t_end, y, NULL);
    rg_solution_destroy(&s);
    return status;
}

/* The run with a fixed step; y at its end.  The solution, unless it is not wanted (NULL). */
static rg_status run_fixed(const rg_problem *p, double t_end, const rg_options *o, double step,
                           double *y, rg_solution **out)
{
    rg_options mine = *o;
    rg_solution *s = NULL;

    mine.step = step;
    rg_status status = run_to_end(p, t_end, &mine, &s);
    if (status >= 0) status = rg_solution_eval(s, t_end, y, NULL);
    if (out != NULL)
        *out = s;
    else
        rg_solution_destroy(&s);
    return status;
}

/* reference NULL: exact. */
static rg_status run_step(const rg_problem *p, double t_end, const rg_options *o, int k, double *y,
                          const double *reference, rg_orders *out)
{
    double *error = out->errors + k * p->n;
    rg_solution *s = NULL;
    const rg_status status = run_fixed(p, t_end, o, out->steps[k], y, &s);

    for (int64_t j = 0; status >= 0 && j < p->n; j++) {
        error[j] = reference != NULL ? fabs(y[j] - reference[j]) : rg_solution_error(s, j);
        out->size[j] = fabs(y[j]) > 0.0 ? fabs(y[j]) : 1.0;
    }
    if (status >= 0) out->n_done = k + 1;
    rg_solution_destroy(&s);
    return status < 0 ? status : RG_OK;
}

/* What rounding changes at the end, by runs whose steps are longer by some units in the last place,
 * of the step or of the time at the start, if that is larger: all that is rounded is rounded
 * differently, and the error of the method stays.  With |R(inf)| = 1 and index above 1 rounding
 * adds up over the steps and is divided by powers of h. */
static void measure_noise(const rg_problem *p, double t_end, const rg_options *o, double *y,
                          rg_orders *out)
{
    double *other = y + p->n;

    for (int k = 0; k < out->n_done; k++) {
        double *noise = out->noise + k * p->n;
        bool is_known = run_fixed(p, t_end, o, out->steps[k], y, NULL) >= 0;
        for (int sample = 1; sample <= RG_ORDER_SAMPLES; sample++) {
            const double unit = DBL_EPSILON * fmax(out->steps[k], fabs(p->a));
            const double longer = out->steps[k] + sample * RG_ORDER_MOVED * unit;
            is_known = is_known && run_fixed(p, t_end, o, longer, other, NULL) >= 0;
            for (int64_t j = 0; j < p->n && is_known; j++)
                noise[j] = fmax(noise[j], fabs(y[j] - other[j]));
        }
    }
    rg_clear_error(p->ctx);
}

/* The observed order of a pair, or where the orders of it and the pair before lead, if they rise:
 * errors C h^p (1 + r h) have orders  p + c h,  a straight line in h. */
static double order_of(const rg_orders *out, int pair, int64_t j)
{
    const double last = rg_orders_observed(out, pair, j);
    const double before = pair > 0 ? rg_orders_observed(out, pair - 1, j) : NAN;

    if (!(before < last) || !(last > out->theory[j] - 1.0)) return last;
    const double h = out->steps[pair], longer = out->steps[pair - 1];
    return longer > h ? last + (last - before) * h / (longer - h) : last;
}

static void judge(rg_orders *out, int64_t j)
{
    const int pair = rg_orders_last_pair(out, j);
    const bool is_below = /* theory 0: errors grow */
        pair >= 0 && order_of(out, pair, j) < out->theory[j] - RG_ORDER_BELOW;

    out->verdict[j] = pair < 0   ? RG_ORDER_IS_ROUNDING
                      : is_below ? RG_ORDER_IS_BELOW
                                 : RG_ORDER_IS_OK;
}

/* What is ok stays so: a second judgement, with rounding as measured, is for the others. */
int64_t rg_orders_compare(rg_orders *out)
{
    int64_t worst = -1;

    for (int64_t j = 0; j < out->problem->n; j++) {
        if (!out->is_judged || out->verdict[j] == RG_ORDER_IS_BELOW) judge(out, j);
        if (out->verdict[j] == RG_ORDER_IS_BELOW && worst < 0) worst = j;
    }
    out->is_judged = true;
    return worst;
}

rg_status rg_orders_judge(rg_orders *out)
{
    const rg_problem *p = out->problem;
    const int64_t worst = rg_orders_compare(out);
    char name[128];

    if (worst < 0) return RG_OK;
    rg_problem_name(p, worst, name, sizeof name);
    const double observed = rg_orders_observed(out, rg_orders_last_pair(out, worst), worst);
    if (out->theory[worst] == 0) {
        rg_fail(p->ctx, RG_ERR_CONVERGENCE,
                "'%s' does not converge, as theory says: its errors grow with order %.2f", name,
                observed);
        return rg_remedy(p->ctx, "give --formulation projected, or take --method %s",
                         rg_method_choose(p)->name);
    }
    rg_fail(p->ctx, RG_ERR_CONVERGENCE, "the observed order of '%s' is %.2f, theory says %d", name,
            observed, out->theory[worst]);
    return rg_remedy(p->ctx, "give smaller --steps: orders are those of small steps; or look for a "
                             "kink of the solution");
}

/* Steps that regula has chosen: where a run fails they begin with the half of its step.  false:
 * they would be too short. */
static bool begin_later(const rg_problem *p, double t_end, const rg_options *o, rg_orders *out)
{
    const double length = fabs(t_end - p->a), failed = out->steps[out->n_done];
    const double last = ldexp(failed, -out->n_steps);

    if (failed < ldexp(RG_ORDER_FIRST * length, 1 - RG_ORDER_LATER)) return false;
    if (!(length / last <= (double)o->max_steps)) return false;
    for (int k = 0; k < out->n_steps; k++)
        out->steps[k] = ldexp(failed, -k - 1);
    for (int64_t i = 0; i < out->n_steps * p->n; i++)
        out->errors[i] = NAN;
    out->n_done = 0;
    out->failed = failed;
    rg_clear_error(p->ctx);
    return true;
}

static rg_status run_steps(const rg_problem *p, double t_end, const rg_options *o, double *y,
                           const double *reference, rg_orders *out)
{
    rg_status status = RG_OK;

    while (out->n_done < out->n_steps && status >= 0) {
        status = run_step(p, t_end, o, out->n_done, y, reference, out);
        if (status == RG_ERR_CONVERGENCE && out->is_chosen && begin_later(p, t_end, o, out))
            status = RG_OK;
    }
    return status;
}

static rg_status measure(const rg_problem *p, double t_end, const rg_options *o, rg_orders *out)
{
    double *y = rg_alloc(p->ctx, 3 * (size_t)p->n + 1, sizeof *y);

    if (y == NULL) return RG_ERR_MEMORY;
    double *const reference = y + 2 * p->n;
    rg_status status = RG_OK;

    out->is_exact = p->n_exact > 0;
    if (!out->is_exact) status = run_reference(p, t_end, o, out, reference);
    if (status >= 0) status = run_steps(p, t_end, o, y, out->is_exact ? NULL : reference, out);
    for (int64_t j = 0; j < p->n && status < 0; j++)
        judge(out, j); /* by the steps that there are: the failure of a run is what is told */
    if (status >= 0) status = rg_orders_judge(out);
    if (status == RG_ERR_CONVERGENCE && out->n_done == out->n_steps) {
        measure_noise(p, t_end, o, y, out);
        status = rg_orders_judge(out);
    }
    rg_free(p->ctx, y);
    return status;
}

/* Defaults of this command: the model as written, and as many stages as the method takes. */
static rg_status complete(const rg_problem *p, const rg_options *given, rg_options *o)
{
    RG_TRY(rg_default_options(p, given, o));
    RG_TRY(rg_method_check(p->ctx, o->method));
    const rg_method *m = rg_method_asked(p, o->method);
    RG_TRY(check_method(p, m));
    snprintf(o->method, sizeof o->method, "%s", m->name);
    if (strcmp(o->formulation, "auto") == 0)
        snprintf(o->formulation, sizeof o->formulation, "direct");
    if (o->stages == 0) o->stages = m->stages;
    o->is_measured = true;
    return RG_OK;
}

rg_status rg_order_measure(const rg_problem *p, double t_end, const rg_options *given, int n_steps,
                           const double *steps, rg_orders **out)
{
    rg_options o;
    double halved[HALVINGS + 1];

    if (p == NULL || out == NULL || (n_steps > 0 && steps == NULL)) return RG_ERR_ARGUMENT;
    rg_clear_error(p->ctx);
    *out = NULL;
    if (n_steps < 0) {
        rg_fail(p->ctx, RG_ERR_ARGUMENT, "%d steps", n_steps);
        return rg_remedy(p->ctx,
                         "give how many there are, or 0 for a tenth of the interval and halves");
    }
    const double length = fabs(t_end - p->a);
    for (int k = 0; n_steps <= 0 && k <= HALVINGS; k++)
        halved[k] = ldexp(RG_ORDER_FIRST * length, -k);
    const int count = n_steps > 0 ? n_steps : HALVINGS + 1;
    if (p->form != NULL)
        RG_TRY(rg_default_options(p, given, &o));
    else
        RG_TRY(complete(p, given, &o));
    RG_TRY(check_steps(p, &o, length, count, n_steps > 0 ? steps : halved));
    if (p->form != NULL)
        return rg_grid_order(p, t_end, &o, count, n_steps > 0 ? steps : halved, out);
    RG_TRY(rg_orders_create(p, count, n_steps > 0 ? steps : halved, out));
    (*out)->is_chosen = n_steps == 0;
    rg_status status = find_facts(p, &o, *out);
    if (status < 0) {
        rg_orders_destroy(out);
        return status;
    }
    return measure(p, t_end, &o, *out);
}
