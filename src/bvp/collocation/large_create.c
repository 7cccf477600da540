/* Memory and pattern of the sparse collocation equations; how strongly they answer to changes. */
#include "bvp/collocation/large.h"

#include "base/random.h"
#include "bvp/collocation/large_layout.h"
#include "bvp/collocation/tuning.h"
#include "bvp/form_large.h"

#include <math.h>
#include <string.h>

/* Numbers of the conditions that are left. */
static void number_conditions(rg_large *l)
{
    int next = 0;

    for (int i = 0; i < l->c->n_rows; i++)
        l->condition[i] = l->c->is_dropped[i] ? -1 : next++;
}

/* A^q, b^T A^(q-1), and what they make of (1, .., 1). */
static rg_status make_powers(rg_large *l, const rg_rule *rule)
{
    const int s = l->s;

    l->depth = l->f->n_orders - 1;
    l->power = rg_alloc(l->ctx, (size_t)l->depth + 1, sizeof *l->power);
    l->ones = rg_alloc(l->ctx, (size_t)l->depth + 1, sizeof *l->ones);
    if (l->power == NULL || l->ones == NULL) return RG_ERR_MEMORY;
    for (int j = 0; j <= s; j++)
        l->ones[0][j] = 1.0;
    for (int j = 0; j < s; j++)
        l->power[0][j][j] = 1.0;
    for (int q = 1; q <= l->depth; q++)
        for (int j = 0; j <= s; j++) {
            const double *row = j < s ? rule->A[j] : rule->b;
            for (int k = 0; k < s; k++) {
                for (int m = 0; m < s; m++)
                    l->power[q][j][k] += row[m] * l->power[q - 1][m][k];
                l->ones[q][j] += l->power[q][j][k];
            }
        }
    return RG_OK;
}

/* Stable counting sort of the entries by row, then by column; entries of one place share it. */
static rg_status sort_entries(rg_large *l, rg_pattern *p)
{
    const int64_t n = l->size, count = l->n_entries;
    int64_t *order = rg_alloc(l->ctx, (size_t)count + 1, sizeof *order);
    int64_t *start = rg_alloc(l->ctx, (size_t)n + 2, sizeof *start);

    if (order == NULL || start == NULL) {
        rg_free(l->ctx, order);
        rg_free(l->ctx, start);
        return RG_ERR_MEMORY;
    }
    for (int64_t k = 0; k < count; k++)
        start[l->row[k] + 1]++;
    for (int64_t i = 0; i < n; i++)
        start[i + 1] += start[i];
    for (int64_t k = 0; k < count; k++)
        order[start[l->row[k]]++] = k;
    for (int64_t k = 0; k < count; k++)
        p->start[l->column[k] + 1]++;
    for (int64_t j = 0; j < n; j++)
        p->start[j + 1] += p->start[j];
    memcpy(start, p->start, (size_t)(n + 1) * sizeof *start);
    for (int64_t k = 0; k < count; k++) { /* place with duplicates, rows ascending in a column */
        const int64_t e = order[k], at = start[l->column[e]]++;
        l->at[e] = at;
        p->row[at] = l->row[e];
    }
    rg_free(l->ctx, order);
    rg_free(l->ctx, start);
    return RG_OK;
}

/* Equal neighbours become one. */
static rg_status merge_entries(rg_large *l, rg_pattern *p)
{
    int64_t *moved = rg_alloc(l->ctx, (size_t)l->n_entries + 1, sizeof *moved), next = 0;

    if (moved == NULL) return RG_ERR_MEMORY;
    for (int64_t j = 0; j < l->size; j++) {
        const int64_t first = p->start[j], last = p->start[j + 1];
        p->start[j] = next;
        for (int64_t e = first; e < last; e++) {
            if (e == first || p->row[e] != p->row[next - 1]) p->row[next++] = p->row[e];
            moved[e] = next - 1;
        }
    }
    p->start[l->size] = next;
    l->n_filled = next;
    for (int64_t k = 0; k < l->n_entries; k++)
        l->at[k] = moved[l->at[k]];
    rg_free(l->ctx, moved);
    return RG_OK;
}

