/* A step of all iterates.  In the step from t_n to t_{n+1} iterate s is completed before iterate
 * s+1 begins, and hands over what it carries at the points of the scheme, computed from
 * completed values (L section 4.2, N section 6): the memory does not depend on the number of
 * steps. */
#include "ivp/srm/srm_impl.h"

#include "ivp/pace.h"
#include "ivp/srm/tuning.h"
#include "ivp/tuning.h"

#include <math.h>
#include <string.h>

static const double *before_start(const rg_srm *b, int s)
{
    return s == 0 ? NULL : b->carried + (s - 1) * b->core->n_c;
}

static const double *before_end(const rg_srm *b, int s)
{
    return s == 0 ? NULL : b->carried_new + (s - 1) * b->core->n_c;
}

/* z', the carried values and the multipliers of all iterates at the start. */
rg_status rg_srm_start(rg_integrator *g)
{
    rg_srm *b = rg_srm_of(g);

    b->core->sense = g->direction;
    b->size_at_start = 1.0;
    for (int k = 0; k < b->core->n_z; k++)
        b->size_at_start = fmax(b->size_at_start, fabs(b->z[k]));
    memcpy(b->start, b->z, (size_t)b->core->n_x * sizeof *b->start);
    for (int s = 0; s < b->m; s++) {
        const rg_status status =
            rg_srm_core_eval(b->core, g->t, b->z + s * b->core->n_z, before_start(b, s),
                             b->slope + s * b->core->n_z, b->carried + s * b->core->n_c, NULL);
        if (status == RG_RETRY && b->core->has_hit) return rg_srm_fail_singular(g, g->t);
        if (status == RG_RETRY) return rg_srm_fail_step(g, b->h);
        RG_TRY(status);
    }
    RG_TRY(rg_srm_watch(g));
    g->stats.evaluations = b->core->evaluations;
    return RG_OK;
}

/* Explicit: k_i = F(t_n + c_i h, z_n + h sum_j a_ij k_j). */
static rg_status explicit_step(rg_integrator *g, int s, double h)
{
    rg_srm *b = rg_srm_of(g);
    const srm_scheme *q = &b->scheme;
    const int n = b->core->n_z;
    const double *z = b->z + s * n;
    double *z_new = b->z_new + s * n;

    memcpy(b->K, b->slope + s * n, (size_t)n * sizeof *b->K);
    for (int i = 1; i < q->stages; i++) {
        memcpy(b->stage, z, (size_t)n * sizeof *z);
        for (int j = 0; j < i; j++)
            for (int r = 0; r < n; r++)
                b->stage[r] += h * q->A[i][j] * b->K[j * n + r];
        const double *before = s == 0           ? NULL
                               : q->c[i] == 1.0 ? before_end(b, s)
                                                : b->node + i * b->core->n_c;
        RG_TRY(rg_srm_core_eval(b->core, g->t + q->c[i] * h, b->stage, before, b->K + i * n, NULL,
                                NULL));
    }
    for (int r = 0; r < n; r++) {
        z_new[r] = z[r];
        for (int i = 0; i < q->stages; i++)
            z_new[r] += h * q->b[i] * b->K[i * n + r];
    }
    return RG_OK;
}

/* Points inside the step, explicit schemes: carried values from the cubic through both ends and
 * slopes of the completed iterate. */
static rg_status fill_nodes(rg_integrator *g, int s, double h)
{
    rg_srm *b = rg_srm_of(g);
    const srm_scheme *q = &b->scheme;
    const int n = b->core->n_z;
    const double *z0 = b->z + s * n, *z1 = b->z_new + s * n, *d0 = b->slope + s * n,
                 *d1 = b->slope_new + s * n;

    for (int i = 0; i < q->stages; i++) {
        const double c = q->c[i], e = 1.0 - c;
        double *to = b->node_new + i * b->core->n_c;
        if (c == 0.0 || c == 1.0) continue;
        if (i > 0 && q->c[i - 1] == c) {
            memcpy(to, to - b->core->n_c, (size_t)b->core->n_c * sizeof *to);
            continue;
        }
        for (int r = 0; r < n; r++)
            b->stage[r] = e * e * (1.0 + 2.0 * c) * z0[r] + c * c * (3.0 - 2.0 * c) * z1[r]
                          + h * c * e * (e * d0[r] - c * d1[r]);
        RG_TRY(rg_srm_core_eval(b->core, g->t + c * h, b->stage,
                                s == 0 ? NULL : b->node + i * b->core->n_c, b->K, to, NULL));
    }
    return RG_OK;
}

/* A step that was predicted to be unstable ends the run when values have grown by RG_SRM_BLOWN_UP.
 * */
static bool is_bounded(const rg_srm *b, const double *z)
{
    const double most = b->warning[0] != '\0' ? RG_SRM_BLOWN_UP * b->size_at_start : INFINITY;

    for (int r = 0; r < b->core->n_z; r++)
        if (!(isfinite(z[r]) && fabs(z[r]) <= most)) return false;
    return true;
}

static rg_status advance(rg_integrator *g, int s, double t_new)
{
    rg_srm *b = rg_srm_of(g);
    const double h = t_new - g->t;
    double *z_new = b->z_new + s * b->core->n_z;

    RG_TRY(b->scheme.is_implicit ? rg_srm_collocate(g, s, h) : explicit_step(g, s, h));
    if (!is_bounded(b, z_new)) return RG_RETRY;
    for (int pass = 0; pass < b->passes; pass++)
        RG_TRY(rg_srm_core_project(b->core, t_new, z_new));
    RG_TRY(rg_srm_core_eval(b->core, t_new, z_new, before_end(b, s),
                            b->slope_new + s * b->core->n_z, b->carried_new + s * b->core->n_c,
                            b->y_new));
    if (!b->scheme.is_implicit && s + 1 < b->m) RG_TRY(fill_nodes(g, s, h));
    double *node = b->node;
    b->node = b->node_new;
    b->node_new = node;
    return RG_OK;
}

