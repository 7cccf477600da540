/* Derivatives of an iterate's field from the graphs of the model.
 *
 *     z' = (v - B E g/eps,) f - B u,      u = y_{s-1} + E r/eps  (carrying y), B u = B y_{s-1} + ..
 *     dF/dz = (0 I; 0) + A - (1/eps) B E dr/dz,     A = d(f - B u)/dz at fixed u
 *
 * with r, a combination of the constraint and its derivatives (ivp/srm/evaluate.c), differentiated
 * exactly.  Left out are derivatives of E alone, B (dE/dz) r/eps: they act within the range of B,
 * where B E G/eps is larger by 1/eps, so that Newton's method contracts like eps. */
#include "bvp/srm/field.h"

#include <string.h>

typedef struct {
    double *A, *gz[3], *u;
} slopes;

static slopes cut(const rg_bvp_srm_field *f)
{
    const int nz = f->order * f->n_x;
    slopes s = {.A = f->slopes};
    double *at = s.A + f->n_x * nz;

    for (int k = 0; k < 3; k++, at += f->n_y * nz)
        s.gz[k] = at;
    s.u = at;
    return s;
}

size_t rg_bvp_srm_slopes_size(const rg_bvp_srm_field *f)
{
    const size_t nz = (size_t)(f->order * f->n_x);

    return (size_t)f->n_x * nz + 3 * (size_t)f->n_y * nz + (size_t)f->n_y;
}

/* Iterates with x' = f - B y and weights of g and dg/dt alone; the view has no derivatives of a
 * mass matrix that moves with x. */
static bool is_plain(const rg_bvp_srm_field *f)
{
    const rg_srm_core *c = f->core;
    const srm_kind kind = c->variant.kind;

    return (kind == SRM_FIRST || kind == SRM_SECOND || kind == SRM_STABILIZED) && !c->is_lean
           && c->variant.alpha[0] == 0.0 && c->order <= 2 && c->record == NULL
           && rg_semi_has_fixed_mass(c->view);
}

rg_status rg_bvp_srm_field_system_slopes(rg_bvp_srm_field *f, int size, double *columns)
{
    const int n = f->n_x, m = f->n_y, nz = f->order * n;
    const slopes s = cut(f);

    if (!rg_semi_has_fixed_mass(f->core->view)) return RG_RETRY;
    RG_TRY(rg_semi_slopes(f->core->view, s.A, s.gz));
    memset(columns, 0, (size_t)nz * (size_t)size * sizeof *columns);
    for (int j = 0; j < nz; j++) {
        double *to = columns + (int64_t)j * size;
        if (j >= n) to[j - n] = 1.0; /* x' = v */
        memcpy(to + nz - n, s.A + (int64_t)j * n, (size_t)n * sizeof *to);
        for (int level = 0; level < f->order; level++)
            memcpy(to + nz + level * m, s.gz[level] + (int64_t)j * m, (size_t)m * sizeof *to);
    }
    return RG_OK;
}

/* u that B is multiplied with besides what does not move with z, at the last evaluation. */
static rg_status look_at_force(rg_bvp_srm_field *f, double t, const double *z, bool has_before,
                               double *u)
{
    rg_srm_core *c = f->core;
    const srm_space *w = &c->space;

    if (c->variant.is_nonlinear) return RG_OK; /* the view was evaluated there */
    const bool is_apart = c->variant.carry == SRM_CARRY_BY && !c->variant.projects && has_before;
    for (int k = 0; k < f->n_y; k++)
        u[k] = is_apart ? w->r[k] / c->eps : w->u[k];
    c->evaluations++;
    return rg_semi_eval_at(c->view, t, z, rg_srm_v(c, z), u, &c->space.v);
}

/* d r/dz, column j, and the constraint of the position. */
static void combine(const rg_srm_core *c, const slopes *s, int j, double *r)
{
    const int m = c->n_y;
    const double *a = c->variant.alpha, *g = s->gz[0] + (int64_t)j * m;
    const double *g1 = s->gz[1] + (int64_t)j * m;

    for (int k = 0; k < m; k++) {
        if (c->variant.kind == SRM_STABILIZED)
            r[k] = c->sense * (c->order == 1 ? g[k] : g1[k]);
        else
            r[k] = c->order == 1 ? c->sense * a[1] * g[k] : c->sense * a[1] * g1[k] + a[2] * g[k];
    }
}

/* to -= B E r/eps; r is overwritten */
static void subtract_force(rg_srm_core *c, double eps, double *r, double *to)
{
    const srm_space *w = &c->space;

    rg_srm_apply_E(c, w, r, w->EG);
    for (int k = 0; k < c->n_y; k++)
        for (int i = 0; i < c->n_x; i++)
            to[i] -= w->v.B[k * c->n_x + i] * r[k] / eps;
}

rg_status rg_bvp_srm_field_slope(rg_bvp_srm_field *f, double t, const double *z, bool has_before,
                                 double *J)
{
    rg_srm_core *c = f->core;
    const int n = f->n_x, nz = f->n_z;
    const slopes s = cut(f);

    if (!is_plain(f)) return RG_RETRY;
    RG_TRY(look_at_force(f, t, z, has_before, s.u));
    RG_TRY(rg_semi_slopes(c->view, s.A, s.gz));
    memset(J, 0, (size_t)nz * (size_t)nz * sizeof *J);
    for (int j = 0; j < nz; j++) {
        double *to = J + (int64_t)j * nz;
        memcpy(to + nz - n, s.A + (int64_t)j * n, (size_t)n * sizeof *to);
        combine(c, &s, j, s.u);
        subtract_force(c, c->eps, s.u, to + nz - n);
        if (c->order == 1) continue;
        if (j >= n) to[j - n] = 1.0; /* x' = v */
        if (c->variant.kind != SRM_STABILIZED) continue;
        memcpy(s.u, s.gz[0] + (int64_t)j * f->n_y, (size_t)f->n_y * sizeof *s.u);
        subtract_force(c, c->sense * c->eps, s.u, to);
    }
    return RG_OK;
}
