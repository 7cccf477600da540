/* The subspace at the end of a step of backward differentiation (sweep_riccati.c), by Newton's
 * method from the extrapolated one, or from the ordered Schur form.
 *
 * With an orthonormal basis (U W) and phi = U + W Z the step asks for
 *
 *     F(Z) = M21 + M22 Z - Z M11 - Z M12 Z = 0,
 *
 *     M11 = s (U^T K U + a_0/2 I),  M12 = s U^T K W,          s = sign(dt),
 *     M21 = s W^T (K U + Yb),       M22 = s (W^T K W - a_0/2 I),
 *
 * and a correction D of Z for a Sylvester equation,
 *
 *     P D + D A = F(Z),     A = M11 + M12 Z,   P = -(M22 - Z M12).
 *
 * Where all eigenvalues of A and P are to the right of the imaginary axis, which is what makes the
 * subspace the dominant one, D is the sum of a series that doubles its terms (Smith): for p > 0
 *
 *     C_P = I - 2 p (P + p I)^-1,   C_A = I - 2 p (A + p I)^-1,   D = 2 p (P + p I)^-1 F (A + p
 *     I)^-1;   D <- D + C_P D C_A,   C_P <- C_P^2,   C_A <- C_A^2.
 *
 * Powers of norm below 1 prove that the eigenvalues are there.  They are kept for further
 * corrections.  Products alone: a tenth of the cost of the Schur form, asked where this does not
 * converge in a few corrections. */
#include "bvp/transfer/sweep_riccati_impl.h"
#include "bvp/transfer/tuning.h"
#include "linalg/vectors.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct rg_subspace {
    int64_t node;  /* of U in `basis`; -1: none */
    double *basis; /* (U W), m x m */
    double *turned, *product, *M11, *M12, *M21, *M22;
    double *Z, *D, *F, *part;               /* q x k each, q = m - k */
    double *A, *P;                          /* and (A + p I)^-1, (P + p I)^-1: k x k, q x q */
    double *power_A[RG_SUBSPACE_DOUBLINGS]; /* C_A, C_A^2, C_A^4, ... */
    double *power_P[RG_SUBSPACE_DOUBLINGS];
    int n_powers;
    double p;
    rg_lu *lu_A, *lu_P;
    double *room;
};

rg_status rg_subspace_create(rg_sweep *s)
{
    const size_t m = (size_t)s->m, k = (size_t)s->k, q = m - k;
    rg_subspace *w = s->riccati->subspace = rg_alloc(s->ctx, 1, sizeof *w);

    if (w == NULL) return RG_ERR_MEMORY;
    const size_t powers = RG_SUBSPACE_DOUBLINGS + 1;
    w->room =
        rg_alloc(s->ctx, 4 * m * m + 4 * q * k + powers * (k * k + q * q) + 1, sizeof *w->room);
    if (w->room == NULL) return RG_ERR_MEMORY;
    double *at = w->room;
    double **const parts[] = {&w->basis, &w->turned, &w->product, &w->M11, &w->M12,
                              &w->M21,   &w->M22,    &w->Z,       &w->D,   &w->F,
                              &w->part,  &w->A,      &w->P};
    const size_t sizes[] = {m * m, m * m, m * m, k * k, k * q, q * k, q * q,
                            q * k, q * k, q * k, q * k, k * k, q * q};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        *parts[i] = at;
        at += sizes[i];
    }
    for (int i = 0; i < RG_SUBSPACE_DOUBLINGS; i++) {
        w->power_A[i] = at;
        w->power_P[i] = at + k * k;
        at += k * k + q * q;
    }
    w->node = -1;
    RG_TRY(rg_lu_create(s->ctx, (int64_t)k, false, &w->lu_A));
    return rg_lu_create(s->ctx, (int64_t)q, false, &w->lu_P);
}

void rg_subspace_destroy(rg_sweep *s)
{
    rg_subspace *w = s->riccati->subspace;

    if (w == NULL) return;
    rg_lu_destroy(&w->lu_A);
    rg_lu_destroy(&w->lu_P);
    rg_free(s->ctx, w->room);
    rg_free(s->ctx, w);
    s->riccati->subspace = NULL;
}

