/* States that are 0 together by themselves: see closed.h. */
#include "solve/closed.h"

#include "base/random.h"
#include "ivp/method.h"
#include "solve/tuning.h"

#include <math.h>
#include <string.h>

static rg_status take_memory(rg_context *ctx, int64_t n, rg_closed *q)
{
    const size_t entries = (size_t)q->p->start[n], size = (size_t)n;

    q->Jy = rg_alloc(ctx, 2 * entries + 4 * size + 1, sizeof *q->Jy);
    q->is_dynamic = rg_alloc(ctx, 5 * size + 1, sizeof *q->is_dynamic);
    if (q->Jy == NULL || q->is_dynamic == NULL) return RG_ERR_MEMORY;
    q->Jyp = q->Jy + entries;
    q->y = q->Jyp + entries;
    q->yp = q->y + n;
    q->F = q->yp + n;
    q->own = q->F + n;
    q->is_in = q->is_dynamic + n;
    q->is_so = q->is_in + n;
    q->drives = q->is_so + n;
    q->is_taken = q->drives + n;
    return RG_OK;
}

/* The states in question are 0, but for a number that no equation tells from it, unless it has its
 * sign: sign(0) = 0 is no value of sign(x) beside 0.  First they have the signs of the run, then
 * others.  All others are near their values at the end, or far from them, as is the time. */
static void move(const rg_state *now, int number, const rg_closed *q)
{
    const double size = number == 0 ? RG_UNWATCHED_MOVE : 1.0;

    for (int64_t i = 0; i < q->n; i++) {
        const double part = size * (1.6 * rg_random((uint64_t)number, (uint64_t)i) - 0.6);
        const double zero = number % 2 == 0 ? RG_CLOSED_ZERO : -RG_CLOSED_ZERO;
        q->y[i] = q->is_in[i] ? copysign(1.0, now->y[i]) * zero
                              : now->y[i] + part * (1.0 + fabs(now->y[i]));
        q->yp[i] = q->is_in[i] ? 0.0 : now->yp[i] + part * (1.0 + fabs(now->yp[i]));
    }
}

static void measure_rows(const rg_state *now, const rg_closed *q)
{
    memset(q->own, 0, (size_t)q->n * sizeof *q->own);
    memset(q->drives, 0, (size_t)q->n);
    for (int64_t j = 0; j < q->n; j++)
        for (int64_t k = q->p->start[j]; k < q->p->start[j + 1]; k++) {
            const int64_t i = q->p->row[k];
            const double term = fmax(fabs(q->Jy[k] * now->y[j]), fabs(q->Jyp[k] * now->yp[j]));
            if (q->Jyp[k] != 0.0) q->is_dynamic[i] = 1;
            if (!q->is_in[j]) continue;
            q->own[i] = fmax(q->own[i], term);
            if (q->Jy[k] != 0.0) q->drives[i] = 1;
        }
}

/* Do the equations that determine a state hold, and does one of those in question move it?  Those
 * of its derivative; of an algebraic one all that have no derivative. */
static bool holds(const rg_closed *q, int64_t j)
{
    const bool is_differential = rg_closed_moves(q, j);
    bool is_driven = false;

    for (int64_t k = q->p->start[j]; k < q->p->start[j + 1]; k++) {
        const int64_t i = q->p->row[k];
        if (is_differential ? q->Jyp[k] == 0.0 : q->is_dynamic[i] || q->Jy[k] == 0.0) continue;
        const double own = is_differential && q->noise != NULL ? fabs(q->Jy[k]) * q->noise[j] : 0.0;
        const double most = fmax(fmax(RG_SIZE_ROUNDING * q->own[i], RG_SIZE_LEAST), own);
        if (!(fabs(q->F[i]) <= most)) return false;
        is_driven = is_driven || q->drives[i];
    }
    return is_driven;
}

bool rg_closed_moves(const rg_closed *q, int64_t state)
{
    for (int64_t k = q->p->start[state]; k < q->p->start[state + 1]; k++)
        if (q->Jyp[k] != 0.0) return true;
    return false;
}

static bool is_moving(const rg_closed *q)
{
    for (int64_t j = 0; j < q->n; j++)
        if (q->is_in[j] && rg_closed_moves(q, j)) return true;
    return false;
}

/* Leaves out those in question whose equations do not hold at a point. */
static rg_status leave_out(const rg_solver *s, const rg_closed *q, int number, bool *has_more)
{
    const rg_state now = rg_integrator_state(s->integrator);
    const double t = now.t - RG_UNWATCHED_MOVE * (number + 1) * (now.t - s->problem->a);

    move(&now, number, q);
    measure_rows(&now, q);
    const rg_status status = rg_system_residual(s->system, s->work, t, q->y, q->yp, q->F);
    if (status < 0) return status;
    if (status != RG_OK && number == 0) memset(q->is_in, 0, (size_t)q->n); /* cannot be told */
    for (int64_t j = 0; j < q->n && status == RG_OK; j++) {
        if (!q->is_in[j] || holds(q, j)) continue;
        q->is_in[j] = 0;
        *has_more = true;
    }
    return RG_OK;
}