static rg_status try_step(rg_integrator *g, double t_new)
{
    rg_srm *b = rg_srm_of(g);

    b->core->has_hit = false;
    for (int s = 0; s < b->m; s++)
        RG_TRY(advance(g, s, t_new));
    return RG_OK;
}

/* Mesh point number k behind the origin; --mesh shift: half a step later, all but the start
 * (L Table 5.5). */
static double mesh_point(const rg_integrator *g, int64_t k)
{
    const rg_srm *b = rg_srm_of(g);
    const double part = b->is_shifted ? (double)k - 0.5 : (double)k;

    return b->origin + g->direction * part * b->h;
}

/* The next mesh point, or the end. */
static double next_time(const rg_integrator *g)
{
    const rg_srm *b = rg_srm_of(g);
    const double t = mesh_point(g, b->count + 1), rest = g->t_end - g->t;

    if (g->t == b->origin && rg_pace_splits(g, b->count, rest))
        return g->t + RG_ESTIMATE_STEP * rest;
    return (g->t_end - t) * g->direction <= RG_SAME * b->h ? g->t_end : t;
}

static void hermite(rg_integrator *g, int64_t state, double h, double y1, double d0, double d1)
{
    double *a = g->polynomial + state;
    const double difference = y1 - g->y[state];

    a[0] = g->y[state];
    a[g->n] = h * d0;
    a[2 * g->n] = 3.0 * difference - 2.0 * h * d0 - h * d1;
    a[3 * g->n] = h * (d0 + d1) - 2.0 * difference;
    g->y[state] = y1;
    g->yp[state] = d1;
}

/* Hands the last iterate to the integrator.  q' = v of the model is reported as such: the
 * correction of the position belongs to the method. */
static void hand_over(rg_integrator *g, double h)
{
    rg_srm *b = rg_srm_of(g);
    const int last = b->m - 1, n = b->core->n_x;
    const double *z = b->z_new + last * b->core->n_z, *d0 = b->slope + last * b->core->n_z,
                 *d1 = b->slope_new + last * b->core->n_z;
    const int64_t *y = rg_semi_y(b->core->view);

    for (int r = 0; r < b->core->order; r++)
        for (int k = r * n; k < (r + 1) * n; k++) {
            const int64_t state = rg_srm_state(b->core, r, k - r * n);
            hermite(g, state, h, z[k], d0[k], d1[k]);
            if (r < b->core->order - 1) g->yp[state] = z[n + k];
        }
    for (int k = 0; k < b->core->n_y; k++) {
        const double slope = (b->y_new[k] - g->y[y[k]]) / h;
        hermite(g, y[k], h, b->y_new[k], slope, slope);
    }
}

static void swap(double **a, double **b)
{
    double *kept = *a;

    *a = *b;
    *b = kept;
}

static void accept(rg_integrator *g, double t_new, bool is_mesh)
{
    rg_srm *b = rg_srm_of(g);

    hand_over(g, t_new - g->t);
    g->t_previous = g->t;
    g->t = t_new;
    g->stats.steps++;
    b->count++;
    if (t_new == g->t_end && !is_mesh) {
        b->origin = t_new;
        b->count = 0;
        b->is_shifted = false;
    }
    swap(&b->z, &b->z_new);
    swap(&b->slope, &b->slope_new);
    swap(&b->carried, &b->carried_new);
    memcpy(b->core->near, b->y_new, (size_t)b->core->n_y * sizeof *b->y_new);
}

/* A mesh point where GB is singular is moved by half a step, and the mesh goes on behind it as
 * before (L section 5). */
static rg_status mesh_step(rg_integrator *g)
{
    rg_srm *b = rg_srm_of(g);
    double t_new = next_time(g);
    const bool is_mesh = fabs(t_new - mesh_point(g, b->count + 1)) <= RG_SAME * b->h;

    RG_TRY(rg_integrator_go_on(g));
    if (g->stats.steps >= g->options.max_steps) return rg_srm_fail_steps(g);
    rg_status status = try_step(g, t_new);
    if (status == RG_RETRY && b->core->has_hit) {
        t_new += 0.5 * g->direction * b->h;
        if ((g->t_end - t_new) * g->direction <= 0.0) return rg_srm_fail_singular(g, t_new);
        g->stats.rejected++;
        status = try_step(g, t_new);
    }
    if (status == RG_RETRY && b->core->has_hit) return rg_srm_fail_singular(g, t_new);
    if (status == RG_RETRY) return rg_srm_fail_step(g, t_new - g->t);
    RG_TRY(status);
    accept(g, t_new, is_mesh);
    return rg_srm_watch(g);
}

static rg_status step(rg_integrator *g)
{
    switch (rg_srm_of(g)->scheme.stepping) {
    case SRM_PAIR:
        return rg_srm_pair_step(g);
    case SRM_RADAU:
        return rg_srm_radau_step(g);
    default:
        return mesh_step(g);
    }
}

rg_status rg_srm_step(rg_integrator *g)
{
    rg_srm_core *c = rg_srm_of(g)->core;

    c->sense = g->direction;
    const rg_status status = step(g);
    g->stats.evaluations = c->evaluations;
    return status == RG_OK ? rg_srm_check_enforced(g) : status;
}
