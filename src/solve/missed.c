/* Growth that a run did not follow: see missed.h. */
#include "solve/missed.h"

#include "base/pieces.h"
#include "ivp/growth.h"
#include "linalg/small_lu.h"
#include "solve/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef enum { OUT, TOGETHER, ALONE } part;

typedef struct {
    rg_trail *trail;
    const rg_solver *s;
    const double *small;
    rg_missed *missed;
    rg_growth *growth; /* NULL: too many states, only rates of their own */
    void *memory;
    uint8_t *part;     /* per state */
    uint8_t *is_slope; /* per state: its derivative occurs */
    uint8_t *left;     /* per state, for find_parts() */
    int *group;        /* those that are 0 together, m */
    int64_t m;
    double *u, *low, *t_low; /* per state: u, the least |u| since it had digits, and its time */
    double *rate;            /* per state: of its own */
    double *source;          /* ... and y' without it */
    double *slope;           /* per state: of its derivative, in ... */
    int *row;                /* ... the equation that has most of it */
    double *y;               /* between two points: y, y' */
    double *noise;           /* per state: its atol */
    double *z, *F;           /* ... without the states in question; the residual there */
    double *A, *v;           /* m x m, m */
    int *pivot;
    double *Jy, *Jyp;
} search;

/* ---- which states ---------------------------------------------------------------------------- */

/* The equation that has most of the derivative of a state. */
static void find_row(search *x, const rg_closed *q, int64_t j)
{
    for (int64_t k = q->p->start[j]; k < q->p->start[j + 1]; k++)
        if (fabs(q->Jyp[k]) > fabs(x->slope[j])) {
            x->slope[j] = q->Jyp[k];
            x->row[j] = (int)q->p->row[k];
        }
}

static rg_status find_parts(search *x, const rg_closed *q)
{
    bool is_closed;

    memcpy(q->is_in, x->trail->was_low, (size_t)q->n);
    RG_TRY(rg_closed_reduce(x->s, q, &is_closed));
    memset(q->is_so, 0, (size_t)q->n);
    for (int64_t j = 0; j < q->n; j++) {
        x->is_slope[j] = rg_closed_moves(q, j);
        find_row(x, q, j);
        x->left[j] = q->is_in[j] && !is_closed;
        if (!q->is_in[j] || !is_closed) continue;
        x->group[x->m++] = (int)j;
        x->part[j] = TOGETHER;
    }
    RG_TRY(rg_closed_alone(x->s, q, x->left));
    for (int64_t j = 0; j < q->n; j++)
        if (q->is_so[j]) x->part[j] = ALONE;
    return RG_OK;
}

/* ---- rates ----------------------------------------------------------------------------------- */

/* -F_y/F_y' of every state in the equation that has most of its derivative. */
static rg_status find_rates(search *x, const rg_state *at)
{
    const rg_pattern *p = rg_system_pattern(x->s->system);

    RG_TRY(rg_system_jacobian(x->s->system, x->s->work, at->t, at->y, at->yp, x->Jy, x->Jyp));
    for (int64_t j = 0; j < x->s->n; j++) {
        double slope = 0.0;
        x->rate[j] = 0.0;
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            if (fabs(x->Jyp[e]) > fabs(slope)) {
                slope = x->Jyp[e];
                x->rate[j] = -x->Jy[e] / slope;
            }
    }
    return RG_OK;
}

/* y' of the states in question where they are 0: what moves them is small, but they come back from
 * what it leaves. */
static rg_status find_sources(search *x, const rg_state *at)
{
    const int64_t n = x->s->n;

    for (int64_t j = 0; j < n; j++) {
        x->z[j] = x->part[j] == OUT ? at->y[j] : 0.0;
        x->z[j + n] = x->part[j] == OUT ? at->yp[j] : 0.0;
    }
    RG_TRY(rg_system_residual(x->s->system, x->s->work, at->t, x->z, x->z + n, x->F));
    for (int64_t j = 0; j < n; j++)
        x->source[j] = x->part[j] != OUT && x->is_slope[j] ? -x->F[x->row[j]] / x->slope[j] : 0.0;
    return RG_OK;
}

/* v <- exp(A) v, nearly:  (1 - A/k)^-k v,  which is right for what decays at any rate.  The error
 * of a rate a is a^2/2k. */
