/* A model with fields solved as the model with arrays that it stands for: the text of the expansion
 * is compiled, any method for initial values solves it, and errors and constraints are measured on
 * the fields. */
#include "solve/expanded.h"

#include "model/ast.h"
#include "pdae/draw/files.h"
#include "pdae/expand/expand.h"
#include "pdae/form/facts.h"
#include "pdae/form/measure.h"
#include "pdae/form/output.h"
#include "pdae/mesh/ranks.h"
#include "pdae/run/run.h"
#include "solve/choose.h"
#include "solve/run.h"
#include "solve/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const rg_problem *given; /* with fields */
    rg_problem *written;     /* with arrays */
    const rg_request *request;
    rg_measure *measure;
    double **leaf;   /* fields, [leaf] */
    double *unknown; /* all fields one behind the other, for the caller's function */
    double steady;   /* stop when no field changes faster; 0: never */
    bool has_ended;  /* ... which it did */
    double t_last;   /* of the fields in `unknown` */
    rg_field_files files;
    rg_grid_facts *facts;
} job;

/* ---- fields out of unknowns ------------------------------------------------------------------ */
/* Element (i, j, k) of the array: cell i is at i - 1, face i at i, on a periodic axis n at 0. */
static int64_t place(const rg_grid *g, const rg_points *p, int across, const int64_t at[RG_AXES])
{
    int64_t k = 0;

    for (int d = 0; d < g->dims; d++) {
        const int64_t face = g->axis[d].periodic ? at[d] % g->axis[d].n : at[d];
        k += p->stride[d] * (d == across ? face : at[d] - 1);
    }
    return k;
}

static void read_family(const rg_form *form, const rg_family *f, int across, const double *y,
                        double *out)
{
    const rg_points p = rg_points_packed(across >= 0 ? rg_points_faces(form->grid, across)
                                                     : rg_points_cells(form->grid));
    const int64_t n[RG_AXES] = {f->extent[0], f->n_dims > 1 ? f->extent[1] : 1,
                                f->n_dims > 2 ? f->extent[2] : 1};
    int64_t at = f->first;

    for (int64_t i = 0; i < n[0]; i++)
        for (int64_t j = 0; j < n[1]; j++)
            for (int64_t k = 0; k < n[2]; k++, at++)
                out[place(form->grid, &p, across,
                          (const int64_t[RG_AXES]){f->low[0] + i, f->low[1] + j, f->low[2] + k})] =
                    y[at];
}

/* The families of the arrays stand in the order of the leaves. */
static rg_status read_fields(job *j, double t, const double *y)
{
    const rg_form *form = j->given->form;
    int family = 0;

    for (int l = 0; l < form->n_leaves; l++) {
        const rg_leaf *leaf = &form->leaves[l];
        if (leaf->field < 0) continue;
        const bool is_vector = form->fields[leaf->field].is_vector;
        read_family(form, &j->written->families[family++], is_vector ? leaf->component : -1, y,
                    j->leaf[l]);
    }
    return rg_measure_sides(j->measure, t, j->leaf);
}

static int look(double t, const double *y, const double *yp, void *user)
{
    job *j = user;
    const rg_request *r = j->request;
    double most = 0;

    read_fields(j, t, y);
    j->t_last = t;
    if (t == j->given->a) {
        const rg_status status = rg_field_files_row(&j->files, t, j->unknown);
        if (status < 0) return 1;
    }
    rg_measure_take(j->measure, t, (const double *const *)j->leaf, j->facts);
    for (int64_t k = 0; k < j->written->n && j->steady > 0; k++)
        if (isfinite(yp[k])) most = fmax(most, fabs(yp[k]));
    const int stop = r->output != NULL ? r->output(t, j->unknown, NULL, r->user) : 0;
    if (stop == 0 && j->steady > 0 && t != j->given->a && most <= j->steady) {
        j->has_ended = true;
        return 1;
    }
    return stop;
}

/* ---- the written model ----------------------------------------------------------------------- */
/* Outputs have the names of the given model: minimum(u[x]) is none that a text could have. */
static rg_status name_outputs(job *j)
{
    const rg_form *form = j->given->form;

    for (int k = 0; k < form->n_outputs && k < j->written->n_outputs; k++) {
        const char *name = form->outputs[k].name;
        char *copy = rg_copy_text(form->ctx, name, strlen(name));
        if (copy == NULL) return RG_ERR_MEMORY;
        rg_free(form->ctx, j->written->outputs[k].name);
        j->written->outputs[k].name = copy;
    }
    return RG_OK;
}

