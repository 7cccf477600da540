/* Dense output of a half-explicit method, of order 4: polynomials through both ends.
 *
 *     order 1:   x with x and x' at both ends (cubic); the method of order 5: its continuous
 *                weights (degree 4)
 *     order 2:   x with x, v and a at both ends (degree 5), v its derivative
 *     y          cubic through both ends and two more points: the last two before the step, or,
 *                where the run has just begun, two inside it from the hidden constraint there
 */
#include "ivp/half_explicit/half_explicit.h"

#include <string.h>

static const double inner_at[HALF_INNER] = {1.0 / 3.0, 2.0 / 3.0};

/* Coefficients of one component in powers of s; slope and bend are h x' and h^2 x''. */
static void fit_cubic(const double x[2], const double slope[2], double *a)
{
    const double d = x[1] - x[0];

    a[0] = x[0];
    a[1] = slope[0];
    a[2] = 3.0 * d - 2.0 * slope[0] - slope[1];
    a[3] = slope[0] + slope[1] - 2.0 * d;
    a[4] = a[5] = 0.0;
}

static void fit_quintic(const double x[2], const double slope[2], const double bend[2], double *a)
{
    const double d = x[1] - x[0] - slope[0] - 0.5 * bend[0];
    const double p = slope[1] - slope[0] - bend[0], q = bend[1] - bend[0];

    a[0] = x[0];
    a[1] = slope[0];
    a[2] = 0.5 * bend[0];
    a[3] = 10.0 * d - 4.0 * p + 0.5 * q;
    a[4] = -15.0 * d + 7.0 * p - q;
    a[5] = 6.0 * d - 3.0 * p + 0.5 * q;
}

/* x_n + h sum b_i(s) f_i; what the projection has moved goes into the linear term. */
static void fit_stages(const rg_half_explicit *e, int k, double *a)
{
    double end = 0.0;

    a[0] = e->x[k];
    a[5] = 0.0;
    for (int p = 1; p <= 4; p++) {
        a[p] = e->weights[e->tableau->s][p - 1] * e->f_new[k];
        for (int i = 0; i < e->tableau->s; i++)
            a[p] += e->weights[i][p - 1] * e->F[i * e->N + k];
        a[p] *= e->pace.h;
        end += a[p];
    }
    a[1] += e->x_new[k] - e->x[k] - end;
}

/* Polynomial of x, or of x and v, component k. */
static void fit(const rg_half_explicit *e, int k, double *a, double *b)
{
    const double h = e->pace.h, x[2] = {e->x[k], e->x_new[k]};
    const double slope[2] = {h * e->f[k], h * e->f_new[k]};

    if (e->order == 1) {
        if (e->is_partitioned)
            fit_stages(e, k, a);
        else
            fit_cubic(x, slope, a);
        return;
    }
    const double bend[2] = {h * h * e->f[e->n + k], h * h * e->f_new[e->n + k]};
    fit_quintic(x, slope, bend, a);
    for (int p = 0; p < 5; p++)
        b[p] = (p + 1) * a[p + 1] / h;
    b[0] = e->x[e->n + k];
    b[5] = 0.0;
    double end = 0.0; /* without the rounding of the division by h */
    for (int p = 0; p < 5; p++)
        end += b[p];
    b[1] += e->x_new[e->n + k] - end;
}

/* Multipliers inside the step, while there are not enough of them behind it. */
rg_status rg_half_explicit_inner(rg_integrator *g)
{
    rg_half_explicit *e = rg_half_explicit_of(g);
    double a[6], b[6] = {0};

    if (e->m == 0 || e->n_past >= HALF_PAST) return RG_OK;
    for (int i = 0; i < HALF_INNER; i++) {
        const double s = inner_at[i], t = g->t + s * e->pace.h;
        double *y = e->inner + i * e->m;
        for (int k = 0; k < e->n; k++) {
            fit(e, k, a, b);
            e->X[k] = a[0] + s * (a[1] + s * (a[2] + s * (a[3] + s * (a[4] + s * a[5]))));
            if (e->order == 2)
                e->X[e->n + k] = b[0] + s * (b[1] + s * (b[2] + s * (b[3] + s * b[4])));
        }
        for (int k = 0; k < e->m; k++)
            y[k] = e->y[k] + s * (e->y_new[k] - e->y[k]);
        memcpy(e->Xbar, e->f_new, (size_t)e->N * sizeof *e->Xbar);
        RG_TRY(rg_half_explicit_hidden(e, t, e->X, e->Xbar, y));
    }
    return RG_OK;
}

/* y_0 + s (d + (s - 1)(c_2 + (s - s_2) c_3)),  d = y_1 - y_0,  multiplied out, in powers of s: the
 * cubic through (0, y_0), (1, y_1), (s_2, y_2), (s_3, y_3) by Newton's divided differences. */
static void fit_multipliers(const rg_integrator *g)
{
    const rg_half_explicit *e = rg_half_explicit_of(g);
    const bool has_past = e->n_past >= HALF_PAST;
    const double *more = has_past ? e->past : e->inner;
    double s[2] = {inner_at[0], inner_at[1]}, scale[2];

    for (int i = 0; i < 2; i++) {
        if (has_past) s[i] = (e->t_past[i] - g->t) / e->pace.h;
        scale[i] = 1.0 / (s[i] - 1.0);
    }
    const double apart = 1.0 / (s[1] - s[0]), per[2] = {1.0 / s[0], 1.0 / s[1]};
    for (int k = 0; k < e->m; k++) {
        double *a = g->polynomial + rg_half_y(e->view)[k];
        const double d = e->y_new[k] - e->y[k];
        const double c2 = ((more[k] - e->y[k]) * per[0] - d) * scale[0];
        const double c3 = (((more[e->m + k] - e->y[k]) * per[1] - d) * scale[1] - c2) * apart;
        const double q = c2 - s[0] * c3;
        a[0] = e->y[k];
        a[g->n] = d - q;
        a[2 * g->n] = q - c3;
        a[3 * g->n] = c3;
        a[4 * g->n] = a[5 * g->n] = 0.0;
    }
}

void rg_half_explicit_dense(rg_integrator *g)
{
    const rg_half_explicit *e = rg_half_explicit_of(g);
    double a[6], b[6] = {0};

    g->degree = 5;
    for (int k = 0; k < e->n; k++) {
        fit(e, k, a, b);
        double *x = g->polynomial + rg_half_x(e->view)[k];
        for (int p = 0; p < 6; p++)
            x[p * g->n] = a[p];
        if (e->order == 1) continue;
        double *v = g->polynomial + rg_half_v(e->view)[k];
        for (int p = 0; p < 6; p++)
            v[p * g->n] = b[p];
    }
    fit_multipliers(g);
}
