/* With D a denominator, or the determinant of a block of algebraic equations, t0 and t1 the ends of
 * a step of size h: the step is taken again with h/4 as long as D(t0) D(t1) < 0.  A solution that
 * goes through D = 0 comes closer and closer to it that way; when h has fallen to RG_BRANCH_LEAST
 * of the first step that crossed, the change
 *
 *     D(t1) - D(t0)   against   h (D(t0) - D(t-1))/h-1
 *
 * of the step before tells a continuous passage from a jump.  A determinant that passes 0 ends the
 * run all the same: two solutions go through that point (a bifurcation), or any value is one.
 *
 * Where two solutions cross a step may also leave on the other one,  (y - x)(y + x) = 0  on
 * y = -|x|:  D = 2 y turns at 0 and keeps its sign.  With slopes D' of the step before and of the
 * solution at the end,
 *
 *     D(t0) D' < 0 before it,   D(t1) D'(t1) > 0,   |D(t0)/D'| + |D(t1)/D'(t1)| <= c h,         (1)
 *
 * nothing tells that D has not been 0 in the step: of a convex |D| the tangents meet below 0 with
 * c = 1, and at 0 where solutions cross; c = RG_BRANCH_CLOSE allows for errors of both slopes.  The
 * step is taken again with h/4 until it has followed the turn, sqrt(x^2 + e) with h < sqrt(e), or
 * until it is as short as above.  Solutions that go on smoothly, y^3 = x^3, turn their D as well,
 * but not their y'. */
#include "ivp/branch.h"

#include "base/pieces.h"
#include "ivp/determinants.h"
#include "ivp/method.h"
#include "ivp/tuning.h"
#include "views/poles.h"

#include <math.h>
#include <string.h>

struct rg_branch {
    rg_context *ctx;
    rg_integrator *g;
    rg_poles *poles;               /* NULL: none */
    rg_determinants *determinants; /* NULL: none */
    int64_t n_poles, n;            /* functions: the poles, then the determinants */
    void *memory;
    double *before, *now, *next; /* functions at t-1, t0, t1 */
    double *y0, *yp0, *y1;       /* at t0; at the end of the step before */
    double *secant, *tangent;    /* slopes of y: over the step before; at t1 */
    uint8_t *is_off;             /* per function: it has passed 0 */
    double last;                 /* size of the step before; 0: there is none */
    double t;                    /* end of that step */
    int64_t n_switches;          /* of the run there */
    double first;                /* size of the first step that crossed; 0: none did lately */
    double t_jump;               /* NaN: none */
};

static rg_status fill(rg_integrator *g, rg_branch *b)
{
    RG_TRY(rg_poles_create(g->system, RG_POLES_ALGEBRAIC, &b->poles));
    if (g->n > 0 && rg_system_index(g->system) > 0 && !rg_system_is_linear(g->system)
        && rg_system_is_regular(g->system))
        RG_TRY(rg_determinants_create(g, RG_DETERMINANTS_ALGEBRAIC, &b->determinants));
    if (b->poles != NULL) b->n_poles = rg_poles_count(b->poles);
    b->n = b->n_poles + (b->determinants != NULL ? rg_determinants_count(b->determinants) : 0);
    if (b->n == 0) return RG_OK;
    b->t = b->t_jump = NAN;
    return RG_TAKE(g->ctx, &b->memory, RG_PIECE(b->before, b->n), RG_PIECE(b->now, b->n),
                   RG_PIECE(b->next, b->n), RG_PIECE(b->y0, g->n), RG_PIECE(b->yp0, g->n),
                   RG_PIECE(b->y1, g->n), RG_PIECE(b->secant, g->n), RG_PIECE(b->tangent, g->n),
                   RG_PIECE(b->is_off, b->n));
}

rg_status rg_branch_create(rg_integrator *g, rg_branch **out)
{
    *out = NULL;
    if (g->options.step > 0.0) return RG_OK;
    rg_branch *b = rg_alloc(g->ctx, 1, sizeof *b);
    if (b == NULL) return RG_ERR_MEMORY;
    b->ctx = g->ctx;
    b->g = g;
    const rg_status status = fill(g, b);
    if (status == RG_OK && b->n > 0)
        *out = b;
    else
        rg_branch_destroy(&b);
    return status;
}

void rg_branch_destroy(rg_branch **branch)
{
    rg_branch *b = *branch;

    if (b == NULL) return;
    rg_poles_destroy(&b->poles);
    rg_determinants_destroy(&b->determinants);
    rg_free(b->ctx, b->memory);
    rg_free(b->ctx, b);
    *branch = NULL;
}

