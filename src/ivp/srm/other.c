/* Right-hand sides of the rivals, and of the variant on invariants: what is not y_s = y_{s-1} +
 * E r/eps. */
#include "ivp/srm/core.h"
#include "linalg/small_lu.h"

#include <math.h>
#include <string.h>

/* f^ = f - B (GB)^-1 (G f + g_2) in w->top, the multipliers in w->u: what two differentiations
 * of the constraint give. */
static void underlying(const rg_srm_core *c, srm_space *w)
{
    const int n = c->n_x, m = c->n_y;

    memcpy(w->u, c->order == 1 ? w->v.g1 : w->v.g2, (size_t)m * sizeof *w->u);
    rg_srm_add_product(m, n, w->v.G, w->v.f, w->u);
    rg_srm_inverse_solve(c, w->lu, w->pivot, w->u);
    rg_srm_product(n, m, w->v.B, w->u, w->w);
    for (int k = 0; k < n; k++)
        w->top[k] = w->v.f[k] - w->w[k];
}

/* N (4.12): x' = v - G^T zeta_1, v' = f^ - G^T zeta_2, zeta_s = zeta_{s-1} + (g, dg/dt)/eps. */
static void invariant(const rg_srm_core *c, srm_space *w, const double *v, const double *before,
                      double *dz, double *carried)
{
    const int n = c->n_x, m = c->n_y;

    underlying(c, w);
    for (int i = 0; i < m; i++) {
        w->r[i] = (before != NULL ? before[i] : 0.0) + c->sense * w->v.g[i] / c->eps;
        w->EG[i] = (before != NULL ? before[m + i] : 0.0) + c->sense * w->v.g1[i] / c->eps;
        if (carried == NULL) continue;
        carried[i] = w->r[i];
        carried[m + i] = w->EG[i];
    }
    for (int k = 0; k < n; k++) {
        dz[k] = v[k];
        dz[n + k] = w->top[k];
        for (int i = 0; i < m; i++) {
            dz[k] -= w->v.G[k * m + i] * w->r[i];
            dz[n + k] -= w->v.G[k * m + i] * w->EG[i];
        }
    }
}

/* N (4.10) with F of (5.2): x' = v - gamma B (GB)^-1 g,  v' = f^ - gamma B (GB)^-1 dg/dt; index
 * 2: x' = f^ - gamma ... g. */
static void stabilize(const rg_srm_core *c, srm_space *w, const double *v, double *dz)
{
    const int n = c->n_x, m = c->n_y;
    double *const top = c->order == 1 ? dz : dz + n;

    underlying(c, w);
    memcpy(top, w->top, (size_t)n * sizeof *top);
    for (int level = 0; level < c->order; level++) {
        double *const d = level == c->order - 1 ? top : dz;
        if (level == 0 && c->order == 2) memcpy(dz, v, (size_t)n * sizeof *dz);
        memcpy(w->r, level == 0 ? w->v.g : w->v.g1, (size_t)m * sizeof *w->r);
        rg_srm_inverse_solve(c, w->lu, w->pivot, w->r);
        for (int k = 0; k < m; k++)
            w->r[k] *= -c->sense * c->gamma;
        rg_srm_add_product(n, m, w->v.B, w->r, d);
    }
}

/* w->r, w->EG := (HD)^-1 h,  h = (g, dg/dt),  D = diag(B, B),  H = h_z = (G, 0; K, G) with K the
 * derivative of dg/dt by x; index 2: h = g, H = G.  So H D (HD)^-1 h = h, and times a rate, r, it
 * makes  g' = (dg/dt of f^) - r g,  (dg/dt)' = -r dg/dt:  both decay with that rate. */
static void solve_full(const rg_srm_core *c, srm_space *w)
{
    const int n = c->n_x, m = c->n_y;

    memcpy(w->r, w->v.g, (size_t)m * sizeof *w->r);
    rg_srm_inverse_solve(c, w->lu, w->pivot, w->r);
    if (c->order == 1) return;
    rg_srm_product(n, m, w->v.B, w->r, w->w);
    rg_semi_rate_gradient(c->view, w->w, w->EG);
    for (int k = 0; k < m; k++)
        w->EG[k] = w->v.g1[k] - w->EG[k];
    rg_srm_inverse_solve(c, w->lu, w->pivot, w->EG);
}

/* y += A^T x,  A m x n column-major */
static void add_transposed(int m, int n, const double *A, const double *x, double *y)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            y[j] += A[j * m + i] * x[i];
}

