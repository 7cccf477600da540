/* Observed orders in space: the model with several numbers of cells, against its exact solutions.
 * An error is the largest over a field; steps follow --cfl, and a tolerance that makes their error
 * small beside that of the cells. */
#include "pdae/form/measure.h"
#include "solution/solution.h"
#include "solve/grid.h"
#include "solve/order.h"
#include "solve/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Limiters, upwind differences and staircases lower the order. */
static int theory_of(const rg_problem *p, const rg_options *o)
{
    const bool is_central = strcmp(o->transport, "central") == 0;

    if (p->form->n_solids > 0 || strcmp(o->convection, "upwind") == 0) return 1;
    for (int k = 0; k < p->form->n_equations; k++) {
        const rg_form_equation *e = &p->form->equations[k];
        const bool is_carried = e->kind == RG_FORM_TRANSPORT && e->n_convections > 0;
        if (is_carried && (!is_central || strcmp(o->scheme, "implicit") == 0)) return 1;
    }
    return 2;
}

static rg_status refuse(const rg_problem *p, const char *what, const char *remedy)
{
    rg_fail(p->ctx, RG_ERR_METHOD, "%s", what);
    return rg_remedy(p->ctx, "%s", remedy);
}

/* One unknown per field with an exact solution. */
static rg_status make(const rg_problem *p, const rg_options *o, int count, const int *cells,
                      rg_orders **out)
{
    const rg_form *form = p->form;
    const rg_axis *a = &form->grid->axis[0];
    const char **names = rg_alloc(p->ctx, (size_t)form->n_fields + 1, sizeof *names);
    double *h = rg_alloc(p->ctx, (size_t)count + 1, sizeof *h);
    rg_problem *shown = NULL;
    int n = 0;
    rg_status status = names == NULL || h == NULL ? RG_ERR_MEMORY : RG_OK;

    for (int f = 0; status == RG_OK && f < form->n_fields; f++)
        if (form->fields[f].exact[0] != NULL) names[n++] = form->fields[f].name;
    for (int k = 0; status == RG_OK && k < count; k++)
        h[k] = (a->edge[a->n] - a->edge[0]) / cells[k];
    if (status == RG_OK && n == 0)
        status = refuse(p, "orders in space are measured against exact solutions",
                        "add 'exact FIELD = EXPR' to the model");
    if (status == RG_OK) status = rg_grid_stand_in(p, n, names, &shown);
    if (status == RG_OK) status = rg_orders_create(shown, count, h, out);
    rg_free(p->ctx, (void *)names);
    rg_free(p->ctx, h);
    if (status != RG_OK) {
        rg_problem_destroy(&shown);
        return status;
    }
    (*out)->own = shown;
    (*out)->is_exact = true;
    snprintf((*out)->method, sizeof(*out)->method, "%s", rg_grid_method(o));
    snprintf((*out)->formulation, sizeof(*out)->formulation, "direct");
    for (int f = 0; f < n; f++) {
        (*out)->kind[f] = 1;
        (*out)->theory[f] = theory_of(p, o);
        (*out)->size[f] = 1.0;
    }
    return RG_OK;
}

/* Errors at the end of the run: `unknown` has all fields one behind the other. */
static rg_status take_errors(const rg_form *form, const double *unknown, double t, double *errors)
{
    const double **leaf = rg_alloc(form->ctx, (size_t)form->n_leaves + 1, sizeof *leaf);
    rg_grid_facts *facts = rg_alloc(form->ctx, 1, sizeof *facts);
    rg_measure *m = NULL;
    rg_status status = leaf == NULL || facts == NULL ? RG_ERR_MEMORY : RG_OK;

    for (int l = 0; status == RG_OK && l < form->n_leaves; l++) {
        const rg_leaf *of = &form->leaves[l];
        if (of->field < 0) continue;
        const rg_points p = form->fields[of->field].is_vector
                                ? rg_points_faces(form->grid, of->component)
                                : rg_points_cells(form->grid);
        leaf[l] = unknown;
        unknown += rg_points_size(&p);
    }
    if (status == RG_OK) status = rg_measure_create(form, &m);
    if (status == RG_OK) status = rg_measure_take(m, t, leaf, facts);
    for (int f = 0; status == RG_OK && f < facts->n_errors; f++)
        errors[f] = facts->error[f].largest;
    rg_measure_destroy(&m);
    rg_free(form->ctx, facts);
    rg_free(form->ctx, (void *)leaf);
    return status;
}

/* The model with so many cells along the first axis, and as many more or fewer along the others. */
static rg_status measure(const rg_problem *p, const rg_options *o, int cells, int k, rg_orders *out)
{
    const rg_setting setting = {RG_SETTING_CELLS, cells};
    const rg_request request = {.keep = RG_KEEP_LAST, .n_times = 1, .times = &p->b};
    rg_problem *finer = NULL;
    rg_solution *s = NULL;
    rg_options mine = *o;

    if (!mine.rtol_is_given) {
        mine.rtol = RG_ORDER_CELLS_TOL;
        mine.rtol_is_given = true;
    }
    rg_status status = p->model_rebuild(p, 1, &setting, &finer);
    if (status == RG_OK && !finer->form->is_steady && (p->a != finer->a || p->b != finer->b))
        status = rg_problem_set_interval(finer, p->a, p->b);
    if (status == RG_OK) status = rg_solve_request(finer, p->b, &mine, &request, &s);
    if (status >= 0)
        status = take_errors(finer->form, s->unknown, finer->form->is_steady ? finer->a : p->b,
                             out->errors + (int64_t)k * out->own->n);
    if (status >= 0) out->n_done = k + 1;
    rg_solution_destroy(&s);
    rg_problem_destroy(&finer);
    return status < 0 ? status : RG_OK;
}

rg_status rg_grid_order_cells(const rg_problem *p, const rg_options *o, int count, const int *cells,
                              rg_orders **out)
{
    if (!rg_grid_has_method(o->method))
        return refuse(p, "orders in space are measured for the methods of grids",
                      "use --method srm, or leave it out");
    if (p->model_rebuild == NULL)
        return refuse(p, "orders in space need the model as a text", "give its file");
    RG_TRY(make(p, o, count, cells, out));
    (*out)->tol = NAN;
    rg_status status = RG_OK;
    for (int k = 0; k < count && status == RG_OK; k++)
        status = measure(p, o, cells[k], k, *out);
    return status < 0 ? status : rg_orders_judge(*out);
}
