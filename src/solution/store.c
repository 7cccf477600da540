/* Points and steps as they come: storage, errors against the exact solution, rows of the CSV
 * file. */
#include "solution/solution.h"

#include "linalg/powers.h"

#include <math.h>
#include <string.h>

static void set_point(double *z, int64_t n, const double *y, const double *yp)
{
    memcpy(z, y, (size_t)n * sizeof *z);
    memcpy(z + n, yp, (size_t)n * sizeof *z);
}

/* Room for one more row of `width` doubles in *array, and its time. */
static rg_status grow_rows(rg_solution *s, double **array, int64_t width)
{
    int64_t capacity = s->capacity;

    RG_TRY(rg_grow(s->ctx, &s->time, s->n_rows, &capacity, sizeof(double)));
    capacity = s->capacity;
    RG_TRY(rg_grow(s->ctx, array, s->n_rows, &capacity, (size_t)width * sizeof(double)));
    s->capacity = capacity;
    return RG_OK;
}

static void note_errors(rg_solution *s)
{
    for (int64_t k = 0; k < s->n_exact; k++) /* where the exact solution has no value: no error */
        if (s->error[k] > s->largest_error[k]) s->largest_error[k] = s->error[k];
}

/* A point that counts as output: its errors and its row in the file. */
static rg_status put_out(rg_solution *s, double t, const double *z)
{
    RG_TRY(rg_exact_errors(s, t, z, s->error));
    note_errors(s);
    if (s->csv != NULL && !s->has_header) RG_TRY(rg_solution_csv_header(s, s->csv));
    s->has_header = true;
    return s->csv != NULL ? rg_solution_csv_row(s, s->csv, t, z) : RG_OK;
}

rg_status rg_solution_start(rg_solution *s, double t, const double *y, const double *yp)
{
    set_point(s->first, s->n, y, yp);
    set_point(s->last, s->n, y, yp);
    s->t_last = t;
    if (!s->rows_are_steps) return RG_OK;
    if (s->keep == RG_KEEP_ROWS) return rg_solution_point(s, t, y, yp);
    if (s->keep == RG_KEEP_STEPS) {
        RG_TRY(rg_grow(s->ctx, &s->time, 0, &s->capacity, sizeof(double)));
        RG_TRY(rg_grow(s->ctx, &s->place, 1, &s->place_capacity, sizeof *s->place));
        s->time[0] = t;
        s->place[0] = s->place[1] = 0;
        s->n_rows = 1;
    }
    return put_out(s, t, s->last);
}

/* Room for `count` numbers of steps. */
static rg_status reserve(rg_solution *s, int64_t count)
{
    if (count <= s->step_capacity) return RG_OK;
    const int64_t capacity = count + s->step_capacity;
    double *grown = rg_resize(s->ctx, s->step, (size_t)capacity, sizeof *grown);
    if (grown == NULL) return RG_ERR_MEMORY;
    s->step = grown;
    s->step_capacity = capacity;
    return RG_OK;
}

static rg_status keep_step(rg_solution *s, const rg_solution_step *step)
{
    const int64_t width = (step->degree + 2) * s->n, inner = (step->degree + 1) * s->n;

    RG_TRY(rg_grow(s->ctx, &s->time, s->n_rows, &s->capacity, sizeof(double)));
    RG_TRY(rg_grow(s->ctx, &s->place, s->n_rows + 1, &s->place_capacity, sizeof *s->place));
    RG_TRY(reserve(s, s->n_step + width));
    double *to = s->step + s->n_step;
    memcpy(to, step->coefficients, (size_t)inner * sizeof *to);
    memcpy(to + inner, step->yp, (size_t)s->n * sizeof *to);
    s->n_step += width;
    s->time[s->n_rows++] = step->t1;
    s->place[s->n_rows] = s->n_step;
    return RG_OK;
}

rg_status rg_solution_accept(rg_solution *s, const rg_solution_step *step)
{
    if (s->keep == RG_KEEP_STEPS) RG_TRY(keep_step(s, step)); /* fails: the last point stays */
    set_point(s->last, s->n, step->y, step->yp);
    s->t_last = step->t1;
    if (!s->rows_are_steps) return RG_OK;
    if (s->keep == RG_KEEP_ROWS) return rg_solution_point(s, step->t1, step->y, step->yp);
    return put_out(s, s->t_last, s->last);
}

