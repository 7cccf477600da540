/* Jumps of velocities by impulses: which rows are momenta of which velocities, and whether that is
 * mechanics (impulse.c says when). */
#include "newton/impulse.h"

#include "linalg/matching.h"
#include "newton/tuning.h"

#include <math.h>
#include <string.h>

/* ---- what is what ---------------------------------------------------------------------------- */

/* Masses are positive: the sign of a row is free. */
static void make_positive(rg_impulse *m, int i, int own)
{
    bool is_negative = false;

    for (int e = m->row_start[i]; e < m->row_start[i + 1]; e++)
        is_negative = is_negative || (m->row_column[e] == own && m->row_value[e] < 0.0);
    for (int e = m->row_start[i]; e < m->row_start[i + 1] && is_negative; e++) {
        const int j = m->row_column[e];
        m->row_value[e] = -m->row_value[e];
        for (int k = m->start[j]; k < m->start[j + 1]; k++)
            if (m->row[k] == i) m->value[k] = m->row_value[e];
    }
}

/* A momentum for every velocity: the largest entries of M, which for a positive definite one are
 * those of the diagonal. */
static rg_status pair_momenta(rg_impulse *m)
{
    rg_context *ctx = m->s->ctx;
    const size_t entries = (size_t)m->start[m->n] + 1;
    int *start = rg_alloc(ctx, (size_t)m->n + 1, sizeof *start);
    int *row = rg_alloc(ctx, entries, sizeof *row);
    double *size = rg_alloc(ctx, entries, sizeof *size);
    rg_status status = start == NULL || row == NULL || size == NULL ? RG_ERR_MEMORY : RG_OK;

    for (int j = 0, count = 0; j < m->n && status == RG_OK; start[++j] = count)
        for (int e = m->start[j]; e < m->start[j + 1]; e++) {
            if (m->a->d[j] == 0 || !rg_impulse_is_dynamic(m, m->row[e])) continue;
            row[count] = m->row[e];
            size[count++] = fabs(m->value[e]);
        }
    if (status == RG_OK) status = rg_match_rows(ctx, m->n, start, row, size, m->partner);
    for (int k = 0; k < m->n; k++)
        m->column_of[k] = RG_IMPULSE_NONE;
    for (int j = 0; j < m->n && status == RG_OK; j++) {
        m->partner[j] = m->partner[j] >= 0 ? row[m->partner[j]] : RG_IMPULSE_NONE;
        if (m->partner[j] >= 0) m->column_of[m->partner[j]] = j;
    }
    for (int j = 0; j < m->n && status == RG_OK; j++)
        if (m->partner[j] >= 0) make_positive(m, m->partner[j], j);
    rg_free(ctx, start);
    rg_free(ctx, row);
    rg_free(ctx, size);
    return status;
}

/* q' = v: the derivative of a constraint row with one velocity that has a momentum and one that has
 * none. */
static void find_aliases(rg_impulse *m)
{
    for (int j = 0; j < m->n; j++) {
        m->alias[j] = m->partner[j] >= 0 ? j : RG_IMPULSE_NONE;
        m->factor[j] = 1.0;
        m->position[j] = RG_IMPULSE_NONE;
    }
    for (int i = 0; i < m->n; i++) {
        const int e = m->row_start[i];
        if (rg_impulse_is_dynamic(m, i) || m->row_start[i + 1] - e != 2) continue;
        const int first = m->partner[m->row_column[e]] >= 0 ? e : e + 1, other = 2 * e + 1 - first;
        const int v = m->row_column[first], q = m->row_column[other];
        if (m->partner[v] < 0 || m->partner[q] >= 0 || m->alias[q] >= 0) continue;
        m->alias[q] = v;
        m->position[v] = q;
        m->factor[q] = -m->row_value[first] / m->row_value[other];
        m->is_alias[i] = 1;
    }
}

/* Equations without velocities, F = -k x, hold what they determine: no impulse. */
static void find_dead(rg_impulse *m)
{
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (int i = 0; i < m->n; i++) {
            int living = 0, last = RG_IMPULSE_NONE;
            if (!rg_impulse_is_dynamic(m, i) || m->column_of[i] >= 0) continue;
            for (int e = m->row_start[i]; e < m->row_start[i + 1]; e++)
                if (!m->is_dead[m->row_column[e]]) {
                    living++;
                    last = m->row_column[e];
                }
            if (living != 1) continue;
            m->is_dead[last] = 1;
            is_new = true;
        }
    }
}

rg_status rg_impulse_sort(rg_impulse *m)
{
    RG_TRY(pair_momenta(m));
    for (int j = 0; j < m->n; j++)
        if (m->is_kept[j] && m->partner[j] < 0) return RG_RETRY;
    find_aliases(m);
    find_dead(m);
    return RG_OK;
}

/* ---- is it mechanics? ------------------------------------------------------------------------ */

