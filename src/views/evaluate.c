/* Evaluates the residual and the Jacobian of the equations in the form that a method sees. */
#include "base/vector.h"
#include "views/system_impl.h"

#include <math.h>
#include <string.h>

rg_status rg_system_work_create(const rg_system *s, rg_system_work **out)
{
    rg_context *ctx = s->p->ctx;
    rg_system_work *w = rg_alloc(ctx, 1, sizeof *w);
    rg_status status = RG_ERR_MEMORY;

    *out = NULL;
    if (w == NULL) return RG_ERR_MEMORY;
    w->s = s;
    w->is_plain = s->slide == NULL && s->switches.n == 0 && s->kind != RG_VIEW_STABILIZED
                  && s->layout.n == s->layout.n_states;
    if (s->slide != NULL) {
        status = rg_slide_work(s, w);
        goto done;
    }
    const int64_t size = 2 * s->layout.n_states + RG_LANES;
    w->z = rg_alloc(ctx, (size_t)(s->switches.n_columns > size ? s->switches.n_columns : size),
                    sizeof *w->z);
    w->residuals = rg_alloc(ctx, (size_t)s->drift.n_rows + 1, sizeof *w->residuals);
    if (s->p->n_states > 0)
        w->weight = rg_alloc(ctx, (size_t)s->layout.n_states, sizeof *w->weight);
    if (w->z == NULL || w->residuals == NULL || (s->p->n_states > 0 && w->weight == NULL))
        goto done;
    if ((status = rg_assembly_work_create(s->equations, &w->equations)) != RG_OK) goto done;
    if ((status = rg_assembly_work_keep(s->equations, w->equations)) != RG_OK) goto done;
    if (s->drift.rows != NULL
        && (status = rg_assembly_work_create(s->drift.rows, &w->drift)) != RG_OK)
        goto done;
    if (s->switches.n > 0 && (status = rg_branches_work(s, w)) != RG_OK) goto done;
    if ((status = rg_ggl_work_init(ctx, &s->ggl, &w->ggl)) != RG_OK) goto done;
    if (s->invariants != NULL) status = rg_projector_create(ctx, s->invariants, &w->projector);
done:
    if (status == RG_OK)
        *out = w;
    else
        rg_system_work_destroy(&w);
    return status;
}

void rg_system_work_destroy(rg_system_work **work)
{
    rg_system_work *w = *work;

    if (w == NULL) return;
    rg_context *ctx = w->s->p->ctx;
    rg_assembly_work_destroy(&w->equations);
    if (w->base != NULL) rg_system_work_destroy(&w->base);
    rg_assembly_work_destroy(&w->drift);
    rg_assembly_work_destroy(&w->switches);
    rg_free(ctx, w->values);
    rg_free(ctx, w->gradient);
    rg_projector_destroy(&w->projector);
    rg_ggl_work_clear(ctx, &w->ggl);
    rg_free(ctx, w->z);
    rg_free(ctx, w->residuals);
    rg_free(ctx, w->weight);
    rg_free(ctx, w);
    *work = NULL;
}

void rg_system_fill(rg_system_work *w, const double *y, const double *yp)
{
    const size_t n = (size_t)w->s->layout.n_states;

    memcpy(w->z, y, n * sizeof *y);
    memcpy(w->z + n, yp, n * sizeof *yp);
}

double *rg_system_point(rg_system_work *w)
{
    return w->z;
}

/* Chain equations: row n + e is  (state it comes from)' - (state n + e) = 0. */
RG_APART rg_status residual_of_view(const rg_system *s, rg_system_work *w, double t, double *F)
{
    const rg_states *l = &s->layout;
    const double *y = w->z, *yp = w->z + l->n_states;

    if (s->slide != NULL) return rg_slide_residual(s, w, t, F);
    if (s->switches.n > 0) RG_TRY(rg_branches_follow(s, w, t));
    rg_status status = rg_assembly_residual(s->equations, w->equations, t, w->z, F);
    if (status == (rg_status)RG_RETRY) status = rg_branches_join(s, w, t, F);
    if (s->kind == RG_VIEW_STABILIZED)
        return status == RG_OK ? rg_ggl_residual(&s->ggl, l, &w->ggl, t, w->z, F) : status;
    for (int64_t k = l->n; k < l->n_states; k++)
        F[k] = yp[l->chain_from[k - l->n]] - y[k];
    return status;
}

rg_status rg_system_residual_here(const rg_system *s, rg_system_work *w, double t, double *F)
{
    return w->is_plain ? rg_assembly_residual(s->equations, w->equations, t, w->z, F)
                       : residual_of_view(s, w, t, F);
}

rg_status rg_system_residual(const rg_system *s, rg_system_work *w, double t, const double *y,
                             const double *yp, double *F)
{
    rg_system_fill(w, y, yp);
    return rg_system_residual_here(s, w, t, F);
}

