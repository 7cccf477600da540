/* Jumps of velocities by impulses.
 *
 * Behind an event the velocities v of a mechanical system,  M v' = f - G^T lambda,  G v = g,  jump
 * from v0 (where some of them, K, were assigned) to the nearest consistent ones in the metric of
 * the masses:
 *
 *     M (v - v0) + G^T I = 0  in all rows but those of K,    G v = g,    v_K = v0_K,            (1)
 *
 * with impulses I of the multipliers.  The matrix is the system Jacobian
 * dF_i^(c_i)/dy_j^(d_j) = (M G^T; G 0), so that neither M nor G have to be known; what is unknown
 * are changes s_j of y_j^(d_j - 1), and impulses where d_j = 0.
 *
 * It is mechanics where M is symmetric and the multipliers act along G^T, up to positive factors of
 * the equations and any factors of the multipliers:  r_i M_ij = r_j M_ji,  r_i B_ik = a_k G_ki.
 * Elsewhere there is no such metric, and the least change stands.
 *
 * A state of events may turn an equation into a constraint, 0 = if(stuck > 0.5, u - v, force):  its
 * row of the system Jacobian is empty then, and that of its derivative takes the place,
 * dF_i^(c_i + 1)/dy_j^(d_j) = dF_i^(c_i)/dy_j^(d_j - 1). */
#include "newton/impulse.h"

#include "base/pieces.h"
#include "linalg/matrix.h"
#include "newton/tuning.h"

#include <math.h>
#include <string.h>

/* From the solution to v0.  False: they are the same but for rounding. */
static bool take_changes(rg_impulse *m)
{
    const rg_start_system *s = m->s;
    bool is_any = false;

    for (int j = 0; j < m->n; j++) {
        const int32_t v = rg_impulse_velocity(m, j);
        m->change[j] = v >= 0 && s->given[v] != RG_START_NONE ? s->given_value[v] - s->z[v] : 0.0;
        is_any = is_any || (v >= 0 && fabs(m->change[j]) > RG_IMPULSE_MOVED * s->scale[v]);
    }
    return is_any;
}

/* Rows and columns of (1) in the numbers of the system Jacobian; their count, or -1. */
static int number_matrix(rg_impulse *m)
{
    int rows = 0, columns = 0;

    for (int i = 0; i < m->n; i++) {
        const int own = m->column_of[i];
        m->number[i] = own >= 0 && m->is_kept[own] ? RG_IMPULSE_NONE : rows++;
    }
    for (int j = 0; j < m->n; j++)
        if (!m->is_kept[j]) m->list[columns++] = j;
    return rows == columns ? rows : RG_IMPULSE_NONE;
}

static void fill_matrix(const rg_impulse *m, int count, rg_pattern *p, double *values)
{
    int64_t next = 0;

    for (int k = 0; k < count; k++) {
        for (int e = m->start[m->list[k]]; e < m->start[m->list[k] + 1]; e++)
            if (m->number[m->row[e]] >= 0) {
                p->row[next] = m->number[m->row[e]];
                values[next++] = m->value[e];
            }
        p->start[k + 1] = next;
    }
}

/* Rows with c_i > 0:  A (v0 + s - v) = 0;  the others:  A s = 0. */
static void fill_right(const rg_impulse *m, double *right)
{
    for (int i = 0; i < m->n; i++) {
        if (m->number[i] < 0) continue;
        double sum = 0.0;
        for (int e = m->row_start[i]; e < m->row_start[i + 1] && !rg_impulse_is_dynamic(m, i); e++)
            sum -= m->row_value[e] * m->change[m->row_column[e]];
        right[m->number[i]] = sum;
    }
}

/* v0 + s into the data: there is nothing nearer. */
static rg_status put_velocities(const rg_impulse *m, int count, const double *s)
{
    for (int k = 0; k < count; k++)
        if (!isfinite(s[k])) return RG_RETRY;
    for (int k = 0; k < count; k++) {
        const int32_t v = rg_impulse_velocity(m, m->list[k]);
        if (v >= 0 && m->s->given[v] == RG_START_GUESS) m->s->given_value[v] += s[k];
    }
    return RG_OK;
}

