/* Questions to a problem, and its interval. */
#include "api/entry.h"
#include "base/context.h"

#include <math.h>

const char *rg_problem_title(const rg_problem *p)
{
    return p != NULL && p->title != NULL ? p->title : "";
}

const char *rg_problem_time_name(const rg_problem *p)
{
    return p != NULL && p->time_name != NULL ? p->time_name : "t";
}

void rg_problem_interval(const rg_problem *p, double *a, double *b)
{
    if (a != NULL) *a = p != NULL ? p->a : NAN;
    if (b != NULL) *b = p != NULL ? p->b : NAN;
}

int rg_problem_is_boundary(const rg_problem *p)
{
    return p != NULL && p->is_boundary;
}

int rg_problem_has_fields(const rg_problem *p)
{
    return p != NULL && p->form != NULL;
}

rg_status rg_problem_share(rg_context *ctx, const rg_problem *p, rg_problem **out)
{
    RG_TRY(rg_enter(ctx, p != NULL && out != NULL, "rg_problem_share"));
    rg_take_inputs(ctx, p->ctx);
    return rg_problem_handle(ctx, p, NULL, out);
}

int rg_problem_parameter_count(const rg_problem *p)
{
    return p != NULL ? p->n_parameters : 0;
}

rg_setting rg_problem_parameter(const rg_problem *p, int k)
{
    if (p == NULL || k < 0 || k >= p->n_parameters) return (rg_setting){"", NAN};
    return (rg_setting){p->parameters[k].name, p->parameters[k].value};
}

int rg_problem_warning_count(const rg_problem *p)
{
    return p != NULL ? p->study->n_warnings : 0;
}

const char *rg_problem_warning(const rg_problem *p, int k)
{
    return p != NULL && k >= 0 && k < p->study->n_warnings ? p->study->warnings[k] : "";
}

rg_status rg_problem_set_interval(rg_problem *p, double a, double b)
{
    char from[32], to[32];

    RG_TRY(rg_enter_change(p, true, "rg_problem_set_interval"));
    if (!isfinite(a) || !isfinite(b) || a == b) {
        rg_fail(p->ctx, RG_ERR_ARGUMENT, "%s = %s .. %s is not an interval",
                rg_problem_time_name(p), rg_real_text(a, from), rg_real_text(b, to));
        return rg_remedy(p->ctx, "give two different finite numbers");
    }
    if (p->is_end_mixed && (a != p->a || b != p->b)) {
        rg_fail(
            p->ctx, RG_ERR_METHOD,
            "the boundary conditions name an end of the interval both by a word and by its value");
        return rg_remedy(p->ctx,
                         "write 'start' and 'end' everywhere, or nowhere, to move the interval");
    }
    if (a != p->a || (p->is_boundary && b != p->b)) rg_problem_forget(p);
    rg_problem_move(p, a, b);
    return RG_OK;
}