static rg_status make_matrix(rg_large *l, const rg_curve *it)
{
    rg_large_places(l, it); /* counts */
    l->n_entries = l->next;
    const size_t count = (size_t)l->n_entries + 1;
    rg_pattern p = {l->size, l->size, NULL, NULL};
    l->row = rg_alloc(l->ctx, count, sizeof *l->row);
    l->column = rg_alloc(l->ctx, count, sizeof *l->column);
    l->at = rg_alloc(l->ctx, count, sizeof *l->at);
    p.start = rg_alloc(l->ctx, (size_t)l->size + 2, sizeof *p.start);
    p.row = rg_alloc(l->ctx, count, sizeof *p.row);
    rg_status status = l->row && l->column && l->at && p.start && p.row ? RG_OK : RG_ERR_MEMORY;
    if (status == RG_OK) {
        rg_large_places(l, it);
        status = sort_entries(l, &p);
    }
    if (status == RG_OK) status = merge_entries(l, &p);
    rg_free(l->ctx, l->row);
    rg_free(l->ctx, l->column);
    l->row = l->column = NULL;
    if (status == RG_OK) status = rg_sparse_create(l->ctx, &p, false, &l->matrix);
    if (status == RG_OK) rg_sparse_set_general(l->matrix);
    rg_free(l->ctx, p.start);
    rg_free(l->ctx, p.row);
    return status;
}

static rg_status fill(rg_large *l, const rg_curve *it)
{
    l->n = l->f->n;
    l->nx = l->f->nx;
    l->nz = l->f->nz;
    l->inv = l->f->n_invariants;
    l->s = it->rule.s;
    l->N = it->N;
    l->n_nodes = it->n_nodes;
    l->size = node_w(l, l->n_nodes);
    l->b = rg_alloc(l->ctx, (size_t)l->size + 1, sizeof *l->b);
    l->X = rg_alloc(l->ctx, (size_t)l->nx + 1, sizeof *l->X);
    l->F = rg_alloc(l->ctx, (size_t)(l->n + l->inv) + 1, sizeof *l->F);
    l->terms = rg_alloc(l->ctx, (size_t)(2 * l->n) + 1, sizeof *l->terms);
    l->values = rg_alloc(l->ctx, (size_t)l->c->n_rows + 1, sizeof *l->values);
    l->z = rg_alloc(l->ctx, (size_t)l->n_nodes * (size_t)l->nz + 1, sizeof *l->z);
    l->condition = rg_alloc(l->ctx, (size_t)l->c->n_rows + 1, sizeof *l->condition);
    if (!l->b || !l->X || !l->F || !l->terms || !l->values || !l->z || !l->condition)
        return RG_ERR_MEMORY;
    number_conditions(l);
    RG_TRY(make_powers(l, &it->rule));
    return make_matrix(l, it);
}

rg_status rg_large_create(rg_bvp_form *f, rg_bvp_conditions *c, const rg_curve *it, rg_stats *stats,
                          rg_large **out)
{
    rg_large *l = rg_alloc(f->ctx, 1, sizeof *l);

    *out = NULL;
    if (l == NULL) return RG_ERR_MEMORY;
    l->ctx = f->ctx;
    l->f = f;
    l->c = c;
    l->stats = stats;
    const rg_status status = fill(l, it);
    if (status == RG_OK)
        *out = l;
    else
        rg_large_destroy(&l);
    return status;
}

void rg_large_destroy(rg_large **large)
{
    rg_large *l = *large;

    if (l == NULL) return;
    rg_sparse_destroy(&l->matrix);
    void *const arrays[] = {l->row,    l->column, l->at,        l->b,     l->X,    l->F,
                            l->values, l->z,      l->condition, l->power, l->ones, l->terms};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(l->ctx, arrays[k]);
    rg_free(l->ctx, l);
    *large = NULL;
}