/* r_i known, r_j from it, or both known: do they agree? */
static bool agree(double *r, double value)
{
    if (!(value > 0.0) || !isfinite(value)) return false;
    if (*r == 0.0) *r = value;
    return fabs(*r - value) <= RG_IMPULSE_SYMMETRY * value;
}

/* r_i M_ij = r_k M_kj(i) for the row i. */
static bool is_symmetric(rg_impulse *m, int i, bool *is_new)
{
    const int own = m->column_of[i];

    for (int e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
        const int j = m->row_column[e];
        double other = 0.0;
        if (m->a->d[j] == 0 || j == own) continue;
        if (m->partner[j] < 0) return false;
        for (int k = m->start[own]; k < m->start[own + 1]; k++)
            if (m->row[k] == m->partner[j]) other = m->value[k];
        if (other == 0.0) return false;
        *is_new = *is_new || m->scale[m->partner[j]] == 0.0;
        if (!agree(&m->scale[m->partner[j]], m->scale[i] * m->row_value[e] / other)) return false;
    }
    return true;
}

/* Constraint l as a function of the velocities that have momenta.  False: of others, too. */
static bool take_constraint(const rg_impulse *m, int l)
{
    memset(m->G, 0, (size_t)m->n * sizeof *m->G);
    for (int e = m->row_start[l]; e < m->row_start[l + 1]; e++) {
        const int j = m->row_column[e];
        if (m->a->d[j] == 0 || m->alias[j] < 0) return false;
        m->G[m->alias[j]] += m->factor[j] * m->row_value[e];
    }
    return true;
}

static void take_multiplier(const rg_impulse *m, int k)
{
    memset(m->B, 0, (size_t)m->n * sizeof *m->B);
    for (int e = m->start[k]; e < m->start[k + 1]; e++)
        if (m->column_of[m->row[e]] >= 0) m->B[m->column_of[m->row[e]]] = m->value[e];
}

/* r_i B_ik = a_k G_li for some a_k?  States of events do not count.  Rows that are known decide,
 * the others follow. */
static bool acts_along(rg_impulse *m, bool *is_new)
{
    double most_G = 0.0, most_B = 0.0, a = 0.0;

    for (int j = 0; j < m->n; j++) {
        most_G = fmax(most_G, m->is_kept[j] == 2 ? 0.0 : fabs(m->G[j]));
        most_B = fmax(most_B, fabs(m->B[j]));
    }
    for (int j = 0; j < m->n; j++) {
        const bool has_G = m->is_kept[j] != 2 && fabs(m->G[j]) > RG_IMPULSE_SYMMETRY * most_G;
        if (has_G != (fabs(m->B[j]) > RG_IMPULSE_SYMMETRY * most_B)) return false;
        if (has_G && a == 0.0 && m->scale[m->partner[j]] > 0.0)
            a = m->scale[m->partner[j]] * m->B[j] / m->G[j];
    }
    for (int j = 0; j < m->n; j++) { /* nothing known: the first one counts 1 */
        if (!(fabs(m->B[j]) > RG_IMPULSE_SYMMETRY * most_B)) continue;
        double *r = &m->scale[m->partner[j]];
        if (a == 0.0) a = m->B[j] / m->G[j];
        *is_new = *is_new || *r == 0.0;
        if (!agree(r, a * m->G[j] / m->B[j])) return false;
    }
    return a != 0.0;
}

/* One of the constraints with the velocity j in it. */
static bool has_constraint_of(rg_impulse *m, int j, bool *is_new)
{
    const size_t bytes = (size_t)m->n * sizeof *m->scale;

    for (int e = m->start[j]; e < m->start[j + 1]; e++) {
        const int l = m->row[e];
        if (rg_impulse_is_dynamic(m, l) || m->is_alias[l] || !take_constraint(m, l)) continue;
        memcpy(m->change, m->scale, bytes); /* as it was */
        if (acts_along(m, is_new)) return true;
        memcpy(m->scale, m->change, bytes);
    }
    return false;
}

/* The constraint whose gradient multiplier k acts along. */
static bool has_constraint(rg_impulse *m, int k, bool *is_new)
{
    int j = 0;

    take_multiplier(m, k);
    for (int i = 0; i < m->n; i++)
        if (fabs(m->B[i]) > fabs(m->B[j])) j = i;
    if (m->B[j] == 0.0) return false;
    return has_constraint_of(m, j, is_new)
           || (m->position[j] >= 0 && has_constraint_of(m, m->position[j], is_new));
}

bool rg_impulse_is_mechanics(rg_impulse *m)
{
    bool is_new = true;

    for (int pass = 0; is_new && pass <= m->n; pass++) {
        is_new = false;
        for (int j = 0; j < m->n; j++)
            if (m->a->d[j] == 0 && !m->is_dead[j] && !has_constraint(m, j, &is_new)) return false;
        for (int i = 0; i < m->n; i++) {
            if (m->column_of[i] < 0) continue;
            if (m->scale[i] == 0.0) continue;
            if (!is_symmetric(m, i, &is_new)) return false;
        }
    }
    return true;
}
