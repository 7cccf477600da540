/* Projected collocation: mesh values lie on the invariants (after Ascher, Petzold, SIAM J. Numer.
 * Anal. 28 (1991), for the reduced form).
 *
 *     x_{i+1} = x_i + h sum_j b_j X'_ij + P_{i+1} mu,   0 = G(t_{i+1}, x_{i+1}),
 *         P = Gx^T (Gx Gx^T)^-1
 *
 * linearized, with dx_{i+1} = Gamma dx_i + gamma before:
 *
 *     dx_{i+1} = (I - P Gx)(Gamma dx_i + gamma) - P G
 *
 * Without it the invariants hold by d^c G/dt^c = 0 alone, which a point where they lose rank does
 * not pass on: c(t) z = 0 differentiated is  c z' + c' z = 0,  whose solutions z = 1/c blow up
 * there.  With  Gx^T = U T,  U^T U = I:  P Gx = U U^T and P G = U T^-T G.  Gx Gx^T = T^T T itself
 * would lose twice as many digits where rows are nearly parallel.  Where they are dependent the
 * mesh value stays as it is. */
#include "bvp/collocation/implicit.h"

#include "linalg/orthonormal.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"

/* U (nx x m) and T (m x m) of a mesh point.  False: the rows of Gx are dependent. */
static bool set_projector(const rg_implicit *l, double *U, double *T)
{
    const int nx = l->nx, m = l->f->n_invariants;

    if (m > nx) return false;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < nx; j++)
            U[i * nx + j] = l->Gx[j * m + i];
    return rg_orthonormalize(nx, m, U, T) > rg_rank_floor(RG_NOISE_EXACT);
}

/* v -= U (U^T v + g);  g may be NULL. */
static void move(int nx, int m, const double *U, const double *g, double *v)
{
    for (int i = 0; i < m; i++, U += nx) {
        double y = g != NULL ? g[i] : 0.0;
        for (int j = 0; j < nx; j++)
            y += U[j] * v[j];
        for (int j = 0; j < nx; j++)
            v[j] -= y * U[j];
    }
}

rg_status rg_implicit_project(void *user, const rg_curve *it, int64_t i, bool is_new, double *Gamma,
                              double *gamma)
{
    rg_implicit *l = user;
    const int nx = l->nx, m = l->f->n_invariants;
    double *U = l->mesh_U + i * m * nx, *T = l->mesh_T + i * m * m;

    RG_TRY(rg_bvp_form_invariants(l->f, it->t[i + 1], it->x + (i + 1) * nx, l->G, l->Gx));
    if (is_new) l->is_projected[i] = set_projector(l, U, T);
    if (!l->is_projected[i]) return RG_OK;
    rg_solve_transposed(m, T, l->G);
    for (int c = 0; c < nx && is_new; c++)
        move(nx, m, U, NULL, Gamma + c * nx);
    move(nx, m, U, l->G, gamma);
    return RG_OK;
}