rg_status rg_system_jacobian(const rg_system *s, rg_system_work *w, double t, const double *y,
                             const double *yp, double *Jy, double *Jyp)
{
    const rg_merge *m = &s->merge;
    const int64_t entries = m->pattern.start[m->pattern.n_columns];
    const double *J;

    if (s->slide != NULL) return rg_slide_jacobian(s, w, t, y, yp, Jy, Jyp);
    rg_system_fill(w, y, yp);
    RG_TRY(rg_branches_follow(s, w, t));
    RG_TRY(rg_assembly_jacobian_kept(s->equations, w->equations, t, w->z, NULL, &J));
    rg_clear(Jy, entries);
    rg_clear(Jyp, entries);
    if (s->kind == RG_VIEW_STABILIZED)
        return rg_ggl_jacobian(&s->ggl, &s->layout, &w->ggl, t, w->z,
                               rg_assembly_pattern(s->equations), J, Jy, Jyp);
    for (int64_t k = 0; k < m->n_left; k++)
        Jy[m->place[k]] = J[k];
    for (int64_t k = m->n_left; k < m->n_entries; k++)
        Jyp[m->place[k]] = J[k];
    for (int64_t e = 0; e < s->layout.n_states - s->layout.n; e++) {
        Jy[m->chain_y[e]] = -1.0;
        Jyp[m->chain_yp[e]] = 1.0;
    }
    return RG_OK;
}

void rg_system_start(const rg_system *s, const rg_consistent *c, double *y, double *yp)
{
    const rg_states *l = &s->layout;

    for (int64_t k = l->n_states - s->ggl.n_low; k < l->n_states; k++)
        y[k] = yp[k] = 0.0; /* multipliers of the stabilized form */
    for (int64_t j = 0; j < l->n; j++)
        for (int r = 0; r <= l->m[j]; r++) {
            const double v = r < c->n_orders ? c->value[r][j] : NAN;
            const double value = isfinite(v) ? v : 0.0;
            if (r < l->m[j]) y[l->column[r][j]] = value;
            if (r > 0) yp[l->column[r - 1][j]] = value;
        }
}

int rg_system_drift_levels(const rg_system *s)
{
    return s->drift.n_levels;
}

rg_status rg_system_drift(const rg_system *s, rg_system_work *w, double t, const double *y,
                          const double *yp, double *level_max)
{
    for (int k = 0; k < s->drift.n_levels; k++)
        level_max[k] = NAN; /* levels without a row cannot be told */
    if (s->drift.rows == NULL) return RG_OK;
    for (int64_t k = 0; k < s->drift.n_rows; k++)
        level_max[s->drift.level[k]] = 0.0;
    rg_system_fill(w, y, yp);
    RG_TRY(rg_assembly_residual(s->drift.rows, w->drift, t, w->z, w->residuals));
    for (int64_t k = 0; k < s->drift.n_rows; k++) {
        const double size = fabs(w->residuals[k]);
        if (size > level_max[s->drift.level[k]]) level_max[s->drift.level[k]] = size;
    }
    return RG_OK;
}

bool rg_system_projects(const rg_system *s)
{
    return s->invariants != NULL;
}

/* What is constant between events does not move. */
static const double *without_states(const rg_system *s, rg_system_work *w, const double *weight)
{
    if (w->weight == NULL) return weight;
    memcpy(w->weight, weight, (size_t)s->layout.n_states * sizeof *weight);
    for (int k = 0; k < s->p->n_families; k++)
        for (int64_t i = 0; i < s->p->families[k].count && s->p->families[k].is_state; i++)
            w->weight[s->p->families[k].first + i] = 0.0;
    return w->weight;
}

void rg_system_forget(rg_system_work *w)
{
    rg_projector_forget(w->projector);
}

/* y' of states that are derivatives follows the chain (mu = 0); the rest is left as it is.  The
 * stabilized form has its constraints as equations: there the projection takes off what the Newton
 * iteration left, and a point where it does not converge is good enough as it is. */
rg_status rg_system_project(const rg_system *s, rg_system_work *w, double t, const double *weight,
                            double *y, double *yp)
{
    const rg_states *l = &s->layout;
    const bool is_stabilized = s->kind == RG_VIEW_STABILIZED;

    if (s->invariants == NULL) return RG_OK;
    rg_system_fill(w, y, yp);
    RG_TRY(rg_branches_follow(s, w, t));
    const rg_status status =
        rg_projector_run(w->projector, t, without_states(s, w, weight), l->n_states, w->z);
    if (status > 0 && is_stabilized) return RG_OK;
    if (status != RG_OK) return status;
    memcpy(y, w->z, (size_t)l->n_states * sizeof *y);
    for (int64_t e = 0; e < s->ggl.n_chains; e++)
        yp[s->ggl.chain_state[e]] = y[s->ggl.chain_next[e]];
    for (int64_t k = l->n; k < l->n_states && !is_stabilized; k++)
        yp[l->chain_from[k - l->n]] = y[k];
    return RG_OK;
}

rg_status rg_system_tangent(const rg_system *s, rg_system_work *w, double t, const double *weight,
                            const double *y, const double *yp, double *dy)
{
    if (s->invariants == NULL) return RG_OK;
    rg_system_fill(w, y, yp);
    RG_TRY(rg_branches_follow(s, w, t));
    return rg_projector_tangent(w->projector, t, without_states(s, w, weight), s->layout.n_states,
                                w->z, dy);
}
