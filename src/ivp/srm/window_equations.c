/* The stages of one window.  With the stabilized form (views/ggl.h) of  q' = v, v' = f - B y,
 * 0 = g(q)  the iterate s over a step h is
 *
 *     q' = v - G^T mu,     0 = g - eps G G^T mu                                 N (5.5), D = G^T
 *     v' = f - B y_s,      0 = dg/dt + eps G (L_{s-1} - B y_s),  L_s = B y_s    N (5.6)
 *
 * at the three stages of Radau IIA, all iterates from z_n, eps = RATIO h.  Elimination of mu and
 * y gives  q' = v - G^T (G G^T)^-1 g/eps  and  B y_s = P (L_{s-1} + v/eps),  P = B (GB)^-1 G; as
 * they stand, nothing is inverted, all derivatives that matter are exact, and for s -> infinity
 * the stages are those of the form itself, whatever eps and L_0 are.  Index 2: the second line
 * with x in place of v and g in place of dg/dt, N (3.2); order nu: the first line for every level
 * below nu - 1.  E = I: eps (y_{s-1} - y_s) and mu in place of eps G(L - By) and G G^T mu,
 * N (5.3), (5.4), each constraint in units in which its own part of G G^T or G B is 1 at the start:
 * so eps means the same as with E = (GB)^-1.  f not linear in y: eps G B (y_{s-1} - y_s), B = -f_y
 * at y_{s-1} (thesis 7.2).
 *
 * L_0: the quadratic through the stage values of the step before; B y_0 in the first step.  y is
 * never extrapolated, it may have poles.  Measured: doc/methods/srm.md. */
#include "ivp/srm/tuning.h"
#include "ivp/srm/window_impl.h"

#include <math.h>
#include <string.h>

/* x, x', .. and y of the core at a point of the form. */
void rg_srm_window_take_point(rg_srm_window *q, const double *w)
{
    for (int k = 0; k < q->levels * q->n_x; k++)
        q->point[k] = w[q->x[k]];
    for (int k = 0; k < q->n_y; k++)
        q->ys[k] = w[q->y[k]];
}

/* f, B, G at the point; B = -f_y at y_{s-1} where f is not linear in y. */
rg_status rg_srm_window_look(rg_srm_window *q, double t, const double *before)
{
    rg_srm_core *c = q->core;
    const double *v = rg_srm_v(c, q->point);

    if (c->variant.is_nonlinear)
        return rg_semi_eval_at(c->view, t, q->point, v, before, &c->space.v);
    return rg_semi_eval(c->view, t, q->point, v, &c->space.v);
}

/* The matrix of block r: the upper levels have G G^T, the last one G B; E = I: sign I. */
static void form_block(rg_srm_window *q, int r)
{
    const srm_space *s = &q->core->space;
    const int n = q->n_x, m = q->n_y;

    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            double sum = i == j && q->is_identity ? q->unit[r * m + i] : 0.0;
            for (int k = 0; k < n && !q->is_identity; k++)
                sum +=
                    s->v.G[k * m + i] * (r < q->levels - 1 ? s->v.G[k * m + j] : s->v.B[j * n + k]);
            q->GB[j * m + i] = sum;
        }
}

/* Diagonals that vanish at the start become the largest one. */
static void fill_gaps(int m, double sign, double *unit)
{
    double most = 0.0;

    for (int k = 0; k < m; k++)
        most = fmax(most, fabs(unit[k]));
    for (int k = 0; k < m; k++)
        if (!(fabs(unit[k]) > RG_WINDOW_UNIT * most)) unit[k] = most > 0.0 ? sign * most : sign;
}

/* E = I: the units of the constraints, from products with unit vectors; of large models one for
 * all, by power iteration at the start (spectrum.c). */
rg_status rg_srm_window_take_units(rg_srm_window *q, double t, const double *w)
{
    rg_srm_core *c = q->core;
    const int m = q->n_y, last = (q->levels - 1) * m;
    double rho = 1.0;

    if (q->has_unit || !q->is_identity) return RG_OK;
    rg_srm_window_take_point(q, w);
    RG_TRY(rg_srm_window_look(q, t, q->ys));
    for (int r = 0; r < q->levels - 1; r++) {
        rg_semi_gradient_squares(c->view, q->unit + r * m);
        fill_gaps(m, 1.0, q->unit + r * m);
    }
    if (m > RG_WINDOW_MOST_UNITS) RG_TRY(rg_srm_core_measure(c, t, q->point, &rho));
    for (int k = 0; k < m; k++) {
        q->unit[last + k] = c->sign * rho;
        if (m > RG_WINDOW_MOST_UNITS) continue;
        memset(q->u, 0, (size_t)m * sizeof *q->u);
        q->u[k] = 1.0;
        rg_semi_force(c->view, q->u, c->space.w);
        rg_semi_gradient(c->view, c->space.w, c->space.r);
        q->unit[last + k] = c->sign * fabs(c->space.r[k]);
    }
    fill_gaps(m, c->sign, q->unit + last);
    q->has_unit = true;
    return RG_OK;
}

/* eps E^-1 (what is carried - what is there), in the rows of level r. */
static void add_level(rg_srm_window *q, int r, const double *w, const double *before, double *F,
                      double *J)
{
    const int m = q->n_y, last = q->levels - 1;
    const int32_t *row = q->row + r * m;

    form_block(q, r);
    memset(q->u, 0, (size_t)m * sizeof *q->u);
    if (r == last && !q->carries_y) rg_srm_product(m, q->n_x, q->core->space.v.G, before, q->u);
    for (int j = 0; j < m; j++) {
        const double value = r == last ? q->ys[j] : w[q->mu[r * m + j]];
        const double d = (r == last && q->carries_y ? before[j] : 0.0) - value;
        for (int i = 0; i < m; i++)
            q->u[i] += q->GB[j * m + i] * d;
    }
    for (int i = 0; i < m; i++)
        F[row[i]] += q->eps * q->u[i];
    for (int e = 0; J != NULL && e < m * m; e++)
        J[q->block[r * m * m + e]] -= q->eps * q->GB[e];
}

rg_status rg_srm_window_evaluate(void *user, int stage, double t, const double *w, const double *wp,
                                 double *F, double *Jw, double *Jwp)
{
    rg_srm_window *q = user;
    const double *before = q->before + stage * q->n_c;
    const int64_t entries = q->form->pattern->start[q->N];

    RG_TRY(rg_stable_eval(q->form, t, w, wp, F, Jw != NULL ? q->Jw : NULL, q->Jwp));
    rg_srm_window_take_point(q, w);
    if (!q->is_identity || !q->carries_y) RG_TRY(rg_srm_window_look(q, t, before));
    if (Jw != NULL) {
        memset(Jw, 0, (size_t)q->pattern.start[q->N] * sizeof *Jw);
        memset(Jwp, 0, (size_t)q->pattern.start[q->N] * sizeof *Jwp);
        for (int64_t e = 0; e < entries; e++) {
            Jw[q->index[e]] = q->Jw[e];
            Jwp[q->index[e]] = q->Jwp[e];
        }
    }
    for (int r = 0; r < q->levels; r++)
        add_level(q, r, w, before, F, Jw);
    return RG_OK;
}
