/* Row i of F is the c_i-th derivative of equation i, rows of G those below.  With combinations
 *
 *     row = sum_q u_q d^k/dt^k f_q,   u constant,
 *
 * every f_q is evaluated as it is written.  Its derivatives of y_j above d_j (in G: from d_j on)
 * cancel in the sum; they are columns of their own with the value 0, and that they do cancel is
 * looked at wherever a Jacobian is made. */
#include "bvp/form_rows.h"
#include "bvp/tuning.h"
#include "structure/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int count_levels(const rg_bvp_form *f)
{
    int levels = 1;

    for (int i = 0; i < f->n; i++)
        if (f->c[i] + 1 > levels) levels = f->c[i] + 1;
    return levels;
}

/* Combinations need every order that the written equations have, differentiated. */
static int count_orders(const rg_bvp_form *f)
{
    const int written = f->p->max_order + count_levels(f);

    return f->combinations != NULL && written > f->n_orders ? written : f->n_orders;
}

int64_t rg_form_rows_columns(const rg_bvp_form *f)
{
    const int orders = count_orders(f);
    int64_t count = f->nz;

    for (int j = 0; j < f->n && f->combinations != NULL; j++)
        count += orders - 1 - f->d[j];
    return count;
}

/* The terms of combination i: written equation and factor number k. */
static int count_terms(const rg_bvp_form *f, int i)
{
    const int count = f->combinations != NULL ? f->combinations->combination[i].count : 0;
    return count > 0 ? count : 1;
}

static int term(const rg_bvp_form *f, int i, int k, double *factor)
{
    const rg_combination *c = f->combinations != NULL ? &f->combinations->combination[i] : NULL;

    *factor = c != NULL && c->count > 0 ? c->factor[k] : 1.0;
    return c != NULL && c->count > 0 ? c->row[k] : i;
}

static bool is_wanted(const rg_bvp_form *f, bool is_invariant, int level, int i)
{
    return is_invariant ? level < f->c[i] : level == f->c[i];
}

/* row[level][equation]: number among the written rows, or -1. */
static void number_written(const rg_bvp_form *f, bool is_invariant, int levels, int32_t *const *row,
                           rg_form_rows *r)
{
    double factor;

    for (int level = 0; level < levels; level++) {
        for (int i = 0; i < f->n; i++)
            row[level][i] = -1;
        for (int i = 0; i < f->n; i++) {
            if (!is_wanted(f, is_invariant, level, i)) continue;
            r->n_rows++;
            for (int k = 0; k < count_terms(f, i); k++)
                row[level][term(f, i, k, &factor)] = 0;
        }
        for (int i = 0; i < f->n; i++) {
            if (row[level][i] < 0) continue;
            const bool is_itself = f->combinations == NULL && !is_invariant;
            row[level][i] = is_itself ? i : r->n_written;
            r->n_written++;
        }
    }
}

/* start, to, factor: the terms sorted by written row. */
static rg_status list_terms(const rg_bvp_form *f, bool is_invariant, int levels,
                            int32_t *const *row, rg_form_rows *r)
{
    int row_number = 0;
    double factor;

    r->start = rg_alloc(f->ctx, (size_t)r->n_written + 2, sizeof *r->start);
    if (r->start == NULL) return RG_ERR_MEMORY;
    for (int level = 0; level < levels; level++)
        for (int i = 0; i < f->n; i++)
            for (int k = 0; is_wanted(f, is_invariant, level, i) && k < count_terms(f, i); k++)
                r->start[row[level][term(f, i, k, &factor)] + 2]++;
    for (int q = 0; q < r->n_written; q++)
        r->start[q + 2] += r->start[q + 1];
    const size_t count = (size_t)r->start[r->n_written + 1];
    r->to = rg_alloc(f->ctx, count + 1, sizeof *r->to);
    r->factor = rg_alloc(f->ctx, count + 1, sizeof *r->factor);
    if (r->to == NULL || r->factor == NULL) return RG_ERR_MEMORY;
    for (int level = 0; level < levels; level++)
        for (int i = 0; i < f->n; i++) {
            if (!is_wanted(f, is_invariant, level, i)) continue;
            for (int k = 0; k < count_terms(f, i); k++) {
                const int at = r->start[row[level][term(f, i, k, &factor)] + 1]++;
                r->to[at] = is_invariant ? row_number : i;
                r->factor[at] = factor;
            }
            row_number++;
        }
    return RG_OK;
}

/* Places of all orders in z: those of the form, then the ones that cancel. */
static void number_columns(const rg_bvp_form *f, int orders, int32_t *const *column)
{
    int next = f->nz;

    for (int order = 0; order < orders; order++)
        for (int j = 0; j < f->n; j++)
            if (order < f->n_orders && f->place[order][j] >= 0)
                column[order][j] = f->place[order][j];
            else
                column[order][j] = f->combinations != NULL ? next++ : -1;
}

