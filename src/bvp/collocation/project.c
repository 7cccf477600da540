/* Projected collocation: mesh values lie on the invariants (after Ascher, Petzold, SIAM J. Numer. Anal. 28 (1991), for the
 * reduced form).
 *
 *     x_{i+1} = x_i + h sum_j b_j X'_ij + P_{i+1} mu,   0 = G(t_{i+1}, x_{i+1}),   P = Gx^T (Gx Gx^T)^-1
 *
 * linearized, with dx_{i+1} = Gamma dx_i + gamma before:
 *
 *     dx_{i+1} = (I - P Gx)(Gamma dx_i + gamma) - P G
 *
 * Without it the invariants hold by d^c G/dt^c = 0 alone, which a point where they lose rank does not pass on:
 * c(t) z = 0 differentiated is  c z' + c' z = 0,  whose solutions z = 1/c blow up there.
 * Rows of Gx are scaled to length 1; where they are dependent the mesh value stays as it is. */
#include "bvp/collocation/implicit.h"

#include "bvp/dense_block.h"

#include <math.h>
#include <string.h>

#define DEPENDENT 1e-10 /* diagonal of the factors of Gx Gx^T, rows of length 1 */

/* Gx (rows scaled, factors in scale) and P of mesh point q.  False: the rows are dependent. */
static bool set_projector(rg_implicit *l, double *Gx, double *P, double *scale)
{
    const int nx = l->nx, m = l->f->n_invariants;
    double *S = l->GG;

    for (int i = 0; i < m; i++) {
        double sum = 0.0;
        for (int j = 0; j < nx; j++)
            sum = hypot(sum, l->Gx[j * m + i]);
        if (!(sum > 0.0)) return false;
        scale[i] = 1.0 / sum;
        for (int j = 0; j < nx; j++)
            Gx[j * m + i] = scale[i] * l->Gx[j * m + i];
    }
    for (int i = 0; i < m; i++)
        for (int k = 0; k < m; k++) {
            S[k * m + i] = 0.0;
            for (int j = 0; j < nx; j++)
                S[k * m + i] += Gx[j * m + i] * Gx[j * m + k];
        }
    if (!rg_block_factor(m, S, l->GG_pivot)) return false;
    for (int i = 0; i < m; i++)
        if (!(fabs(S[i * m + i]) > DEPENDENT)) return false;
    memcpy(P, Gx, (size_t)(m * nx) * sizeof *P); /* columns: (Gx Gx^T)^-1 Gx, P transposed */
    rg_block_solve(m, S, l->GG_pivot, nx, P);
    return true;
}

/* v -= P (Gx v + G);  G may be NULL. */
static void move(const rg_implicit *l, const double *Gx, const double *P, const double *G,
                 double *v)
{
    const int nx = l->nx, m = l->f->n_invariants;
    double *y = l->GG;

    for (int i = 0; i < m; i++)
        y[i] = G != NULL ? G[i] : 0.0;
    for (int j = 0; j < nx; j++)
        for (int i = 0; i < m; i++)
            y[i] += Gx[j * m + i] * v[j];
    for (int j = 0; j < nx; j++)
        for (int i = 0; i < m; i++)
            v[j] -= P[j * m + i] * y[i];
}

rg_status rg_implicit_project(void *user, const rg_curve *it, int64_t i, bool is_new, double *Gamma,
                              double *gamma)
{
    rg_implicit *l = user;
    const int nx = l->nx, m = l->f->n_invariants;
    double *Gx = l->mesh_Gx + i * m * nx, *P = l->mesh_P + i * m * nx,
           *scale = l->mesh_scale + i * m;

    RG_TRY(rg_bvp_form_invariants(l->f, it->t[i + 1], it->x + (i + 1) * nx, l->G, l->Gx));
    if (is_new && !set_projector(l, Gx, P, scale)) scale[0] = 0.0;
    if (scale[0] == 0.0) return RG_OK;
    for (int k = 0; k < m; k++)
        l->G[k] *= scale[k];
    for (int c = 0; c < nx && is_new; c++)
        move(l, Gx, P, NULL, Gamma + c * nx);
    move(l, Gx, P, l->G, gamma);
    return RG_OK;
}