void rg_subspace_forget(rg_sweep *s)
{
    s->riccati->subspace->node = -1;
}

/* The unit vector that n orthonormal columns leave most of. */
static void take_unit_vector(int m, int n, const double *basis, double *x)
{
    int best = 0;
    double least = INFINITY;

    for (int i = 0; i < m; i++) {
        double sum = 0.0;
        for (int c = 0; c < n; c++)
            sum += basis[c * m + i] * basis[c * m + i];
        if (sum < least) {
            least = sum;
            best = i;
        }
    }
    memset(x, 0, (size_t)m * sizeof *x);
    x[best] = 1.0;
}

/* W behind U of the last node: from that of an earlier one, which has turned a little. */
static bool complete_basis(rg_sweep *s)
{
    const int m = s->m, k = s->k;
    const int64_t last = s->n - 1;
    rg_subspace *w = s->riccati->subspace;

    if (w->node == last) return true;
    memcpy(w->basis, s->u + last * m * k, (size_t)(m * k) * sizeof *w->basis);
    for (int j = k; j < m; j++) {
        double *x = w->basis + j * m;
        if (w->node < 0) take_unit_vector(m, j, w->basis, x);
        if (!(rg_orthogonalize(m, j, w->basis, x, NULL) > sqrt(DBL_EPSILON))) {
            w->node = -1;
            return false;
        }
    }
    w->node = last;
    return true;
}

static void transpose(int m, int n, const double *X, double *Y)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            Y[i * n + j] = X[j * m + i];
}

/* The four blocks. */
static void take_blocks(rg_sweep *s, double sign, double a_0, const double *Yb)
{
    const int m = s->m, k = s->k, q = m - k;
    rg_subspace *w = s->riccati->subspace;
    double *M = s->riccati->N;

    rg_multiply(m, m, m, s->field->K, w->basis, w->product);
    for (int i = 0; i < m * k; i++)
        w->product[i] += Yb[i]; /* U^T Yb = 0 */
    transpose(m, m, w->basis, w->turned);
    rg_multiply(m, m, m, w->turned, w->product, M);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            const double shift = i == j ? (j < k ? 0.5 : -0.5) * a_0 : 0.0;
            const double value = sign * (M[j * m + i] + shift);
            if (j < k && i < k)
                w->M11[j * k + i] = value;
            else if (j < k)
                w->M21[j * q + i - k] = value;
            else if (i < k)
                w->M12[(j - k) * k + i] = value;
            else
                w->M22[(j - k) * q + i - k] = value;
        }
}

/* X - Y Z, or with another sign; room: as large as X. */
static void add_product(int m, int l, int n, double sign, const double *Y, const double *Z,
                        double *room, double *X)
{
    rg_multiply(m, l, n, Y, Z, room);
    for (int i = 0; i < m * n; i++)
        X[i] += sign * room[i];
}

static void find_F(const rg_subspace *w, int k, int q)
{
    memcpy(w->F, w->M21, (size_t)(q * k) * sizeof *w->F);
    add_product(q, q, k, 1.0, w->M22, w->Z, w->part, w->F);
    memcpy(w->turned, w->M11, (size_t)(k * k) * sizeof *w->turned);
    add_product(k, q, k, 1.0, w->M12, w->Z, w->product, w->turned);
    add_product(q, k, k, -1.0, w->Z, w->turned, w->part, w->F);
}

static double norm(int n, const double *X)
{
    return sqrt(rg_dot(n, X, X));
}

/* X <- (X + p I)^-1, C = I - 2 p of it. */
static rg_status transform(int n, double p, rg_lu *lu, double *X, double *C)
{
    double *V = rg_lu_values(lu);

    memcpy(V, X, (size_t)(n * n) * sizeof *V);
    memset(X, 0, (size_t)(n * n) * sizeof *X);
    for (int i = 0; i < n; i++) {
        V[i * n + i] += p;
        X[i * n + i] = 1.0;
    }
    RG_TRY(rg_lu_factor(lu));
    rg_lu_solve_all(lu, n, X);
    for (int i = 0; i < n * n; i++)
        C[i] = (i % n == i / n) - 2.0 * p * X[i];
    return RG_OK;
}

