/* The method 'collocation': options, continuation, a second chance where Newton's method fails,
 * warnings, output. */
#include "bvp/collocation/tuning.h"
#include "bvp/continuation.h"

#include "bvp/branch.h"
#include "bvp/form_hold.h"
#include "bvp/least_squares.h"
#include "bvp/tuning.h"
#include "bvp/wellposed.h"
#include "solution/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rg_status read_control(const rg_problem *p, const rg_options *o, rg_collocation_control *c)
{
    *c = (rg_collocation_control){.rtol = o->rtol,
                                  .atol = o->atol != o->rtol ? o->atol : 0.0,
                                  .kind = RG_RULE_GAUSS,
                                  .stages = o->stages > 0 ? o->stages : RG_BVP_STAGES,
                                  .max_newton = o->max_newton,
                                  .step = o->step};
    c->max_intervals = o->max_steps < RG_BVP_INTERVALS ? o->max_steps : RG_BVP_INTERVALS;
    if (strcmp(o->nodes, "radau") == 0) c->kind = RG_RULE_RADAU;
    if (strcmp(o->nodes, "lobatto") == 0) c->kind = RG_RULE_LOBATTO;
    if (c->kind == RG_RULE_LOBATTO && c->stages < 2) {
        rg_fail(p->ctx, RG_ERR_METHOD, "Lobatto points need two stages at least");
        return rg_remedy(p->ctx, "give --stages from 2 to 7, or other --nodes");
    }
    return RG_OK;
}

/* --guess mode=J: J; 0: a file, or nothing. */
static rg_status read_mode(const rg_problem *p, const char *guess, int *mode)
{
    char *end;

    *mode = 0;
    if (strncmp(guess, "mode=", 5) != 0) return RG_OK;
    const long value = strtol(guess + 5, &end, 10);
    *mode = (int)value;
    if (end != guess + 5 && *end == '\0' && value >= 1 && value <= RG_BVP_MOST_MODE) return RG_OK;
    rg_fail(p->ctx, RG_ERR_ARGUMENT, "--guess: '%s' is no mode", guess);
    return rg_remedy(p->ctx, "give --guess mode=J with J half waves, 1 to %d", RG_BVP_MOST_MODE);
}

/* Conditions and equations that follow from others, at the solution.  Of equations that contradict
 * each other there is none. */
static rg_status check_dropped(const rg_boundary *b, const rg_options *o,
                               rg_collocation_result *result)
{
    const rg_profile guess = {rg_guess_profile, b->guess};
    const rg_status status = rg_bvp_form_hold(b->form, result->solution, &guess, o->rtol);

    if (status < 0) rg_collocation_clear(result);
    if (status < 0) return status;
    return rg_bvp_conditions_hold(b->conditions, result->solution, o->rtol, o->atol);
}

rg_status rg_boundary_collocate(rg_problem *p, double t_end, const rg_options *o, rg_boundary **b,
                                rg_collocation_result *result)
{
    rg_collocation_control control;
    int mode;

    RG_TRY(read_control(p, o, &control));
    RG_TRY(read_mode(p, o->guess, &mode));
    if (mode > 0) {
        RG_TRY(rg_boundary_create(p, t_end, "", b));
        RG_TRY(rg_boundary_mode(p, &control, *b, mode, result));
        return check_dropped(*b, o, result);
    }
    if (o->continuation[0] != '\0') {
        RG_TRY(rg_boundary_continue(p, t_end, o->continuation, o->guess, &control, b, result));
        return check_dropped(*b, o, result);
    }
    RG_TRY(rg_boundary_create(p, t_end, o->guess, b));
    const rg_profile guess = {rg_guess_profile, (*b)->guess};
    rg_status status =
        rg_collocation_run((*b)->form, (*b)->conditions, &control, &guess, NULL, result);
    if (status == RG_ERR_CONVERGENCE && result->solution == NULL)
        RG_TRY(rg_bvp_conditions_blame(p, (*b)->form, (*b)->conditions, &guess));
    const bool is_hopeless = result->is_thin && (*b)->form->is_linear;
    const bool is_failed = result->n_failed > 0 && control.step == 0.0 && !is_hopeless;
    const bool is_direct = status == RG_OK && control.step == 0.0;
    if (status == RG_ERR_CONVERGENCE && is_failed)
        status = rg_boundary_attempt(p, &control, *b, result);
    if (status == RG_ERR_CONVERGENCE && is_failed)
        status = rg_boundary_rescue(p, t_end, o->guess, &control, b, result);
    if (status == RG_OK && control.step == 0.0)
        status = rg_boundary_settle(p, &control, *b, result);
    if (status == RG_OK && is_direct) status = rg_boundary_look_aside(p, &control, *b, result);
    if (status != RG_OK) return *b != NULL ? rg_boundary_explain(*b, result, status) : status;
    return check_dropped(*b, o, result);
}

