/* Solves models with fields on their grid: outputs are the unknowns of the solution that a caller
 * sees; a second run on half the cells estimates the error. */
#include "solve/grid.h"

#include "base/tuning.h"
#include "curve/writer.h"
#include "model/ast.h"
#include "pdae/form/facts.h"
#include "pdae/form/output.h"
#include "pdae/run/run.h"
#include "solve/grid_half.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- options --------------------------------------------------------------------------------- */
static const struct {
    const char *name;
    rg_fluid_method method;
} methods[] = {
    {"srm",                        RG_FLUID_SRM            },
    {"projection",                 RG_FLUID_PROJECTION     },
    {"artificial-compressibility", RG_FLUID_COMPRESSIBILITY},
    {"penalty",                    RG_FLUID_PENALTY        },
    {"baumgarte",                  RG_FLUID_BAUMGARTE      }
};

bool rg_grid_has_method(const char *method)
{
    if (strcmp(method, "auto") == 0) return true;
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        if (strcmp(method, methods[k].name) == 0) return true;
    return false;
}

/* The place of a word in a list; -1: none. */
static int word_of(const char *word, const char *const *words)
{
    for (int k = 0; words[k] != NULL; k++)
        if (strcmp(word, words[k]) == 0) return k;
    return -1;
}

static rg_status bad_word(rg_context *ctx, const char *option, const char *value, const char *list)
{
    rg_fail(ctx, RG_ERR_ARGUMENT, "there is no %s '%s' for grids", option, value);
    return rg_remedy(ctx, "take one of %s", list);
}

static rg_status read_options(rg_context *ctx, const rg_options *o, rg_run_options *out)
{
    static const char *const schemes[] = {"cn", "euler", "heun", "ssprk3", NULL};
    static const char *const carries[] = {"central", "upwind", "tvd", NULL};
    static const char *const solvers[] = {"auto", "transform", "aggregation", "direct", NULL};
    static const char *const variants[] = {"incremental", "chorin", NULL};
    const bool has_scheme = strcmp(o->scheme, "auto") != 0;
    const int scheme = has_scheme ? word_of(o->scheme, schemes) : 0;
    const int solver = word_of(o->solver, solvers);
    const int variant = strcmp(o->variant, "auto") == 0 ? 0 : word_of(o->variant, variants);

    if (scheme < 0) return bad_word(ctx, "scheme", o->scheme, "cn, euler, heun, ssprk3");
    if (solver < 0)
        return bad_word(ctx, "solver", o->solver, "auto, transform, aggregation, direct");
    if (variant < 0) return bad_word(ctx, "variant", o->variant, "incremental, chorin");
    *out = (rg_run_options){
        .scheme = (rg_fluid_scheme)scheme,
        .eps = o->eps > 0.0 ? o->eps : 0.0,
        .alpha1 = o->alpha1 >= 0.0 ? o->alpha1 : 1.0,
        .alpha2 = o->alpha2 >= 0.0 ? o->alpha2 : 1.0,
        .gamma = o->gamma > 0.0 ? o->gamma : 1.0,
        .iterations = o->iterations > 0 ? o->iterations : 0,
        .chorin = variant == 1,
        .convection = strcmp(o->convection, "auto") == 0
                          ? RG_CARRY_CENTRAL
                          : (rg_carry)word_of(o->convection, carries),
        .transport = strcmp(o->transport, "auto") == 0 ? RG_CARRY_TVD
                                                       : (rg_carry)word_of(o->transport, carries),
        .solver = (rg_elliptic_kind)solver,
        .solver_tol = RG_GRID_SOLVER_TOL,
        .cfl = o->cfl,
        /* the default for grids is 1e-4; the one of the table is not meant for them */
        .tol = o->rtol == rg_options_default().rtol ? RG_GRID_TOL : o->rtol,
        .step = o->step,
        .step_scale = 1.0,
        .steady = o->steady};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        if (strcmp(o->method, methods[k].name) == 0) out->method = methods[k].method;
    return RG_OK;
}

