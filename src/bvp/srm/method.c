/* 'srm' and 'baumgarte' for boundary values: options, continuation, warnings, output. */
#include "bvp/boundary.h"
#include "bvp/srm/srm.h"
#include "bvp/srm/tuning.h"
#include "bvp/tuning.h"
#include "ivp/srm/srm.h"
#include "solution/tuning.h"

#include <math.h>
#include <string.h>

static void read_control(const rg_options *o, const rg_request *r, const rg_bvp_srm_field *f,
                         rg_bvp_srm_control *c)
{
    enum { MOST_INTERVALS = 100000 };

    *c = (rg_bvp_srm_control){.rtol = o->rtol,
                              .atol = o->atol,
                              .eps = o->eps,
                              .iterations = f->method->is_sequential ? o->iterations : 1,
                              .is_y0_given = strcmp(o->y0, "auto") != 0,
                              .step = o->step,
                              .max_newton = o->max_newton,
                              .with_estimate = r->estimate,
                              .accepts_doubt = o->accept_doubt};
    c->max_intervals = o->max_steps < MOST_INTERVALS ? o->max_steps : MOST_INTERVALS;
    c->layer = strcmp(o->layer, "keep") == 0   ? RG_LAYER_KEEP
               : strcmp(o->layer, "back") == 0 ? RG_LAYER_BACK
                                               : RG_LAYER_FIT;
}

/* The guess at the start as states of the system. */
static rg_status start_states(const rg_boundary *b, const rg_profile *guess,
                              const rg_system *system, double t, double *y)
{
    const rg_bvp_form *f = b->form;
    double *x = rg_alloc(f->ctx, (size_t)(f->nz + f->nx) + 1, sizeof *x);

    if (x == NULL) return RG_ERR_MEMORY;
    double *xp = x + f->nx, *w = xp + f->nx;
    const rg_status status = guess->eval(guess->user, t, x, xp, w);
    for (int r = 0; r < f->n_orders && status == RG_OK; r++)
        for (int j = 0; j < f->n; j++) {
            const int64_t state = rg_system_state(system, j, r);
            const int place = f->place[r][j];
            if (state < 0 || place < 0) continue;
            y[state] = place < f->nx ? x[place] : w[place - f->nx];
            if (!isfinite(y[state])) y[state] = 0.0;
        }
    rg_free(f->ctx, x);
    return status;
}

static rg_status make_field(rg_problem *p, const rg_boundary *b, const rg_profile *guess,
                            double t_end, const rg_options *o, rg_bvp_srm_field **out)
{
    rg_system *system = NULL;
    rg_problem *y0 = NULL;

    RG_TRY(rg_system_create(p, b->form->a, RG_VIEW_DIRECT, &system));
    double *start = rg_alloc(p->ctx, (size_t)rg_system_size(system) + 1, sizeof *start);
    rg_status status = start != NULL ? RG_OK : RG_ERR_MEMORY;
    if (status == RG_OK) status = start_states(b, guess, system, p->a, start);
    if (status == RG_OK) status = rg_bvp_srm_field_create(p, o, &system, start, t_end, out);
    if (status == RG_OK) status = rg_srm_read_y0(p, o, &y0);
    if (status == RG_OK && y0 != NULL) status = rg_srm_core_set_y0((*out)->core, o->y0, p->a, &y0);
    if (status != RG_OK) rg_bvp_srm_field_destroy(out);
    rg_problem_destroy(&y0);
    rg_free(p->ctx, start);
    rg_system_destroy(&system);
    return status;
}

/* --continue: collocation walks to the last value of the parameter; what it finds there is the
 * guess.  Otherwise the guess is that of the model. */
static rg_status begin(rg_problem *p, double t_end, const rg_options *o, rg_boundary **b,
                       rg_collocation_result *way, rg_profile *guess)
{
    const rg_analysis *a;

    RG_TRY(rg_analysis_get(p, &a));
    RG_TRY(rg_bvp_form_check_written(p, a));
    if (o->continuation[0] == '\0') {
        RG_TRY(rg_boundary_create(p, t_end, o->guess, b));
        *guess = (rg_profile){rg_guess_profile, (*b)->guess};
        return RG_OK;
    }
    rg_options options = *o;
    options.rtol = fmax(o->rtol, RG_BVP_ROUGH_TOL);
    options.atol = o->atol / o->rtol * options.rtol;
    options.stages = 0;
    options.step = 0.0;
    strcpy(options.nodes, "gauss");
    RG_TRY(rg_boundary_collocate(p, t_end, &options, b, way));
    *guess = (rg_profile){rg_profile_of_curve, way->solution};
    return RG_OK;
}

static rg_status run(rg_problem *p, double t_end, const rg_options *o, const rg_request *r,
                     rg_boundary **b, rg_bvp_srm_result *result)
{
    rg_bvp_srm_control control;
    rg_bvp_srm_field *field = NULL;
    rg_collocation_result way = {0};
    rg_profile guess;

    rg_status status = begin(p, t_end, o, b, &way, &guess);
    if (status == RG_OK) status = make_field((*b)->problem, *b, &guess, t_end, o, &field);
    if (status == RG_OK) {
        read_control(o, r, field, &control);
        status = rg_bvp_srm_solve_boundary(&field, (*b)->conditions, &control, &guess, result);
    }
    rg_collocation_clear(&way);
    return status;
}

rg_status rg_bvp_srm_boundary_solve(rg_problem *p, double t_end, const rg_options *o,
                                    const rg_request *r, rg_solution **out)
{
    rg_boundary *b = NULL;
    rg_bvp_srm_result result = {0};

    rg_status status = run(p, t_end, o, r, &b, &result);
    if (status == RG_OK && !(result.conditioning <= RG_CONDITIONING_LIMIT))
        status = rg_problem_warn(
            p,
            "the conditions hardly determine this solution: relative changes in them are amplified "
            "by %.0e; there may be others",
            result.conditioning);
    if (result.curve != NULL) {
        const rg_status written = rg_bvp_srm_boundary_write(b->problem, &result, o, r, out);
        if (status == RG_OK) status = written;
        if (*out != NULL) (*out)->estimate_ratio = o->atol != o->rtol ? o->atol / o->rtol : -1.0;
    }
    rg_bvp_srm_result_clear(&result);
    rg_boundary_destroy(p->ctx, &b);
    return status;
}
