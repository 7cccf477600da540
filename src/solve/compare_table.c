/* Tables of a comparison: errors of x and of the constraint force B y, and residuals of the
 * constraints, at chosen times or as maxima over the mesh points behind the start, as the papers
 * on sequential regularization have them (L Tables 5.1 to 5.7, N Tables 6.1 to 6.5).
 *
 *     By = f(x, t) - x'  (index 3: f - x''),    against the exact one,  B (GB)^-1 (G f + g_t)
 *                                               at the exact x, or that of the reference
 *
 * With a fixed step values are those of the mesh point next to the time asked for: a mesh point
 * at a singular place is moved (L section 5).  The force is that in the last collocation point of
 * the step, where the method itself has it. */
#include "solve/compare_table.h"

#include "ivp/srm/core.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct rg_compare_view {
    rg_context *ctx;
    rg_system *system;
    rg_srm_core *core;
    int64_t n_states;
    int64_t *unknown;            /* per state: ... */
    int *order;                  /* ... the unknown, and the order of its derivative */
    double *y, *yp, *By, *other; /* states, their derivatives; n_x each */
    double *multiplier;          /* n_y */
};

void rg_compare_view_destroy(rg_compare_view **view)
{
    rg_compare_view *v = *view;

    if (v == NULL) return;
    rg_srm_core_destroy(&v->core);
    rg_system_destroy(&v->system);
    rg_free(v->ctx, v->unknown);
    rg_free(v->ctx, v->order);
    rg_free(v->ctx, v->y);
    rg_free(v->ctx, v);
    *view = NULL;
}

static rg_status fill(rg_compare_view *v, const rg_problem *p)
{
    const rg_analysis *a;
    const rg_options o = rg_options_default();

    RG_TRY(rg_analysis_get(p, &a));
    RG_TRY(rg_system_create(p, a, RG_VIEW_DIRECT, &v->system));
    RG_TRY(rg_srm_core_create(v->system, rg_srm_method_find("srm"), &o, &v->core));
    v->n_states = rg_system_size(v->system);
    const size_t n = (size_t)v->n_states + 1, n_x = (size_t)v->core->n_x;
    v->unknown = rg_alloc(v->ctx, n, sizeof *v->unknown);
    v->order = rg_alloc(v->ctx, n, sizeof *v->order);
    v->y = rg_alloc(v->ctx, 2 * n + 2 * n_x + (size_t)v->core->n_y, sizeof *v->y);
    if (v->unknown == NULL || v->order == NULL || v->y == NULL) return RG_ERR_MEMORY;
    v->yp = v->y + n;
    v->By = v->yp + n;
    v->other = v->By + n_x;
    v->multiplier = v->other + n_x;
    for (int64_t j = 0; j < p->n; j++)
        for (int r = 0; r < RG_SEMI_MOST_ORDER; r++) {
            const int64_t state = rg_system_state(v->system, j, r);
            if (state < 0) continue;
            v->unknown[state] = j;
            v->order[state] = r;
        }
    return RG_OK;
}

rg_status rg_compare_view_create(const rg_problem *p, rg_compare_view **out)
{
    rg_compare_view *v = rg_alloc(p->ctx, 1, sizeof *v);

    *out = v;
    if (v == NULL) return RG_ERR_MEMORY;
    v->ctx = p->ctx;
    const rg_status status = fill(v, p);
    if (status == RG_OK) return RG_OK;
    rg_compare_view_destroy(out);
    if (status == RG_ERR_MEMORY) return status;
    rg_clear_error(p->ctx);
    return RG_OK;
}

/* States and derivatives of the view from a point of a solution; NaN: it does not have them. */
static void take_states(rg_compare_view *v, const rg_solution *s, const double *z)
{
    for (int64_t k = 0; k < v->n_states; k++) {
        const int64_t at = rg_layout_at(s->layout, v->unknown[k], v->order[k]);
        const int64_t next = rg_layout_at(s->layout, v->unknown[k], v->order[k] + 1);
        v->y[k] = at >= 0 ? z[at] : NAN;
        v->yp[k] = next >= 0 ? z[next] : NAN;
    }
}

