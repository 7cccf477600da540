/* Hidden constraints in the metric of the equations themselves.
 *
 * The reduced view has F_i^(c_i) = 0.  For a mechanical system,  M q'' = f - G^T lambda,  G
 * q'' + .. = 0,  a change s of the accelerations and multipliers with
 *
 *     M s + G^T ds = 0,     G s = -g
 *                           (1)
 *
 * is the smallest one in the norm s^T M s that takes g off (the metric of Lin95 (3.43)), for
 * positions with g = g(q), for velocities with g = G v.  (1) is the matrix of the reduced view for
 * the derivatives x_j^(d_j); so a violation of F_i^(c_i - e), e = 1, 2, .., is a right-hand side in
 * the row of F_i^(c_i), and the solution is added to x_j^(d_j - e).  No mass matrix has to be
 * known, equations and multipliers may be scaled in any way. */
#include "views/system_impl.h"

#include <math.h>

int rg_system_hidden_levels(const rg_system *s)
{
    int most = 0;

    if (s->kind != RG_VIEW_REDUCED || s->invariants == NULL) return 0;
    for (int64_t i = 0; i < s->p->n; i++)
        if (s->analysis->c[i] > most) most = s->analysis->c[i];
    return most;
}

rg_status rg_system_violation(const rg_system *s, rg_system_work *w, double t, const double *y,
                              int e, double *b)
{
    const int most = rg_system_hidden_levels(s);
    const int *c = s->analysis->c;
    const double *G = NULL;

    for (int64_t k = 0; k < s->layout.n_states; k++) {
        w->z[k] = y[k];
        b[k] = 0.0;
    }
    RG_TRY(rg_projector_values(w->projector, t, w->z, &G));
    for (int k = 0; k < most; k++)
        for (int64_t i = 0; i < s->p->n; i++) {
            if (k >= c[i] || s->row_of[i] < 0) continue;
            if (c[i] - k == e) b[s->row_of[i]] = -*G;
            G++;
        }
    return RG_OK;
}

double rg_system_move_size(const rg_system *s, int e, const double *change, const double *weight)
{
    double sum = 0.0;

    for (int64_t j = 0; j < s->layout.n; j++) {
        const int d = s->analysis->d[j];
        if (d < e) continue;
        const double part = change[rg_states_find(&s->layout, j, d - 1)]
                            * weight[rg_states_find(&s->layout, j, d - e)];
        sum += part * part;
    }
    return s->layout.n_states > 0 ? sqrt(sum / (double)s->layout.n_states) : 0.0;
}

void rg_system_move(const rg_system *s, int e, const double *change, double *y)
{
    for (int64_t j = 0; j < s->layout.n; j++) {
        const int d = s->analysis->d[j];
        if (d < e) continue;
        y[rg_states_find(&s->layout, j, d - e)] += change[rg_states_find(&s->layout, j, d - 1)];
    }
}
