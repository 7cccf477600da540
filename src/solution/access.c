/* What can be asked of a solution, and its rows as CSV. */
#include "solution/solution.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rg_status refuse_null(rg_context *ctx, const char *function)
{
    rg_fail(ctx, RG_ERR_ARGUMENT, "%s() was given a null pointer", function);
    return rg_remedy(ctx, "give what the comment in regula.h asks for");
}

rg_stats rg_solution_stats(const rg_solution *s)
{
    return s != NULL ? s->stats : (rg_stats){0};
}

double rg_solution_estimate(const rg_solution *s)
{
    return s != NULL ? s->estimate : NAN;
}

double rg_solution_estimate_end(const rg_solution *s)
{
    return s != NULL ? s->estimate_end : NAN;
}

double rg_solution_end(const rg_solution *s)
{
    return s != NULL ? s->t_last : NAN;
}

const char *rg_solution_method(const rg_solution *s)
{
    return s != NULL ? s->method : "";
}

int64_t rg_solution_rows(const rg_solution *s)
{
    return s != NULL ? s->n_rows : 0;
}

double rg_solution_time(const rg_solution *s, int64_t row)
{
    return s != NULL && row >= 0 && row < s->n_rows ? s->time[row] : NAN;
}

int64_t rg_solution_columns(const rg_solution *s)
{
    return s != NULL ? rg_columns_count(s->columns) : 0;
}

int rg_solution_column_name(const rg_solution *s, int64_t column, char *buffer, int size)
{
    if (s == NULL || column < 0 || column >= rg_solution_columns(s) || (buffer == NULL && size > 0))
        return RG_ERR_ARGUMENT;
    return rg_column_name(s->problem, column, buffer, size);
}

