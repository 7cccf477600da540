/* Is a jump of the unknowns possible?  What E = F_y' holds cannot jump:
 *
 *     r = max_i |E (y+ - y)|_i / (|E| (|y+| + |y| + unit/100))_i
 *
 * must be small.  Unknowns may jump together: charges that are shared, or everything algebraic. */
#include "ivp/switching/switching.h"

#include <math.h>

rg_status rg_switching_check(rg_switching *s, double h, bool *is_legal, int64_t *row,
                             int64_t *state, double *ratio)
{
    const rg_integrator *x = s->trial;
    const rg_pattern *p = rg_system_pattern(x->system);
    const int64_t n = s->g->n;
    double *jump = rg_alloc(s->ctx, 2 * (size_t)x->n + 1, sizeof *jump), *size = jump + x->n;
    rg_ivp_jacobian last;

    (void)h;
    if (jump == NULL) return RG_ERR_MEMORY;
    x->method->jacobian(x, &last);
    for (int64_t j = 0; j < n; j++) {
        const double d = s->behind.y[j] - s->here.y[j];
        const double sum = fabs(s->behind.y[j]) + fabs(s->here.y[j]) + 0.01 * s->unit;
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            jump[p->row[e]] += last.Jyp[e] * d;
            size[p->row[e]] += fabs(last.Jyp[e]) * sum;
        }
    }
    *ratio = 0.0;
    *row = *state = 0;
    for (int64_t i = 0; i < n; i++) {
        const double r = size[i] > 0.0 ? fabs(jump[i]) / size[i] : 0.0;
        if (r <= *ratio) continue;
        *ratio = r;
        *row = i;
    }
    double most = 0.0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            const double part = fabs(last.Jyp[e] * (s->behind.y[j] - s->here.y[j]));
            if (p->row[e] != *row || part <= most) continue;
            most = part;
            *state = j;
        }
    *is_legal = *ratio <= fmax(30.0 * s->g->options.rtol, 1e-7);
    rg_free(s->ctx, jump);
    return RG_OK;
}
