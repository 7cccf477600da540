/* Points of a linear model, kept.
 *
 * At a fixed time f, g, dg/dt and d2g/dt2 - G x'' of a linear model are affine in z = (x, v), and
 * B and G do not depend on it.  Methods that solve on one mesh again and again evaluate the model
 * and its derivatives at z = 0, once per point of the mesh; everything else is arithmetic. */
#include "ivp/srm/core.h"

#include <math.h>
#include <string.h>

typedef struct { /* where the parts of a record are */
    double *f, *A, *B, *G, *g[3], *gz[3];
    int n_levels; /* g, g1 (, g2) */
} parts;

static parts parts_of(const rg_srm_core *c, double *record)
{
    const int n = c->n_x, m = c->n_y, nz = c->order * c->n_x;
    parts p = {.f = record, .n_levels = c->order + 1};

    p.A = p.f + n;
    p.B = p.A + n * nz;
    p.G = p.B + n * m;
    p.g[0] = p.G + n * m;
    for (int k = 0; k < p.n_levels; k++) {
        p.gz[k] = p.g[k] + m;
        if (k + 1 < p.n_levels) p.g[k + 1] = p.gz[k] + m * nz;
    }
    return p;
}

size_t rg_srm_record_size(const rg_srm_core *c)
{
    const size_t n = (size_t)c->n_x, m = (size_t)c->n_y, nz = (size_t)c->order * n;

    return n + n * nz + 2 * n * m + (size_t)(c->order + 1) * m * (1 + nz);
}

bool rg_srm_can_record(const rg_srm_core *c)
{
    const srm_kind kind = c->variant.kind;

    return !c->is_lean && c->order <= 2 && !c->variant.is_nonlinear
           && (kind == SRM_FIRST || kind == SRM_SECOND || kind == SRM_STABILIZED);
}

static double *level_of(const rg_semi_values *v, int k)
{
    return k == 0 ? v->g : k == 1 ? v->g1 : v->g2;
}

/* The point z = 0 itself, and the derivatives there. */
static rg_status fill(rg_srm_core *c, double t)
{
    const int n = c->n_x, m = c->n_y, nz = c->order * n;
    const parts p = parts_of(c, c->record);
    const rg_semi_values *v = &c->space.v;
    double *z = c->point;

    memset(z, 0, (size_t)nz * sizeof *z);
    c->evaluations++;
    RG_TRY(rg_semi_eval(c->view, t, z, rg_srm_v(c, z), &c->space.v));
    RG_TRY(rg_semi_slopes(c->view, p.A, p.gz));
    memcpy(p.f, v->f, (size_t)n * sizeof *p.f);
    memcpy(p.B, v->B, (size_t)(n * m) * sizeof *p.B);
    memcpy(p.G, v->G, (size_t)(n * m) * sizeof *p.G);
    for (int k = 0; k < p.n_levels; k++)
        memcpy(p.g[k], level_of(v, k), (size_t)m * sizeof *p.g[k]);
    *c->is_recorded = 1;
    return RG_OK;
}

rg_status rg_srm_recall(rg_srm_core *c, double t, const double *z)
{
    const int n = c->n_x, m = c->n_y, nz = c->order * n;
    rg_semi_values *v = &c->space.v;

    if (!*c->is_recorded) RG_TRY(fill(c, t));
    const parts p = parts_of(c, c->record);
    memcpy(v->f, p.f, (size_t)n * sizeof *v->f);
    rg_srm_add_product(n, nz, p.A, z, v->f);
    memcpy(v->B, p.B, (size_t)(n * m) * sizeof *v->B);
    memcpy(v->G, p.G, (size_t)(n * m) * sizeof *v->G);
    for (int k = 0; k < p.n_levels; k++) {
        memcpy(level_of(v, k), p.g[k], (size_t)m * sizeof(double));
        rg_srm_add_product(m, nz, p.gz[k], z, level_of(v, k));
    }
    return RG_OK;
}
