/* Solves the reduced equations at given states: see recover.h.
 *
 * The reduced view has the states (j, r), r < max(d_j, 1), and rows F_i^(c_i).  Its matrix for the
 * unknowns of (1) has the columns dF/dy' of (j, d_j - 1), or dF/dy of (j, 0) where d_j = 0: the
 * system Jacobian, regular away from singular positions.  States that the view of the run has not
 * (d_j above the order written) and those off the hidden constraints are projected first. */
#include "views/recover.h"
#include "newton/tuning.h"

#include "linalg/matrix.h"
#include "linalg/vectors.h"
#include "problem/units.h"
#include "views/system_impl.h"
#include "views/top.h"
#include "views/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 8 };

struct rg_recovery {
    rg_context *ctx;
    const rg_system *view, *reduced;
    rg_system *own; /* the reduced view, where it is not that of the run */
    rg_system_work *work;
    bool is_ready, is_useless;
    bool is_trusted; /* the states are exact */
    double gain;     /* rg_recovery_gain() */
    const rg_analysis *offsets;
    rg_top top; /* n x n: equations and unknowns of the model */
    int64_t n;
    rg_matrix *matrix;
    int n_pins;   /* redundant equations */
    int *pins;    /* rows, then columns */
    double *null; /* as many null vectors */
    bool is_factored;
    int pause, wait;      /* rows before old factors are tried again: after a failure, now */
    double *y, *yp;       /* of the reduced view */
    double *F, *weight;   /* one per state */
    double *Jy, *Jyp;     /* of the reduced view */
    double *values, *was; /* of the matrix; u before */
    double *most;         /* entries of the matrix so far */
    double *doubt;        /* per unknown: what errors of the states make of it */
    double *change;       /* per state: as its error may be */
    double *last;         /* per unknown: the last change, in units of the tolerance */
    double *edge;         /* modes of the switches */
};

/* ---- life ------------------------------------------------------------------------------------ */

static int highest(const rg_recovery *r, int64_t j)
{
    return r->offsets->d[j];
}

/* The place of u_j: a state, or the slope of one. */
static double *unknown_of(const rg_recovery *r, int64_t j)
{
    const int d = highest(r, j);

    return d == 0 ? &r->y[j] : &r->yp[rg_states_find(&r->reduced->layout, j, d - 1)];
}

rg_status rg_recovery_create(const rg_system *view, rg_recovery **out)
{
    const rg_analysis *a = rg_analysis_reducible(view->analysis);
    const rg_problem *p = view->p;
    bool has_constraints = false;

    *out = NULL;
    if (a == NULL || p->n_blocks == 0 || view->slide != NULL) return RG_OK;
    for (int64_t j = 0; j < p->n; j++)
        has_constraints = has_constraints || a->c[j] > 0;
    if (!has_constraints || a->index < 2) return RG_OK;
    rg_recovery *r = rg_alloc(p->ctx, 1, sizeof *r);
    if (r == NULL) return RG_ERR_MEMORY;
    r->ctx = p->ctx;
    r->view = view;
    r->offsets = a;
    r->n = p->n;
    r->n_pins = (int)a->n_redundant;
    r->gain = INFINITY;
    *out = r;
    return RG_OK;
}

static rg_status take_memory(rg_recovery *r)
{
    const rg_pattern *all = rg_system_pattern(r->reduced);
    const size_t n = (size_t)rg_system_size(r->reduced), entries = (size_t)all->start[n];
    const size_t n_null = (size_t)r->n_pins * (size_t)r->n;

    RG_TRY(rg_system_work_create(r->reduced, &r->work));
    RG_TRY(rg_top_init(r->reduced, &r->top));
    r->pins = rg_alloc(r->ctx, 2 * (size_t)r->n_pins + 1, sizeof *r->pins);
    r->y = rg_alloc(r->ctx, 8 * n + 4 * entries + (size_t)r->reduced->switches.n + n_null + 8,
                    sizeof *r->y);
    if (r->y == NULL || r->pins == NULL) return RG_ERR_MEMORY;
    r->yp = r->y + n;
    r->F = r->yp + n;
    r->weight = r->F + n;
    r->was = r->weight + n;
    r->doubt = r->was + n;
    r->change = r->doubt + n;
    r->last = r->change + n;
    r->Jy = r->last + n;
    r->Jyp = r->Jy + entries;
    r->values = r->Jyp + entries;
    r->most = r->values + entries;
    r->edge = r->most + entries;
    r->null = r->edge + r->reduced->switches.n;
    return RG_OK;
}

