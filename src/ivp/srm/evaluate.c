/* The right-hand side of one iterate, and what it carries to the next one.
 *
 * With c carried by the iterate before (y_{s-1}, or B y_{s-1}) and r the combination of the constraint,
 *
 *     index 2:              r = alpha_1 (G f + g_t) + alpha_2 g                                N (2.5)
 *     index 3, N (4.5):     r = alpha_1 (G f + g_2) + alpha_2 dg/dt + alpha_3 g
 *     index 3, N (4.16):    r = dg/dt,   and  x' = v - B E g / eps
 *
 * where x' = f - B y has been put into the derivative, so that y_s = y_{s-1} + E (alpha_1 (g)' + ...)/eps becomes
 *
 *     (eps I + alpha_1 E G B) u = eps c + E r,                      y_s = u                    carrying y
 *     (eps I + alpha_1 E G B) u = eps E G c + E r,                  B y_s = B u                N (3.2b), (4.23c), (5.6)
 *     B y_s = (eps c + B E r)/(eps + alpha_1),   E = (GB)^-1                                   L (3.8), (3.16)
 *
 * With E = I and alpha_1 = 0 only products B u are needed: the view makes them from M and dF/dy, in time linear in the size of a
 * sparse model (thesis 7.2, closed-loop chains); otherwise B, G and G B are full matrices.
 *
 * eps = 0, alpha_1 = 1 is Baumgarte's method.  What makes the drift decay forwards makes it grow backwards: in a run that goes
 * backwards, sense = -1, the terms of odd order change their sign (L (4.5): "shooting back"). */
#include "ivp/srm/srm_impl.h"
#include "linalg/small_lu.h"

#include <math.h>
#include <string.h>

/* GB counts as singular below this, relative to its largest pivot so far.  A single constraint has no rounding from
 * elimination: common factors of B and G cancel in B (GB)^-1 G down to very small ones. */
static const double SINGULAR_ONE = 1e-24, SINGULAR_MORE = 1e-15, NEAR = 1e-2;

/* y += A x, A m x n column-major */
static void add_product(int m, int n, const double *A, const double *x, double *y)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            y[i] += A[j * m + i] * x[j];
}

static void product(int m, int n, const double *A, const double *x, double *y)
{
    memset(y, 0, (size_t)m * sizeof *y);
    add_product(m, n, A, x, y);
}

/* out = B u */
static void apply_B(const rg_srm *b, const srm_space *w, const double *u, double *out)
{
    if (b->is_lean)
        rg_semi_force(b->view, u, out);
    else
        product(b->n_x, b->n_y, w->v.B, u, out);
}

static void form_GB(const rg_srm *b, srm_space *w)
{
    if (b->is_lean) return;
    for (int j = 0; j < b->n_y; j++)
        product(b->n_y, b->n_x, w->v.G, w->v.B + j * b->n_x, w->GB + j * b->n_y);
}

/* The pivots tell how near a singular place is (L section 5: "we monitor the size of the pivot"). */
static bool watch_pivots(rg_srm *b, const srm_space *w)
{
    double small = INFINITY, large = 0.0;
    const double limit = b->n_y == 1 ? SINGULAR_ONE : SINGULAR_MORE;

    for (int k = 0; k < b->n_y; k++) {
        const double pivot = fabs(1.0 / w->lu[k * b->n_y + k]);
        small = fmin(small, pivot);
        large = fmax(large, pivot);
    }
    b->largest = fmax(b->largest, large);
    b->smallest_now = small / b->largest;
    b->lost_now = 0;
    for (int k = 0; k < b->n_y; k++) {
        const double pivot = fabs(1.0 / w->lu[k * b->n_y + k]) / b->largest;
        if (pivot <= NEAR && pivot <= 100.0 * b->smallest_now) b->lost_now++;
    }
    return b->smallest_now > limit;
}

/* Factors what E needs; false: GB is singular. */
static bool prepare_E(rg_srm *b, srm_space *w)
{
    const int m = b->n_y;
    const size_t bytes = (size_t)m * (size_t)m * sizeof(double);

    if (b->variant.E == SRM_E_IDENTITY || b->variant.E == SRM_E_TRANSPOSE) return true;
    memcpy(w->lu, w->GB, bytes);
    if (b->variant.E == SRM_E_SHIFTED)
        for (int k = 0; k < m; k++)
            w->lu[k * m + k] += b->sign * b->delta;
    if (!rg_small_lu_factor(m, w->lu, w->pivot)) return false;
    return b->variant.E == SRM_E_SHIFTED || watch_pivots(b, w);
}

