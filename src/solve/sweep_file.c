/* The table of a sweep on the disk, and what an earlier sweep has left of it.
 *
 * While the sweep goes on it is FILE.part, which grows by whole lines and survives a kill.  To go
 * on, the rows of FILE.part (or of FILE) are read: each must have the values that the plan has for
 * its run.  They are written to a new file, which then takes the place of FILE.part, so that
 * nothing is lost at any time; rows of failed runs are left out, and run again.  Where rows were
 * missing in between, the whole table is sorted in the end. */
#include "base/context.h"
#include "base/text.h"
#include "solve/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- writing --------------------------------------------------------------------------------- */

static rg_status write_header(const rg_sweep_job *job, rg_csv *csv)
{
    rg_csv_text(csv, "run");
    for (int k = 0; k < job->plan.n_lists; k++)
        rg_csv_text(csv, job->set_names[k]);
    rg_csv_text(csv, "status");
    rg_csv_text(csv, "t");
    for (int64_t k = 0; k < job->n_values; k++)
        rg_csv_text(csv, job->names[k]);
    rg_csv_text(csv, "estimate");
    return rg_csv_end_row(csv);
}

/* What is not known is left empty. */
static void write_known(rg_csv *csv, double value)
{
    if (isfinite(value))
        rg_csv_real(csv, value);
    else
        rg_csv_text(csv, "");
}

static rg_status write_row(const rg_sweep_job *job, rg_csv *csv, const double *set,
                           const rg_sweep_result *r)
{
    rg_csv_integer(csv, r->run);
    for (int k = 0; k < job->plan.n_lists; k++)
        rg_csv_real(csv, set[k]);
    rg_csv_text(csv, r->status >= 0 ? "ok" : "failed");
    write_known(csv, r->t);
    for (int64_t k = 0; k < job->n_values; k++)
        write_known(csv, r->values[k]);
    write_known(csv, r->estimate);
    return rg_csv_end_row(csv);
}

/* ---- reading what is there ------------------------------------------------------------------- */

typedef struct {
    const rg_sweep_job *job;
    rg_sweep_file *file;
    const char *path;
    int64_t line;
    double *set;
} reader;

static rg_status refuse(const reader *r, const char *what)
{
    rg_context *ctx = r->job->p->ctx;

    rg_fail(ctx, RG_ERR_ARGUMENT, "%s:%lld: %s", r->path, (long long)r->line, what);
    return rg_remedy(ctx,
                     "give the same model and the same --over, --at, --set as before, or leave "
                     "--resume out to begin again");
}

static const char *expected_name(const rg_sweep_job *job, int64_t k)
{
    const int64_t lists = job->plan.n_lists;

    if (k == 0) return "run";
    if (k <= lists) return job->set_names[k - 1];
    if (k == lists + 1) return "status";
    if (k == lists + 2) return "t";
    return k < lists + 3 + job->n_values ? job->names[k - lists - 3] : "estimate";
}

static rg_status check_header(const reader *r, const char *at, const char *end)
{
    const int64_t count = r->job->plan.n_lists + r->job->n_values + 4;
    char name[600], what[800];

    for (int64_t k = 0; k < count; k++) {
        const char *expected = expected_name(r->job, k);
        name[0] = '\0';
        if (at != NULL) at = rg_text_field(at, end, ',', name, sizeof name);
        if (strcmp(name, expected) == 0) continue;
        snprintf(what, sizeof what,
                 "the table belongs to another sweep: its column %lld is '%s', "
                 "not '%s'",
                 (long long)k + 1, name, expected);
        return refuse(r, what);
    }
    return at == NULL ? RG_OK
                      : refuse(r, "the table belongs to another sweep: it has more columns");
}

/* A field that may be empty: not known. */
static bool read_known(const char *text, double *value)
{
    *value = NAN;
    return text[0] == '\0' || rg_parse_real(text, value);
}

/* The place of a run among those of the task; -1: it is not one of them. */
static int64_t place_of(const rg_sweep_plan *plan, double run)
{
    if (!(run >= (double)plan->task) || run > (double)plan->runs || run != floor(run)) return -1;
    const int64_t rest = (int64_t)run - plan->task;
    return rest % plan->n_tasks == 0 ? rest / plan->n_tasks : -1;
}

static rg_status check_set(reader *r, const char **at, const char *end, int64_t run)
{
    const rg_sweep_plan *plan = &r->job->plan;
    char text[64], what[400];
    double value;

    rg_sweep_plan_values(plan, run, r->set);
    for (int k = 0; k < plan->n_lists; k++) {
        *at = *at != NULL ? rg_text_field(*at, end, ',', text, sizeof text) : NULL;
        if (*at != NULL && rg_parse_real(text, &value) && value == r->set[k]) continue;
        snprintf(what, sizeof what, "run %lld has another value of '%s' now", (long long)run,
                 plan->lists[k].name);
        return refuse(r, what);
    }
    return RG_OK;
}