void rg_branch_store(rg_branch *b, rg_store *s)
{
    rg_store_reals(s, b->before, b->n);
    rg_store_reals(s, b->now, b->n);
    rg_store_reals(s, b->y1, b->g->n);
    rg_store_reals(s, b->secant, b->g->n);
    rg_store_bytes(s, b->is_off, (size_t)b->n);
    if (b->determinants != NULL) rg_determinants_store(b->determinants, s);
    RG_STORE(s, b->last);
    RG_STORE(s, b->t);
    RG_STORE(s, b->n_switches);
    RG_STORE(s, b->first);
    RG_STORE(s, b->t_jump);
}

bool rg_branch_has_jumped(const rg_branch *b, double *t)
{
    if (b == NULL) return false;
    *t = b->t_jump;
    return !isnan(b->t_jump);
}

/* All functions where the integrator stands; NaN: cannot be told. */
static rg_status evaluate(rg_branch *b, double *values)
{
    rg_integrator *g = b->g;
    rg_status status = RG_OK;

    if (b->poles != NULL) status = rg_poles_values(b->poles, g->t, g->y, g->yp, values);
    for (int64_t k = 0; k < b->n_poles && status != RG_OK; k++)
        values[k] = NAN;
    if (b->determinants == NULL) return RG_OK;
    const rg_state now = rg_integrator_state(g);
    return rg_determinants_at(b->determinants, g, &now, values + b->n_poles);
}

/* The first function that changes its sign in the last step; -1: none. */
static int64_t find_crossing(const rg_branch *b)
{
    for (int64_t k = 0; k < b->n; k++)
        if (b->now[k] * b->next[k] < 0.0 && !b->is_off[k]) return k;
    return -1;
}

/* Is there a step before this one, which went on from its end? */
static bool has_before(const rg_branch *b)
{
    return b->last > 0.0 && b->t == b->g->t_previous;
}

static bool is_jump(const rg_branch *b, int64_t k, double h)
{
    if (!has_before(b)) return false;
    const double slope = fabs(b->now[k] - b->before[k]) / b->last;

    return fabs(b->next[k] - b->now[k]) > RG_BRANCH_JUMP * slope * h;
}

/* Time from the start of the step to where the slope of the step before makes the function 0;
 * INFINITY: nowhere. */
static double time_to_zero(const rg_branch *b, int64_t k)
{
    const double change = fabs(b->before[k]) - fabs(b->now[k]);

    return change > 0.0 && b->before[k] * b->now[k] > 0.0 ? b->last * fabs(b->now[k]) / change
                                                          : INFINITY;
}

/* Does y turn as well? */
static bool turns(const rg_branch *b)
{
    for (int64_t i = 0; i < b->g->n; i++) {
        const double u = b->secant[i], v = b->tangent[i]; /* v = 0: not of the block */
        if (v != 0.0 && fabs(v - u) > RG_BRANCH_TURN * fmax(fabs(u), fabs(v))) return true;
    }
    return false;
}

/* The first determinant with (1); -1: none.  Slopes are differences over a part of the step. */
static rg_status find_turn(rg_branch *b, double h, int64_t *which)
{
    rg_integrator *g = b->g;
    const rg_state end = rg_integrator_state(g);
    const double span = (g->t - g->t_previous) / 16.0;

    *which = -1;
    if (!has_before(b)) return RG_OK;
    for (int64_t k = b->n_poles; k < b->n; k++) {
        const double D = b->next[k], left = RG_BRANCH_CLOSE * h - time_to_zero(b, k);
        double slope;
        if (!(left > 0.0) || !(b->now[k] * D > 0.0) || b->is_off[k]) continue;
        const rg_status status = rg_determinants_slope(
            b->determinants, g, &end, (int)(k - b->n_poles), span, &slope, b->tangent);
        if (status < 0) return status;
        slope *= g->direction;
        if (status != RG_OK || !(D * slope > 0.0) || !(fabs(D) <= left * fabs(slope))) continue;
        if (!turns(b)) continue;
        *which = k;
        return RG_OK;
    }
    return RG_OK;
}

static rg_status stop_at_pole(rg_branch *b, int64_t k, double t)
{
    char name[128], unknown[128];

    rg_poles_name(b->poles, k, name, sizeof name);
    rg_system_state_name(b->g->system, rg_poles_state(b->poles, k), unknown, sizeof unknown);
    rg_fail(b->ctx, RG_ERR_CONVERGENCE,
            "at t = %.10g the solution does not go on: behind a pole of %s, where a denominator is "
            "0, the equations have another solution",
            t, name);
    rg_fail_time(b->ctx, t);
    return rg_remedy(b->ctx,
                     "give %s a smaller absolute tolerance with --atol NAME=VALUE: its size before "
                     "the pole may be far below the one it has",
                     unknown);
}

/* Two solutions go through one point, or come together and end; or all of the equation vanishes.
 * Whether they only come near no step can tell that is as good as the tolerance. */
