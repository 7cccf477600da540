/* A comparison of methods as a table for the eye, as CSV and as JSON. */
#include "report/compare_table.h"
#include "report/report.h"
#include "solution/comparison.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_WIDTH = 8 };

static int most_levels(const rg_comparison *c)
{
    int most = 0;

    for (int k = 0; k < c->n_rows; k++)
        if (c->row[k].n_levels > most) most = c->row[k].n_levels;
    return most;
}

static const char *level_name(char buffer[32], int level)
{
    if (level < 2) return level == 0 ? "g" : "dg/dt";
    snprintf(buffer, 32, "d%dg/dt%d", level, level);
    return buffer;
}

static const char *status_word(const rg_compare_row *r)
{
    return r->status >= 0 ? "ok" : "failed";
}

static double drift_of(const rg_compare_row *r, int level)
{
    return level < r->n_levels ? r->drift[level] : NAN;
}

/* ---- table ----------------------------------------------------------------------------------- */

static void write_short(FILE *to, int width, double value)
{
    if (isfinite(value))
        fprintf(to, "  %*.*g", width, 3, value);
    else
        fprintf(to, "  %*s", width, "-");
}

static void write_heading(const rg_comparison *c, FILE *to)
{
    if (rg_problem_title(c->problem)[0] != '\0') fprintf(to, "%s\n", rg_problem_title(c->problem));
    if (strcmp(c->against, "exact") == 0)
        fputs("errors against the exact solution\n\n", to);
    else if (strcmp(c->against, "nothing") == 0)
        fputs("errors against nothing: no exact solution, and no run with a tight tolerance\n\n",
              to);
    else
        fprintf(to, "errors against a run of %s with the tolerance %s\n\n", c->against,
                c->problem->form != NULL ? "1e-8" : "1e-11");
}

static void write_line(const rg_comparison *c, const rg_compare_row *r, int width, int levels,
                       FILE *to)
{
    char name[32] = "-";

    if (r->worst >= 0) rg_problem_name(c->problem, r->worst, name, sizeof name);
    for (int k = 0; r->worst >= 0 && c->problem->form != NULL && k < c->problem->n_families; k++)
        if (c->problem->families[k].first <= r->worst) /* the field, not its element */
            snprintf(name, sizeof name, "%.31s", c->problem->families[k].name);
    fprintf(to, "%-*s", width, r->text);
    write_short(to, 9, r->error);
    fprintf(to, " %-*s", NAME_WIDTH, name);
    for (int level = 0; level < levels; level++)
        write_short(to, 9, drift_of(r, level));
    fprintf(to, "  %8lld  %11lld  %9.2g\n", (long long)r->stats.steps,
            (long long)r->stats.evaluations, r->stats.seconds);
}

static void write_failures(const rg_comparison *c, FILE *to)
{
    for (int k = 0; k < c->n_rows; k++)
        if (c->row[k].status < 0)
            fprintf(to, "\n%s failed: %s\n", c->row[k].text, c->row[k].message);
}