static rg_status compile(job *j, const rg_options *o)
{
    rg_context *ctx = j->given->ctx;
    rg_source *source = NULL;
    rg_model *model = NULL;
    char *text = NULL;

    rg_status status = rg_expand(j->given, o, false, &text);
    if (status == RG_OK) status = rg_source_from_text(ctx, "expanded model", text, &source);
    free(text);
    if (status == RG_OK) status = rg_model_parse(ctx, &source, &model);
    if (status == RG_OK) status = rg_model_compile(ctx, &model, 0, NULL, &j->written);
    rg_model_destroy(ctx, &model);
    rg_source_destroy(ctx, &source);
    return status == RG_OK ? name_outputs(j) : status;
}

static rg_status take_memory(job *j)
{
    const rg_form *form = j->given->form;
    rg_context *ctx = form->ctx;
    int64_t at = 0;

    j->leaf = rg_alloc(ctx, (size_t)form->n_leaves + 1, sizeof *j->leaf);
    j->unknown = rg_alloc(ctx, (size_t)j->given->n + 1, sizeof *j->unknown);
    j->facts = rg_alloc(ctx, 1, sizeof *j->facts);
    if (j->leaf == NULL || j->unknown == NULL || j->facts == NULL) return RG_ERR_MEMORY;
    for (int l = 0, family = 0; l < form->n_leaves; l++) {
        if (form->leaves[l].field < 0) continue;
        j->leaf[l] = j->unknown + at;
        at += j->given->families[family++].count;
    }
    rg_form_facts(form, j->facts);
    return rg_measure_create(form, &j->measure);
}

static rg_status check_size(const rg_problem *p, const rg_options *o)
{
    const int64_t n = p->form->unknowns;

    if (n <= RG_EXPANDED_UNKNOWNS) return RG_OK;
    rg_fail(p->ctx, RG_ERR_METHOD,
            "the grid has %lld unknowns, more than the %d that method '%s' takes on grids",
            (long long)n, RG_EXPANDED_UNKNOWNS, o->method);
    return rg_remedy(p->ctx, "use --method srm, or fewer cells");
}

/* The solution keeps what it was made from. */
static void keep(job *j, rg_solution *s)
{
    s->written = j->written;
    j->written = NULL;
    s->grid = j->facts;
    j->facts = NULL;
    s->given = j->given;
    s->unknown = j->unknown;
    j->unknown = NULL;
    if (s->n_levels == 0 && !isnan(s->grid->drift)) { /* of an index 1 nobody else looks at it */
        double *room = rg_resize(s->ctx, s->drift, 1, sizeof *room);
        if (room != NULL) {
            s->drift = room;
            s->drift[s->n_levels++] = s->grid->drift;
        }
    }
}

rg_status rg_expanded_solve(const rg_problem *p, double t_end, const rg_options *given,
                            const rg_request *r, rg_solution **out)
{
    job j = {.given = p, .request = r};
    rg_context *ctx = p->ctx;
    rg_options o;

    RG_TRY(rg_ranks_need_one(ctx, "a method for the expanded equations"));
    RG_TRY(rg_default_options(p, given, &o));
    RG_TRY(check_size(p, &o));
    j.steady = rg_run_data_change(p->form) ? 0.0 : o.steady;
    j.files = (rg_field_files){
        .vtk = o.vtk, .fields = o.fields, .svg = o.svg, .png = o.png, .title = rg_problem_title(p)};
    rg_status status = compile(&j, &o);
    if (status == RG_OK) status = take_memory(&j);
    if (status == RG_OK) status = rg_field_files_open(&j.files, ctx, p->form);
    if (status == RG_OK) {
        rg_request request = *r;
        request.output = look;
        request.user = &j;
        status =
            rg_run_solve(j.written, p->form->is_steady ? j.written->b : t_end, &o, &request, out);
        if (j.has_ended && status == RG_STOPPED) status = RG_OK;
    }
    if (status >= 0) {
        rg_status written = rg_field_files_row(&j.files, j.t_last, j.unknown);
        if (written == RG_OK) written = rg_field_files_end(&j.files, j.t_last, j.unknown);
        if (written < 0) status = written;
    }
    rg_field_files_clear(&j.files);
    if (*out != NULL) keep(&j, *out);
    if (*out != NULL && (*out)->run != NULL) {
        const rg_status told = rg_study_take_warnings((*out)->run->study, p->study);
        if (status == RG_OK) status = told;
    }
    rg_measure_destroy(&j.measure);
    rg_free(ctx, j.leaf);
    rg_free(ctx, j.unknown);
    rg_free(ctx, j.facts);
    rg_problem_destroy(&j.written);
    return status;
}