/* c->Dz := D zeta;  D = diag(G^T, G^T), or H^T = (G^T, K^T; 0, G^T). */
static void apply_D(const rg_srm_core *c, const srm_space *w, const double *zeta)
{
    const int n = c->n_x, m = c->n_y;

    memset(c->Dz, 0, (size_t)(c->order * n) * sizeof *c->Dz);
    for (int level = 0; level < c->order; level++)
        add_transposed(m, n, w->v.G, zeta + level * m, c->Dz + level * n);
    if (c->variant.D == SRM_D_JACOBIAN && c->order == 2)
        add_transposed(m, n, c->K, zeta + m, c->Dz);
}

static void form_K(const rg_srm_core *c)
{
    for (int j = 0; j < c->n_x; j++) {
        memset(c->Dz, 0, (size_t)c->n_x * sizeof *c->Dz);
        c->Dz[j] = 1.0;
        rg_semi_rate_gradient(c->view, c->Dz, c->K + j * c->n_y);
    }
}

/* The same for any D: H D column by column, and its factors.  Not a number: it is singular. */
static void solve_any(const rg_srm_core *c, srm_space *w)
{
    const int n = c->n_x, m = c->n_y, N = c->order * m;

    if (c->order == 2) form_K(c);
    for (int j = 0; j < N; j++) {
        double *column = c->HD + j * N;
        memset(c->zeta, 0, (size_t)N * sizeof *c->zeta);
        c->zeta[j] = 1.0;
        apply_D(c, w, c->zeta);
        rg_srm_product(m, n, w->v.G, c->Dz, column);
        if (c->order == 1) continue;
        rg_srm_product(m, n, c->K, c->Dz, column + m);
        rg_srm_add_product(m, n, w->v.G, c->Dz + n, column + m);
    }
    memcpy(c->zeta, w->v.g, (size_t)m * sizeof *c->zeta);
    if (c->order == 2) memcpy(c->zeta + m, w->v.g1, (size_t)m * sizeof *c->zeta);
    if (rg_small_lu_factor(N, c->HD, c->pivot_HD))
        rg_small_lu_solve(N, c->HD, c->pivot_HD, c->zeta);
    else
        c->zeta[0] = NAN;
    memcpy(w->r, c->zeta, (size_t)m * sizeof *w->r);
    if (c->order == 2) memcpy(w->EG, c->zeta + m, (size_t)m * sizeof *w->EG);
}

/* dz -= D zeta,  zeta = (w->r, w->EG) */
static void subtract_D(const rg_srm_core *c, srm_space *w, double *dz)
{
    const int n = c->n_x, m = c->n_y;

    if (c->variant.D != SRM_D_FORCE) {
        memcpy(c->zeta, w->r, (size_t)m * sizeof *w->r);
        if (c->order == 2) memcpy(c->zeta + m, w->EG, (size_t)m * sizeof *w->EG);
        apply_D(c, w, c->zeta);
        for (int k = 0; k < c->order * n; k++)
            dz[k] -= c->Dz[k];
        return;
    }
    for (int level = 0; level < c->order; level++) {
        rg_srm_product(n, m, w->v.B, level == 0 ? w->r : w->EG, w->w);
        for (int k = 0; k < n; k++)
            dz[level * n + k] -= w->w[k];
    }
}

/* N (4.10): z' = f^ - gamma D (HD)^-1 h;  N (4.11) by (2.5), alpha_1 = 0, E = (HD)^-1: z' = f^ - D
 * zeta_s, zeta_s = zeta_{s-1} + (HD)^-1 h/eps. */
static void correct_full(const rg_srm_core *c, srm_space *w, const double *v, const double *before,
                         double *dz, double *carried)
{
    const int n = c->n_x, m = c->n_y;
    const bool is_iterate = c->variant.kind == SRM_INVARIANT_FULL;
    const double factor = c->sense * (is_iterate ? 1.0 / c->eps : c->gamma);

    underlying(c, w);
    if (c->order == 2) memcpy(dz, v, (size_t)n * sizeof *dz);
    memcpy(dz + (c->order - 1) * n, w->top, (size_t)n * sizeof *dz);
    if (c->variant.D == SRM_D_FORCE)
        solve_full(c, w);
    else
        solve_any(c, w);
    for (int level = 0; level < c->order; level++) {
        double *const zeta = level == 0 ? w->r : w->EG;
        for (int k = 0; k < m; k++)
            zeta[k] =
                factor * zeta[k] + (is_iterate && before != NULL ? before[level * m + k] : 0.0);
        if (is_iterate && carried != NULL)
            memcpy(carried + level * m, zeta, (size_t)m * sizeof *zeta);
    }
    subtract_D(c, w, dz);
}

