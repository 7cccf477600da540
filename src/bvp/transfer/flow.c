/* The transfer equations as explicit differential equations, for any integrator. */
#include "bvp/transfer/flow.h"

#include <math.h>
#include <string.h>

rg_status rg_flow_create(rg_field *field, int k, int variant, rg_flow **out)
{
    rg_flow *w = rg_alloc(field->ctx, 1, sizeof *w);
    const size_t m = (size_t)field->m, c = (size_t)k;
    rg_status status = RG_ERR_MEMORY;

    *out = NULL;
    if (w == NULL) return RG_ERR_MEMORY;
    *w = (rg_flow){.ctx = field->ctx, .field = field, .m = field->m, .k = k, .variant = variant};
    w->low = -INFINITY;
    w->high = INFINITY;
    w->t = NAN;
    w->V = rg_alloc(w->ctx, c * c, sizeof *w->V);
    w->D = rg_alloc(w->ctx, c * c, sizeof *w->D);
    w->Ku = rg_alloc(w->ctx, m * c, sizeof *w->Ku);
    w->q = rg_alloc(w->ctx, c, sizeof *w->q);
    w->work = rg_alloc(w->ctx, m + c + 2 * c * c, sizeof *w->work);
    if (w->V != NULL && w->D != NULL && w->Ku != NULL && w->q != NULL && w->work != NULL)
        status = rg_lu_create(w->ctx, k, false, &w->lu);
    if (status != RG_OK)
        rg_flow_destroy(&w);
    else
        *out = w;
    return status;
}

void rg_flow_destroy(rg_flow **flow)
{
    rg_flow *w = *flow;

    if (w == NULL) return;
    rg_free(w->ctx, w->V);
    rg_free(w->ctx, w->D);
    rg_free(w->ctx, w->Ku);
    rg_free(w->ctx, w->q);
    rg_free(w->ctx, w->work);
    rg_lu_destroy(&w->lu);
    rg_free(w->ctx, w);
    *flow = NULL;
}

static rg_status take_coefficients(rg_flow *w, double t)
{
    t = fmin(fmax(t, w->low), w->high);
    if (w->t == t) return RG_OK;
    w->t = NAN;
    RG_TRY(rg_field_transfer(w->field, t));
    w->t = t;
    return RG_OK;
}

static double dot(int n, const double *x, const double *y)
{
    double sum = 0.0;

    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* K x and (X x)^T f of one column x. */
static double apply(const rg_flow *w, const double *x, double *Kx)
{
    const int m = w->m;
    const rg_field *e = w->field;
    double q = 0.0;

    memset(Kx, 0, (size_t)m * sizeof *Kx);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            Kx[i] += e->K[j * m + i] * x[j];
            q += e->f[i] * e->X[j * m + i] * x[j];
        }
    return q;
}

/* K u, q, the factors of W, and V = W^-1 D. */
static rg_status prepare(rg_flow *w, const double *z)
{
    const int m = w->m, k = w->k;
    const double *u = z, *h = z + m * k;
    const double both = w->variant == 16 ? 1.0 : 0.0;

    for (int j = 0; j < k; j++)
        w->q[j] = apply(w, u + j * m, w->Ku + j * m);
    for (int j = 0; j < k; j++)
        for (int i = 0; i < k; i++) {
            rg_lu_values(w->lu)[j * k + i] = dot(m, u + i * m, u + j * m) + both * h[i] * h[j];
            w->V[j * k + i] = dot(m, u + i * m, w->Ku + j * m) + both * h[i] * w->q[j];
        }
    RG_TRY(rg_lu_factor(w->lu));
    for (int j = 0; j < k; j++)
        rg_lu_solve(w->lu, w->V + j * k, NULL);
    return RG_OK;
}

rg_status rg_flow_eval(rg_flow *w, double t, const double *z, double *zp)
{
    const int m = w->m, k = w->k;
    const double *h = z + m * k;

    RG_TRY(take_coefficients(w, t));
    RG_TRY(prepare(w, z));
    for (int j = 0; j < k; j++) {
        double *x = zp + j * m;
        memcpy(x, w->Ku + j * m, (size_t)m * sizeof *x);
        for (int l = 0; l < k; l++)
            for (int i = 0; i < m; i++)
                x[i] -= z[l * m + i] * w->V[j * k + l];
        zp[m * k + j] = w->q[j] - dot(k, w->V + j * k, h);
    }
    return RG_OK;
}

/* dV = W^-1 (dD - dW V), for a change dx of column c of u (dx = NULL: a change 1 of h_c); dKu = K
 * dx, dq = (X dx)^T f:
 *
 *     dW = du^T u + u^T du + [dh h^T + h dh^T],    dD = du^T K u + u^T K du + [dh q^T + h dq^T]. */
static void derive(const rg_flow *w, const double *z, int c, int place, double dq)
{
    const int m = w->m, k = w->k;
    const double *u = z, *h = z + m * k, *dKu = w->work;
    double *dW = w->work + m + k, *dD = dW + k * k;
    const double both = w->variant == 16 ? 1.0 : 0.0;
    const bool is_u = place >= 0;

    memset(dW, 0, 2 * (size_t)(k * k) * sizeof *dW);
    for (int j = 0; j < k; j++) {
        const double along = is_u ? u[j * m + place] : both * h[j];
        dW[j * k + c] += along;
        dW[c * k + j] += along;
        dD[j * k + c] += is_u ? w->Ku[j * m + place] : both * w->q[j];
        if (is_u) dD[c * k + j] += dot(m, u + j * m, dKu) + both * h[j] * dq;
    }
    for (int j = 0; j < k; j++) {
        for (int l = 0; l < k; l++)
            for (int i = 0; i < k; i++)
                dD[j * k + i] -= dW[l * k + i] * w->V[j * k + l];
        rg_lu_solve(w->lu, dD + j * k, NULL);
    }
}

/* One column of -dv/dz:  -(K du - du V - u dV)  and  -(dq - dV^T h - V^T dh). */
static void fill_column(const rg_flow *w, const double *z, int c, int place, double *column)
{
    const int m = w->m, k = w->k;
    const double *h = z + m * k;
    double *dKu = w->work, dq = 0.0;
    const double *dV = w->work + m + k + k * k;
    const bool is_u = place >= 0;

    for (int i = 0; i < m && is_u; i++) {
        dKu[i] = w->field->K[place * m + i];
        dq += w->field->f[i] * w->field->X[place * m + i];
    }
    derive(w, z, c, place, dq);
    for (int j = 0; j < k; j++) {
        double *x = column + j * m;
        for (int i = 0; i < m; i++)
            x[i] = is_u && j == c ? -dKu[i] : 0.0;
        if (is_u) x[place] += w->V[j * k + c];
        for (int l = 0; l < k; l++)
            for (int i = 0; i < m; i++)
                x[i] += z[l * m + i] * dV[j * k + l];
        column[m * k + j] =
            dot(k, dV + j * k, h) - (is_u && j == c ? dq : 0.0) + (is_u ? 0.0 : w->V[j * k + c]);
    }
}

rg_status rg_flow_jacobian(rg_flow *w, double t, const double *z, double *J)
{
    const int m = w->m, k = w->k, n = m * k + k;

    RG_TRY(take_coefficients(w, t));
    RG_TRY(prepare(w, z));
    for (int c = 0; c < k; c++)
        for (int i = 0; i < m; i++)
            fill_column(w, z, c, i, J + (int64_t)(c * m + i) * n);
    for (int c = 0; c < k; c++)
        fill_column(w, z, c, -1, J + (int64_t)(m * k + c) * n);
    return RG_OK;
}
