/* Fills the one sparse matrix of the collocation equations of a large model. */
#include "bvp/collocation/large.h"

#include "bvp/collocation/large_layout.h"
#include "bvp/form_large.h"

#include <math.h>
#include <string.h>

/* ---- filling --------------------------------------------------------------------------------- */

/* The next entry of the matrix; without one (the first pass) only its place is noted. */
static void put(rg_large *l, int64_t row, int64_t column, double value)
{
    const int64_t k = l->next++;

    if (l->matrix != NULL) {
        rg_sparse_values(l->matrix)[l->at[k]] += value;
    } else if (l->row != NULL) {
        l->row[k] = (int32_t)row;
        l->column[k] = (int32_t)column;
    }
}

/* F or G at a point whose x and w have these first columns, in rows from `row` on.  J NULL: the
 * places alone. */
static void put_block(rg_large *l, bool is_invariant, int64_t row, int64_t x, int64_t w,
                      const double *J)
{
    const rg_pattern *p = rg_form_large_pattern(l->f, is_invariant);

    for (int j = 0; j < l->nz; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            put(l, row + p->row[e], j < l->nx ? x + j : w + j - l->nx, J != NULL ? J[e] : 0.0);
}

/* value times (1) of state k in stage j, or (j = s) at the end of interval i. */
static void put_state(rg_large *l, int64_t row, int64_t i, int j, int k, double h, double value)
{
    const int unknown = l->f->unknown[k], left = l->f->d[unknown] - l->f->order[k];

    for (int q = 0; q < left; q++, value *= h)
        put(l, row, mesh_x(l, i) + k + q, value * l->ones[q][j]);
    for (int m = 0; m < l->s; m++)
        put(l, row, stage_w(l, i, m) + unknown, value * l->power[left][j][m]);
}

/* F of stage j. */
static void put_stage(rg_large *l, int64_t i, int j, double h, const double *J)
{
    const rg_pattern *p = rg_form_large_pattern(l->f, false);
    const int64_t first = stage_w(l, i, j);

    for (int k = 0; k < l->nz; k++)
        for (int64_t e = p->start[k]; e < p->start[k + 1]; e++) {
            const double value = J != NULL ? J[e] : 0.0;
            if (k < l->nx)
                put_state(l, first + p->row[e], i, j, k, h, value);
            else
                put(l, first + p->row[e], first + k - l->nx, value);
        }
}

/* dx_{i+1} - dX_i(1) */
static void put_end(rg_large *l, int64_t i, double h)
{
    for (int k = 0; k < l->nx; k++) {
        const int64_t row = mesh_x(l, i + 1) + k;
        put(l, row, row, 1.0);
        put_state(l, row, i, l->s, k, h, -1.0);
    }
}

/* Gx dx_{i+1} = -G, and Gx^T mu in the rows of x_{i+1}. */
static void put_projection(rg_large *l, int64_t i, const double *J)
{
    const rg_pattern *p = rg_form_large_pattern(l->f, true);
    const int64_t x = mesh_x(l, i + 1), mu = multiplier(l, i);

    put_block(l, true, mu, x, 0, J);
    for (int j = 0; j < l->nx; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            put(l, x + j, mu + p->row[e], J != NULL ? J[e] : 0.0);
}

/* Rows of the conditions that are left, and those of G at the start, take the place of the rows
 * of x_0. */
static void put_conditions(rg_large *l, const rg_curve *it, const double *J)
{
    const rg_bvp_conditions *c = l->c;
    const rg_pattern *p = rg_assembly_pattern(c->lines);

    for (int j = 0; j < c->n_points * l->nz; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            const int k = j / l->nz, q = j % l->nz;
            if (c->is_dropped[p->row[e]]) continue;
            put(l, condition_row(l, p->row[e]),
                q < l->nx ? mesh_x(l, it->node[k]) + q : node_w(l, k) + q - l->nx,
                J != NULL ? J[e] : 0.0);
        }
    for (int i = c->n_lines; i < c->n_rows; i++) {
        const int k = i - c->n_lines;
        const int place = l->f->place[c->kept_order[k]][c->kept_unknown[k]];
        if (c->is_dropped[i]) continue;
        put(l, condition_row(l, i), place < l->nx ? place : node_w(l, 0) + place - l->nx, 1.0);
    }
}

/* ---- one pass over all equations ------------------------------------------------------------- */

/* b <- -F in rows from `row` on, and with is_new the entries. */
static rg_status fill_point(rg_large *l, bool is_invariant, double t, const double *x,
                            const double *w, int64_t row, const double **J, bool is_new)
{
    const int count = is_invariant ? l->inv : l->n;

    *J = NULL;
    if (is_invariant || is_new)
        RG_TRY(rg_form_large_entries(l->f, is_invariant, t, x, w, l->F, J));
    else
        RG_TRY(rg_bvp_form_residual(l->f, t, x, w, l->F));
    for (int k = 0; k < count; k++)
        l->b[row + k] = -l->F[k];
    return RG_OK;
}

/* An equation made of terms of the sum S_i = sum_j |J_ij z_j| + |the rest| can give w_k to
 * rounding in  S_i/|J_ik|  only; the best equation counts, and the worst point. */
static void note_terms(rg_large *l, const double *w, const double *J)
{
    const rg_pattern *p = rg_form_large_pattern(l->f, false);
    double *sum = l->terms + l->n;

    memset(sum, 0, (size_t)l->n * sizeof *sum);
    for (int j = 0; j < l->nz; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            const double term = J[e] * (j < l->nx ? l->X[j] : w[j - l->nx]);
            sum[p->row[e]] += fabs(term);
            l->F[p->row[e]] -= term;
        }
    for (int k = 0; k < l->n; k++) {
        double least = INFINITY;
        for (int64_t e = p->start[l->nx + k]; e < p->start[l->nx + k + 1]; e++) {
            const int i = p->row[e];
            if (J[e] != 0.0) least = fmin(least, (sum[i] + fabs(l->F[i])) / fabs(J[e]));
        }
        if (isfinite(least)) l->terms[k] = fmax(l->terms[k], least);
    }
}

static rg_status fill_stage(rg_large *l, const rg_curve *it, int64_t i, int j, bool is_new)
{
    const double h = it->t[i + 1] - it->t[i], *J;

    rg_curve_stage(it, i, j, l->X);
    l->stats->evaluations++;
    l->stats->jacobians += is_new;
    RG_TRY(fill_point(l, false, it->t[i] + it->rule.c[j] * h, l->X, rg_curve_w(it, i, j),
                      stage_w(l, i, j), &J, is_new));
    if (!is_new) return RG_OK;
    put_stage(l, i, j, h, J);
    note_terms(l, rg_curve_w(it, i, j), J);
    return RG_OK;
}

static rg_status fill_interval(rg_large *l, const rg_curve *it, int64_t i, bool is_new)
{
    const int nx = l->nx;
    const double *J;

    for (int j = 0; j < l->s; j++)
        RG_TRY(fill_stage(l, it, i, j, is_new));
    for (int k = 0; k < nx; k++)
        l->b[mesh_x(l, i + 1) + k] =
            it->x[i * nx + k] + rg_curve_growth(it, i, k) - it->x[(i + 1) * nx + k];
    if (is_new) put_end(l, i, it->t[i + 1] - it->t[i]);
    if (l->inv == 0) return RG_OK;
    RG_TRY(
        fill_point(l, true, it->t[i + 1], it->x + (i + 1) * nx, NULL, multiplier(l, i), &J, true));
    if (is_new) put_projection(l, i, J);
    return RG_OK;
}

static rg_status fill_nodes(rg_large *l, const rg_curve *it, bool is_new)
{
    const int n = l->n, nx = l->nx;
    rg_bvp_conditions *c = l->c;
    const double *J;

    for (int k = 0; k < l->n_nodes; k++) {
        const double *x = it->x + it->node[k] * nx, *w = it->wn + k * n;
        memcpy(l->z + k * l->nz, x, (size_t)nx * sizeof *x);
        memcpy(l->z + k * l->nz + nx, w, (size_t)n * sizeof *w);
        RG_TRY(fill_point(l, false, it->t[it->node[k]], x, w, node_w(l, k), &J, is_new));
        if (is_new) put_block(l, false, node_w(l, k), mesh_x(l, it->node[k]), node_w(l, k), J);
    }
    RG_TRY(rg_bvp_conditions_eval(c, l->z, l->values, NULL));
    if (is_new) RG_TRY(rg_assembly_jacobian(c->lines, c->work, 0.0, l->z, NULL, c->J));
    for (int i = 0; i < c->n_rows; i++)
        if (!c->is_dropped[i]) l->b[condition_row(l, i)] = -l->values[i];
    if (is_new) put_conditions(l, it, c->J);
    if (l->inv == 0) return RG_OK;
    RG_TRY(fill_point(l, true, it->t[0], it->x, NULL, start_row(l), &J, true));
    if (is_new) put_block(l, true, start_row(l), mesh_x(l, 0), 0, J);
    return RG_OK;
}

/* The same order as in fill_interval() and fill_nodes(). */
void rg_large_places(rg_large *l, const rg_curve *it)
{
    l->next = 0;
    for (int64_t i = 0; i < l->N; i++) {
        for (int j = 0; j < l->s; j++)
            put_stage(l, i, j, 1.0, NULL);
        put_end(l, i, 1.0);
        if (l->inv > 0) put_projection(l, i, NULL);
    }
    for (int k = 0; k < l->n_nodes; k++)
        put_block(l, false, node_w(l, k), mesh_x(l, it->node[k]), node_w(l, k), NULL);
    put_conditions(l, it, NULL);
    if (l->inv > 0) put_block(l, true, start_row(l), mesh_x(l, 0), 0, NULL);
}

/* ---- solution -------------------------------------------------------------------------------- */

void rg_large_tie(const rg_bvp_form *f, rg_curve *it)
{
    const int s = it->rule.s, nx = it->nx;

    for (int64_t i = 0; i < it->N; i++) {
        const double h = it->t[i + 1] - it->t[i];
        for (int k = nx - 1; k >= 0; k--) /* the next derivative, k + 1, has been done */
            for (int j = 0; j < s; j++) {
                double sum =
                    f->next[k] < 0 ? rg_curve_w(it, i, j)[f->unknown[k]] : it->x[i * nx + k + 1];
                for (int m = 0; m < s && f->next[k] >= 0; m++)
                    sum += h * it->rule.A[j][m] * rg_curve_slope(it, i, m)[k + 1];
                rg_curve_slope(it, i, j)[k] = sum;
            }
    }
}

static void expand(const rg_large *l, rg_curve *d)
{
    const int n = l->n, nx = l->nx;

    for (int64_t i = 0; i <= l->N; i++)
        memcpy(d->x + i * nx, l->b + mesh_x(l, i), (size_t)nx * sizeof *d->x);
    for (int64_t i = 0; i < l->N; i++)
        memcpy(rg_curve_w(d, i, 0), l->b + stage_w(l, i, 0), (size_t)(l->s * n) * sizeof *d->w);
    for (int k = 0; k < l->n_nodes; k++)
        memcpy(d->wn + k * n, l->b + node_w(l, k), (size_t)n * sizeof *d->wn);
    rg_large_tie(l->f, d);
}

rg_status rg_large_correct(rg_large *l, const rg_curve *it, bool is_new, rg_curve *delta)
{
    l->next = 0;
    if (is_new) {
        l->has_factors = l->is_singular = false;
        memset(rg_sparse_values(l->matrix), 0, (size_t)l->n_filled * sizeof(double));
        memset(l->terms, 0, (size_t)l->n * sizeof *l->terms);
    }
    memset(l->b, 0, (size_t)l->size * sizeof *l->b);
    for (int64_t i = 0; i < l->N; i++)
        RG_TRY(fill_interval(l, it, i, is_new));
    RG_TRY(fill_nodes(l, it, is_new));
    if (is_new) {
        l->stats->factorizations++;
        const rg_status status = rg_sparse_factor(l->matrix);
        l->has_factors = status == RG_OK;
        l->is_singular = status == (rg_status)RG_RETRY;
        if (status != RG_OK) return status;
    }
    rg_sparse_solve(l->matrix, l->b, NULL);
    expand(l, delta);
    return RG_OK;
}