static rg_status read_row(reader *r, const char *at, const char *end)
{
    const rg_sweep_job *job = r->job;
    rg_context *ctx = job->p->ctx;
    char text[64], status[16];
    double run = 0.0;

    at = rg_text_field(at, end, ',', text, sizeof text);
    const int64_t place = rg_parse_real(text, &run) ? place_of(&job->plan, run) : -1;
    if (place < 0 || at == NULL) return refuse(r, "this is no run of the sweep, or of the task");
    RG_TRY(check_set(r, &at, end, (int64_t)run));
    at = rg_text_field(at, end, ',', status, sizeof status);
    rg_sweep_result *out = &r->file->old[place];
    if (out->run != 0) return refuse(r, "a run is there twice");
    if (strcmp(status, "ok") != 0) return RG_OK; /* it is run again */
    double *values = rg_alloc(ctx, (size_t)job->n_values + 1, sizeof *values);
    if (values == NULL) return RG_ERR_MEMORY;
    out->values = values;
    for (int64_t k = -1; k <= job->n_values; k++) {
        double *to = k < 0 ? &out->t : k < job->n_values ? &values[k] : &out->estimate;
        if (at == NULL) return refuse(r, "a field is missing");
        at = rg_text_field(at, end, ',', text, sizeof text);
        if (!read_known(text, to)) return refuse(r, "a field is not a number");
    }
    out->run = (int64_t)run;
    return at == NULL ? RG_OK : refuse(r, "there are too many fields");
}

/* A line that is not complete is one that a kill has cut: it is left out. */
static rg_status read_rows(reader *r, const char *text)
{
    const char *at = text, *end = strchr(at, '\n');

    r->line = 1;
    if (end == NULL) return RG_OK;
    RG_TRY(check_header(r, at, end));
    for (at = end + 1; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        r->line++;
        RG_TRY(read_row(r, at, end));
    }
    return RG_OK;
}

static bool exists(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* The rows of FILE.part, or of FILE where there is none. */
static rg_status read_old(const rg_sweep_job *job, rg_sweep_file *f)
{
    rg_context *ctx = job->p->ctx;
    char path[4096];
    rg_source *source = NULL;
    const int n_inputs = ctx->n_inputs;

    snprintf(path, sizeof path, "%s.part", job->given->csv);
    const bool is_part = exists(path);
    if (!is_part) snprintf(path, sizeof path, "%s", job->given->csv);
    if (!exists(path)) return RG_OK;
    RG_TRY(rg_source_read_table(ctx, path, &source));
    ctx->n_inputs = n_inputs; /* it is what will be replaced */
    f->old = rg_alloc(ctx, (size_t)rg_sweep_plan_count(&job->plan) + 1, sizeof *f->old);
    reader r = {.job = job, .file = f, .path = path};
    r.set = rg_alloc(ctx, (size_t)job->plan.n_lists + 1, sizeof *r.set);
    rg_status status = f->old != NULL && r.set != NULL ? RG_OK : RG_ERR_MEMORY;
    if (status == RG_OK) status = read_rows(&r, source->text);
    rg_free(ctx, r.set);
    rg_source_destroy(ctx, &source);
    f->is_there = status == RG_OK && !is_part;
    for (int64_t k = 0; k < rg_sweep_plan_count(&job->plan) && f->is_there; k++)
        f->is_there = f->old[k].run != 0;
    return status;
}

/* ---- opening and closing --------------------------------------------------------------------- */

static rg_status write_old(const rg_sweep_job *job, rg_sweep_file *f)
{
    double *set = rg_alloc(f->ctx, (size_t)job->plan.n_lists + 1, sizeof *set);
    rg_status status = set != NULL ? write_header(job, f->csv) : RG_ERR_MEMORY;
    bool has_hole = false;

    for (int64_t k = 0; f->old != NULL && k < rg_sweep_plan_count(&job->plan); k++) {
        if (f->old[k].run == 0) {
            has_hole = true;
            continue;
        }
        f->is_mixed = f->is_mixed || has_hole;
        rg_sweep_plan_values(&job->plan, f->old[k].run, set);
        if (status == RG_OK) status = write_row(job, f->csv, set, &f->old[k]);
    }
    rg_free(f->ctx, set);
    return status == RG_OK ? rg_csv_show(f->csv) : status;
}

rg_status rg_sweep_file_open(const rg_sweep_job *job, rg_sweep_file *f)
{
    const char *path = job->given->csv;
    const bool is_output = path != NULL && strcmp(path, "-") == 0;

    f->job = job;
    if (job->given->resume && (path == NULL || is_output)) {
        rg_fail(f->ctx, RG_ERR_ARGUMENT, "there is no file to go on with");
        return rg_remedy(f->ctx, "name the file of the earlier sweep with --csv");
    }
    if (job->given->resume) RG_TRY(read_old(job, f));
    if (path == NULL || f->is_there) return RG_OK;
    RG_TRY(rg_csv_open(f->ctx, path, &f->csv));
    return write_old(job, f);
}

rg_status rg_sweep_file_write(rg_sweep_file *f, const double *set, const rg_sweep_result *r)
{
    return f->csv != NULL ? write_row(f->job, f->csv, set, r) : RG_OK;
}

/* Rows that came behind later ones go to their places. */
static rg_status sort_rows(rg_sweep_file *f)
{
    const char *path = f->job->given->csv;
    char part[4096];

    snprintf(part, sizeof part, "%s.part", path);
    const char *const files[] = {part};
    RG_TRY(rg_gather(f->ctx, 1, files, 0, false, path));
    remove(part);
    return RG_OK;
}

rg_status rg_sweep_file_close(rg_sweep_file *f, bool is_complete)
{
    rg_status status = rg_csv_close(&f->csv, is_complete && !f->is_mixed);

    if (status == RG_OK && is_complete && f->is_mixed) status = sort_rows(f);
    for (int64_t k = 0; f->old != NULL && k < rg_sweep_plan_count(&f->job->plan); k++)
        rg_free(f->ctx, f->old[k].values);
    rg_free(f->ctx, f->old);
    f->old = NULL;
    return status;
}
