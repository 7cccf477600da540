/* Rates at which errors of variables of index 2 and 3 enter the others. */
#include "ivp/rates.h"

#include <math.h>

typedef struct {
    double *slope;  /* per row: max_j |dF_i/dy'_j| s_j                        */
    double *onward; /* per row: rate of the variables differentiated in it    */
    double *holds;  /* per row: 1 where variables of the index are among them */
} rate_rows;

static void look_at_slopes(const rg_integrator *g, const rg_rates *q, const rate_rows *rows,
                           int level)
{
    const rg_pattern *p = rg_system_pattern(g->system);

    for (int64_t i = 0; i < g->n; i++)
        rows->slope[i] = rows->onward[i] = rows->holds[i] = 0.0;
    for (int64_t j = 0; j < g->n; j++)
        for (int64_t k = p->start[j]; k < p->start[j + 1]; k++) {
            const int64_t i = p->row[k];
            if (q->Jyp[k] == 0.0) continue;
            const double slope = fabs(q->Jyp[k]) / q->inverse[j];
            if (slope > rows->slope[i]) rows->slope[i] = slope;
            if (q->index[j] != level) continue;
            rows->holds[i] = 1.0;
            if (q->rate[j] > rows->onward[i]) rows->onward[i] = q->rate[j];
        }
}

/* Variables of an index without a rate get that of those they share an equation with; does one? */
static bool pass_on(const rg_integrator *g, const rg_rates *q, const rate_rows *rows, int index)
{
    const rg_pattern *p = rg_system_pattern(g->system);
    bool has_more = false;

    for (int64_t i = 0; i < g->n; i++)
        rows->onward[i] = 0.0;
    for (int64_t j = 0; j < g->n; j++)
        for (int64_t k = p->start[j]; k < p->start[j + 1] && q->index[j] == index; k++)
            if (q->Jy[k] != 0.0 && q->rate[j] > rows->onward[p->row[k]])
                rows->onward[p->row[k]] = q->rate[j];
    for (int64_t j = 0; j < g->n; j++) {
        if (q->index[j] != index || q->rate[j] > 0.0) continue;
        for (int64_t k = p->start[j]; k < p->start[j + 1]; k++)
            if (q->Jy[k] != 0.0) q->rate[j] = fmax(q->rate[j], rows->onward[p->row[k]]);
        has_more = has_more || q->rate[j] > 0.0;
    }
    return has_more;
}

static void look_at_level(const rg_integrator *g, const rg_rates *q, const rate_rows *rows,
                          int level)
{
    const rg_pattern *p = rg_system_pattern(g->system);
    bool has_none = false;

    look_at_slopes(g, q, rows, level);
    for (int64_t j = 0; j < g->n; j++) {
        double rate = 0.0;
        if (q->index[j] != level + 1) continue;
        for (int64_t k = p->start[j]; k < p->start[j + 1]; k++) {
            const int64_t i = p->row[k];
            if (rows->holds[i] == 0.0 || q->Jy[k] == 0.0) continue;
            const double here = fabs(q->Jy[k]) / (q->inverse[j] * rows->slope[i]);
            const double now = level > 1 ? sqrt(here * rows->onward[i]) : here;
            if (now > rate) rate = now;
        }
        q->rate[j] = rate;
        has_none = has_none || rate == 0.0;
    }
    while (has_none && pass_on(g, q, rows, level + 1))
        continue;
    for (int64_t j = 0; j < g->n; j++)
        if (q->index[j] == level + 1 && q->rate[j] == 0.0) q->rate[j] = INFINITY;
}

void rg_rates_find(const rg_integrator *g, const rg_rates *q)
{
    const rate_rows rows = {q->rate + g->n, q->rate + 2 * g->n, q->rate + 3 * g->n};
    const bool is_redundant = rg_system_redundant(g->system) > 0;

    for (int64_t i = 0; is_redundant && i < g->n; i++)
        q->rate[i] = 1.0 / fabs(g->t_end - g->t_start);
    for (int level = 1; !is_redundant && level < q->highest; level++)
        look_at_level(g, q, &rows, level);
}