/* ---- the problem of the outputs -------------------------------------------------------------- */
/* A problem whose unknowns are the outputs, so that rows, columns and files are the usual ones. */
static rg_status make_outputs(const rg_problem *p, rg_problem **out)
{
    const rg_form *form = rg_form_of(p);
    const size_t room = 64 * (size_t)form->n_outputs + 64;
    char *text = rg_alloc(p->ctx, room, 1);
    size_t used = 0;
    rg_source *source = NULL;
    rg_model *model = NULL;

    *out = NULL;
    if (text == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < form->n_outputs; k++)
        used += (size_t)snprintf(text + used, room - used, "var o%d\no%d = 0\n", k, k);
    snprintf(text + used, room - used, "over t = 0 .. 1\n");
    rg_status status = rg_source_from_text(p->ctx, "outputs", text, &source);
    rg_free(p->ctx, text);
    if (status == RG_OK) status = rg_model_parse(p->ctx, &source, &model);
    if (status == RG_OK) status = rg_model_compile(p->ctx, &model, 0, NULL, out);
    for (int k = 0; status == RG_OK && k < form->n_outputs; k++) {
        const char *name = form->outputs[k].name;
        char *copy = rg_copy_text(p->ctx, name, strlen(name));
        if (copy == NULL) return RG_ERR_MEMORY;
        rg_free(p->ctx, (*out)->families[k].name);
        (*out)->families[k].name = copy;
    }
    if (status != RG_OK) return status;
    const char *title = rg_problem_title(p);
    rg_free(p->ctx, (*out)->title);
    (*out)->title = rg_copy_text(p->ctx, title, strlen(title));
    if ((*out)->title == NULL) return RG_ERR_MEMORY;
    (*out)->a = p->a;
    (*out)->b = p->b;
    return RG_OK;
}

/* ---- the run --------------------------------------------------------------------------------- */
typedef struct {
    const rg_problem *problem;
    const rg_form *form;
    rg_run_grid *run, *coarse; /* coarse: NULL where nothing is estimated */
    rg_grid_half half;
    rg_writer writer;
    rg_solution *solution;
    double t_last;
    double *memory, *last, *now, *slope, *step, *twice, *exact;
    double estimate, estimate_end;
    rg_grid_facts *facts;
} grid_run;

/* Error of one field over all its components: a pressure that nothing fixes is compared up to a
 * constant.  Mean square: the integral over the domain. */
static rg_status take_error(grid_run *g, int field, rg_grid_error *out)
{
    const rg_field *f = &g->form->fields[field];
    const rg_grid *grid = g->form->grid;
    const bool is_free = !f->is_vector && g->form->is_closed && f->equation >= 0
                         && g->form->equations[f->equation].pressure == field
                         && g->form->equations[f->equation].kind <= RG_FORM_DARCY;
    double square = 0.0, largest = 0.0;

    for (int c = 0; c < (f->is_vector ? grid->dims : 1); c++) {
        const double *v = rg_run_grid_field(g->run, field, c);
        double mean = 0.0, volume = 0.0;
        RG_TRY(rg_run_grid_eval(g->run, f->exact[c], f->is_vector ? c : -1, g->exact));
        for (int pass = is_free ? 0 : 1; pass < 2; pass++)
            for (int k = 0; k < grid->axis[2].n; k++)
                for (int j = 0; j < grid->axis[1].n; j++)
                    for (int i = 0; i < grid->axis[0].n; i++) {
                        const int64_t at = rg_grid_at(grid, i, j, k);
                        const double V = rg_grid_volume(grid, i, j, k);
                        if (grid->solid && grid->solid[at]) continue;
                        if (pass == 0) {
                            mean += V * (v[at] - g->exact[at]);
                            volume += V;
                            continue;
                        }
                        const double e = v[at] - g->exact[at] - (is_free ? mean / volume : 0.0);
                        largest = fmax(largest, fabs(e));
                        square += V * e * e;
                    }
    }
    out->largest = fmax(out->largest, largest);
    out->l2 = fmax(out->l2, sqrt(square));
    return RG_OK;
}

static rg_status take_errors(grid_run *g)
{
    int n = 0;

    for (int k = 0; k < g->form->n_fields && n < RG_GRID_LINES; k++) {
        if (g->form->fields[k].exact[0] == NULL) continue;
        rg_grid_error *e = &g->facts->error[n++];
        snprintf(e->name, sizeof e->name, "%s", g->form->fields[k].name);
        RG_TRY(take_error(g, k, e));
    }
    g->facts->n_errors = n;
    return RG_OK;
}

/* Does a limiter lower the order?  Then the difference of the two grids counts whole. */
static double richardson(const grid_run *g, const rg_run_options *o)
{
    for (int k = 0; k < g->form->n_equations; k++)
        if (g->form->equations[k].kind == RG_FORM_TRANSPORT
            && g->form->equations[k].n_convections > 0 && o->transport != RG_CARRY_CENTRAL)
            return 1.0;
    return 1.0 / 3.0;
}

