/* Sizes of rows and columns in turn: see magnitudes.h. */
#include "structure/magnitudes.h"

#include "base/random.h"
#include "linalg/rank.h"
#include "structure/tuning.h"

#include <math.h>

/* J beside g; entries of `of` that are rounding there become 0. */
static rg_status drop_rounding(const rg_assembly *a, rg_assembly_work *w, double t, const double *g,
                               double *beside, double *J, double *of)
{
    const rg_pattern *p = rg_assembly_pattern(a);

    for (int64_t j = 0; j < p->n_columns; j++)
        beside[j] = g[j] * (1.0 + RG_FREE_DISTURBANCE * rg_random(2, (uint64_t)j));
    RG_TRY(rg_assembly_jacobian(a, w, t, beside, NULL, J));
    for (int64_t e = 0; e < p->start[p->n_columns]; e++)
        if (fabs(of[e]) < RG_START_TINY * fabs(J[e])) of[e] = 0;
    return RG_OK;
}

rg_status rg_magnitudes_linearize(const rg_problem *p, const rg_assembly *a, rg_assembly_work *w,
                                  double t, const double *g, double *F, double *J)
{
    const rg_pattern *pattern = rg_assembly_pattern(a);

    RG_TRY(rg_assembly_jacobian(a, w, t, g, F, J));
    if (p->n_blocks == 0) return RG_OK;
    double *beside = rg_alloc(p->ctx, (size_t)pattern->n_columns + 1, sizeof *beside);
    double *there = rg_alloc(p->ctx, (size_t)pattern->start[pattern->n_columns] + 1, sizeof *there);
    rg_status status = RG_ERR_MEMORY;
    if (beside != NULL && there != NULL) status = drop_rounding(a, w, t, g, beside, there, J);
    rg_free(p->ctx, beside);
    rg_free(p->ctx, there);
    return status == (rg_status)RG_RETRY ? RG_OK : status; /* not defined there: all count */
}

static double entry(const rg_magnitudes *s, int64_t k)
{
    return isfinite(s->J[k]) ? fabs(s->J[k]) : 0;
}

static void row_sizes(const rg_magnitudes *s, const double *u, double *row)
{
    for (int64_t i = 0; i < s->n_rows; i++)
        row[i] = isfinite(s->F[i]) ? fabs(s->F[i]) : 0;
    for (int64_t j = 0; j < s->n_columns; j++)
        for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++)
            row[s->pattern->row[k]] = fmax(row[s->pattern->row[k]], entry(s, k) * u[j]);
}

/* (2) for the derivatives of an unknown that are not given */
static void follow_derivatives(const rg_magnitudes *s, double *u)
{
    const double length = fabs(s->p->b - s->p->a);

    if (!(length > 0 && isfinite(length))) return;
    for (int r = 1; r < s->n_orders; r++)
        for (int64_t j = 0; j < s->p->n; j++) {
            const int32_t c = s->column[r][j];
            if (c < 0) continue;
            u[c] = fmax(u[c], u[s->column[r - 1][j]] / length);
        }
}

/* (4) */
static bool follow_back(const rg_magnitudes *s, double *u)
{
    const double length = fabs(s->p->b - s->p->a);
    bool has_more = false;

    if (!(length > 0 && isfinite(length))) return false;
    for (int r = s->n_orders - 1; r > 0; r--)
        for (int64_t j = 0; j < s->p->n; j++) {
            const int32_t c = s->column[r][j], of = s->column[r - 1][j];
            if (c < 0 || of < 0 || u[of] > 0 || !(u[c] > 0 && u[c] * length < 1)) continue;
            u[of] = u[c] * length;
            has_more = true;
        }
    return has_more;
}

static bool is_noise(const rg_magnitudes *s, const double *row, const double *u, int64_t j)
{
    bool has_row = false;

    for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++) {
        const double term = entry(s, k) * u[j];
        if (term > RG_START_TINY * row[s->pattern->row[k]]) return false;
        has_row = has_row || entry(s, k) > 0;
    }
    return has_row;
}

static void drop_noise(const rg_magnitudes *s, const double *row, double *u)
{
    for (int64_t j = 0; j < s->n_columns; j++)
        if (u[j] > 0 && is_noise(s, row, u, j)) u[j] = 0;
}

/* (3); true: some column has got a size */
static bool spread(const rg_magnitudes *s, const double *row, double *u)
{
    bool has_more = false;

    for (int64_t j = 0; j < s->n_columns; j++) {
        double least = INFINITY;
        if (u[j] > 0) continue;
        for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++) {
            const double size = row[s->pattern->row[k]];
            if (size > 0 && entry(s, k) > 0) least = fmin(least, size / entry(s, k));
        }
        if (!isfinite(least)) continue;
        u[j] = least;
        has_more = true;
    }
    return has_more;
}

void rg_magnitudes_find(const rg_magnitudes *s, double *row, double *u)
{
    bool has_more = true;

    row_sizes(s, u, row);
    drop_noise(s, row, u);
    follow_derivatives(s, u);
    for (int k = 0; k < RG_MAGNITUDE_SWEEPS && has_more; k++) {
        row_sizes(s, u, row);
        has_more = spread(s, row, u);
        has_more = has_more || follow_back(s, u);
        follow_derivatives(s, u);
    }
}

static double power_of_two(double x)
{
    int exponent;

    (void)frexp(x, &exponent);
    return ldexp(1.0, exponent);
}

/* Factors of 2, so that nothing is rounded. */
static void scale_columns(int64_t m, int64_t n, const double *unit, double *A, double *column)
{
    for (int64_t j = 0; j < n; j++) {
        column[j] = unit[j] == 1.0 ? 1.0 : power_of_two(unit[j]);
        for (int64_t i = 0; i < m && column[j] != 1.0; i++)
            A[j * m + i] *= column[j];
    }
}

static void scale_rows(int64_t m, int64_t n, double *A, double *row)
{
    for (int64_t i = 0; i < m; i++) {
        double largest = 0.0;
        for (int64_t j = 0; j < n; j++)
            largest = fmax(largest, fabs(A[j * m + i]));
        row[i] = largest > 0.0 && isfinite(largest) ? 1.0 / power_of_two(largest) : 1.0;
        for (int64_t j = 0; j < n; j++)
            A[j * m + i] *= row[i];
    }
}

static bool are_plain(int64_t n, const double *unit)
{
    for (int64_t j = 0; j < n; j++)
        if (unit[j] != 1.0) return false;
    return true;
}

void rg_magnitudes_equilibrate(int64_t m, int64_t n, const double *unit, double *A, double *row,
                               double *column)
{
    if (are_plain(n, unit)) {
        rg_equilibrate(m, n, A, row, column);
        return;
    }
    scale_columns(m, n, unit, A, column);
    scale_rows(m, n, A, row);
    rg_equilibrate_more(m, n, A, row, column);
}

double rg_magnitude_unit(double size)
{
    if (size > RG_START_LARGE_VALUE) return size / RG_START_LARGE_VALUE;
    return size > 0 && size < RG_START_SMALL_VALUE ? size / RG_START_SMALL_VALUE : 1;
}