/* The reduced view: that of the run, or one of its own. */
static rg_status prepare(rg_recovery *r)
{
    if (r->is_ready) return RG_OK;
    r->is_ready = true;
    r->is_useless = true;
    r->reduced = r->view;
    if (r->view->kind != RG_VIEW_REDUCED) {
        RG_TRY(rg_system_create(r->view->p, r->view->analysis, RG_VIEW_REDUCED, &r->own));
        r->reduced = r->own;
    }
    RG_TRY(take_memory(r));
    r->is_useless = false;
    return RG_OK;
}

void rg_recovery_forget(rg_recovery *r)
{
    rg_matrix_destroy(&r->matrix); /* its order of pivots is that of earlier points */
    r->is_factored = false;
    r->pause = r->wait = 0;
    if (r->work != NULL) rg_system_forget(r->work);
}

void rg_recovery_destroy(rg_recovery **recovery)
{
    rg_recovery *r = *recovery;

    if (r == NULL) return;
    rg_matrix_destroy(&r->matrix);
    rg_system_work_destroy(&r->work);
    rg_system_destroy(&r->own);
    rg_top_clear(r->ctx, &r->top);
    rg_free(r->ctx, r->pins);
    rg_free(r->ctx, r->y);
    rg_free(r->ctx, r);
    *recovery = NULL;
}

/* ---- points of the one view in the other ----------------------------------------------------- */

/* Derivative `order` of unknown j in a point of the view; 0 where it has none. */
static double value_of(const rg_system *view, int64_t j, int order, const double *y,
                       const double *yp)
{
    const int64_t state = rg_system_state(view, j, order);

    if (state >= 0) return y[state];
    const int64_t below = order > 0 ? rg_system_state(view, j, order - 1) : -1;
    return below >= 0 ? yp[below] : 0.0;
}

static void take_point(rg_recovery *r, const double *y, const double *yp)
{
    const rg_states *l = &r->reduced->layout;

    for (int64_t j = 0; j < l->n; j++)
        for (int k = 0; k < l->m[j]; k++) {
            const int64_t state = rg_states_find(l, j, k);
            r->y[state] = value_of(r->view, j, k, y, yp);
            r->yp[state] = value_of(r->view, j, k + 1, y, yp);
        }
}

static double atol_of(const rg_recovery *r, const rg_options *o, int64_t j)
{
    const double own = o->units != NULL ? rg_units_at(o->units, j, highest(r, j)) : NAN;

    return isnan(own) ? o->atol : own * o->rtol;
}

static double tolerance_of(const rg_recovery *r, const rg_options *o, int64_t j)
{
    return atol_of(r, o, j) + o->rtol * fabs(r->was[j]);
}

/* Near a singular position errors of the states, however small, may spoil u more than it was. */
static bool is_better(const rg_recovery *r, int64_t j, double tolerance)
{
    const double change = fabs(*unknown_of(r, j) - r->was[j]);

    return r->is_trusted || r->doubt[j] <= fmax(RG_RECOVER_DOUBT * tolerance, change);
}

/* States of index 2 that hidden constraints determine.  (Of index 3 as written, velocities: they
 * are shown as they are.) */
static bool is_hidden_state(const rg_recovery *r, int64_t state)
{
    return r->view->analysis->index == 2 && r->view->variable_index[state] == 2;
}

