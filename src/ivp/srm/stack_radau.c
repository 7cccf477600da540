/* Steps of the stacked form by Radau IIA methods of variable order: the integrator of ivp/radau
 * on the problem Z' = F(t, Z), which is made here as one with callbacks.  Iterate s depends on
 * itself and on those before it, so dF/dZ is a lower block triangle; its columns are
 * differences, for F contains inverses of matrices of the model. */
#include "ivp/radau/radau.h"
#include "ivp/srm/srm_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct srm_inner {
    rg_problem problem; /* owns its pattern only */
    rg_analysis analysis;
    rg_system *system;
    rg_integrator *integrator;
    double *F, *moved, *z; /* N each */
};

static int right_hand_side(double t, const double *z, double *f, void *user)
{
    return (int)rg_srm_stack_eval(user, t, z, f, NULL);
}

/* Column j of block s: iterates s .. m at a moved point.  J = dF/dZ of Z' - F = 0, in the order
 * of the pattern. */
static rg_status column(rg_integrator *g, double t, int s, int j, double *J)
{
    rg_srm *b = rg_srm_of(g);
    srm_inner *q = b->inner;
    const int n = b->core->n_z, at = s * n + j, N = b->m * n;
    const double kept = q->z[at], d = sqrt(DBL_EPSILON) * fmax(1e-2, fabs(kept));

    q->z[at] = kept + d;
    const double width = q->z[at] - kept;
    rg_status status = RG_OK;
    for (int i = s; i < b->m && status == RG_OK;
         i++) /* what the iterates before carry is as it was */
        status = rg_srm_core_eval(b->core, t, q->z + i * n,
                                  i == 0   ? NULL
                                  : i == s ? b->carried_new + (i - 1) * b->core->n_c
                                           : b->carried + (i - 1) * b->core->n_c,
                                  q->moved + i * n, b->carried + i * b->core->n_c, NULL);
    q->z[at] = kept;
    for (int r = s * n; status == RG_OK && r < N; r++)
        *J++ = (q->F[r] - q->moved[r]) / width;
    return status;
}

static int jacobian(double t, const double *z, const double *dz, double shift, double *J,
                    void *user)
{
    rg_integrator *g = user;
    rg_srm *b = rg_srm_of(g);
    srm_inner *q = b->inner;
    const int n = b->core->n_z, N = b->m * n;

    (void)dz, (void)shift;
    memcpy(q->z, z, (size_t)N * sizeof *z);
    rg_status status = rg_srm_stack_eval(g, t, q->z, q->F, NULL);
    memcpy(b->carried_new, b->carried, (size_t)(b->m * b->core->n_c) * sizeof *b->carried);
    for (int s = 0; s < b->m; s++)
        for (int j = 0; j < n && status == RG_OK; j++, J += N - s * n)
            status = column(g, t, s, j, J);
    return (int)status;
}

static rg_status make_pattern(rg_integrator *g)
{
    const rg_srm *b = rg_srm_of(g);
    rg_problem *p = &b->inner->problem;
    const int64_t n = b->core->n_z, N = p->n;

    p->pattern_start = rg_alloc(g->ctx, (size_t)N + 1, sizeof *p->pattern_start);
    p->pattern_row = rg_alloc(g->ctx, (size_t)(N * N), sizeof *p->pattern_row);
    if (p->pattern_start == NULL || p->pattern_row == NULL) return RG_ERR_MEMORY;
    int64_t count = 0;
    for (int64_t j = 0; j < N; j++) {
        for (int64_t r = j / n * n; r < N; r++)
            p->pattern_row[count++] = r;
        p->pattern_start[j + 1] = count;
    }
    return RG_OK;
}

/* Z' = F(t, Z): index 0, nothing to differentiate, all unknowns differential. */
static rg_status make_system(rg_integrator *g)
{
    const rg_srm *b = rg_srm_of(g);
    srm_inner *q = b->inner;
    const size_t N = (size_t)(b->m * b->core->n_z);

    q->problem = (rg_problem){.ctx = g->ctx,
                              .n = (int64_t)N,
                              .n_rows = (int64_t)N,
                              .max_order = 1,
                              .a = g->t,
                              .b = g->t_end,
                              .rhs = right_hand_side,
                              .jacobian = jacobian,
                              .user = g};
    RG_TRY(make_pattern(g));
    q->analysis = (rg_analysis){.dof = (int64_t)N, .is_structural = true};
    q->analysis.c = rg_alloc(g->ctx, N, sizeof *q->analysis.c);
    q->analysis.d = rg_alloc(g->ctx, N, sizeof *q->analysis.d);
    q->analysis.variable_index = rg_alloc(g->ctx, N, sizeof *q->analysis.variable_index);
    q->F = rg_alloc(g->ctx, N, sizeof *q->F);
    q->moved = rg_alloc(g->ctx, N, sizeof *q->moved);
    q->z = rg_alloc(g->ctx, N, sizeof *q->z);
    if (q->analysis.c == NULL || q->analysis.d == NULL || q->analysis.variable_index == NULL
        || q->F == NULL || q->moved == NULL || q->z == NULL)
        return RG_ERR_MEMORY;
    for (size_t k = 0; k < N; k++)
        q->analysis.d[k] = q->analysis.variable_index[k] = 1;
    return rg_system_create(&q->problem, &q->analysis, RG_VIEW_DIRECT, &q->system);
}

