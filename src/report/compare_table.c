/* The table of a comparison, as papers have them: rows are methods and times, columns are
 * quantities, the iterates of one run stand side by side. */
#include "report/compare_table.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 9 };

static bool is_per_run(int column)
{
    return column >= RG_COLUMN_ITERATIONS;
}

double rg_compare_value(const rg_comparison *c, const rg_compare_point *q, int column)
{
    const rg_stats *stats = &c->row[q->row].stats;
    const double of_run[] = {q->iterations > 0 ? (double)q->iterations : NAN, (double)stats->steps,
                             (double)stats->evaluations, stats->seconds};

    switch (column) {
    case RG_COLUMN_ERROR:
        return q->error;
    case RG_COLUMN_BY:
        return q->force;
    case RG_COLUMN_G:
        return q->n_levels > 0 ? q->drift[0] : NAN;
    case RG_COLUMN_RATE:
        return q->n_levels > 1 ? q->drift[1] : NAN;
    default:
        return of_run[column - RG_COLUMN_ITERATIONS];
    }
}

/* Entry of a row at a time in iterate s (0: the run as a whole, or its last one); NULL: none. */
static const rg_compare_point *find(const rg_comparison *c, int row, double at, int s)
{
    const rg_compare_point *found = NULL;

    for (int64_t k = 0; k < c->n_points; k++) {
        const rg_compare_point *q = &c->points[k];
        const bool is_time = q->at == at || (isnan(at) && isnan(q->at));
        if (q->row == row && is_time && (s == 0 || q->iteration == s)) found = q;
    }
    return found;
}

static int most_iterates(const rg_comparison *c)
{
    int most = 0;

    for (int64_t k = 0; k < c->n_points; k++)
        if (c->points[k].iteration > most) most = c->points[k].iteration;
    return most;
}

static void write_value(FILE *to, int column, double value)
{
    if (!isfinite(value))
        fprintf(to, "  %*s", WIDTH, "-");
    else if (column == RG_COLUMN_ITERATIONS || column == RG_COLUMN_ITERATIONS + 1
             || column == RG_COLUMN_ITERATIONS + 2)
        fprintf(to, "  %*.0f", WIDTH, value);
    else
        fprintf(to, "  %*.2e", WIDTH, value);
}

static void write_heading(const rg_comparison *c, int width, bool has_times, int iterates, FILE *to)
{
    char name[48];

    fprintf(to, "%-*s", width, "method");
    if (has_times) fprintf(to, "  %8s", rg_problem_time_name(c->problem));
    for (int k = 0; k < c->n_columns; k++) {
        const int column = c->column[k], count = is_per_run(column) || iterates == 0 ? 1 : iterates;
        for (int s = 1; s <= count; s++) {
            if (count > 1)
                snprintf(name, sizeof name, "%s s=%d", rg_compare_columns[column], s);
            else
                snprintf(name, sizeof name, "%s", rg_compare_columns[column]);
            fprintf(to, "  %*s", WIDTH, name);
        }
    }
    putc('\n', to);
}

static void write_line(const rg_comparison *c, int row, double at, int iterates, FILE *to)
{
    const int own = row < c->n_rows ? iterates : 0;

    for (int k = 0; k < c->n_columns; k++) {
        const int column = c->column[k], count = is_per_run(column) || own == 0 ? 1 : own;
        const bool has_iterates = find(c, row, at, 1) != NULL;
        for (int s = 1; s <= count; s++) {
            const rg_compare_point *q = find(c, row, at, count > 1 && has_iterates ? s : 0);
            const bool is_shown = q != NULL && (has_iterates || s == count);
            write_value(to, column, is_shown ? rg_compare_value(c, q, column) : NAN);
        }
    }
    putc('\n', to);
}

/* Mesh points that are not where they were asked for. */
static void write_moved(const rg_comparison *c, FILE *to)
{
    for (int64_t k = 0; k < c->n_points; k++) {
        const rg_compare_point *q = &c->points[k];
        const double length = fabs(c->problem->b - c->problem->a);
        if (isnan(q->at) || fabs(q->t - q->at) <= sqrt(DBL_EPSILON) * length) continue;
        if (q->iteration > 1) continue;
        fprintf(to, "\n%s: the mesh point next to %s = %.10g is %.10g", c->row[q->row].text,
                rg_problem_time_name(c->problem), q->at, q->t);
    }
}

void rg_write_compare_table(const rg_comparison *c, FILE *to)
{
    const int iterates = most_iterates(c);
    bool has_times = false;
    int width = 6;

    for (int k = 0; k < c->n_rows; k++)
        if ((int)strlen(c->row[k].text) > width) width = (int)strlen(c->row[k].text);
    for (int64_t k = 0; k < c->n_points; k++)
        has_times |= !isnan(c->points[k].at);
    write_heading(c, width, has_times, iterates, to);
    for (int row = 0; row < c->n_rows; row++) {
        double last = NAN;
        bool is_first = true;
        for (int64_t k = 0; k < c->n_points; k++) {
            const rg_compare_point *q = &c->points[k];
            const bool is_new = is_first || q->at > last || q->at < last;
            if (q->row != row || !is_new
                || (!is_first && find(c, row, q->at, 1) != NULL && q->iteration != 1))
                continue;
            fprintf(to, "%-*s", width, is_first ? c->row[row].text : "");
            if (has_times) fprintf(to, "  %8.6g", q->at);
            write_line(c, row, q->at, iterates, to);
            last = q->at;
            is_first = false;
        }
    }
    write_moved(c, to);
}

rg_status rg_write_compare_csv(const rg_comparison *c, rg_csv *csv)
{
    static const char *const first[] = {"method", "iteration", "at", "t"};

    for (size_t k = 0; k < sizeof first / sizeof *first; k++)
        rg_csv_text(csv, first[k]);
    for (int k = 0; k < c->n_columns; k++)
        rg_csv_text(csv, rg_compare_columns[c->column[k]]);
    RG_TRY(rg_csv_end_row(csv));
    for (int64_t i = 0; i < c->n_points; i++) {
        const rg_compare_point *q = &c->points[i];
        rg_csv_text(csv, c->row[q->row].text);
        rg_csv_integer(csv, q->iteration);
        if (isnan(q->at))
            rg_csv_text(csv, "");
        else
            rg_csv_real(csv, q->at);
        rg_csv_real(csv, q->t);
        for (int k = 0; k < c->n_columns; k++) {
            const double value = rg_compare_value(c, q, c->column[k]);
            if (isfinite(value))
                rg_csv_real(csv, value);
            else
                rg_csv_text(csv, "");
        }
        RG_TRY(rg_csv_end_row(csv));
    }
    return RG_OK;
}

void rg_write_compare_points(rg_json *j, const rg_comparison *c)
{
    rg_json_key(j, "table");
    rg_json_open(j, '[');
    for (int64_t i = 0; i < c->n_points; i++) {
        const rg_compare_point *q = &c->points[i];
        rg_json_open(j, '{');
        rg_json_key(j, "method");
        rg_json_text(j, c->row[q->row].text);
        rg_json_key(j, "iteration");
        rg_json_integer(j, q->iteration);
        rg_json_key(j, "at");
        rg_json_real(j, q->at);
        rg_json_key(j, "t");
        rg_json_real(j, q->t);
        for (int k = 0; k < c->n_columns; k++) {
            rg_json_key(j, rg_compare_columns[c->column[k]]);
            rg_json_real(j, rg_compare_value(c, q, c->column[k]));
        }
        rg_json_close(j, '}');
    }
    rg_json_close(j, ']');
}