/* Stored as a step without length from the values before the event: those behind it are the first
 * ones of the step to come. */
rg_status rg_solution_jump(rg_solution *s, double t, const double *y, const double *yp)
{
    const rg_solution_step none = {t, t, y, yp, 0, s->last};

    if (s->keep == RG_KEEP_STEPS) RG_TRY(keep_step(s, &none));
    set_point(s->last, s->n, y, yp);
    s->t_last = t;
    if (!s->rows_are_steps) return RG_OK;
    if (s->keep == RG_KEEP_ROWS) return rg_solution_point(s, t, y, yp);
    return put_out(s, t, s->last);
}

rg_status rg_solution_point(rg_solution *s, double t, const double *y, const double *yp)
{
    if (s->keep == RG_KEEP_ROWS) {
        RG_TRY(grow_rows(s, &s->row, 2 * s->n));
        set_point(s->row + s->n_rows * 2 * s->n, s->n, y, yp);
        s->time[s->n_rows++] = t;
    }
    set_point(s->point, s->n, y, yp);
    return put_out(s, t, s->point);
}

static int64_t step_degree(const rg_solution *s, int64_t row)
{
    return s->n == 0 ? 0 : (s->place[row + 1] - s->place[row]) / s->n - 2;
}

static void eval_step(const rg_solution *s, int64_t row, double t, double *z)
{
    const double h = s->time[row] - s->time[row - 1];

    rg_powers_eval((int)step_degree(s, row), s->n, s->step + s->place[row],
                   (t - s->time[row - 1]) / h, h, z, z + s->n);
}

/* y at the end of a step is a_0 of the next one. */
static const double *step_end(const rg_solution *s, int64_t row)
{
    if (row == 0) return s->first;
    if (row == s->n_rows - 1) return s->last;
    const double *next = s->step + s->place[row + 1]; /* a_0, right behind our y' */
    memcpy(s->point, next, (size_t)s->n * sizeof *next);
    memcpy(s->point + s->n, next - s->n, (size_t)s->n * sizeof *next);
    return s->point;
}

const double *rg_solution_row_point(const rg_solution *s, int64_t row)
{
    return s->keep == RG_KEEP_ROWS ? s->row + row * 2 * s->n : step_end(s, row);
}

/* The first row at or beyond t, in the direction of the run; n_rows: none. */
static int64_t find_row(const rg_solution *s, double t)
{
    const double sign = s->time[s->n_rows - 1] >= s->time[0] ? 1 : -1;
    int64_t low = 0, high = s->n_rows;

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (sign * s->time[middle] < sign * t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const double *rg_solution_point_at(const rg_solution *s, double t)
{
    if (t == s->t_last) return s->last;
    if (s->n_rows == 0) return NULL;
    int64_t row = find_row(s, t);
    if (row == s->n_rows) return NULL;
    while (row + 1 < s->n_rows && s->time[row + 1] == t) /* behind events */
        row++;
    if (s->time[row] == t) return rg_solution_row_point(s, row);
    if (row == 0 || s->keep != RG_KEEP_STEPS) return NULL;
    eval_step(s, row, t, s->point);
    return s->point;
}

rg_status rg_solution_eval(const rg_solution *s, double t, double *y, double *yp)
{
    char number[32];

    if (s == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(s->ctx);
    const double *z = rg_solution_point_at(s, t);
    if (z == NULL) {
        rg_fail(s->ctx, RG_ERR_ARGUMENT, "the solution has no values at %s = %s",
                rg_problem_time_name(s->problem), rg_real_text(t, number));
        return rg_remedy(s->ctx, "ask for a time that was passed, with all steps kept (rg_solve)");
    }
    if (y != NULL) memcpy(y, z, (size_t)s->problem->n * sizeof *y);
    for (int64_t j = 0; j < s->problem->n && yp != NULL; j++) {
        const int64_t place = rg_layout_at(s->layout, j, 1); /* a state of its own, or y' */
        yp[j] = z[place >= 0 ? place : s->n + j];
    }
    return RG_OK;
}