/* f - x^(order) of a point of a solution. */
static rg_status find_force(rg_compare_view *v, const rg_solution *s, double t, const double *z,
                            double *By)
{
    take_states(v, s, z);
    RG_TRY(rg_srm_core_force(v->core, t, v->y, v->yp, By));
    for (int k = 0; k < v->core->n_x; k++)
        By[k] = -By[k];
    return RG_OK;
}

/* The force that the constraints ask for at the states taken last. */
static rg_status find_exact_force(rg_compare_view *v, double t, double *By)
{
    rg_srm_core *c = v->core;

    for (int r = 0; r < c->order; r++)
        for (int k = 0; k < c->n_x; k++)
            c->point[r * c->n_x + k] = v->y[rg_srm_state(c, r, k)];
    for (int k = 0; k < c->order * c->n_x; k++)
        if (!isfinite(c->point[k])) return RG_RETRY;
    const rg_status status = rg_srm_core_multipliers(c, t, c->point, v->multiplier);
    if (status != RG_OK) return status;
    rg_semi_force(c->view, v->multiplier, By);
    return RG_OK;
}

static double largest_difference(int n, const double *a, const double *b)
{
    double most = NAN;

    for (int k = 0; k < n; k++) {
        const double d = fabs(a[k] - b[k]);
        if (!(d <= most) && isfinite(d)) most = d;
    }
    return most;
}

/* z with the exact values in the places that have them: in s->point. */
static rg_status put_exact(const rg_solution *s, double t, const double *z)
{
    RG_TRY(rg_exact_errors(s, t, z, s->error));
    for (int64_t k = 0; k < 2 * s->n; k++)
        s->point[k] = NAN;
    for (int64_t k = 0; k < s->n_exact; k++)
        if (s->exact_place[k] >= 0) s->point[s->exact_place[k]] = s->exact_value[k];
    return RG_OK;
}

static rg_status compare_force(rg_compare_view *v, const rg_solution *s,
                               const rg_solution *reference, double t, double *out)
{
    const double *z = rg_solution_point_at(s, t);
    rg_status status = z != NULL ? find_force(v, s, t, z, v->By) : (rg_status)RG_RETRY;

    *out = NAN;
    if (status == RG_OK && reference != NULL) {
        z = rg_solution_point_at(reference, t);
        status = z != NULL ? find_force(v, reference, t, z, v->other) : (rg_status)RG_RETRY;
    } else if (status == RG_OK) {
        status = put_exact(s, t, z);
        if (status == RG_OK) take_states(v, s, s->point);
        if (status == RG_OK) status = find_exact_force(v, t, v->other);
    }
    if (status == RG_OK) *out = largest_difference(v->core->n_x, v->By, v->other);
    return status < 0 ? status : RG_OK;
}

static bool is_multiplier(const rg_compare_view *v, int64_t unknown)
{
    for (int k = 0; v != NULL && k < v->core->n_y; k++)
        if (rg_semi_y_unknown(v->core->view, k) == unknown) return true;
    return false;
}

static void take_larger(double value, double *most)
{
    if (isfinite(value) && !(value <= *most)) *most = value;
}

/* Of all unknowns but the multipliers. */
static rg_status compare_unknowns(const rg_compare_view *v, const rg_solution *s,
                                  const rg_solution *reference, double t, const double *z,
                                  double *out)
{
    *out = NAN;
    if (reference == NULL) {
        RG_TRY(rg_exact_errors(s, t, z, s->error));
        for (int64_t k = 0; k < s->n_exact; k++) {
            int64_t j = 0;
            while (j < s->problem->n && rg_layout_at(s->layout, j, 0) != s->exact_place[k])
                j++;
            if (!is_multiplier(v, j)) take_larger(s->error[k], out);
        }
        return RG_OK;
    }
    const double *other = rg_solution_point_at(reference, t);
    for (int64_t j = 0; j < s->problem->n && other != NULL; j++) {
        const int64_t a = rg_layout_at(s->layout, j, 0), b = rg_layout_at(reference->layout, j, 0);
        if (a >= 0 && b >= 0 && !is_multiplier(v, j)) take_larger(fabs(z[a] - other[b]), out);
    }
    return RG_OK;
}