/* A, P and the powers at Z.  RG_RETRY: they do not become small. */
static rg_status take_powers(rg_subspace *w, int k, int q, double a_0)
{
    memcpy(w->A, w->M11, (size_t)(k * k) * sizeof *w->A);
    add_product(k, q, k, 1.0, w->M12, w->Z, w->product, w->A);
    rg_multiply(q, k, q, w->Z, w->M12, w->P);
    for (int i = 0; i < q * q; i++)
        w->P[i] -= w->M22[i];
    w->p = sqrt(0.5 * fabs(a_0) * fmax(norm(k * k, w->A), norm(q * q, w->P)));
    if (!(w->p > 0.0) || !isfinite(w->p)) return RG_RETRY;
    RG_TRY(transform(k, w->p, w->lu_A, w->A, w->power_A[0]));
    RG_TRY(transform(q, w->p, w->lu_P, w->P, w->power_P[0]));
    for (int i = 0;; i++) {
        const double a = norm(k * k, w->power_A[i]), b = norm(q * q, w->power_P[i]);
        w->n_powers = i + 1;
        if (a < 1.0 && b < 1.0 && a * b < RG_TRANSFER_SUBSPACE_REST) return RG_OK;
        if (i + 1 == RG_SUBSPACE_DOUBLINGS || !isfinite(a + b)) return RG_RETRY;
        rg_multiply(k, k, k, w->power_A[i], w->power_A[i], w->power_A[i + 1]);
        rg_multiply(q, q, q, w->power_P[i], w->power_P[i], w->power_P[i + 1]);
    }
}

/* Z <- Z + D; returns the largest entry of D. */
static double correct(rg_subspace *w, int k, int q)
{
    const int size = q * k;
    double most = 0.0;

    rg_multiply(q, q, k, w->P, w->F, w->part);
    rg_multiply(q, k, k, w->part, w->A, w->D);
    for (int i = 0; i < size; i++)
        w->D[i] *= 2.0 * w->p;
    for (int i = 0; i < w->n_powers; i++) {
        rg_multiply(q, q, k, w->power_P[i], w->D, w->part);
        add_product(q, k, k, 1.0, w->part, w->power_A[i], w->F, w->D);
    }
    for (int i = 0; i < size; i++) {
        w->Z[i] += w->D[i];
        if (!(fabs(w->D[i]) <= most)) most = fabs(w->D[i]);
    }
    return most;
}

/* Corrections until the next one would not be seen: in the tolerance, or in rounding. */
static rg_status iterate(rg_sweep *s, double a_0)
{
    const int k = s->k, q = s->m - k;
    rg_subspace *w = s->riccati->subspace;
    const double size = norm(s->m * s->m, s->riccati->N);
    const double enough =
        fmax(RG_TRANSFER_SUBSPACE_SHARE * RG_TRANSFER_RICCATI_SHARE * s->options.rtol,
             DBL_EPSILON * (1.0 + size / fabs(a_0)));
    double before = INFINITY;

    for (int i = 0; i < RG_TRANSFER_SUBSPACE_CORRECTIONS; i++) {
        find_F(w, k, q);
        if (i == 0) RG_TRY(take_powers(w, k, q, a_0));
        const double now = correct(w, k, q);
        if (!(now < before) || !(now < 1.0)) return now <= enough ? RG_OK : (rg_status)RG_RETRY;
        if (i > 0 && now * now / before <= enough) return RG_OK;
        if (now <= enough) return RG_OK;
        before = now;
    }
    return RG_RETRY;
}

rg_status rg_subspace_find(rg_sweep *s, double dt, double a_0, const double *Yb,
                           const double *predicted)
{
    const int m = s->m, k = s->k, q = m - k;
    rg_riccati *r = s->riccati;
    rg_subspace *w = r->subspace;

    if (!complete_basis(s)) return RG_RETRY;
    take_blocks(s, copysign(1.0, dt), a_0, Yb);
    rg_multiply_transposed(m, q, k, w->basis + k * m, predicted, w->Z);
    RG_TRY(iterate(s, a_0));
    rg_multiply(m, q, k, w->basis + k * m, w->Z, r->phi);
    for (int i = 0; i < m * k; i++)
        r->phi[i] += w->basis[i];
    return RG_OK;
}