rg_status rg_solution_values(const rg_solution *s, int64_t row, double *values)
{
    if (s == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(s->ctx);
    if (values == NULL) return refuse_null(s->ctx, "rg_solution_values");
    if (row < 0 || row >= s->n_rows) {
        rg_fail(s->ctx, RG_ERR_ARGUMENT, "there is no row %lld: %lld are stored", (long long)row,
                (long long)s->n_rows);
        return rg_remedy(s->ctx, "ask rg_solution_rows() how many there are");
    }
    return rg_columns_eval(s->columns, s->time[row], rg_solution_row_point(s, row), values);
}

rg_status rg_solution_end_values(const rg_solution *s, double *values)
{
    if (s == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(s->ctx);
    if (values == NULL) return refuse_null(s->ctx, "rg_solution_end_values");
    return rg_columns_eval(s->columns, s->t_last, s->last, values);
}

rg_status rg_solution_times_into(const rg_solution *s, double *out)
{
    if (s == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(s->ctx);
    if (out == NULL) return refuse_null(s->ctx, "rg_solution_times_into");
    if (s->n_rows > 0) memcpy(out, s->time, (size_t)s->n_rows * sizeof *out);
    return RG_OK;
}

rg_status rg_solution_rows_into(const rg_solution *s, int64_t first, int64_t n_columns, double *out)
{
    const int64_t count = rg_solution_columns(s);

    if (s == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(s->ctx);
    if (out == NULL) return refuse_null(s->ctx, "rg_solution_rows_into");
    if (first < 0 || n_columns < 0 || n_columns > count || first > count - n_columns) {
        rg_fail(s->ctx, RG_ERR_ARGUMENT, "there are no %lld columns from %lld on: there are %lld",
                (long long)n_columns, (long long)first, (long long)count);
        return rg_remedy(s->ctx, "ask rg_solution_columns() how many there are");
    }
    for (int64_t row = 0; row < s->n_rows; row++) {
        RG_TRY(rg_columns_eval(s->columns, s->time[row], rg_solution_row_point(s, row), s->value));
        memcpy(out + row * n_columns, s->value + first, (size_t)n_columns * sizeof *out);
    }
    return RG_OK;
}

rg_status rg_solution_column_into(const rg_solution *s, int64_t column, double *out)
{
    return rg_solution_rows_into(s, column, 1, out);
}

int64_t rg_solution_singular_count(const rg_solution *s)
{
    return s != NULL ? s->n_singular : 0;
}

rg_status rg_solution_singular(const rg_solution *s, int64_t k, rg_singular *out)
{
    if (s == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(s->ctx);
    if (out == NULL) return refuse_null(s->ctx, "rg_solution_singular");
    if (k < 0 || k >= s->n_singular) {
        rg_fail(s->ctx, RG_ERR_ARGUMENT, "there is no singular place %lld: there are %lld",
                (long long)k, (long long)s->n_singular);
        return rg_remedy(s->ctx, "ask rg_solution_singular_count() how many there are");
    }
    *out = s->singular[k];
    return RG_OK;
}

int rg_solution_has_exact(const rg_solution *s)
{
    return s != NULL && s->n_exact > 0;
}

double rg_solution_error(const rg_solution *s, int64_t variable)
{
    for (int64_t k = 0; s != NULL && variable >= 0 && variable < s->problem->n && k < s->n_exact;
         k++)
        if (s->exact_place[k] == rg_layout_at(s->layout, variable, 0)) return s->largest_error[k];
    return NAN;
}

int rg_solution_drift_levels(const rg_solution *s)
{
    return s != NULL ? s->n_levels : 0;
}

double rg_solution_drift(const rg_solution *s, int level)
{
    return s != NULL && level >= 0 && level < s->n_levels ? s->drift[level] : NAN;
}

int rg_exact_name(const rg_solution *s, int64_t which, char *buffer, int size)
{
    const rg_problem *p = s->problem;
    int k = 0;

    while (k < p->n_exact - 1 && which >= p->exact[k].body->count)
        which -= p->exact[k++].body->count;
    return rg_variable_name(p, rg_map_at(&p->exact[k].target, which), p->exact[k].order, buffer,
                            size);
}

rg_status rg_exact_errors(const rg_solution *s, double t, const double *z, double *error)
{
    if (s->n_exact == 0) return RG_OK;
    RG_TRY(rg_values_eval(s->exact, t, z, s->exact_value));
    for (int64_t k = 0; k < s->n_exact; k++)
        error[k] = s->exact_place[k] >= 0 ? fabs(z[s->exact_place[k]] - s->exact_value[k]) : NAN;
    return RG_OK;
}

rg_status rg_solution_csv_header(const rg_solution *s, rg_csv *csv)
{
    const int64_t n_columns = rg_solution_columns(s);
    char name[512], error[528];

    rg_csv_text(csv, rg_problem_time_name(s->problem));
    for (int64_t k = 0; k < n_columns; k++) {
        rg_solution_column_name(s, k, name, sizeof name);
        rg_csv_text(csv, name);
    }
    for (int64_t k = 0; k < s->n_exact; k++) {
        rg_exact_name(s, k, name, sizeof name);
        snprintf(error, sizeof error, "error(%s)", name);
        rg_csv_text(csv, error);
    }
    for (int64_t k = 0; k < s->forces.n; k++) {
        s->forces.name(s->forces.user, k, name, sizeof name);
        snprintf(error, sizeof error, "force(%s)", name);
        rg_csv_text(csv, error);
    }
    return rg_csv_end_row(csv);
}

/* The errors of this point are in s->error. */
rg_status rg_solution_csv_row(const rg_solution *s, rg_csv *csv, double t, const double *z)
{
    const int64_t n_columns = rg_solution_columns(s);

    RG_TRY(rg_columns_eval(s->columns, t, z, s->value));
    rg_csv_real(csv, t);
    for (int64_t k = 0; k < n_columns; k++)
        rg_csv_real(csv, s->value[k]);
    for (int64_t k = 0; k < s->n_exact; k++)
        rg_csv_real(csv, s->error[k]);
    if (s->forces.n > 0) RG_TRY(s->forces.eval(s->forces.user, t, z, s->force));
    for (int64_t k = 0; k < s->forces.n; k++)
        rg_csv_real(csv, s->force[k]);
    return rg_csv_end_row(csv);
}

static rg_status write_rows(const rg_solution *s, rg_csv *csv)
{
    RG_TRY(rg_solution_csv_header(s, csv));
    for (int64_t row = 0; row < s->n_rows; row++) {
        const double *z = rg_solution_row_point(s, row);
        RG_TRY(rg_exact_errors(s, s->time[row], z, s->error));
        RG_TRY(rg_solution_csv_row(s, csv, s->time[row], z));
    }
    return RG_OK;
}

rg_status rg_solution_write_csv(const rg_solution *s, const char *path)
{
    rg_csv *csv = NULL;

    if (s == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(s->ctx);
    if (path == NULL) return refuse_null(s->ctx, "rg_solution_write_csv");
    RG_TRY(rg_csv_open(s->ctx, path, &csv));
    const rg_status status = write_rows(s, csv);
    const rg_status closed = rg_csv_close(&csv, status == RG_OK);
    return status != RG_OK ? status : closed;
}

int rg_solution_warning_count(const rg_solution *s)
{
    return s != NULL && s->run != NULL ? s->run->study->n_warnings : 0;
}

const char *rg_solution_warning(const rg_solution *s, int k)
{
    return k >= 0 && k < rg_solution_warning_count(s) ? s->run->study->warnings[k] : "";
}