/* |d^r g/dt^r|, r < order, at the point itself. */
static rg_status find_residuals(rg_compare_view *v, const rg_solution *s, double t, const double *z,
                                rg_compare_point *out)
{
    rg_srm_core *c = v->core;

    take_states(v, s, z);
    for (int r = 0; r < c->order; r++)
        for (int k = 0; k < c->n_x; k++)
            c->point[r * c->n_x + k] = v->y[rg_srm_state(c, r, k)];
    const double *velocity = c->order > 1 ? c->point + c->n_x : NULL;
    const rg_status status = rg_semi_eval(c->view, t, c->point, velocity, &c->space.v);
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    out->n_levels = c->order < RG_COMPARE_LEVELS ? c->order : RG_COMPARE_LEVELS;
    for (int r = 0; r < out->n_levels; r++) {
        rg_semi_level(c->view, r, v->multiplier);
        out->drift[r] = 0.0;
        for (int k = 0; k < c->n_y; k++)
            out->drift[r] = fmax(out->drift[r], fabs(v->multiplier[k]));
    }
    return RG_OK;
}

/* Where the force of the step that ends in t is looked at. */
static double force_time(const rg_solution *s, int64_t row)
{
    const double at = s->force_at > 0.0 ? s->force_at : 1.0, t = s->time[row];

    return row > 0 && at < 1.0 ? s->time[row - 1] + at * (t - s->time[row - 1]) : t;
}

static rg_status measure(rg_compare_view *v, const rg_solution *s, const rg_solution *reference,
                         double t, double t_force, rg_compare_point *out)
{
    const double *z = rg_solution_point_at(s, t);

    out->t = t;
    if (z == NULL) return RG_OK;
    RG_TRY(compare_unknowns(v, s, reference, t, z, &out->error));
    if (v == NULL) return RG_OK;
    z = rg_solution_point_at(s, t);
    RG_TRY(find_residuals(v, s, t, z, out));
    if (reference == NULL && s->n_exact == 0) return RG_OK;
    return compare_force(v, s, reference, t_force, &out->force);
}

/* The mesh point next to a time; of two the later one. */
static int64_t nearest_row(const rg_solution *s, double t)
{
    int64_t best = 0;

    for (int64_t k = 1; k < s->n_rows; k++) {
        const double step = fabs(s->time[k] - s->time[k - 1]);
        if (fabs(s->time[k] - t) <= fabs(s->time[best] - t) + sqrt(DBL_EPSILON) * step) best = k;
    }
    return best;
}

static rg_compare_point empty_point(const rg_compare_spot *spot, double at)
{
    rg_compare_point point = {.row = spot->row,
                              .iteration = spot->iteration,
                              .iterations = spot->solution->iterations,
                              .at = at,
                              .t = at,
                              .error = NAN,
                              .force = NAN};

    for (int r = 0; r < RG_COMPARE_LEVELS; r++)
        point.drift[r] = NAN;
    return point;
}

rg_status rg_compare_measure(rg_compare_view *v, const rg_compare_spot *spot, double at,
                             rg_compare_point *out)
{
    const rg_solution *s = spot->solution;

    *out = empty_point(spot, at);
    if (!spot->is_fixed || s->n_rows == 0) return measure(v, s, spot->reference, at, at, out);
    const int64_t row = nearest_row(s, at);
    return measure(v, s, spot->reference, s->time[row], force_time(s, row), out);
}

rg_status rg_compare_measure_all(rg_compare_view *v, const rg_compare_spot *spot,
                                 rg_compare_point *out)
{
    const rg_solution *s = spot->solution;

    *out = empty_point(spot, NAN);
    for (int64_t row = 1; row < s->n_rows; row++) {
        rg_compare_point now = empty_point(spot, NAN);
        RG_TRY(measure(v, s, spot->reference, s->time[row], force_time(s, row), &now));
        take_larger(now.error, &out->error);
        take_larger(now.force, &out->force);
        out->n_levels = now.n_levels;
        for (int r = 0; r < now.n_levels; r++)
            take_larger(now.drift[r], &out->drift[r]);
    }
    out->t = s->t_last;
    return RG_OK;
}