/* The coarse run to the same time; its outputs beside those of the fine one. */
static rg_status compare(grid_run *g, const rg_run_options *o, double t)
{
    const double part = richardson(g, o);

    if (g->coarse == NULL) return RG_OK;
    if (t > rg_run_grid_time(g->coarse)) RG_TRY(rg_run_grid_advance(g->coarse, t));
    RG_TRY(rg_run_grid_outputs(g->coarse, g->twice));
    g->estimate_end = 0.0;
    for (int k = 0; k < g->form->n_outputs; k++) {
        const double difference = g->now[k] - g->twice[k];
        const double e = part * fabs(difference) / fmax(1.0, fabs(g->now[k]));
        if (e > g->estimate_end) g->estimate_end = e;
        if (g->facts->extrapolated) g->facts->extrapolated[k] = g->now[k] + difference / 3.0;
    }
    g->estimate = fmax(g->estimate, g->estimate_end);
    return RG_OK;
}

/* A step of the fields as a step of the outputs: a straight line. */
static rg_status put(grid_run *g)
{
    const double t = rg_run_grid_time(g->run), h = t - g->t_last;
    const int n = g->form->n_outputs;

    RG_TRY(rg_run_grid_outputs(g->run, g->now));
    for (int k = 0; k < n; k++) {
        g->step[k] = g->last[k];
        g->step[n + k] = g->now[k] - g->last[k];
        g->slope[k] = g->step[n + k] / h;
    }
    const rg_solution_step step = {.t0 = g->t_last,
                                   .t1 = t,
                                   .y = g->now,
                                   .yp = g->slope,
                                   .degree = 1,
                                   .coefficients = g->step};
    RG_TRY(rg_writer_step(&g->writer, &step));
    memcpy(g->last, g->now, (size_t)n * sizeof *g->last);
    g->t_last = t;
    return RG_OK;
}

static rg_status march(grid_run *g, const rg_run_options *o, const rg_request *r, double t_end)
{
    int64_t next = 0;

    while (g->t_last < t_end && !rg_run_grid_stats(g->run).is_steady) {
        while (next < r->n_times && r->times[next] <= g->t_last)
            next++;
        const double to = next < r->n_times ? fmin(r->times[next], t_end) : t_end;
        if (r->n_times == 0)
            RG_TRY(rg_run_grid_step(g->run, to));
        else
            RG_TRY(rg_run_grid_advance(g->run, to));
        RG_TRY(put(g));
        if (rg_run_grid_time(g->run) < to) continue;
        RG_TRY(take_errors(g));
        RG_TRY(compare(g, o, to));
    }
    if (rg_run_grid_stats(g->run).is_steady) { /* it stays so to the end */
        RG_TRY(take_errors(g));
        RG_TRY(compare(g, o, t_end));
    }
    return RG_OK;
}

static rg_status tell_moved(grid_run *g)
{
    for (int k = 0; k < g->form->n_fields; k++) {
        double moved, size;
        if (!g->form->fields[k].is_vector || g->form->fields[k].start_kind != RG_START_KEPT)
            continue;
        rg_run_grid_moved(g->run, k, &moved, &size);
        if (moved > RG_GRID_MOVED * size)
            RG_TRY(rg_problem_warn(g->writer.solution->run,
                                   "the start values of '%s' were changed by up to %.2g, so that "
                                   "its divergence and its sides are as the equations say",
                                   g->form->fields[k].name, moved));
    }
    return RG_OK;
}

static void take_stats(grid_run *g, rg_solution *s)
{
    const rg_run_stats stats = rg_run_grid_stats(g->run);
    rg_grid_facts *f = g->facts;

    s->stats.steps = stats.steps;
    s->stats.rejected = stats.rejected;
    s->estimate_ratio = 1.0;
    s->estimate = g->coarse ? g->estimate : NAN;
    s->estimate_end = g->coarse ? g->estimate_end : NAN;
    if (s->n_levels > 0) s->drift[0] = stats.drift;
    f->drift = stats.drift;
    f->cell_reynolds = stats.cell_reynolds > 0.0 ? stats.cell_reynolds : NAN;
    f->iterations = stats.solver_iterations > 0 ? stats.solver_iterations : -1;
    f->n_solvers = stats.n_solvers;
    for (int k = 0; k < stats.n_solvers; k++)
        snprintf(f->solver[k], sizeof f->solver[k], "%s", stats.solver[k]);
    for (int k = 0; k < g->form->n_equations; k++) {
        const rg_form_equation *e = &g->form->equations[k];
        if (e->kind != RG_FORM_TRANSPORT || f->n_balances == RG_GRID_LINES) continue;
        const rg_run_balance b = rg_run_grid_balance(g->run, e->field);
        rg_grid_balance *to = &f->balance[f->n_balances++];
        snprintf(to->name, sizeof to->name, "%s", g->form->fields[e->field].name);
        to->start = b.start;
        to->in = b.in;
        to->out = b.out;
        to->end = b.end;
        to->defect = b.defect;
    }
}