static rg_status make_assembly(const rg_bvp_form *f, bool is_invariant, int levels, int orders,
                               int32_t *const *table, rg_form_rows *r)
{
    int32_t *const *row = table, *const *column = table + levels;

    number_written(f, is_invariant, levels, row, r);
    if (r->n_written == 0) return RG_OK;
    number_columns(f, orders, column);
    if (f->combinations != NULL) RG_TRY(list_terms(f, is_invariant, levels, row, r));
    r->n_known = is_invariant ? f->nx : f->nz;
    const rg_assembly_spec spec = {levels,
                                   orders,
                                   rg_form_rows_columns(f),
                                   (const int32_t *const *)row,
                                   r->n_written,
                                   (const int32_t *const *)column};
    RG_TRY(rg_assembly_create(f->p, &spec, true, &r->assembly));
    RG_TRY(rg_assembly_work_create(r->assembly, &r->work));
    const rg_pattern *pattern = rg_assembly_pattern(r->assembly);
    r->F = rg_alloc(f->ctx, (size_t)r->n_written + 1, sizeof *r->F);
    r->J = rg_alloc(f->ctx, (size_t)pattern->start[pattern->n_columns] + 1, sizeof *r->J);
    r->sum = rg_alloc(f->ctx, 2 * (size_t)r->n_rows + 1, sizeof *r->sum);
    return r->F != NULL && r->J != NULL && r->sum != NULL ? RG_OK : RG_ERR_MEMORY;
}

rg_status rg_form_rows_init(const rg_bvp_form *f, bool is_invariant, rg_form_rows *out)
{
    const int levels = count_levels(f), orders = count_orders(f);
    int32_t **table = rg_alloc(f->ctx, (size_t)(levels + orders), sizeof *table);
    rg_status status = table != NULL ? RG_OK : RG_ERR_MEMORY;

    for (int k = 0; k < levels + orders && status == RG_OK; k++)
        if ((table[k] = rg_alloc(f->ctx, (size_t)f->n + 1, sizeof **table)) == NULL)
            status = RG_ERR_MEMORY;
    if (status == RG_OK) status = make_assembly(f, is_invariant, levels, orders, table, out);
    for (int k = 0; table != NULL && k < levels + orders; k++)
        rg_free(f->ctx, table[k]);
    rg_free(f->ctx, table);
    return status;
}

void rg_form_rows_clear(rg_context *ctx, rg_form_rows *r)
{
    rg_assembly_work_destroy(&r->work);
    rg_assembly_destroy(&r->assembly);
    void *const arrays[] = {r->start, r->to, r->factor, r->F, r->J, r->sum};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(ctx, arrays[k]);
    memset(r, 0, sizeof *r);
}

/* The written values F, added up in the rows they are part of. */
static void add(const rg_form_rows *r, double *out)
{
    memset(out, 0, (size_t)r->n_rows * sizeof *out);
    for (int q = 0; q < r->n_written; q++)
        for (int k = r->start[q]; k < r->start[q + 1]; k++)
            out[r->to[k]] += r->factor[k] * r->F[q];
}

rg_status rg_form_rows_residual(rg_form_rows *r, double t, const double *z, double *F)
{
    RG_TRY(rg_assembly_residual(r->assembly, r->work, t, z, r->start != NULL ? r->F : F));
    if (r->start != NULL) add(r, F);
    return RG_OK;
}

static bool is_cancelled(const rg_form_rows *r, int64_t column)
{
    const rg_pattern *pattern = rg_assembly_pattern(r->assembly);
    double *sum = r->sum, *size = r->sum + r->n_rows;

    memset(sum, 0, 2 * (size_t)r->n_rows * sizeof *sum);
    for (int64_t e = pattern->start[column]; e < pattern->start[column + 1]; e++)
        for (int k = r->start[pattern->row[e]]; k < r->start[pattern->row[e] + 1]; k++) {
            sum[r->to[k]] += r->factor[k] * r->J[e];
            size[r->to[k]] += fabs(r->factor[k] * r->J[e]);
        }
    for (int i = 0; i < r->n_rows; i++)
        if (!(fabs(sum[i]) <= RG_CANCEL_NOISE * size[i])) return false;
    return true;
}

rg_status rg_form_rows_jacobian(const rg_bvp_form *f, rg_form_rows *r, double t, const double *z,
                                double *F)
{
    char number[32], what[200];

    RG_TRY(rg_assembly_jacobian(r->assembly, r->work, t, z, r->start != NULL ? r->F : F, r->J));
    if (r->start == NULL) return RG_OK;
    add(r, F);
    for (int64_t j = r->n_known; j < rg_assembly_pattern(r->assembly)->n_columns; j++) {
        if (is_cancelled(r, j)) continue;
        snprintf(what, sizeof what,
                 " whose factors are not constant: those found do not hold at %s = %s",
                 rg_problem_time_name(f->p), rg_real_text(t, number));
        return rg_form_fail_combined(f->p, f->a, what);
    }
    return RG_OK;
}

void rg_form_rows_spread(const rg_form_rows *r, int first, int count, double *out)
{
    const rg_pattern *pattern = rg_assembly_pattern(r->assembly);
    const int64_t m = r->n_rows;

    memset(out, 0, (size_t)(m * count) * sizeof *out);
    for (int j = 0; j < count; j++)
        for (int64_t e = pattern->start[first + j]; e < pattern->start[first + j + 1]; e++) {
            const int32_t q = pattern->row[e];
            if (r->start == NULL) {
                out[j * m + q] = r->J[e];
                continue;
            }
            for (int k = r->start[q]; k < r->start[q + 1]; k++)
                out[j * m + r->to[k]] += r->factor[k] * r->J[e];
        }
}