/* b->z and b->slope hold the start. */
rg_status rg_srm_radau_create(rg_integrator *g)
{
    rg_srm *b = rg_srm_of(g);
    srm_inner *q = b->inner = rg_alloc(g->ctx, 1, sizeof *q);
    const rg_state start = {g->t, b->z, b->slope};

    if (q == NULL) return RG_ERR_MEMORY;
    RG_TRY(make_system(g));
    RG_TRY(rg_integrator_create_with(&rg_radau_method, q->system, &g->options, &start, g->t_end,
                                     &q->integrator));
    if (g->unit == NULL) return RG_OK;
    rg_integrator *inner = q->integrator;
    inner->unit = rg_alloc(g->ctx, (size_t)inner->n + 1, sizeof *inner->unit);
    if (inner->unit == NULL) return RG_ERR_MEMORY;
    for (int64_t i = 0; i < inner->n; i++)
        inner->unit[i] = rg_srm_unit(g, (int)i);
    return RG_OK;
}

void rg_srm_radau_destroy(rg_integrator *g)
{
    srm_inner *q = rg_srm_of(g)->inner;

    if (q == NULL) return;
    rg_integrator_destroy(&q->integrator);
    rg_system_destroy(&q->system);
    void *const arrays[] = {q->problem.pattern_start,
                            q->problem.pattern_row,
                            q->analysis.c,
                            q->analysis.d,
                            q->analysis.variable_index,
                            q->F,
                            q->moved,
                            q->z,
                            q};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(g->ctx, arrays[k]);
    rg_srm_of(g)->inner = NULL;
}

rg_status rg_srm_radau_restart(rg_integrator *g, double h)
{
    const rg_srm *b = rg_srm_of(g);
    const rg_state start = {g->t, b->z, b->slope};

    return rg_integrator_restart(b->inner->integrator, &start, h);
}

void rg_srm_radau_store(rg_integrator *g, rg_store *s, double h)
{
    rg_srm *b = rg_srm_of(g);

    if (s->is_reading && s->status == RG_OK) {
        if (b->inner == NULL) s->status = rg_srm_radau_create(g);
        if (s->status == RG_OK) s->status = rg_srm_radau_restart(g, h);
        if (s->status == RG_OK) b->inner->integrator->stats = g->stats;
    }
    if (s->status == RG_OK && b->inner != NULL) rg_radau_store(b->inner->integrator, s, h);
}

static void count(rg_integrator *g)
{
    const rg_stats stats = rg_integrator_stats(rg_srm_of(g)->inner->integrator);

    g->stats.steps = stats.steps;
    g->stats.rejected = stats.rejected;
    g->stats.jacobians = stats.jacobians;
    g->stats.factorizations = stats.factorizations;
}

/* The message of the integrator speaks of equations that the user has not written. */
static rg_status fail(rg_integrator *g, rg_status status)
{
    const rg_integrator *inner = rg_srm_of(g)->inner->integrator;

    if (status != RG_ERR_CONVERGENCE) return status;
    rg_clear_error(g->ctx);
    if (g->stats.steps + g->stats.rejected >= g->options.max_steps) return rg_srm_fail_steps(g);
    return rg_srm_of(g)->core->has_hit ? rg_srm_fail_singular(g, g->t)
                                       : rg_srm_fail_step(g, rg_radau_of(inner)->h);
}

rg_status rg_srm_radau_step(rg_integrator *g)
{
    rg_srm *b = rg_srm_of(g);

    if (b->inner == NULL) RG_TRY(rg_srm_radau_create(g));
    rg_integrator *inner = b->inner->integrator;
    RG_TRY(rg_integrator_set_end(inner, g->t_end));
    const rg_status status = rg_integrator_step(inner);
    count(g);
    if (status != RG_OK) return fail(g, status);
    const rg_state now = rg_integrator_state(inner);
    const rg_status last = rg_srm_stack_eval(g, now.t, now.y, b->slope, b->y_new);
    if (last < 0) return last;
    if (last != RG_OK) return rg_srm_fail_singular(g, now.t);
    const srm_stack_step step = {now.t,
                                 rg_integrator_degree(inner),
                                 rg_integrator_degree(inner),
                                 rg_integrator_polynomial(inner),
                                 now.y,
                                 b->slope};
    return rg_srm_stack_accept(g, &step);
}