static rg_status prepare(grid_run *g, const rg_run_options *o, const rg_request *r,
                         rg_problem *shown, rg_solution **out)
{
    rg_context *ctx = g->problem->ctx;
    const size_t n = (size_t)g->form->n_outputs;
    rg_layout *layout = NULL;
    bool possible = false;

    g->memory = rg_alloc(ctx, 6 * n + 1, sizeof *g->memory);
    g->exact = rg_grid_array(g->form->grid);
    if (g->memory == NULL || g->exact == NULL) return RG_ERR_MEMORY;
    double **const part[] = {&g->last, &g->now, &g->slope, &g->twice, &g->step};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        *part[k] = g->memory + k * n;
    RG_TRY(rg_run_grid_create(g->form, o, &g->run));
    if (r->estimate) RG_TRY(rg_grid_half_create(g->form, &g->half, &possible));
    if (possible) {
        rg_run_options wide = *o;
        wide.step_scale = 2.0;
        RG_TRY(rg_run_grid_create(&g->half.form, &wide, &g->coarse));
    }
    RG_TRY(rg_layout_create(ctx, (int64_t)n, (int64_t)n, 1, &layout));
    for (size_t k = 0; k < n; k++)
        layout->place[0][k] = (int32_t)k;
    g->writer = (rg_writer){.user = g};
    RG_TRY(rg_writer_open(&g->writer, shown, &layout, 1, r, out));
    (*out)->grid = rg_alloc(ctx, 1, sizeof *(*out)->grid);
    g->facts = (*out)->grid;
    if (g->facts == NULL) return RG_ERR_MEMORY;
    rg_form_facts(g->form, g->facts);
    if (possible) {
        g->facts->extrapolated = rg_alloc(ctx, n, sizeof(double));
        g->facts->has_extrapolated = g->facts->extrapolated != NULL;
    }
    (*out)->structure = rg_form_structure(g->form);
    return RG_OK;
}

static rg_status start(grid_run *g, const rg_run_options *o)
{
    const double t0 = g->problem->a;

    RG_TRY(rg_run_grid_start(g->run, t0));
    if (g->coarse) RG_TRY(rg_run_grid_start(g->coarse, t0));
    RG_TRY(rg_run_grid_outputs(g->run, g->now));
    memcpy(g->last, g->now, (size_t)g->form->n_outputs * sizeof *g->last);
    g->t_last = t0;
    for (int k = 0; k < g->form->n_outputs; k++)
        g->slope[k] = 0.0;
    RG_TRY(rg_writer_start(&g->writer, t0, g->now, g->slope));
    if (!g->form->is_steady) return RG_OK;
    RG_TRY(take_errors(g));
    return compare(g, o, t0);
}

rg_status rg_grid_solve(const rg_problem *p, double t_end, const rg_options *o, const rg_request *r,
                        rg_solution **out)
{
    const double begin = rg_seconds();
    grid_run g = {.problem = p, .form = rg_form_of(p)};
    rg_run_options options;
    rg_problem *shown = NULL;

    RG_TRY(read_options(p->ctx, o, &options));
    options.duration = g.form->is_steady ? 1.0 : t_end - p->a;
    rg_status status = make_outputs(p, &shown);
    if (status == RG_OK) status = prepare(&g, &options, r, shown, out);
    if (*out != NULL) {
        snprintf((*out)->method, sizeof(*out)->method, "%s",
                 strcmp(o->method, "auto") == 0 ? "srm" : o->method);
        rg_solution_take_problem(*out, &shown);
    }
    if (status == RG_OK) status = start(&g, &options);
    if (status == RG_OK) status = tell_moved(&g);
    if (status == RG_OK && !g.form->is_steady) status = march(&g, &options, r, t_end);
    if (*out != NULL && g.run != NULL) {
        take_stats(&g, *out);
        (*out)->stats.seconds = rg_seconds() - begin;
    }
    status = rg_writer_close(&g.writer, status, 0, NULL);
    rg_run_grid_destroy(&g.run);
    rg_run_grid_destroy(&g.coarse);
    rg_grid_half_destroy(p->ctx, &g.half);
    rg_free(p->ctx, g.memory);
    rg_free(p->ctx, g.exact);
    rg_problem_destroy(&shown);
    return status;
}