/* The same in the middle of the step to a point of the run, for those that have risen in it: what
 * moves them may be there at no other time. */
static rg_status leave_out_risen(const rg_solver *s, const rg_closed *q, int64_t k, bool *has_more)
{
    const double *from = q->trail->y + 2 * q->n * (k - 1), *to = from + 2 * q->n;
    const double t = 0.5 * (q->trail->t[k - 1] + q->trail->t[k]);
    const rg_state there = {q->trail->t[k], (double *)to, (double *)to + q->n};

    for (int64_t i = 0; i < q->n; i++) {
        q->y[i] = q->is_in[i] ? copysign(RG_CLOSED_ZERO, to[i]) : 0.5 * (from[i] + to[i]);
        q->yp[i] = q->is_in[i] ? 0.0 : 0.5 * (from[i + q->n] + to[i + q->n]);
    }
    measure_rows(&there, q);
    const rg_status status = rg_system_residual(s->system, s->work, t, q->y, q->yp, q->F);
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    for (int64_t j = 0; j < q->n; j++) {
        if (!q->is_in[j] || q->t_rise[j] != q->trail->t[k] || holds(q, j)) continue;
        q->is_in[j] = 0;
        *has_more = true;
    }
    return RG_OK;
}

static bool has_risen_at(const rg_closed *q, double t)
{
    for (int64_t j = 0; j < q->n; j++)
        if (q->is_in[j] && q->t_rise[j] == t) return true;
    return false;
}

static rg_status leave_out_all_risen(const rg_solver *s, const rg_closed *q, bool *has_more)
{
    for (int64_t k = 1; q->trail != NULL && k < q->trail->count; k++)
        if (!q->trail->begins[k] && has_risen_at(q, q->trail->t[k]))
            RG_TRY(leave_out_risen(s, q, k, has_more));
    return RG_OK;
}

bool rg_closed_is_any(const rg_closed *q)
{
    return memchr(q->is_in, 1, (size_t)q->n) != NULL;
}

rg_status rg_closed_reduce(const rg_solver *s, const rg_closed *q, bool *is_closed)
{
    bool has_more = true;

    for (int round = 0; round < RG_DIP_ROUNDS && has_more; round++) {
        has_more = false;
        for (int number = 0; number < RG_DIP_POINTS && rg_closed_is_any(q); number++)
            RG_TRY(leave_out(s, q, number, &has_more));
        RG_TRY(leave_out_all_risen(s, q, &has_more));
    }
    *is_closed = !has_more && is_moving(q);
    return RG_OK;
}

/* The next of those that are left which have no equation in common: they are alone together. */
static void choose_apart(const rg_closed *q, uint8_t *left)
{
    memset(q->is_in, 0, (size_t)q->n);
    memset(q->is_taken, 0, (size_t)q->n);
    for (int64_t j = 0; j < q->n; j++) {
        bool is_apart = left[j];
        for (int64_t k = q->p->start[j]; k < q->p->start[j + 1] && is_apart; k++)
            is_apart = !q->is_taken[q->p->row[k]];
        if (!is_apart) continue;
        q->is_in[j] = 1;
        left[j] = 0;
        for (int64_t k = q->p->start[j]; k < q->p->start[j + 1]; k++)
            q->is_taken[q->p->row[k]] = 1;
    }
}

rg_status rg_closed_alone(const rg_solver *s, const rg_closed *q, uint8_t *left)
{
    bool is_closed;

    for (int batch = 0; batch < RG_DIP_MOST && memchr(left, 1, (size_t)q->n) != NULL; batch++) {
        choose_apart(q, left);
        RG_TRY(rg_closed_reduce(s, q, &is_closed));
        for (int64_t j = 0; j < q->n && is_closed; j++)
            q->is_so[j] |= q->is_in[j] && rg_closed_moves(q, j);
    }
    return RG_OK;
}

rg_status rg_closed_create(const rg_solver *s, rg_closed *q, bool *is_there)
{
    const rg_state now = rg_integrator_state(s->integrator);

    *q = (rg_closed){.p = rg_system_pattern(s->system), .n = s->n};
    rg_status status = take_memory(s->ctx, s->n, q);
    if (status == RG_OK)
        status = rg_system_jacobian(s->system, s->work, now.t, now.y, now.yp, q->Jy, q->Jyp);
    *is_there = status == RG_OK;
    return status < 0 ? status : RG_OK;
}

void rg_closed_clear(rg_context *ctx, rg_closed *q)
{
    rg_free(ctx, q->Jy);
    rg_free(ctx, q->is_dynamic);
    *q = (rg_closed){0};
}
