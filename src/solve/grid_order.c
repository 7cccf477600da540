/* Observed orders in time of the methods of grids: the same grid with several fixed steps, against
 * the same method with a much smaller one.  An error is the largest over a field. */
#include "pdae/form/form.h"
#include "pdae/run/run.h"
#include "solution/solution.h"
#include "solve/grid.h"
#include "solve/order.h"
#include "solve/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The velocity of Darcy flow is that of the begin of a step, unless data change in time. */
static bool is_mobility_late(const rg_form *form, const rg_form_equation *e)
{
    bool found = false;

    for (int c = 0; c < RG_AXES; c++)
        found = found || (e->resistance[c] && (e->resistance[c]->uses & RG_USES_FIELDS));
    return e->kind == RG_FORM_DARCY && found && !rg_run_data_change(form);
}

/* Carried scalars are of second order, limited ones of first where the limiter switches. */
static int theory_of(const rg_problem *p, const rg_options *o)
{
    int order = strcmp(o->scheme, "ssprk3") == 0 ? 3 : 2;

    if (strcmp(o->scheme, "euler") == 0 || strcmp(o->scheme, "implicit") == 0
        || strcmp(o->variant, "chorin") == 0)
        return 1;
    for (int k = 0; k < p->form->n_equations; k++) {
        const rg_form_equation *e = &p->form->equations[k];
        if (is_mobility_late(p->form, e)) return 1;
        if (e->kind != RG_FORM_TRANSPORT) continue;
        order = 2;
        if (e->n_convections > 0 && strcmp(o->transport, "central") != 0
            && strcmp(o->transport, "upwind") != 0)
            return 1;
    }
    return order;
}

static rg_status run(const rg_problem *p, double t_end, const rg_options *o, double step,
                     rg_solution **out)
{
    const rg_request request = {.keep = RG_KEEP_LAST, .n_times = 1, .times = &t_end};
    rg_options mine = *o;

    mine.step = step;
    return rg_solve_request(p, t_end, &mine, &request, out);
}

static void take_errors(const rg_problem *p, const rg_solution *s, const rg_solution *reference,
                        int k, rg_orders *out)
{
    for (int f = 0; f < p->n_families; f++) {
        const rg_family *of = &p->families[f];
        double most = 0.0, size = 0.0;
        for (int64_t i = of->first; i < of->first + of->count; i++) {
            most = fmax(most, fabs(s->unknown[i] - reference->unknown[i]));
            size = fmax(size, fabs(s->unknown[i]));
        }
        out->errors[(int64_t)k * p->n_families + f] = most;
        out->size[f] = size > 0.0 ? size : 1.0;
    }
    out->n_done = k + 1;
}

/* Is a family the pressure of a momentum equation? */
static bool is_multiplier(const rg_problem *p, int family)
{
    for (int k = 0; k < p->form->n_equations; k++) {
        const rg_form_equation *e = &p->form->equations[k];
        if (e->kind == RG_FORM_MOMENTUM
            && strcmp(p->form->fields[e->pressure].name, p->families[family].name) == 0)
            return true;
    }
    return false;
}

static rg_status make(const rg_problem *p, const rg_options *o, int n_steps, const double *steps,
                      rg_orders **out)
{
    const char **names = rg_alloc(p->ctx, (size_t)p->n_families + 1, sizeof *names);
    rg_problem *shown = NULL;

    if (names == NULL) return RG_ERR_MEMORY;
    for (int f = 0; f < p->n_families; f++)
        names[f] = p->families[f].name;
    rg_status status = rg_grid_stand_in(p, p->n_families, names, &shown);
    rg_free(p->ctx, (void *)names);
    if (status == RG_OK) status = rg_orders_create(shown, n_steps, steps, out);
    if (status != RG_OK) {
        rg_problem_destroy(&shown);
        return status;
    }
    (*out)->own = shown;
    snprintf((*out)->method, sizeof(*out)->method, "%s", rg_grid_method(o));
    snprintf((*out)->formulation, sizeof(*out)->formulation, "direct");
    for (int f = 0; f < p->n_families; f++) {
        (*out)->kind[f] = is_multiplier(p, f) ? 2 : 1;
        (*out)->theory[f] = theory_of(p, o);
    }
    return RG_OK;
}

rg_status rg_grid_order(const rg_problem *p, double t_end, const rg_options *o, int n_steps,
                        const double *steps, rg_orders **out)
{
    rg_solution *reference = NULL;
    double least = INFINITY;

    if (!rg_grid_has_method(o->method) || p->form->is_steady) {
        rg_fail(p->ctx, RG_ERR_METHOD, "orders in time are measured for the methods of grids");
        return rg_remedy(p->ctx,
                         "use --method srm, or measure the model that 'regula expand' prints");
    }
    for (int k = 0; k < n_steps; k++)
        least = fmin(least, steps[k]);
    RG_TRY(make(p, o, n_steps, steps, out));
    (*out)->tol = NAN;
    rg_status status = run(p, t_end, o, least / RG_ORDER_GRID_FINER, &reference);
    for (int k = 0; k < n_steps && status >= 0; k++) {
        rg_solution *s = NULL;
        status = run(p, t_end, o, steps[k], &s);
        if (status >= 0) take_errors(p, s, reference, k, *out);
        rg_solution_destroy(&s);
    }
    rg_solution_destroy(&reference);
    return status < 0 ? status : rg_orders_judge(*out);
}