/* ---- answers to changes ---------------------------------------------------------------------- */

/* The largest change of an unknown, relative to scale. */
static double answer(rg_large *l, const double *scale)
{
    double worst = 0.0;

    rg_sparse_solve(l->matrix, l->b, NULL);
    for (int64_t i = 0; i <= l->N; i++)
        for (int k = 0; k < l->nx; k++) {
            const double v = fabs(l->b[mesh_x(l, i) + k]) / scale[k];
            if (l->f->order[k] == 0 && !(v <= worst)) worst = v;
        }
    return worst;
}

/* sum_j |c_ij| scale_j of every condition, into values; w counts as 1. */
static void weigh_conditions(rg_large *l, const double *scale)
{
    const rg_bvp_conditions *c = l->c;
    const rg_pattern *p = rg_assembly_pattern(c->lines);

    memset(l->values, 0, (size_t)c->n_rows * sizeof *l->values);
    for (int j = 0; j < c->n_points * l->nz; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            l->values[p->row[e]] += fabs(c->J[e]) * (j % l->nz < l->nx ? scale[j % l->nz] : 1.0);
    for (int i = c->n_lines; i < c->n_rows; i++) {
        const int place =
            l->f->place[c->kept_order[i - c->n_lines]][c->kept_unknown[i - c->n_lines]];
        l->values[i] = place < l->nx ? scale[place] : 1.0;
    }
}

double rg_large_conditioning(rg_large *l, const double *scale)
{
    double worst = 0.0;

    if (!l->has_factors) return l->is_singular ? INFINITY : NAN;
    weigh_conditions(l, scale);
    for (int trial = 0; trial < RG_NOISE_TRIALS; trial++) {
        memset(l->b, 0, (size_t)l->size * sizeof *l->b);
        for (int i = 0; i < l->c->n_rows; i++)
            if (!l->c->is_dropped[i])
                l->b[condition_row(l, i)] =
                    rg_random_sign((uint64_t)trial, (uint64_t)i) * l->values[i];
        worst = fmax(worst, answer(l, scale));
    }
    return worst;
}

/* A change of `unit` of its value in the equation of every mesh value. */
static void disturb(rg_large *l, const rg_curve *it, int trial, double unit)
{
    const int64_t nx = l->nx;

    memset(l->b, 0, (size_t)l->size * sizeof *l->b);
    for (int64_t q = 0; q < l->N * nx; q++) {
        const double here = fmax(fabs(it->x[q]), fabs(it->x[q + nx]));
        l->b[mesh_x(l, q / nx + 1) + q % nx] =
            unit * rg_random_sign((uint64_t)trial, (uint64_t)q) * here;
    }
}

double rg_large_noise(rg_large *l, const rg_curve *it, const double *scale)
{
    double worst = 0.0;

    if (!l->has_factors) return l->is_singular ? INFINITY : NAN;
    for (int trial = 0; trial < RG_NOISE_TRIALS; trial++) {
        disturb(l, it, trial, 0x1p-53);
        worst = fmax(worst, answer(l, scale));
    }
    return worst;
}

void rg_large_natural(rg_large *l, const rg_curve *it, double *natural)
{
    memset(natural, 0, (size_t)l->nx * sizeof *natural);
    memcpy(natural + l->nx, l->terms, (size_t)l->n * sizeof *natural);
    if (!l->has_factors) return;
    disturb(l, it, 0, 1.0);
    rg_sparse_solve(l->matrix, l->b, NULL);
    for (int64_t i = 0; i <= l->N; i++)
        for (int k = 0; k < l->nx; k++)
            natural[k] = fmax(natural[k], fabs(l->b[mesh_x(l, i) + k]));
}