static rg_status stop_undetermined(rg_branch *b, int64_t k, double t)
{
    char name[128], unknown[128];
    int row;
    const int64_t state = rg_determinants_state(b->determinants, b->g, (int)(k - b->n_poles), &row);

    rg_system_row_name(b->g->system, row, name, sizeof name);
    rg_system_state_name(b->g->system, state, unknown, sizeof unknown);
    rg_clear_error(b->ctx);
    rg_fail(b->ctx, RG_ERR_CONVERGENCE,
            "at t = %.10g the algebraic equations (%s) do not determine %s: two of their solutions "
            "meet or come closer than the tolerance, or a factor is 0",
            t, name, unknown);
    rg_fail_time(b->ctx, t);
    return rg_remedy(b->ctx,
                     "give %s a smaller absolute tolerance with --atol NAME=VALUE; where that does "
                     "not help, write the equation of one solution alone, without a factor that "
                     "vanishes",
                     unknown);
}

/* A step that failed where the equations hardly determine an unknown any more failed for that. */
static rg_status explain(rg_branch *b, rg_status failure)
{
    if (failure != RG_ERR_CONVERGENCE || b->g->stats.steps == 0) return failure;
    for (int64_t k = b->n_poles; k < b->n; k++)
        if (fabs(b->now[k]) < RG_BRANCH_MEET && !b->is_off[k])
            return stop_undetermined(b, k, b->g->t);
    return failure;
}

static rg_status stop(rg_branch *b, int64_t k)
{
    const double t = b->g->t_previous;

    return k < b->n_poles ? stop_at_pole(b, k, t) : stop_undetermined(b, k, t);
}

/* The step goes over a pole, or a place where two solutions meet, however short it is. */
static rg_status go_over(rg_branch *b, int64_t k, bool is_other)
{
    b->is_off[k] = 1;
    if (!is_other && k < b->n_poles) return RG_OK;
    if (!b->g->options.accept_doubt) return stop(b, k);
    if (is_other) b->t_jump = b->g->t;
    return RG_OK;
}

/* What the next step compares with. */
static void remember(rg_branch *b, double h)
{
    const rg_integrator *g = b->g;
    double *const free = b->before;

    for (int64_t i = 0; i < g->n; i++)
        b->secant[i] = (g->y[i] - b->y0[i]) / (g->t - g->t_previous);
    b->before = b->now;
    b->now = b->next;
    b->next = free;
    memcpy(b->y1, g->y, (size_t)g->n * sizeof *g->y);
    b->last = h;
    b->t = g->t;
    b->n_switches = g->n_switches;
    if (h > b->first) b->first = 0.0; /* away from the place again */
}

/* The functions at the start of a step are those at the end of the one before, but for restarts;
 * behind a switch they may be others at the same point. */
static rg_status begin(rg_branch *b)
{
    const rg_integrator *g = b->g;
    const size_t size = (size_t)g->n * sizeof *g->y;
    const bool goes_on =
        b->t == g->t && b->n_switches == g->n_switches && memcmp(b->y1, g->y, size) == 0;

    memcpy(b->y0, g->y, size);
    memcpy(b->yp0, g->yp, size);
    return goes_on ? RG_OK : evaluate(b, b->now);
}

/* Looks at the last step, of size h; *is_good: it is taken. */
static rg_status judge(rg_branch *b, double h, bool *is_good)
{
    const bool is_short = h <= RG_BRANCH_LEAST * b->first;
    const int64_t crossing = find_crossing(b);
    int64_t turn;

    *is_good = true;
    if (crossing >= 0) {
        if (is_short) return go_over(b, crossing, is_jump(b, crossing, h));
        *is_good = false;
        return RG_OK;
    }
    RG_TRY(find_turn(b, h, &turn));
    if (turn < 0) return RG_OK;
    if (is_short) return go_over(b, turn, true);
    *is_good = false;
    return RG_OK;
}

rg_status rg_branch_step(rg_branch *b, rg_status (*step)(rg_integrator *g))
{
    rg_integrator *g = b->g;
    const double t0 = g->t;
    bool is_good;

    RG_TRY(begin(b));
    for (;;) {
        const rg_status status = step(g);
        if (status < 0) return explain(b, status);
        const double h = fabs(g->t - t0);
        RG_TRY(evaluate(b, b->next));
        RG_TRY(judge(b, h, &is_good));
        if (is_good) {
            remember(b, h);
            return RG_OK;
        }
        if (b->first == 0.0) b->first = h;
        const rg_state from = {t0, b->y0, b->yp0};
        RG_TRY(rg_integrator_restart(g, &from, h / 4.0));
        g->stats.steps--;
        g->stats.rejected++;
    }
}
