/* All forms of rg_solve() check the request here, then go to initial or boundary values. */
#include "api/entry.h"
#include "pdae/form/form.h"
#include "solve/boundary.h"
#include "solve/choose.h"
#include "solve/expanded.h"
#include "solve/grid.h"
#include "solve/run.h"

#include <math.h>

static rg_status check_request(const rg_problem *p, double t_end, const rg_request *r)
{
    char number[32];
    double last = p->a;
    const double sign = t_end > p->a ? 1 : -1;

    if (!isfinite(t_end) || t_end == p->a) {
        rg_fail(p->ctx, RG_ERR_ARGUMENT, "the run cannot end at %s = %s, where it starts or never",
                rg_problem_time_name(p), rg_real_text(t_end, number));
        return rg_remedy(p->ctx, "give a finite end other than the start");
    }
    for (int64_t k = 0; k < r->n_times; k++) {
        const double t = r->times[k];
        if (sign * t >= sign * last && sign * t <= sign * t_end) {
            last = t;
            continue;
        }
        rg_fail(p->ctx, RG_ERR_ARGUMENT,
                "the output time %s lies outside the run, or is out of order",
                rg_real_text(t, number));
        return rg_remedy(p->ctx, "give times from start to end, in the order of the run");
    }
    return RG_OK;
}

/* Files of fields are not made of other models. */
static rg_status check_no_fields(const rg_problem *p, const rg_options *o)
{
    static const char *const names[] = {"vtk", "fields", "svg", "png"};

    for (size_t k = 0; o != NULL && k < sizeof names / sizeof *names; k++) {
        if (rg_options_get(o, names[k], NULL, 0) == 0) continue;
        rg_fail(p->ctx, RG_ERR_ARGUMENT, "--%s is for models with fields, and this one has none",
                names[k]);
        return rg_remedy(p->ctx, "leave it out; --csv FILE writes the unknowns, --svg FILE draws "
                                 "them (rg_report_svg)");
    }
    return RG_OK;
}

/* Viscosity and diffusion cannot be undone. */
static rg_status check_forward(const rg_problem *p, double t_end)
{
    if (t_end > p->a) return RG_OK;
    rg_fail(p->ctx, RG_ERR_ARGUMENT, "a model with fields cannot run backwards in time");
    return rg_remedy(p->ctx, "let the interval end after its start");
}

static rg_status refuse_count(rg_context *ctx, int64_t count)
{
    rg_fail(ctx, RG_ERR_ARGUMENT, "%lld output times", (long long)count);
    return rg_remedy(ctx, "give how many there are, or 0 for every step");
}

typedef rg_status solve_fn(const rg_problem *p, double t_end, const rg_options *o,
                           const rg_request *r, rg_solution **out);

/* A run without pauses: its checkpoint has a journal, and who resumes it repeats what is not in
 * there. */
static rg_status solve_whole(solve_fn *solve, const rg_problem *p, double t_end,
                             const rg_options *o, const rg_request *r, rg_solution **out)
{
    rg_keeper *keeper = NULL;
    rg_request plain = *r;

    RG_TRY(rg_keeper_open(p, t_end, o, r, &keeper));
    plain.checkpoint = NULL;
    plain.resume = 0;
    if (keeper != NULL) rg_keeper_begin_journal(keeper);
    const rg_status status = solve(p, t_end, o, &plain, out);
    if (keeper != NULL) rg_keeper_end_journal(keeper);
    if (status == RG_ERR_INTERRUPTED && keeper != NULL) rg_keeper_interrupt(keeper);
    rg_keeper_close(&keeper);
    return status;
}

static rg_status solve_boundary(const rg_problem *p, double t_end, const rg_options *o,
                                const rg_request *r, rg_solution **out)
{
    rg_options chosen;

    RG_TRY(rg_default_options(p, o, &chosen));
    return solve_whole(rg_boundary_solve, p, t_end, &chosen, r, out);
}

rg_status rg_solve_request(const rg_problem *p, double t_end, const rg_options *o,
                           const rg_request *r, rg_solution **out)
{
    RG_TRY(rg_enter(p != NULL ? p->ctx : NULL,
                    out != NULL && r != NULL && (r->n_times <= 0 || r->times != NULL), "rg_solve"));
    *out = NULL;
    if (r->n_times < 0) return refuse_count(p->ctx, r->n_times);
    if (p->form != NULL) {
        rg_options chosen;
        RG_TRY(rg_default_options(p, o, &chosen));
        if (!rg_form_of(p)->is_steady) {
            RG_TRY(check_request(p, t_end, r));
            RG_TRY(check_forward(p, t_end));
        }
        const rg_status done = rg_grid_has_method(chosen.method)
                                   ? rg_grid_solve(p, t_end, &chosen, r, out)
                                   : solve_whole(rg_expanded_solve, p, t_end, &chosen, r, out);
        return *out != NULL ? rg_solution_publish(*out, done) : done;
    }
    RG_TRY(check_request(p, t_end, r));
    RG_TRY(check_no_fields(p, o));
    const rg_status status =
        p->is_boundary ? solve_boundary(p, t_end, o, r, out) : rg_run_solve(p, t_end, o, r, out);
    return *out != NULL ? rg_solution_publish(*out, status) : status;
}

rg_status rg_solve(const rg_problem *p, double t_end, const rg_options *o, rg_solution **out)
{
    const rg_request request = {.keep = RG_KEEP_STEPS};

    return rg_solve_request(p, t_end, o, &request, out);
}

rg_status rg_solve_at(const rg_problem *p, double t_end, const rg_options *o, int64_t n_times,
                      const double *times, rg_solution **out)
{
    const rg_request request = {.keep = RG_KEEP_ROWS, .n_times = n_times, .times = times};

    return rg_solve_request(p, t_end, o, &request, out);
}

rg_status rg_solve_with(const rg_problem *p, double t_end, const rg_options *o,
                        rg_output_fn *output, void *user, rg_solution **out)
{
    const rg_request request = {.keep = RG_KEEP_LAST, .output = output, .user = user};

    return rg_solve_request(p, t_end, o, &request, out);
}

rg_status rg_solve_rows(const rg_problem *p, double t_end, const rg_options *o, int keep,
                        int64_t n_times, const double *times, int estimate, rg_solution **out)
{
    const rg_request request = {
        .keep = keep == RG_KEEP_LAST || keep == RG_KEEP_ROWS ? (rg_keep)keep : RG_KEEP_STEPS,
        .n_times = n_times,
        .times = times,
        .estimate = estimate,
        .may_repeat = 1};

    return rg_solve_request(p, t_end, o, &request, out);
}
