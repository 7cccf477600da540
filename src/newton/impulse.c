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
#include "newton/start.h"

#include "base/pieces.h"
#include "linalg/matching.h"
#include "linalg/matrix.h"
#include "newton/tuning.h"

#include <math.h>
#include <string.h>

typedef struct {
    rg_start_system *s;
    const rg_analysis *a;
    int n;
    /* the system Jacobian by columns, and by rows */
    int *start, *row;
    double *value;
    int *row_start, *row_column;
    double *row_value;
    int *partner;       /* per column: the row of its momentum, -1: none */
    int *column_of;     /* per row: the other way round */
    int *alias;         /* per column q of q' = v: v, otherwise itself; -1: no velocity */
    double *factor;     /* ... q' = factor v */
    int *position;      /* per column v: that q, -1: none */
    uint8_t *is_alias;  /* per row: q' = v */
    uint8_t *is_lifted; /* per row: that of the derivative */
    uint8_t *is_dead;   /* per column: no impulse, since equations of their own hold it */
    uint8_t *is_kept;   /* per column: assigned */
    double *scale;      /* per row: r_i, 0: not known yet */
    double *G, *B;      /* per velocity: of one constraint, of one multiplier */
    double *change;     /* from the solution to v0, per column */
    int *list, *number; /* rows or columns of the matrix of (1) */
    void *memory;
} impulse;

enum { NONE = -1 };

/* ---- the system Jacobian --------------------------------------------------------------------- */

static int32_t top(const impulse *m, int j)
{
    return m->s->column[m->a->d[j]][j];
}

/* The column of y_j^(d_j - 1), or -1. */
static int32_t velocity(const impulse *m, int j)
{
    return m->a->d[j] > 0 ? m->s->column[m->a->d[j] - 1][j] : NONE;
}

static bool is_dynamic(const impulse *m, int i)
{
    return m->a->c[i] == 0 && !m->is_lifted[i];
}

static int64_t count_entries(const impulse *m)
{
    int64_t count = 0;

    for (int j = 0; j < m->n; j++)
        for (int r = 0; r < 2; r++) {
            const int32_t column = r == 0 ? top(m, j) : velocity(m, j);
            if (column >= 0)
                count += m->s->pattern->start[column + 1] - m->s->pattern->start[column];
        }
    return count;
}

/* The equation of an entry in the derivative of it that counts; -1: it is 0, or of another one. */
static int equation_of(const impulse *m, int64_t entry)
{
    const int i = m->s->equation[m->s->pattern->row[entry]];
    const bool is_top = m->s->level[m->s->pattern->row[entry]] == m->a->c[i];

    return is_top && m->s->J[entry] != 0.0 ? i : NONE;
}

/* False: none. */
static bool find_lifted(impulse *m)
{
    const rg_pattern *p = m->s->pattern;
    bool is_any = false;

    memset(m->is_lifted, 1, (size_t)m->n);
    for (int j = 0; j < m->n; j++)
        for (int64_t e = p->start[top(m, j)]; e < p->start[top(m, j) + 1]; e++)
            if (equation_of(m, e) >= 0) m->is_lifted[equation_of(m, e)] = 0;
    for (int i = 0; i < m->n; i++)
        is_any = is_any || m->is_lifted[i];
    return is_any;
}

static void take_jacobian(impulse *m)
{
    const rg_pattern *p = m->s->pattern;
    int count = 0;

    for (int j = 0; j < m->n; j++) {
        m->start[j] = count;
        for (int r = 0; r < 2; r++) {
            const int32_t column = r == 0 ? top(m, j) : velocity(m, j);
            for (int64_t e = column >= 0 ? p->start[column] : 0;
                 column >= 0 && e < p->start[column + 1]; e++) {
                const int i = equation_of(m, e);
                if (i < 0 || m->is_lifted[i] != r) continue;
                m->row[count] = i;
                m->value[count++] = m->s->J[e];
            }
        }
    }
    m->start[m->n] = count;
    for (int e = 0; e < count; e++)
        m->row_start[m->row[e] + 1]++;
    for (int i = 0; i < m->n; i++)
        m->row_start[i + 1] += m->row_start[i];
    for (int j = 0; j < m->n; j++)
        for (int e = m->start[j]; e < m->start[j + 1]; e++) {
            const int at = m->row_start[m->row[e]] + m->list[m->row[e]]++;
            m->row_column[at] = j;
            m->row_value[at] = m->value[e];
        }
}

/* ---- what is what ---------------------------------------------------------------------------- */