static rg_status solve(const rg_impulse *m, int count)
{
    rg_context *ctx = m->s->ctx;
    const size_t entries = (size_t)m->start[m->n] + 1;
    rg_pattern p = {count, count, rg_alloc(ctx, (size_t)count + 1, sizeof *p.start),
                    rg_alloc(ctx, entries, sizeof *p.row)};
    double *values = rg_alloc(ctx, entries, sizeof *values);
    double *right = rg_alloc(ctx, (size_t)count + 1, sizeof *right);
    rg_matrix *matrix = NULL;
    rg_status status = RG_ERR_MEMORY;

    if (p.start != NULL && p.row != NULL && values != NULL && right != NULL) {
        fill_matrix(m, count, &p, values);
        fill_right(m, right);
        status = rg_matrix_create(ctx, &p, false, &matrix);
        if (status == RG_OK) status = rg_matrix_factor(matrix, 0.0, 0.0, values, NULL);
        if (status == RG_OK) {
            rg_matrix_solve(matrix, right, NULL);
            status = put_velocities(m, count, right);
        }
    }
    rg_matrix_destroy(&matrix);
    rg_free(ctx, p.start);
    rg_free(ctx, p.row);
    rg_free(ctx, values);
    rg_free(ctx, right);
    return status;
}

/* Assigned; 2: a state of events. */
static void mark_kept(rg_impulse *m)
{
    const rg_problem *p = m->s->p;

    for (int j = 0; j < m->n; j++) {
        const int32_t v = rg_impulse_velocity(m, j);
        m->is_kept[j] = v >= 0 && m->s->given[v] == RG_START_KEPT;
    }
    for (int f = 0; f < p->n_families; f++)
        for (int64_t k = 0; k < p->families[f].count && p->families[f].is_state; k++)
            m->is_kept[p->families[f].first + k] = 2;
}

static rg_status run(rg_impulse *m)
{
    rg_impulse_take_jacobian(m);
    mark_kept(m);
    RG_TRY(rg_impulse_sort(m));
    if (!rg_impulse_is_mechanics(m)) return RG_RETRY;
    take_changes(m);
    const int count = number_matrix(m);
    return count > 0 ? solve(m, count) : (rg_status)RG_RETRY;
}

rg_status rg_start_impulse(rg_start_system *s, const rg_analysis *a)
{
    rg_impulse m = {.s = s, .a = a, .n = (int)s->p->n};
    const int64_t n = s->p->n + 1;

    if (!a->is_structural || s->p->residual != NULL || s->p->rhs != NULL || a->n_redundant > 0
        || s->p->n_rows != s->p->n)
        return RG_RETRY;
    const int64_t entries = rg_impulse_count_entries(&m) + 1;
    rg_status status =
        RG_TAKE(s->ctx, &m.memory, RG_PIECE(m.value, entries), RG_PIECE(m.row_value, entries),
                RG_PIECE(m.factor, n), RG_PIECE(m.scale, n), RG_PIECE(m.G, n), RG_PIECE(m.B, n),
                RG_PIECE(m.change, n), RG_PIECE(m.start, n), RG_PIECE(m.row, entries),
                RG_PIECE(m.row_start, n), RG_PIECE(m.row_column, entries), RG_PIECE(m.partner, n),
                RG_PIECE(m.column_of, n), RG_PIECE(m.alias, n), RG_PIECE(m.list, n),
                RG_PIECE(m.number, n), RG_PIECE(m.position, n), RG_PIECE(m.is_alias, n),
                RG_PIECE(m.is_dead, n), RG_PIECE(m.is_kept, n), RG_PIECE(m.is_lifted, n));
    const bool has_constraints = status == RG_OK && (rg_impulse_find_lifted(&m) || a->index > 1);
    if (status == RG_OK)
        status = has_constraints && take_changes(&m) ? run(&m) : (rg_status)RG_RETRY;
    rg_free(s->ctx, m.memory);
    return status;
}

int64_t rg_start_changed(rg_start_system *s, const rg_analysis *a)
{
    rg_impulse m = {.s = s, .a = a, .n = (int)s->p->n};
    int64_t found = RG_IMPULSE_NONE;

    if (!a->is_structural || s->p->residual != NULL || s->p->rhs != NULL || s->p->n_rows != s->p->n)
        return RG_IMPULSE_NONE;
    m.is_lifted = rg_alloc(s->ctx, (size_t)m.n + 1, 1);
    if (m.is_lifted != NULL && rg_impulse_find_lifted(&m))
        found = (const uint8_t *)memchr(m.is_lifted, 1, (size_t)m.n) - m.is_lifted;
    rg_free(s->ctx, m.is_lifted);
    return found;
}
