/* A sweep makes many runs of one problem: what is to be run, and the names in its rows. */
#include "solve/sweep.h"

#include "solution/columns.h"
#include "solve/grid.h"

#include <stdio.h>
#include <string.h>

static void clear_job(rg_sweep_job *job)
{
    rg_context *ctx = job->p->ctx;
    const bool are_own = job->given->n_times > 0;

    for (int64_t k = 0; job->names != NULL && are_own && k < job->n_values; k++)
        rg_free(ctx, (char *)(uintptr_t)job->names[k]);
    for (int64_t k = 0; job->column_names != NULL && k < job->n_columns; k++)
        rg_free(ctx, job->column_names[k]);
    rg_free(ctx, job->names);
    rg_free(ctx, job->column_names);
    rg_free(ctx, job->set_names);
    rg_sweep_plan_clear(&job->plan);
}

/* Those of the problem as it was given. */
static rg_status name_columns(rg_sweep_job *job, const rg_problem *shown)
{
    rg_context *ctx = job->p->ctx;
    char name[512];

    job->n_columns = rg_column_count(shown);
    job->column_names = rg_alloc(ctx, (size_t)job->n_columns + 1, sizeof *job->column_names);
    if (job->column_names == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < job->n_columns; k++) {
        rg_column_name(shown, k, name, sizeof name);
        job->column_names[k] = rg_copy_text(ctx, name, strlen(name));
        if (job->column_names[k] == NULL) return RG_ERR_MEMORY;
    }
    return RG_OK;
}

/* p, or p(2) at chosen times. */
static rg_status name_values(rg_sweep_job *job)
{
    rg_context *ctx = job->p->ctx;
    const int64_t n_times = job->given->n_times;
    char text[600], number[32];

    job->n_values = job->n_columns * (n_times > 0 ? n_times : 1);
    job->names = rg_alloc(ctx, (size_t)job->n_values + 1, sizeof *job->names);
    if (job->names == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < job->n_values; k++) {
        job->names[k] = job->column_names[k % job->n_columns];
        if (n_times <= 0) continue;
        snprintf(text, sizeof text, "%s(%s)", job->names[k],
                 rg_real_text(job->given->times[k / job->n_columns], number));
        job->names[k] = rg_copy_text(ctx, text, strlen(text));
        if (job->names[k] == NULL) return RG_ERR_MEMORY;
    }
    return RG_OK;
}

static rg_status name_all(rg_sweep_job *job)
{
    rg_problem *outputs = NULL;

    if (job->p->form != NULL) RG_TRY(rg_grid_outputs(job->p, &outputs));
    rg_status status = name_columns(job, outputs != NULL ? outputs : job->p);
    rg_problem_destroy(&outputs);
    if (status == RG_OK) status = name_values(job);
    job->set_names = rg_alloc(job->p->ctx, (size_t)job->plan.n_lists + 1, sizeof *job->set_names);
    if (job->set_names == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < job->plan.n_lists; k++)
        job->set_names[k] = job->plan.lists[k].name;
    return status;
}

static rg_status take_options(rg_sweep_job *job)
{
    static const char *const files[] = {"vtk", "fields", "svg", "png"};
    const rg_problem *p = job->p;

    job->options = job->given->options != NULL ? *job->given->options : rg_options_default();
    if (job->given->options == NULL) RG_TRY(rg_problem_options(p, &job->options));
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        if (rg_options_get(&job->options, files[k], NULL, 0) == 0) continue;
        rg_fail(p->ctx, RG_ERR_ARGUMENT, "--%s: all runs of a sweep would write the same file",
                files[k]);
        return rg_remedy(p->ctx, "leave it out, and solve for one of the values");
    }
    if (strcmp(job->options.native, "auto") == 0)
        RG_TRY(rg_options_assign(p->ctx, &job->options, "native", "off"));
    return RG_OK;
}

/* Names that the model has not got are found before the first run, in a problem that is thrown
 * away; so is the interval of the model itself. */
static rg_status try_out(rg_sweep_job *job, double *set)
{
    const rg_problem *p = job->p;
    rg_problem *plain = NULL;

    job->base[0] = p->a;
    job->base[1] = p->b;
    if (p->model_rebuild != NULL) {
        RG_TRY(p->model_rebuild(p, 0, NULL, &plain));
        job->base[0] = plain->a;
        job->base[1] = plain->b;
        rg_problem_destroy(&plain);
    }
    for (int k = 0; k < job->plan.n_lists; k++) {
        rg_setting one = {job->plan.lists[k].name, 0.0};
        if (job->plan.lists[k].variable != NULL || p->model_rebuild == NULL) continue;
        rg_sweep_plan_values(&job->plan, 1, set);
        one.value = set[k];
        const rg_status status = p->model_rebuild(p, 1, &one, &plain);
        rg_problem_destroy(&plain);
        if (status == RG_ERR_ARGUMENT || status == RG_ERR_MEMORY) return status;
        rg_clear_error(p->ctx); /* others are failures of runs */
    }
    return RG_OK;
}

rg_status rg_sweep_run(const rg_problem *p, const rg_sweep *s, rg_sweep_row_fn *row, void *user)
{
    if (p == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(p->ctx);
    if (s == NULL || (s->n_over > 0 && s->over == NULL) || (s->n_times > 0 && s->times == NULL)) {
        rg_fail(p->ctx, RG_ERR_ARGUMENT, "rg_sweep_run() was given a null pointer");
        return rg_remedy(p->ctx, "give what the comment in regula.h asks for");
    }
    if (s->n_times < 0 || s->n_over < 0) {
        rg_fail(p->ctx, RG_ERR_ARGUMENT, "%lld output times, %d lists of values",
                (long long)s->n_times, s->n_over);
        return rg_remedy(p->ctx, "give how many there are, or 0");
    }
    rg_sweep_job job = {.p = p, .given = s};
    rg_sweep_file file = {.ctx = p->ctx};
    double *set = NULL;

    rg_status status = rg_sweep_plan_read(p, s, &job.plan);
    if (status == RG_OK) status = take_options(&job);
    if (status == RG_OK) status = name_all(&job);
    if (status == RG_OK) {
        set = rg_alloc(p->ctx, (size_t)job.plan.n_lists + 1, sizeof *set);
        status = set != NULL ? try_out(&job, set) : RG_ERR_MEMORY;
    }
    if (status == RG_OK) status = rg_sweep_file_open(&job, &file);
    if (status == RG_OK) status = rg_sweep_crew(&job, &file, set, row, user);
    const rg_status closed = rg_sweep_file_close(&file, status == RG_OK);
    rg_free(p->ctx, set);
    clear_job(&job);
    return status == RG_OK ? closed : status;
}

rg_status rg_sweep_into(const rg_problem *p, const rg_options *o, int n_over,
                        const char *const *over, int zip, int64_t seed, int jobs, int64_t n_times,
                        const double *times, int estimate, rg_sweep_table *table)
{
    const rg_sweep s = {.n_over = n_over,
                        .over = over,
                        .zip = zip,
                        .seed = seed > 0 ? (uint64_t)seed : 1,
                        .jobs = jobs,
                        .options = o,
                        .n_times = n_times,
                        .times = times,
                        .estimate = estimate};

    return rg_sweep_run(p, &s, table != NULL ? rg_sweep_table_take : NULL, table);
}