void rg_report_comparison(const rg_comparison *c, FILE *to)
{
    if (c == NULL || to == NULL) return;
    const int levels = most_levels(c);
    int width = 6;
    char name[32];

    for (int k = 0; k < c->n_rows; k++)
        if ((int)strlen(c->row[k].text) > width) width = (int)strlen(c->row[k].text);
    write_heading(c, to);
    if (c->has_table) {
        rg_write_compare_table(c, to);
        write_failures(c, to);
        return;
    }
    fprintf(to, "%-*s  %9s %-*s", width, "method", "error", NAME_WIDTH, "in");
    for (int k = 0; k < levels; k++)
        fprintf(to, "  %9s", level_name(name, k));
    fprintf(to, "  %8s  %11s  %9s\n", "steps", "evaluations", "seconds");
    for (int k = 0; k < c->n_rows; k++)
        write_line(c, &c->row[k], width, levels, to);
    write_failures(c, to);
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static void csv_known(rg_csv *csv, double value)
{
    if (isfinite(value))
        rg_csv_real(csv, value);
    else
        rg_csv_text(csv, "");
}

static rg_status write_csv_row(rg_csv *csv, const rg_compare_row *r, int levels)
{
    const rg_stats *s = &r->stats;
    const int64_t counts[] = {s->steps, s->rejected, s->evaluations, s->jacobians,
                              s->factorizations};

    rg_csv_text(csv, r->text);
    rg_csv_text(csv, status_word(r));
    csv_known(csv, r->t);
    csv_known(csv, r->error);
    for (int level = 0; level < levels; level++)
        csv_known(csv, drift_of(r, level));
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        rg_csv_integer(csv, counts[k]);
    rg_csv_real(csv, s->seconds);
    return rg_csv_end_row(csv);
}

static rg_status write_csv(const rg_comparison *c, rg_csv *csv)
{
    static const char *const before[] = {"method", "status", "t", "error"};
    static const char *const after[] = {"steps",     "rejected",       "evaluations",
                                        "jacobians", "factorizations", "seconds"};
    const int levels = most_levels(c);
    char name[32], drift[48];

    for (size_t k = 0; k < sizeof before / sizeof *before; k++)
        rg_csv_text(csv, before[k]);
    for (int k = 0; k < levels; k++) {
        snprintf(drift, sizeof drift, "drift(%s)", level_name(name, k));
        rg_csv_text(csv, drift);
    }
    for (size_t k = 0; k < sizeof after / sizeof *after; k++)
        rg_csv_text(csv, after[k]);
    RG_TRY(rg_csv_end_row(csv));
    for (int k = 0; k < c->n_rows; k++)
        RG_TRY(write_csv_row(csv, &c->row[k], levels));
    return RG_OK;
}

rg_status rg_comparison_write_csv(const rg_comparison *c, const char *path)
{
    rg_csv *csv = NULL;

    if (c == NULL || path == NULL) return RG_ERR_ARGUMENT;
    const bool is_complete = c->n_rows == c->n_wanted;
    rg_clear_error(c->ctx);
    RG_TRY(rg_csv_open(c->ctx, path, &csv));
    const rg_status status = c->has_table ? rg_write_compare_csv(c, csv) : write_csv(c, csv);
    const rg_status closed = rg_csv_close(&csv, is_complete && status == RG_OK);
    if (status != RG_OK) return status;
    return closed == RG_OK && !is_complete ? RG_STOPPED : closed;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Fields on grids: the largest error of each. */
static void write_field_errors(rg_json *j, const rg_comparison *c, int k)
{
    for (int f = 0; f < c->problem->n_families; f++) {
        const rg_family *family = &c->problem->families[f];
        double most = NAN;
        for (int64_t i = family->first; i < family->first + family->count; i++)
            most = fmax(most, rg_comparison_error(c, k, i));
        if (isnan(most)) continue;
        rg_json_key(j, family->name);
        rg_json_real(j, most);
    }
}

static void write_json_errors(rg_json *j, const rg_comparison *c, int k)
{
    char name[256];

    rg_json_key(j, "errors");
    rg_json_open(j, '{');
    if (c->problem->form != NULL) write_field_errors(j, c, k);
    for (int64_t i = 0; c->problem->form == NULL && i < c->problem->n; i++) {
        const double error = rg_comparison_error(c, k, i);
        if (isnan(error)) continue;
        rg_problem_name(c->problem, i, name, sizeof name);
        rg_json_key(j, name);
        rg_json_real(j, error);
    }
    rg_json_close(j, '}');
}

static void write_json_row(rg_json *j, const rg_comparison *c, int k)
{
    const rg_compare_row *r = &c->row[k];

    rg_json_open(j, '{');
    rg_json_key(j, "method");
    rg_json_text(j, r->text);
    rg_json_key(j, "status");
    rg_json_text(j, status_word(r));
    rg_json_key(j, "message");
    rg_json_text(j, r->message);
    rg_json_key(j, "t");
    rg_json_real(j, r->t);
    write_json_errors(j, c, k);
    rg_json_key(j, "drift");
    rg_json_open(j, '[');
    for (int level = 0; level < r->n_levels; level++)
        rg_json_real(j, r->drift[level]);
    rg_json_close(j, ']');
    rg_json_key(j, "steps");
    rg_json_integer(j, r->stats.steps);
    rg_json_key(j, "rejected");
    rg_json_integer(j, r->stats.rejected);
    rg_json_key(j, "evaluations");
    rg_json_integer(j, r->stats.evaluations);
    rg_json_key(j, "seconds");
    rg_json_real(j, r->stats.seconds);
    rg_json_close(j, '}');
}

void rg_write_comparison_members(rg_json *j, const char *model, const rg_comparison *c)
{
    const bool is_run = strcmp(c->against, "exact") != 0 && strcmp(c->against, "nothing") != 0;

    rg_json_key(j, "regula");
    rg_json_text(j, RG_VERSION);
    rg_json_key(j, "model");
    rg_json_text(j, model != NULL ? model : "");
    rg_json_key(j, "against");
    rg_json_text(j, is_run ? "reference" : c->against);
    if (is_run) {
        rg_json_key(j, "reference");
        rg_json_text(j, c->against);
    }
    rg_json_key(j, "rows");
    rg_json_open(j, '[');
    for (int k = 0; k < c->n_rows; k++)
        write_json_row(j, c, k);
    rg_json_close(j, ']');
    if (c->has_table) rg_write_compare_points(j, c);
}

void rg_report_comparison_json(const char *model, const rg_comparison *c, FILE *to)
{
    rg_json j = {to, false};

    if (c == NULL || to == NULL) return;
    rg_json_open(&j, '{');
    rg_write_comparison_members(&j, model, c);
    rg_json_close(&j, '}');
    putc('\n', to);
}
