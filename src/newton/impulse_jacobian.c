/* Jumps of velocities by impulses: the system Jacobian, with rows of derivatives where an event has
 * made a constraint of an equation. */
#include "newton/impulse.h"

#include <string.h>

static int32_t top(const rg_impulse *m, int j)
{
    return m->s->column[m->a->d[j]][j];
}

int64_t rg_impulse_count_entries(const rg_impulse *m)
{
    int64_t count = 0;

    for (int j = 0; j < m->n; j++)
        for (int r = 0; r < 2; r++) {
            const int32_t column = r == 0 ? top(m, j) : rg_impulse_velocity(m, j);
            if (column >= 0)
                count += m->s->pattern->start[column + 1] - m->s->pattern->start[column];
        }
    return count;
}

/* The equation of an entry in the derivative of it that counts; -1: it is 0, or of another one. */
static int equation_of(const rg_impulse *m, int64_t entry)
{
    const int i = m->s->equation[m->s->pattern->row[entry]];
    const bool is_top = m->s->level[m->s->pattern->row[entry]] == m->a->c[i];

    return is_top && m->s->J[entry] != 0.0 ? i : RG_IMPULSE_NONE;
}

bool rg_impulse_find_lifted(rg_impulse *m)
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

void rg_impulse_take_jacobian(rg_impulse *m)
{
    const rg_pattern *p = m->s->pattern;
    int count = 0;

    for (int j = 0; j < m->n; j++) {
        m->start[j] = count;
        for (int r = 0; r < 2; r++) {
            const int32_t column = r == 0 ? top(m, j) : rg_impulse_velocity(m, j);
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