static void grow_together(search *x, double h, const double *M)
{
    const int64_t n = x->s->n;
    const int m = (int)x->m;

    for (int c = 0; c < m; c++)
        for (int r = 0; r < m; r++)
            x->A[c * m + r] =
                (r == c ? 1.0 : 0.0) - h / RG_MISSED_PARTS * M[x->group[c] * n + x->group[r]];
    for (int r = 0; r < m; r++)
        x->v[r] = x->u[x->group[r]];
    if (!rg_small_lu_factor(m, x->A, x->pivot)) return;
    for (int k = 0; k < RG_MISSED_PARTS; k++) {
        for (int r = 0; r < m; r++)
            x->v[r] += h / RG_MISSED_PARTS * x->source[x->group[r]];
        rg_small_lu_solve(m, x->A, x->pivot, x->v);
    }
    for (int r = 0; r < m; r++)
        x->u[x->group[r]] = x->v[r];
}

/* u over a time h with the rates of a point.  RG_RETRY: they are not defined there. */
static rg_status grow(search *x, double h, const rg_state *at)
{
    const double *M = NULL;
    const int64_t n = x->s->n;
    rg_status status = RG_RETRY;

    if (x->growth != NULL) status = rg_growth_matrix_at(x->growth, x->s->integrator, at, &M);
    if (status < 0) return status;
    const bool has_matrix = status == RG_OK;
    if (!has_matrix) RG_TRY(find_rates(x, at));
    RG_TRY(find_sources(x, at));
    const bool is_joint = has_matrix && x->m > 1 && x->m <= RG_MISSED_TOGETHER;
    for (int64_t j = 0; j < n; j++)
        if (x->part[j] == ALONE || (x->part[j] == TOGETHER && !is_joint)) {
            const double a = h * (has_matrix ? M[j * n + j] : x->rate[j]);
            const double mean = fabs(a) > DBL_EPSILON ? expm1(a) / a : 1.0;
            x->u[j] = x->u[j] * exp(a) + h * mean * x->source[j];
        }
    if (is_joint) grow_together(x, h, M);
    return RG_OK;
}

/* ---- along the run --------------------------------------------------------------------------- */

/* Has u of a state grown to values that count, between points at which the run has |y| at most?  It
 * may pass 0 between them. */
static void compare(search *x, int64_t j, double y)
{
    const double u = fabs(x->u[j]), atol = rg_integrator_atol(x->s->integrator, j);

    if (x->part[j] == OUT || !x->is_slope[j] || !isnan(x->missed[j].least)) return;
    if (!(u < RG_DIP_RISE * y) && !(u < RG_DIP_ABOVE * atol) && x->low[j] < atol
        && !(u < RG_DIP_RISE * x->low[j]))
        x->missed[j] = (rg_missed){x->low[j], x->t_low[j]};
}

/* From t to t + h, between two points of the run, by Gauss's formula with three nodes; others go
 * straight. */
static rg_status pass_part(search *x, const double *a, double from, double to, int64_t k)
{
    static const double node[] = {0.1127016653792583, 0.5, 0.8872983346207417};
    static const double weight[] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    const int64_t n = x->s->n;
    const double t = x->trail->t[k - 1], h = x->trail->t[k] - t;

    for (int i = 0; i < 3; i++) {
        const double theta = from + node[i] * (to - from);
        for (int64_t j = 0; j < 2 * n; j++)
            x->y[j] = a[j] + theta * (a[j + 2 * n] - a[j]);
        const rg_state at = {t + theta * h, x->y, x->y + n};
        RG_TRY(grow(x, weight[i] * (to - from) * h, &at));
        for (int64_t j = 0; j < n; j++)
            if (x->part[j] != OUT && fabs(x->u[j]) < x->low[j]) {
                x->low[j] = fabs(x->u[j]);
                x->t_low[j] = at.t;
            }
    }
    for (int64_t j = 0; j < n; j++)
        compare(x, j, fmax(fabs(a[j]), fabs(a[j + 2 * n])));
    return RG_OK;
}

/* From point k - 1 to point k, in parts where that is much of the run. */
static rg_status pass(search *x, int64_t k)
{
    const rg_integrator *g = x->s->integrator;
    const double share = (x->trail->t[k] - x->trail->t[k - 1]) / (g->t_end - g->t_start);
    const int parts = 1 + (int)(RG_TRAIL_POINTS * fabs(share));
    const double *a = x->trail->y + 2 * x->s->n * (k - 1);

    for (int i = 0; i < parts; i++)
        RG_TRY(pass_part(x, a, (double)i / parts, (i + 1.0) / parts, k));
    return RG_OK;
}

static void begin(search *x, int64_t k, int64_t j)
{
    x->u[j] = x->trail->y[2 * x->s->n * k + j];
    x->low[j] = fabs(x->u[j]);
    x->t_low[j] = x->trail->t[k];
}