/* r := E r; scratch: n_y */
static void apply_E(const rg_srm *b, const srm_space *w, double *r, double *scratch)
{
    const int m = b->n_y;

    switch (b->variant.E) {
    case SRM_E_IDENTITY:
        for (int k = 0; k < m; k++)
            r[k] *= b->sign;
        return;
    case SRM_E_TRANSPOSE:
        memcpy(scratch, r, (size_t)m * sizeof *r);
        for (int k = 0; k < m; k++) {
            r[k] = 0.0;
            for (int i = 0; i < m; i++)
                r[k] += w->GB[k * m + i] * scratch[i];
        }
        return;
    default:
        rg_small_lu_solve(m, w->lu, w->pivot, r);
    }
}

/* u := (eps I + alpha_1 E G B)^-1 u */
static bool divide(const rg_srm *b, srm_space *w, double *u)
{
    const int m = b->n_y;
    const double a1 = b->variant.alpha[0];

    if (a1 == 0.0 || b->variant.E == SRM_E_INVERSE) {
        for (int k = 0; k < m; k++)
            u[k] /= b->eps + a1;
        return true;
    }
    for (int j = 0; j < m; j++) {
        double *column = w->S + j * m;
        memcpy(column, w->GB + j * m, (size_t)m * sizeof *column);
        apply_E(b, w, column, w->EG);
        for (int i = 0; i < m; i++)
            column[i] *= a1;
        column[j] += b->eps;
    }
    if (!rg_small_lu_factor(m, w->S, w->pivot_S)) return false;
    rg_small_lu_solve(m, w->S, w->pivot_S, u);
    return true;
}

/* r of the comment above. */
static void combine(const rg_srm *b, const srm_space *w, double *r)
{
    const rg_semi_values *v = &w->v;
    const double *a = b->variant.alpha;

    for (int k = 0; k < b->n_y; k++) {
        switch (b->variant.kind) {
        case SRM_FIRST:
            r[k] = a[0] * v->g1[k] + b->sense * a[1] * v->g[k];
            break;
        case SRM_SECOND:
            r[k] = a[0] * v->g2[k] + b->sense * a[1] * v->g1[k] + a[2] * v->g[k];
            break;
        default:
            r[k] = b->sense * v->g1[k];
        }
    }
    if (a[0] == 0.0) return;
    for (int j = 0; j < b->n_x; j++)
        for (int k = 0; k < b->n_y; k++)
            r[k] += a[0] * v->G[j * b->n_y + k] * v->f[j];
}

/* u with y_s = u or B y_s = B u; w->w = B y_s */
static bool find_force(rg_srm *b, srm_space *w, const double *before)
{
    const int n = b->n_x, m = b->n_y;
    const srm_variant *v = &b->variant;

    combine(b, w, w->r);
    apply_E(b, w, w->r, w->EG);
    if (v->carry == SRM_CARRY_BY && !v->projects && before != NULL) {
        product(n, m, w->v.B, w->r, w->w); /* L (3.8), (3.16) */
        for (int k = 0; k < n; k++)
            w->w[k] = (b->eps * before[k] + w->w[k]) / (b->eps + v->alpha[0]);
        product(m, n, w->v.G, w->w, w->u);
        apply_E(b, w, w->u, w->EG);
        return true;
    }
    if (before == NULL) {
        memcpy(w->u, b->y0, (size_t)m * sizeof *w->u);
    } else if (v->carry == SRM_CARRY_Y) {
        memcpy(w->u, before, (size_t)m * sizeof *w->u);
    } else {
        product(m, n, w->v.G, before, w->u);
        apply_E(b, w, w->u, w->EG);
    }
    for (int k = 0; k < m; k++)
        w->u[k] = b->eps * w->u[k] + w->r[k];
    if (!divide(b, w, w->u)) return false;
    apply_B(b, w, w->u, w->w);
    return true;
}

static void take_carried(const rg_srm *b, const srm_space *w, double *carried, double *y)
{
    if (carried != NULL && b->variant.carry == SRM_CARRY_Y)
        memcpy(carried, w->u, (size_t)b->n_y * sizeof *carried);
    if (carried != NULL && b->variant.carry == SRM_CARRY_BY)
        memcpy(carried, w->w, (size_t)b->n_x * sizeof *carried);
    if (y != NULL) memcpy(y, w->u, (size_t)b->n_y * sizeof *y);
}

/* f^ = f - B (GB)^-1 (G f + g_2) in w->top, the multipliers in w->u: what two differentiations of the constraint give. */
static void underlying(const rg_srm *b, srm_space *w)
{
    const int n = b->n_x, m = b->n_y;

    memcpy(w->u, b->order == 1 ? w->v.g1 : w->v.g2, (size_t)m * sizeof *w->u);
    add_product(m, n, w->v.G, w->v.f, w->u);
    rg_small_lu_solve(m, w->lu, w->pivot, w->u);
    product(n, m, w->v.B, w->u, w->w);
    for (int k = 0; k < n; k++)
        w->top[k] = w->v.f[k] - w->w[k];
}

