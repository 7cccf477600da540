/* Guesses of states that had to move are told, but for rounding errors of 0 like cos(pi/2).
 *
 * What is a rounding error: a guess whose terms, before and after the move, are rounding beside
 * another term of a row (x in 1 + x); and one that such guesses determine (y in x + y = 0).  No
 * guess that another term of its own size depends on (1e17 x = z).  With T_j = |J_ij| max(given, z)
 * in row i, of the magnitudes of j, and Q the guesses that may be rounding,
 *
 *     e_j = max_i of eps max_k T_k / |J_ij| and, for k in Q, |J_ik| e_k / |J_ij|:
 *     rounding where |given_j|, |z_j| <= e_j. */
#include "newton/search.h"
#include "newton/tuning.h"
#include "structure/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOVED_SHOWN = 4, SWEEPS = 4 };

typedef struct {
    const rg_start_system *s;
    uint8_t *is_moved;      /* per column: in Q, then: to be told                */
    double *e;              /* per column                                        */
    double *inside, *other; /* per row: largest terms of Q and of all the others */
} moves;

static double largest(const rg_start_system *s, int64_t j)
{
    const double z = fabs(s->z[j]);

    return s->given[j] == RG_START_GUESS ? fmax(z, fabs(s->given_value[j])) : z;
}

static void fill_rows(const moves *m)
{
    const rg_start_system *s = m->s;

    memset(m->inside, 0, (size_t)s->n_rows * sizeof *m->inside);
    memset(m->other, 0, (size_t)s->n_rows * sizeof *m->other);
    for (int64_t j = 0; j < s->n_columns; j++) {
        for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++) {
            double *row = (m->e[j] >= 0 ? m->inside : m->other) + s->pattern->row[k];
            *row = fmax(*row, fabs(s->J[k]) * largest(s, j));
        }
    }
}

/* e_j < 0: not in Q.  Another term of its size depends on it. */
static bool leave(const moves *m)
{
    const rg_start_system *s = m->s;
    bool is_any = false;

    for (int64_t j = 0; j < s->n_columns; j++) {
        for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1] && m->e[j] >= 0; k++) {
            const int32_t i = s->pattern->row[k];
            const double T = fabs(s->J[k]) * largest(s, j);
            if (T <= DBL_EPSILON * m->other[i]) continue;
            if (m->other[i] <= DBL_EPSILON * m->inside[i]) continue; /* of Q alone */
            m->e[j] = -1;
            is_any = true;
        }
    }
    return is_any;
}

/* e_j from the rows, in which inside is largest |J_ik| e_k of Q, then. */
static void fill_errors(const moves *m, bool is_first)
{
    const rg_start_system *s = m->s;

    for (int64_t j = 0; j < s->n_columns; j++) {
        for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1] && m->e[j] >= 0; k++) {
            const int32_t i = s->pattern->row[k];
            const double error = is_first ? DBL_EPSILON * m->other[i] : m->inside[i];
            if (s->J[k] != 0) m->e[j] = fmax(m->e[j], error / fabs(s->J[k]));
        }
    }
    memset(m->inside, 0, (size_t)s->n_rows * sizeof *m->inside);
    for (int64_t j = 0; j < s->n_columns; j++) {
        for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1] && m->e[j] >= 0; k++) {
            double *row = &m->inside[s->pattern->row[k]];
            *row = fmax(*row, fabs(s->J[k]) * m->e[j]);
        }
    }
}

static void drop_rounding(const moves *m)
{
    const rg_start_system *s = m->s;

    for (int64_t j = 0; j < s->n_columns; j++)
        m->e[j] = m->is_moved[j] ? 0 : -1;
    fill_rows(m);
    for (int k = 0; k < SWEEPS && leave(m); k++)
        fill_rows(m);
    for (int k = 0; k < SWEEPS; k++)
        fill_errors(m, k == 0);
    for (int64_t j = 0; j < s->n_columns; j++)
        if (m->e[j] >= 0 && largest(s, j) <= m->e[j]) m->is_moved[j] = 0;
}

/* A state's guess of 0, or of a rounding error beside its scale, is measured by the scale. */
static bool has_moved(const rg_start_system *s, int64_t j)
{
    const double size = fabs(s->given_value[j]);

    if (s->given[j] != RG_START_GUESS || s->place[j] != RG_PLACE_STATE) return false;
    return fabs(s->z[j] - s->given_value[j])
           > RG_CONSISTENT_MOVED * (size > RG_START_TINY * s->scale[j] ? size : s->scale[j]);
}

static rg_status warn(const moves *m)
{
    const rg_start_system *s = m->s;
    char list[400] = "", line[128] = "the equations", name[128];
    int64_t count = 0;
    int used = 0;

    for (int64_t j = 0; j < s->n_columns; j++) {
        if (!m->is_moved[j] || ++count > MOVED_SHOWN || used >= (int)sizeof list) continue;
        rg_start_column_name(s, j, name, sizeof name);
        used += snprintf(list + used, sizeof list - (size_t)used, "%s'%s' from %.7g to %.7g",
                         count > 1 ? ", " : "", name, s->given_value[j], s->z[j]);
    }
    if (count == 0) return RG_OK;
    if (s->conflict >= 0) rg_start_row_name(s, s->conflict, line, sizeof line);
    if (count <= MOVED_SHOWN)
        return rg_problem_warn(s->p, "guesses of states moved to satisfy %s: %s", line, list);
    return rg_problem_warn(s->p, "guesses of states moved to satisfy %s: %s and %lld more", line,
                           list, (long long)(count - MOVED_SHOWN));
}

rg_status rg_warn_moved(const rg_start_system *s)
{
    const size_t n = (size_t)s->n_columns, rows = (size_t)s->n_rows;
    moves m = {.s = s};
    rg_status status = RG_OK;
    int64_t count = 0;

    for (int64_t j = 0; j < s->n_columns; j++)
        count += has_moved(s, j);
    if (count == 0) return RG_OK;
    m.is_moved = rg_alloc(s->ctx, n + 1, sizeof *m.is_moved);
    m.e = rg_alloc(s->ctx, n + 1, sizeof *m.e);
    m.inside = rg_alloc(s->ctx, rows + 1, sizeof *m.inside);
    m.other = rg_alloc(s->ctx, rows + 1, sizeof *m.other);
    if (m.is_moved != NULL && m.e != NULL && m.inside != NULL && m.other != NULL) {
        for (int64_t j = 0; j < s->n_columns; j++)
            m.is_moved[j] = has_moved(s, j);
        drop_rounding(&m);
        status = warn(&m);
    } else {
        status = RG_ERR_MEMORY;
    }
    void *const owned[] = {m.is_moved, m.e, m.inside, m.other};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        rg_free(s->ctx, owned[k]);
    return status;
}