/* What has digits at point k begins anew. */
static void take(search *x, int64_t k)
{
    for (int64_t j = 0; j < x->s->n; j++)
        if (x->part[j] != OUT && x->is_slope[j]
            && fabs(x->trail->y[2 * x->s->n * k + j]) >= x->small[j])
            begin(x, k, j);
}

static double largest(const search *x, int64_t j)
{
    double most = 0.0;

    for (int64_t k = 0; k < x->trail->count; k++)
        most = fmax(most, fabs(x->trail->y[2 * x->s->n * k + j]));
    return most;
}

/* What has no derivative and is 0 together with a state that was missed was missed with it. */
static void add_algebraic(search *x)
{
    int64_t of = -1;

    for (int64_t j = 0; j < x->s->n; j++)
        if (x->part[j] == TOGETHER && x->is_slope[j] && !isnan(x->missed[j].least)
            && (of < 0 || x->missed[j].least < x->missed[of].least))
            of = j;
    for (int64_t j = 0; j < x->s->n && of >= 0; j++)
        if (x->part[j] == TOGETHER && !x->is_slope[j]) {
            x->missed[j] = x->missed[of];
            x->missed[j].least *= largest(x, j) / largest(x, of);
        }
}

static rg_status follow(search *x)
{
    for (int64_t k = 0; k < x->trail->count; k++) {
        rg_status status = RG_OK;
        if (!x->trail->begins[k]) status = pass(x, k);
        if (status < 0) return status;
        for (int64_t j = 0; j < x->s->n && (status != RG_OK || x->trail->begins[k]); j++)
            begin(x, k, j);
        take(x, k);
    }
    add_algebraic(x);
    return RG_OK;
}

static rg_status take_memory(search *x)
{
    const int64_t n = x->s->n, entries = rg_system_pattern(x->s->system)->start[n] + 1;
    const int64_t m = n < RG_MISSED_TOGETHER ? n : RG_MISSED_TOGETHER;

    if (n <= RG_MISSED_DENSE) RG_TRY(rg_growth_create(x->s->integrator, &x->growth));
    return RG_TAKE(x->s->ctx, &x->memory, RG_PIECE(x->u, n), RG_PIECE(x->low, n),
                   RG_PIECE(x->t_low, n), RG_PIECE(x->rate, n), RG_PIECE(x->y, 2 * n),
                   RG_PIECE(x->source, n), RG_PIECE(x->slope, n), RG_PIECE(x->row, n),
                   RG_PIECE(x->z, 2 * n), RG_PIECE(x->F, n), RG_PIECE(x->noise, n),
                   RG_PIECE(x->A, m * m), RG_PIECE(x->v, m), RG_PIECE(x->Jy, entries),
                   RG_PIECE(x->Jyp, entries), RG_PIECE(x->pivot, m), RG_PIECE(x->group, n),
                   RG_PIECE(x->part, n), RG_PIECE(x->is_slope, n), RG_PIECE(x->left, n));
}

static rg_status search_all(search *x)
{
    rg_closed q;
    bool is_there;

    rg_status status = rg_closed_create(x->s, &q, &is_there);
    if (status == RG_OK) status = take_memory(x);
    for (int64_t j = 0; j < x->s->n && status == RG_OK; j++)
        x->noise[j] = rg_integrator_atol(x->s->integrator, j);
    q.noise = x->noise;
    if (status == RG_OK && is_there) status = find_parts(x, &q);
    rg_closed_clear(x->s->ctx, &q);
    if (status == RG_OK && is_there && memchr(x->part, TOGETHER, (size_t)x->s->n) == NULL
        && memchr(x->part, ALONE, (size_t)x->s->n) == NULL)
        return RG_OK;
    return status == RG_OK && is_there ? follow(x) : status;
}

rg_status rg_missed_find(rg_trail *trail, const rg_solver *s, const double *small,
                         rg_missed *missed)
{
    search x = {.trail = trail, .s = s, .small = small, .missed = missed};

    for (int64_t j = 0; j < s->n; j++)
        missed[j].least = NAN;
    if (trail->n == 0 || memchr(trail->was_low, 1, (size_t)s->n) == NULL) return RG_OK;
    rg_trail_end(trail);
    if (trail->count < 2) return RG_OK;
    const rg_status status = search_all(&x);
    if (x.growth != NULL) rg_growth_destroy(&x.growth);
    rg_free(s->ctx, x.memory);
    return status;
}