rg_status rg_boundary_warn_equations(rg_problem *p, double amplification)
{
    return rg_problem_warn(p,
                           "the equations hardly determine this solution: relative changes in them "
                           "are amplified by %.0e",
                           amplification);
}

/* Algebraic unknowns need not exist at a singular place: in its interval their errors do not count
 * (estimate.c). */
static void tell_exempt(const rg_bvp_form *f, const rg_collocation_result *q, rg_solution *s)
{
    const rg_curve *c = q->solution;

    if (q->places.n == 0 || f->n_algebraic == 0) return;
    const int64_t i = rg_curve_find(c, q->places.place[0].t);
    int used = snprintf(s->detail, sizeof s->detail,
                        "algebraic unknowns are left out of the estimate between %s = %.6g and "
                        "%.6g, around the singular place",
                        rg_problem_time_name(f->p), c->t[i], c->t[i + 1]);
    if (q->places.n > 1)
        snprintf(s->detail + used, sizeof s->detail - (size_t)used, ", and around %d more",
                 q->places.n - 1);
}

/* The estimate is relative to the largest value of an unknown over the interval. */
static void tell_small(const rg_bvp_form *f, const rg_collocation_result *q, rg_solution *s)
{
    const rg_curve *c = q->solution;
    char name[128], number[32];

    if (q->small < 0) return;
    const int k = q->small % c->nx;
    const int64_t i = q->small < c->nx ? 0 : c->N;
    const size_t used = strlen(s->detail);
    rg_variable_name(f->p, f->unknown[k], f->order[k], name, sizeof name);
    snprintf(s->detail + used, sizeof s->detail - used,
             "%s%s is %.2g at %s = %s, small beside its largest value, with an error of about "
             "%.0e; --atol counts such errors",
             used > 0 ? "\n" : "", name, c->x[i * c->nx + k], rg_problem_time_name(f->p),
             rg_real_text(c->t[i], number), q->small_error);
}

/* An output that magnifies errors of the unknowns in it asks for a smaller tolerance of these,
 * once.  Where no tolerance will do, the solution stays as it is. */
static rg_status refine_outputs(rg_boundary *b, const rg_options *o, rg_collocation_result *result)
{
    const rg_profile from = {rg_profile_of_curve, result->solution};
    rg_collocation_control control;
    rg_collocation_result found = {0};
    double worst;

    RG_TRY(read_control(b->problem, o, &control));
    RG_TRY(rg_boundary_outputs_error(b->problem, b, result, o, &worst));
    const double part = fmax(RG_OUTPUT_AIM * o->rtol / worst, RG_OUTPUT_LEAST);
    if (control.step > 0.0 || !(worst > o->rtol) || !(worst < 1.0)) return RG_OK;
    control.rtol = fmax(part * control.rtol, RG_ESTIMATE_RTOL_LEAST);
    control.atol *= part;
    control.max_intervals =
        fmin((double)control.max_intervals, RG_OUTPUT_MESH * (double)result->solution->N);
    rg_log(b->problem->ctx, 2, "collocation: an output has an error of %.3g tolerances",
           worst / o->rtol);
    const rg_status status =
        rg_collocation_run(b->form, b->conditions, &control, &from, result->solution, &found);
    if (status == RG_OK) {
        found.stats.evaluations += result->stats.evaluations;
        found.stats.jacobians += result->stats.jacobians;
        found.stats.factorizations += result->stats.factorizations;
        rg_collocation_clear(result);
        *result = found;
        return RG_OK;
    }
    rg_collocation_clear(&found);
    if (status != RG_ERR_CONVERGENCE) return status;
    rg_clear_error(b->problem->ctx);
    return RG_OK;
}