/* Masses are positive: the sign of a row is free. */
static void make_positive(impulse *m, int i, int own)
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
static rg_status pair_momenta(impulse *m)
{
    rg_context *ctx = m->s->ctx;
    const size_t entries = (size_t)m->start[m->n] + 1;
    int *start = rg_alloc(ctx, (size_t)m->n + 1, sizeof *start);
    int *row = rg_alloc(ctx, entries, sizeof *row);
    double *size = rg_alloc(ctx, entries, sizeof *size);
    rg_status status = start == NULL || row == NULL || size == NULL ? RG_ERR_MEMORY : RG_OK;

    for (int j = 0, count = 0; j < m->n && status == RG_OK; start[++j] = count)
        for (int e = m->start[j]; e < m->start[j + 1]; e++) {
            if (m->a->d[j] == 0 || !is_dynamic(m, m->row[e])) continue;
            row[count] = m->row[e];
            size[count++] = fabs(m->value[e]);
        }
    if (status == RG_OK) status = rg_match_rows(ctx, m->n, start, row, size, m->partner);
    for (int k = 0; k < m->n; k++)
        m->column_of[k] = NONE;
    for (int j = 0; j < m->n && status == RG_OK; j++) {
        m->partner[j] = m->partner[j] >= 0 ? row[m->partner[j]] : NONE;
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
static void find_aliases(impulse *m)
{
    for (int j = 0; j < m->n; j++) {
        m->alias[j] = m->partner[j] >= 0 ? j : NONE;
        m->factor[j] = 1.0;
        m->position[j] = NONE;
    }
    for (int i = 0; i < m->n; i++) {
        const int e = m->row_start[i];
        if (is_dynamic(m, i) || m->row_start[i + 1] - e != 2) continue;
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
static void find_dead(impulse *m)
{
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (int i = 0; i < m->n; i++) {
            int living = 0, last = NONE;
            if (!is_dynamic(m, i) || m->column_of[i] >= 0) continue;
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

/* ---- is it mechanics? ------------------------------------------------------------------------ */

/* r_i known, r_j from it, or both known: do they agree? */
static bool agree(double *r, double value)
{
    if (!(value > 0.0) || !isfinite(value)) return false;
    if (*r == 0.0) *r = value;
    return fabs(*r - value) <= RG_IMPULSE_SYMMETRY * value;
}

/* r_i M_ij = r_k M_kj(i) for the row i. */
static bool is_symmetric(impulse *m, int i, bool *is_new)
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
static bool take_constraint(const impulse *m, int l)
{
    memset(m->G, 0, (size_t)m->n * sizeof *m->G);
    for (int e = m->row_start[l]; e < m->row_start[l + 1]; e++) {
        const int j = m->row_column[e];
        if (m->a->d[j] == 0 || m->alias[j] < 0) return false;
        m->G[m->alias[j]] += m->factor[j] * m->row_value[e];
    }
    return true;
}

static void take_multiplier(const impulse *m, int k)
{
    memset(m->B, 0, (size_t)m->n * sizeof *m->B);
    for (int e = m->start[k]; e < m->start[k + 1]; e++)
        if (m->column_of[m->row[e]] >= 0) m->B[m->column_of[m->row[e]]] = m->value[e];
}

/* r_i B_ik = a_k G_li for some a_k?  States of events do not count.  Rows that are known decide,
 * the others follow. */
static bool acts_along(impulse *m, bool *is_new)
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
static bool has_constraint_of(impulse *m, int j, bool *is_new)
{
    const size_t bytes = (size_t)m->n * sizeof *m->scale;

    for (int e = m->start[j]; e < m->start[j + 1]; e++) {
        const int l = m->row[e];
        if (is_dynamic(m, l) || m->is_alias[l] || !take_constraint(m, l)) continue;
        memcpy(m->change, m->scale, bytes); /* as it was */
        if (acts_along(m, is_new)) return true;
        memcpy(m->scale, m->change, bytes);
    }
    return false;
}

/* The constraint whose gradient multiplier k acts along. */
static bool has_constraint(impulse *m, int k, bool *is_new)
{
    int j = 0;

    take_multiplier(m, k);
    for (int i = 0; i < m->n; i++)
        if (fabs(m->B[i]) > fabs(m->B[j])) j = i;
    if (m->B[j] == 0.0) return false;
    return has_constraint_of(m, j, is_new)
           || (m->position[j] >= 0 && has_constraint_of(m, m->position[j], is_new));
}

/* Propagates r from row to row, by M and by multipliers, until all of them agree. */
static bool is_mechanics(impulse *m)
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

/* ---- the jump -------------------------------------------------------------------------------- */

/* From the solution to v0.  False: they are the same but for rounding. */
static bool take_changes(impulse *m)
{
    const rg_start_system *s = m->s;
    bool is_any = false;

    for (int j = 0; j < m->n; j++) {
        const int32_t v = velocity(m, j);
        m->change[j] = v >= 0 && s->given[v] != RG_START_NONE ? s->given_value[v] - s->z[v] : 0.0;
        is_any = is_any || (v >= 0 && fabs(m->change[j]) > RG_IMPULSE_MOVED * s->scale[v]);
    }
    return is_any;
}

/* Rows and columns of (1) in the numbers of the system Jacobian; their count, or -1. */
static int number_matrix(impulse *m)
{
    int rows = 0, columns = 0;

    for (int i = 0; i < m->n; i++) {
        const int own = m->column_of[i];
        m->number[i] = own >= 0 && m->is_kept[own] ? NONE : rows++;
    }
    for (int j = 0; j < m->n; j++)
        if (!m->is_kept[j]) m->list[columns++] = j;
    return rows == columns ? rows : NONE;
}

static void fill_matrix(const impulse *m, int count, rg_pattern *p, double *values)
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
static void fill_right(const impulse *m, double *right)
{
    for (int i = 0; i < m->n; i++) {
        if (m->number[i] < 0) continue;
        double sum = 0.0;
        for (int e = m->row_start[i]; e < m->row_start[i + 1] && !is_dynamic(m, i); e++)
            sum -= m->row_value[e] * m->change[m->row_column[e]];
        right[m->number[i]] = sum;
    }
}

/* v0 + s into the data: there is nothing nearer. */
static rg_status put_velocities(const impulse *m, int count, const double *s)
{
    for (int k = 0; k < count; k++)
        if (!isfinite(s[k])) return RG_RETRY;
    for (int k = 0; k < count; k++) {
        const int32_t v = velocity(m, m->list[k]);
        if (v >= 0 && m->s->given[v] == RG_START_GUESS) m->s->given_value[v] += s[k];
    }
    return RG_OK;
}

static rg_status solve(const impulse *m, int count)
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
static void mark_kept(impulse *m)
{
    const rg_problem *p = m->s->p;

    for (int j = 0; j < m->n; j++) {
        const int32_t v = velocity(m, j);
        m->is_kept[j] = v >= 0 && m->s->given[v] == RG_START_KEPT;
    }
    for (int f = 0; f < p->n_families; f++)
        for (int64_t k = 0; k < p->families[f].count && p->families[f].is_state; k++)
            m->is_kept[p->families[f].first + k] = 2;
}

static rg_status run(impulse *m)
{
    take_jacobian(m);
    mark_kept(m);
    RG_TRY(pair_momenta(m));
    for (int j = 0; j < m->n; j++)
        if (m->is_kept[j] && m->partner[j] < 0) return RG_RETRY;
    find_aliases(m);
    find_dead(m);
    if (!is_mechanics(m)) return RG_RETRY;
    take_changes(m);
    const int count = number_matrix(m);
    return count > 0 ? solve(m, count) : (rg_status)RG_RETRY;
}

rg_status rg_start_impulse(rg_start_system *s, const rg_analysis *a)
{
    impulse m = {.s = s, .a = a, .n = (int)s->p->n};
    const int64_t n = s->p->n + 1;

    if (!a->is_structural || s->p->residual != NULL || s->p->rhs != NULL || a->n_redundant > 0
        || s->p->n_rows != s->p->n)
        return RG_RETRY;
    const int64_t entries = count_entries(&m) + 1;
    rg_status status =
        RG_TAKE(s->ctx, &m.memory, RG_PIECE(m.value, entries), RG_PIECE(m.row_value, entries),
                RG_PIECE(m.factor, n), RG_PIECE(m.scale, n), RG_PIECE(m.G, n), RG_PIECE(m.B, n),
                RG_PIECE(m.change, n), RG_PIECE(m.start, n), RG_PIECE(m.row, entries),
                RG_PIECE(m.row_start, n), RG_PIECE(m.row_column, entries), RG_PIECE(m.partner, n),
                RG_PIECE(m.column_of, n), RG_PIECE(m.alias, n), RG_PIECE(m.list, n),
                RG_PIECE(m.number, n), RG_PIECE(m.position, n), RG_PIECE(m.is_alias, n),
                RG_PIECE(m.is_dead, n), RG_PIECE(m.is_kept, n), RG_PIECE(m.is_lifted, n));
    const bool has_constraints = status == RG_OK && (find_lifted(&m) || a->index > 1);
    if (status == RG_OK)
        status = has_constraints && take_changes(&m) ? run(&m) : (rg_status)RG_RETRY;
    rg_free(s->ctx, m.memory);
    return status;
}

int64_t rg_start_changed(rg_start_system *s, const rg_analysis *a)
{
    impulse m = {.s = s, .a = a, .n = (int)s->p->n};
    int64_t found = NONE;

    if (!a->is_structural || s->p->residual != NULL || s->p->rhs != NULL || s->p->n_rows != s->p->n)
        return NONE;
    m.is_lifted = rg_alloc(s->ctx, (size_t)m.n + 1, 1);
    if (m.is_lifted != NULL && find_lifted(&m))
        found = (const uint8_t *)memchr(m.is_lifted, 1, (size_t)m.n) - m.is_lifted;
    rg_free(s->ctx, m.is_lifted);
    return found;
}