bool rg_recovery_gives(const rg_recovery *r, int64_t state)
{
    return (state < r->view->p->n && highest(r, state) == 0) || is_hidden_state(r, state);
}

double rg_recovery_gain(const rg_recovery *r)
{
    return r->gain;
}

/* They are given as they are on the hidden constraints; of rough points all states are. */
static void give_states(const rg_recovery *r, bool is_rough, double *y)
{
    const rg_states *l = &r->reduced->layout;

    for (int64_t j = 0; j < l->n; j++)
        for (int k = 0; k < highest(r, j); k++) {
            const int64_t state = rg_system_state(r->view, j, k);
            if (state < 0) continue;
            if (is_rough || is_hidden_state(r, state)) y[state] = r->y[rg_states_find(l, j, k)];
        }
}

/* Multipliers of redundant constraints belong together. */
static bool are_multipliers_better(const rg_recovery *r, const rg_options *o)
{
    for (int64_t j = 0; j < r->n && r->n_pins > 0; j++)
        if (highest(r, j) == 0 && !is_better(r, j, tolerance_of(r, o, j))) return false;
    return true;
}

static void give_point(rg_recovery *r, const rg_options *o, double *y, double *yp)
{
    const bool has_multipliers = are_multipliers_better(r, o);

    r->gain = has_multipliers ? 1.0 : INFINITY;
    for (int64_t j = 0; j < r->n; j++) {
        const int d = highest(r, j);
        const double tolerance = tolerance_of(r, o, j);
        const bool is_given = is_better(r, j, tolerance);
        if (d == 0) r->gain = fmax(r->gain, is_given ? r->doubt[j] / tolerance : INFINITY);
        if (!is_given || (d == 0 && !has_multipliers)) continue;
        const int64_t state = rg_system_state(r->view, j, d == 0 ? 0 : d - 1);
        if (state < 0) continue;
        if (d == 0)
            y[state] = *unknown_of(r, j);
        else
            yp[state] = *unknown_of(r, j);
    }
}

/* ---- Newton's method ------------------------------------------------------------------------- */

/* A change along the hidden constraints, as large as errors of the states may be. */
static rg_status change_states(rg_recovery *r, double t)
{
    const rg_states *l = &r->reduced->layout;
    uint64_t bits = 1;

    memset(r->change, 0, (size_t)l->n_states * sizeof *r->change);
    for (int64_t j = 0; j < l->n; j++)
        for (int d = 0; d < highest(r, j); d++) {
            const int64_t state = rg_states_find(l, j, d);
            bits = bits * 6364136223846793005u + 1442695040888963407u;
            r->change[state] = (bits >> 63) != 0 ? r->weight[state] : -r->weight[state];
        }
    return rg_system_tangent(r->reduced, r->work, t, r->weight, r->y, r->yp, r->change);
}

/* M^-1 F_y dx,  dx of the size of the tolerance: what errors of the states make of u. */
static rg_status find_doubt(rg_recovery *r, double t)
{
    const int64_t n = r->reduced->layout.n_states;
    const rg_status status = change_states(r, t);

    if (status < 0) return status;
    memset(r->doubt, 0, (size_t)n * sizeof *r->doubt);
    rg_pattern_multiply(rg_system_pattern(r->reduced), r->Jy, 1.0, r->change, r->doubt);
    rg_matrix_solve(r->matrix, r->doubt, NULL);
    for (int64_t j = 0; j < r->n; j++)
        r->doubt[j] = status == RG_OK ? fabs(r->doubt[j]) : INFINITY;
    return RG_OK;
}

static rg_status find_pins(rg_recovery *r)
{
    int *rows = r->pins, *columns = r->pins + r->n_pins;

    RG_TRY(rg_system_find_pins(r->reduced, 0.0, r->Jy, r->Jyp, r->most, rows, columns));
    return rg_matrix_pin(r->matrix, r->n_pins, rows, columns);
}