/* N (4.12): x' = v - G^T zeta_1, v' = f^ - G^T zeta_2, zeta_s = zeta_{s-1} + (g, dg/dt)/eps. */
static void invariant(const rg_srm *b, srm_space *w, const double *v, const double *before,
                      double *dz, double *carried)
{
    const int n = b->n_x, m = b->n_y;

    underlying(b, w);
    for (int i = 0; i < m; i++) {
        w->r[i] = (before != NULL ? before[i] : 0.0) + b->sense * w->v.g[i] / b->eps;
        w->EG[i] = (before != NULL ? before[m + i] : 0.0) + b->sense * w->v.g1[i] / b->eps;
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

/* N (4.10) with F of (5.2): x' = v - gamma B (GB)^-1 g,  v' = f^ - gamma B (GB)^-1 dg/dt; index 2: x' = f^ - gamma ... g. */
static void stabilize(const rg_srm *b, srm_space *w, const double *v, double *dz)
{
    const int n = b->n_x, m = b->n_y;
    double *const top = b->order == 1 ? dz : dz + n;

    underlying(b, w);
    memcpy(top, w->top, (size_t)n * sizeof *top);
    for (int level = 0; level < b->order; level++) {
        double *const d = level == b->order - 1 ? top : dz;
        if (level == 0 && b->order == 2) memcpy(dz, v, (size_t)n * sizeof *dz);
        memcpy(w->r, level == 0 ? w->v.g : w->v.g1, (size_t)m * sizeof *w->r);
        rg_small_lu_solve(m, w->lu, w->pivot, w->r);
        for (int k = 0; k < m; k++)
            w->r[k] *= -b->sense * b->gamma;
        add_product(n, m, w->v.B, w->r, d);
    }
}

/* L (3.5a), (3.7): x' = f - B y,  eps y' = E (G f + g_t - G B y),  E = I; the multipliers belong to z. */
static void couple(const rg_srm *b, srm_space *w, const double *y, double *dz)
{
    const int n = b->n_x, m = b->n_y;

    product(n, m, w->v.B, y, w->w);
    for (int k = 0; k < n; k++)
        dz[k] = w->v.f[k] - w->w[k];
    memcpy(dz + n, w->v.g1, (size_t)m * sizeof *dz);
    add_product(m, n, w->v.G, dz, dz + n);
    for (int k = 0; k < m; k++)
        dz[n + k] *= b->sense * b->sign / b->eps;
    memcpy(w->u, y, (size_t)m * sizeof *w->u);
}

/* N (5.3a), (4.23a): x' = v - B E g/eps */
static void correct_position(const rg_srm *b, srm_space *w, const double *v, double *dz)
{
    memcpy(dz, v, (size_t)b->n_x * sizeof *dz);
    if (b->variant.kind != SRM_STABILIZED) return;
    memcpy(w->r, w->v.g, (size_t)b->n_y * sizeof *w->r);
    apply_E(b, w, w->r, w->EG);
    apply_B(b, w, w->r, w->w);
    for (int k = 0; k < b->n_x; k++)
        dz[k] -= w->w[k] / (b->sense * b->eps);
}

rg_status rg_srm_eval(rg_integrator *g, double t, const double *z, const double *before, double *dz,
                      double *carried, double *y)
{
    rg_srm *b = g->srm;
    srm_space *w = &b->space;
    const int n = b->n_x;
    const double *v = b->order == 2 ? z + n : NULL;

    g->stats.evaluations++;
    b->sense = g->direction;
    b->has_hit = false;
    RG_TRY(rg_semi_eval(b->view, t, z, v, &w->v));
    form_GB(b, w);
    b->has_hit = !prepare_E(b, w);
    if (b->has_hit) return RG_RETRY;
    if (b->variant.kind == SRM_INVARIANT || b->variant.kind == SRM_UNDERLYING
        || b->variant.kind == SRM_COUPLED) {
        if (b->variant.kind == SRM_COUPLED)
            couple(b, w, z + n, dz);
        else if (b->variant.kind == SRM_INVARIANT)
            invariant(b, w, v, before, dz, carried);
        else
            stabilize(b, w, v, dz);
        if (y != NULL) memcpy(y, w->u, (size_t)b->n_y * sizeof *y);
        return RG_OK;
    }
    b->has_hit = !find_force(b, w, before);
    if (b->has_hit) return RG_RETRY;
    take_carried(b, w, carried, y);
    for (int k = 0; k < n; k++)
        dz[b->n_z - n + k] = w->v.f[k] - w->w[k];
    if (b->order == 2) correct_position(b, w, v, dz);
    return RG_OK;
}