/* The multipliers belong to z:  x' = f - B y,  and, E = I,
 *
 *     eps y' = E (G f + g_t - G B y)      L (3.5a), (3.7)
 *     eps y' = E g                        thesis (2.26), there with G B negative definite:
 *                                         undamped oscillations */
static void couple(const rg_srm_core *c, srm_space *w, const double *y, double *dz)
{
    const int n = c->n_x, m = c->n_y;
    const bool is_direct = c->variant.kind == SRM_DIRECT;

    rg_srm_product(n, m, w->v.B, y, w->w);
    for (int k = 0; k < n; k++)
        dz[k] = w->v.f[k] - w->w[k];
    memcpy(dz + n, is_direct ? w->v.g : w->v.g1, (size_t)m * sizeof *dz);
    if (!is_direct) rg_srm_add_product(m, n, w->v.G, dz, dz + n);
    for (int k = 0; k < m; k++)
        dz[n + k] *= (is_direct ? 1.0 : c->sense) * c->sign / c->eps;
    memcpy(w->u, y, (size_t)m * sizeof *w->u);
}

bool rg_srm_is_other(srm_kind kind)
{
    return kind == SRM_INVARIANT || kind == SRM_UNDERLYING || kind == SRM_COUPLED
           || kind == SRM_DIRECT || kind == SRM_UNDERLYING_FULL || kind == SRM_INVARIANT_FULL;
}

void rg_srm_eval_other(const rg_srm_core *c, srm_space *w, const double *z, const double *before,
                       double *dz, double *carried)
{
    const double *v = c->order == 2 ? z + c->n_x : NULL;

    if (rg_srm_has_y(&c->variant))
        couple(c, w, z + c->n_x, dz);
    else if (c->variant.kind == SRM_INVARIANT)
        invariant(c, w, v, before, dz, carried);
    else if (c->variant.kind != SRM_UNDERLYING)
        correct_full(c, w, v, before, dz, carried);
    else
        stabilize(c, w, v, dz);
}

/* Augmented Lagrangian, thesis (2.13), (2.14), after Bayo and Avello.  With r = g'' + 2 Omega mu
 * g' + Omega^2 g for q'' = f, mu = 1, and alpha = 1/eps, (2.13) is
 *
 *     q'' = f - M^-1 G^T u,     (eps I + G M^-1 G^T) u = eps lambda* + r,
 *
 * and (2.14) makes lambda* := u.  It is repeated at every evaluation, from multipliers near by
 * (the last mesh point), until q'' changes by less than delta, or as often as --iterations
 * says.  Its limit is Baumgarte's method. */
bool rg_srm_augment(const rg_srm_core *c, srm_space *w)
{
    enum { MOST = 50 };
    const int n = c->n_x, m = c->n_y, most = c->repeats > 0 ? c->repeats : MOST;

    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++)
            w->S[j * m + i] = c->sign * w->GB[j * m + i] + (i == j ? c->eps : 0.0);
    if (!rg_small_lu_factor(m, w->S, w->pivot_S)) return false;
    memcpy(w->u, c->near, (size_t)m * sizeof *w->u);
    rg_srm_product(n, m, w->v.B, w->u, w->w);
    for (int s = 0; s < most; s++) {
        double change = 0.0;
        for (int k = 0; k < m; k++)
            w->u[k] = c->eps * w->u[k] + w->r[k];
        rg_small_lu_solve(m, w->S, w->pivot_S, w->u);
        memcpy(w->top, w->w, (size_t)n * sizeof *w->top);
        rg_srm_product(n, m, w->v.B, w->u, w->w);
        for (int k = 0; k < n; k++)
            change = fmax(change, fabs(w->w[k] - w->top[k]));
        if (c->repeats == 0 && change <= c->delta) break;
    }
    return true;
}

/* Post-stabilization: z := z - F(z) h(z), F of N (5.2), h = (g, dg/dt). */
rg_status rg_srm_core_project(rg_srm_core *c, double t, double *z)
{
    srm_space *w = &c->space;
    const int n = c->n_x, m = c->n_y;

    RG_TRY(rg_srm_core_look(c, t, z, NULL));
    for (int level = 0; level < c->order; level++) {
        double *r = level == 0 ? w->v.g : w->v.g1;
        rg_srm_inverse_solve(c, w->lu, w->pivot, r);
        for (int k = 0; k < m; k++)
            for (int i = 0; i < n; i++)
                z[level * n + i] -= w->v.B[k * n + i] * r[k];
    }
    return RG_OK;
}