static rg_status factor(rg_recovery *r, double t, rg_stats *stats)
{
    r->is_factored = false;
    if (r->matrix == NULL) RG_TRY(rg_matrix_create(r->ctx, &r->top.pattern, false, &r->matrix));
    stats->jacobians++;
    stats->factorizations++;
    RG_TRY(rg_system_jacobian(r->reduced, r->work, t, r->y, r->yp, r->Jy, r->Jyp));
    rg_top_values(&r->top, r->Jy, r->Jyp, r->values);
    if (r->n_pins > 0) RG_TRY(find_pins(r));
    RG_TRY(rg_matrix_factor(r->matrix, 0.0, 0.0, r->values, NULL));
    r->is_factored = true;
    return find_doubt(r, t);
}

/* Redundant equations: M v_k = 0 with v_k = 1 at pin k and 0 at the others, made orthonormal. */
static void find_null(rg_recovery *r, int k)
{
    const int64_t n = r->n;
    const int pin = r->pins[r->n_pins + k];
    double *v = r->null + k * n;

    memset(v, 0, (size_t)n * sizeof *v);
    for (int64_t e = r->top.pattern.start[pin]; e < r->top.pattern.start[pin + 1]; e++)
        v[r->top.pattern.row[e]] = -r->values[e];
    rg_matrix_solve(r->matrix, v, NULL);
    v[pin] = 1.0;
    for (int64_t j = 0; j < n; j++)
        if (highest(r, j) > 0) v[j] = 0.0; /* but for rounding it is */
    for (int round = 0; round < 2; round++) {
        for (int l = 0; l < k; l++) {
            const double c = rg_dot(n, r->null + l * n, v);
            for (int64_t j = 0; j < n; j++)
                v[j] -= c * r->null[l * n + j];
        }
        const double size = sqrt(rg_dot(n, v, v));
        for (int64_t j = 0; j < n; j++)
            v[j] /= size;
    }
}

/* lambda <- lambda - V V^T lambda: of all multipliers that solve (1) the least ones. */
static void take_least(rg_recovery *r)
{
    const int64_t n = r->n;

    for (int k = 0; k < r->n_pins; k++) {
        const double *v = r->null + k * n;
        double c = 0.0;
        for (int64_t j = 0; j < n; j++)
            c += v[j] * *unknown_of(r, j);
        for (int64_t j = 0; j < n; j++)
            *unknown_of(r, j) -= c * v[j];
    }
}

/* u <- u - M^-1 F, with the residual in r->F; *size: the largest change in units of the tolerance,
 * *rate: of an unknown to its last one, from `stop` on.  Each counts: that of a derivative which
 * begins anywhere would hide the others. */
static rg_status update(rg_recovery *r, const rg_options *o, double stop, double *size,
                        double *rate)
{
    rg_matrix_solve(r->matrix, r->F, NULL);
    *size = *rate = 0.0;
    for (int64_t j = 0; j < r->n; j++) {
        double *u = unknown_of(r, j);
        const double change = fabs(r->F[j]) / (atol_of(r, o, j) + o->rtol * fabs(*u));
        if (!(change <= *size)) *size = change;
        *rate = fmax(*rate, change / fmax(r->last[j], stop));
        r->last[j] = change;
        *u -= r->F[j];
    }
    return isfinite(*size) ? RG_OK : (rg_status)RG_RETRY;
}