rg_status rg_collocation_solve(rg_problem *p, double t_end, const rg_options *options,
                               const rg_request *r, rg_solution **out)
{
    rg_boundary *b = NULL;
    rg_collocation_result result = {0};

    rg_status status = rg_boundary_collocate(p, t_end, options, &b, &result);
    if (status == RG_OK) status = refine_outputs(b, options, &result);
    if (status == RG_OK && !result.is_unresolved && !(result.conditioning <= RG_CONDITIONING_LIMIT))
        status = rg_problem_warn(
            p,
            "the conditions hardly determine this solution: relative changes in them "
            "are amplified by %.0e; there may be others",
            result.conditioning);
    if (status == RG_OK && result.conditioning <= RG_CONDITIONING_LIMIT
        && result.amplification > RG_CONDITIONING_LIMIT)
        status = rg_boundary_warn_equations(p, result.amplification);
    if (status == RG_OK && result.is_unresolved)
        status = rg_problem_warn(
            p, "the linearized equations oscillate too fast for the mesh: whether the conditions "
               "determine this solution was not found out; raise --max-steps");
    if (status == RG_OK) status = rg_branch_tell(p, b->form, result.solution);
    if (b != NULL && result.solution != NULL) {
        const rg_status written = rg_boundary_write(b->problem, b, &result, options, r, out);
        if (status == RG_OK) status = written;
        if (*out != NULL) tell_exempt(b->form, &result, *out);
        if (*out != NULL && status == RG_OK) tell_small(b->form, &result, *out);
        if (*out != NULL)
            (*out)->estimate_ratio =
                options->atol != options->rtol ? options->atol / options->rtol : -1.0;
    }
    rg_collocation_clear(&result);
    rg_boundary_destroy(p->ctx, &b);
    return status;
}

static void note_fault(rg_study *s, const char *text)
{
    s->conditioning = NAN;
    snprintf(s->conditioning_fault, sizeof s->conditioning_fault, "%s", text);
}

rg_status rg_boundary_conditioning(rg_problem *p, const rg_options *options, rg_study *study)
{
    rg_options o = *options;
    rg_boundary *b = NULL;
    rg_collocation_result result = {0};
    const double ratio = o.atol / o.rtol;

    o.rtol = fmax(o.rtol, RG_BVP_ROUGH_TOL);
    o.atol = ratio * o.rtol;
    const rg_status status = rg_boundary_collocate(p, p->b, &o, &b, &result);
    if (status == RG_OK && result.is_unresolved)
        note_fault(study, "the linearized equations oscillate too fast for the mesh");
    else if (status == RG_OK)
        study->conditioning = result.conditioning;
    else
        note_fault(study, rg_last_error(p->ctx)->message);
    rg_status warned = RG_OK;
    if (status == RG_OK && result.amplification > RG_CONDITIONING_LIMIT)
        warned = rg_boundary_warn_equations(p, result.amplification);
    rg_collocation_clear(&result);
    rg_boundary_destroy(p->ctx, &b);
    if (warned != RG_OK) return warned;
    if (status != RG_ERR_CONVERGENCE && status != RG_ERR_METHOD) return status;
    rg_clear_error(p->ctx);
    return RG_OK;
}