/* With the factors at hand, which are those of this point or not; RG_RETRY: they do not do. */
static rg_status iterate(rg_recovery *r, const rg_options *o, double t, bool is_fresh,
                         rg_stats *stats)
{
    const double stop = fmax(RG_RECOVER_LEFT, 10.0 * DBL_EPSILON / o->rtol);
    double size, rate, previous = INFINITY;

    for (int k = 0; k < MOST_ITERATIONS; k++) {
        stats->evaluations++;
        RG_TRY(rg_system_residual(r->reduced, r->work, t, r->y, r->yp, r->F));
        RG_TRY(update(r, o, stop, &size, &rate));
        take_least(r); /* should they enter other than linearly, the next residual tells */
        if (size <= stop && (k > 0 || r->n_pins == 0)) return RG_OK;
        const bool is_slow = is_fresh ? !(size < previous) : !(rate < RG_NEWTON_SIMPLE);
        if (k > 0 && is_slow) return (rg_status)RG_RETRY;
        if (k > 0 && rate < 1.0 && rate / (1.0 - rate) * size <= stop) return RG_OK;
        previous = size;
    }
    return (rg_status)RG_RETRY;
}

/* Old factors, and a verdict on them: after failures they are tried less and less often. */
static rg_status try_old(rg_recovery *r, const rg_options *o, double t, rg_stats *stats)
{
    if (!r->is_factored || r->wait-- > 0) return (rg_status)RG_RETRY;
    const rg_status status = iterate(r, o, t, false, stats);
    r->pause = status <= 0 ? 0 : r->pause < RG_RECOVER_PAUSE ? 2 * r->pause + 1 : r->pause;
    r->wait = r->pause;
    return status;
}

static rg_status solve(rg_recovery *r, const rg_options *o, double t, rg_stats *stats)
{
    for (int64_t j = 0; j < r->n; j++)
        r->was[j] = *unknown_of(r, j);
    const rg_status status = r->n_pins > 0 ? (rg_status)RG_RETRY : try_old(r, o, t, stats);
    if (status <= 0) return status;
    for (int64_t j = 0; j < r->n; j++)
        *unknown_of(r, j) = r->was[j];
    RG_TRY(factor(r, t, stats));
    for (int k = 0; k < r->n_pins; k++)
        find_null(r, k);
    return iterate(r, o, t, true, stats);
}

/* At the edge of a switch the derivatives of constraints belong to the one branch or the other. */
static bool is_at_edge(rg_recovery *r, double t)
{
    const int64_t n = r->reduced->switches.n;

    if (n == 0) return false;
    if (rg_system_switch_modes(r->reduced, r->work, t, r->y, r->yp, r->edge) != RG_OK) return true;
    for (int64_t k = 0; k < n; k++)
        if (r->edge[k] == 0.0) return true;
    return false;
}

rg_status rg_recovery_start(const rg_system *view, const rg_options *o, double t, double *y,
                            double *yp)
{
    rg_recovery *r = NULL;
    rg_stats stats = {0};
    rg_status status = rg_recovery_create(view, &r);

    if (status == RG_OK && r != NULL) {
        r->is_trusted = true;
        status = rg_recovery_run(r, o, false, t, y, yp, &stats);
    }
    rg_recovery_destroy(&r);
    return status;
}

rg_status rg_recovery_run(rg_recovery *r, const rg_options *o, bool is_rough, double t, double *y,
                          double *yp, rg_stats *stats)
{
    RG_TRY(prepare(r));
    if (r->is_useless) return RG_OK;
    take_point(r, y, yp);
    r->gain = INFINITY;
    if (is_at_edge(r, t)) return RG_OK;
    rg_status status = RG_OK;
    const bool has_units = rg_system_units(r->reduced, o, r->weight);
    for (int64_t i = 0; i < rg_system_size(r->reduced); i++)
        r->weight[i] = (has_units ? r->weight[i] * o->rtol : o->atol) + o->rtol * fabs(r->y[i]);
    if (r->own != NULL || is_rough)
        status = rg_system_project(r->reduced, r->work, t, r->weight, r->y, r->yp);
    if (status == RG_OK) status = solve(r, o, t, stats);
    if (status == RG_OK) {
        give_states(r, is_rough, y);
        give_point(r, o, y, yp);
    }
    return status < 0 ? status : RG_OK;
}
