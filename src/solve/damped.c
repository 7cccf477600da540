/* Errors that are damped away and grow again: see damped.h. */
#include "solve/damped.h"

#include "base/pieces.h"
#include "base/random.h"
#include "bvp/tuning.h"
#include "ivp/method.h"
#include "linalg/eigenvalues.h"
#include "linalg/matrix.h"
#include "solve/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- points ---------------------------------------------------------------------------------- */

rg_status rg_damped_init(rg_context *ctx, int64_t n, bool is_wanted, rg_damped *out)
{
    const size_t points = RG_DAMPED_POINTS;

    *out = (rg_damped){.every = 1};
    if (n == 0 || n > RG_TRAIL_STATES || !is_wanted) return RG_OK;
    out->t = rg_alloc(ctx, points * (2 + 2 * (size_t)n), sizeof *out->t);
    out->steps = rg_alloc(ctx, points, sizeof *out->steps);
    if (out->t == NULL || out->steps == NULL) return RG_ERR_MEMORY;
    out->n = n;
    out->h = out->t + points;
    out->y = out->h + points;
    return RG_OK;
}

void rg_damped_clear(rg_context *ctx, rg_damped *d)
{
    rg_free(ctx, d->t);
    rg_free(ctx, d->steps);
    *d = (rg_damped){0};
}

void rg_damped_forget(rg_damped *d)
{
    d->count = d->open_steps = 0;
    d->every = 1;
    d->open_h = 0.0;
}

void rg_damped_store(rg_damped *d, rg_store *s)
{
    if (d->n == 0) return;
    RG_STORE(s, d->count);
    RG_STORE(s, d->every);
    RG_STORE(s, d->open_steps);
    RG_STORE(s, d->open_h);
    rg_store_reals(s, d->t, RG_DAMPED_POINTS * (2 + 2 * d->n));
    for (int64_t k = 0; k < RG_DAMPED_POINTS; k++)
        RG_STORE(s, d->steps[k]);
}

static double *point(const rg_damped *d, int64_t k)
{
    return d->y + 2 * d->n * k;
}

/* Windows of so many steps, and of so much of the run, become one with the next. */
static void thin(rg_damped *d, double longest)
{
    const size_t bytes = 2 * (size_t)d->n * sizeof *d->y;
    int64_t count = 1;

    d->every *= 2;
    for (int64_t k = 1; k < d->count; k++) {
        const int64_t last = count - 1;
        const bool joins = last > 0 && d->steps[last] + d->steps[k] <= d->every
                           && fabs(d->t[k] - d->t[last - 1]) <= longest;
        const int64_t at = joins ? last : count++;
        d->steps[at] = d->steps[k] + (joins ? d->steps[at] : 0);
        d->h[at] = joins ? fmax(d->h[at], d->h[k]) : d->h[k];
        d->t[at] = d->t[k];
        if (at < k) memcpy(point(d, at), point(d, k), bytes);
    }
    d->count = count;
}

static void keep(rg_damped *d, double longest, const rg_state *now)
{
    const size_t bytes = (size_t)d->n * sizeof *d->y;

    while (d->count == RG_DAMPED_POINTS)
        thin(d, longest);
    d->t[d->count] = now->t;
    d->h[d->count] = d->open_h;
    d->steps[d->count] = d->open_steps;
    memcpy(point(d, d->count), now->y, bytes);
    memcpy(point(d, d->count++) + d->n, now->yp, bytes);
    d->open_steps = 0;
    d->open_h = 0.0;
}

void rg_damped_take(rg_damped *d, const rg_integrator *g, double h, const rg_state *now)
{
    const double longest = fabs(g->t_end - g->t_start) / RG_DAMPED_WINDOWS;

    if (d->n == 0) return;
    d->open_steps += h != 0.0;
    d->open_h = fmax(d->open_h, fabs(h));
    if (d->count == 0 || d->open_steps >= d->every || fabs(now->t - d->t[d->count - 1]) >= longest)
        keep(d, longest, now);
}

/* ---- (1) at a point -------------------------------------------------------------------------- */

typedef struct {
    const rg_damped *d;
    const rg_solver *s;
    rg_matrix *M;
    void *memory;
    double *y, *yp, *unit;
    double *Jy, *Jyp, *b;
    double *V, *H, *re, *im;      /* of the Krylov space */
    double *noise, *seen, *start; /* errors: as they are, as steps see them, of the start */
    double tau, t;
} look;

/* E + tau J between the points k - 1 and k; tau has the direction of the run. */
static rg_status factor(look *x, int64_t k, double theta, double tau)
{
    const rg_damped *d = x->d;
    const double *a = point(d, k - 1), *b = point(d, k);
    const int64_t n = d->n;

    for (int64_t j = 0; j < 2 * n; j++)
        x->y[j] = a[j] + theta * (b[j] - a[j]);
    x->t = d->t[k - 1] + theta * (d->t[k] - d->t[k - 1]);
    x->tau = tau;
    RG_TRY(rg_system_jacobian(x->s->system, x->s->work, x->t, x->y, x->yp, x->Jy, x->Jyp));
    return rg_matrix_factor(x->M, 1.0 / tau, 0.0, x->Jy, x->Jyp);
}

/* u <- (E + tau J)^-1 E u */
static void apply(look *x, double *u)
{
    const rg_pattern *p = rg_system_pattern(x->s->system);

    memset(x->b, 0, (size_t)x->d->n * sizeof *x->b);
    for (int64_t j = 0; j < x->d->n; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            x->b[p->row[e]] += x->Jyp[e] * u[j] / x->tau;
    rg_matrix_solve(x->M, x->b, NULL);
    memcpy(u, x->b, (size_t)x->d->n * sizeof *u);
}

static void set_units(look *x, const double *y)
{
    for (int64_t j = 0; j < x->d->n; j++)
        x->unit[j] = rg_integrator_unit(x->s->integrator, j) + fabs(y[j]);
}

/* ---- modes that steps do not follow ---------------------------------------------------------- */

static double dot(int64_t n, const double *a, const double *b)
{
    double sum = 0.0;

    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* v_k+1 = S v_k, orthogonal to those before, in units of the states.  false: there is no more. */
static bool extend(look *x, int m, int k)
{
    const int64_t n = x->d->n;
    double *v = x->V + (k + 1) * n;

    for (int64_t j = 0; j < n; j++)
        v[j] = x->V[k * n + j] * x->unit[j];
    apply(x, v);
    for (int64_t j = 0; j < n; j++)
        v[j] /= x->unit[j];
    const double size = sqrt(dot(n, v, v));
    for (int round = 0; round < 2; round++)
        for (int i = 0; i <= k; i++) {
            const double c = dot(n, x->V + i * n, v);
            x->H[k * m + i] += c;
            for (int64_t j = 0; j < n; j++)
                v[j] -= c * x->V[i * n + j];
        }
    const double rest = sqrt(dot(n, v, v));
    if (!(rest > RG_DAMPED_NONE * size) || k + 1 == m) return false;
    x->H[k * m + k + 1] = rest;
    for (int64_t j = 0; j < n; j++)
        v[j] /= rest;
    return true;
}

/* Parts of the way from point k - 1 to point k: more where that is much of the run. */
static int parts_of(const look *x, int64_t k, int least)
{
    const rg_integrator *g = x->s->integrator;
    const double share = fabs((x->d->t[k] - x->d->t[k - 1]) / (g->t_end - g->t_start));

    return least * (1 + (int)(RG_DAMPED_LOOKS * fmin(share, 1.0)));
}

/* Has S an eigenvalue in the left half plane, as far as a Krylov space of the dimension m shows? */
static rg_status find_mode(look *x, int m, bool *has)
{
    const int64_t n = x->d->n;
    int size = 1;

    *has = false;
    memset(x->H, 0, (size_t)(m * m) * sizeof *x->H);
    for (int64_t j = 0; j < n; j++)
        x->V[j] = rg_random_sign(1, (uint64_t)j) / sqrt((double)n);
    while (extend(x, m, size - 1))
        size++;
    for (int c = 1; c < size && size < m; c++)
        memmove(x->H + c * size, x->H + c * m, (size_t)size * sizeof *x->H);
    for (int i = 0; i < size * size; i++)
        if (!isfinite(x->H[i])) return RG_RETRY;
    if (!rg_eigenvalues(size, x->H, x->re, x->im)) return RG_OK;
    for (int i = 0; i < size; i++)
        *has = *has || x->re[i] < -RG_DAMPED_LEAST;
    return RG_OK;
}

/* ... between the points k - 1 and k?  A small space has modes of its own where S is not normal. */
static rg_status has_mode(look *x, int64_t k, double theta, bool *has)
{
    const double tau = x->d->h[k] / RG_DAMPED_FOLLOWS * x->s->integrator->direction;
    const int64_t n = x->d->n;

    RG_TRY(factor(x, k, theta, tau));
    set_units(x, x->y);
    RG_TRY(find_mode(x, n < RG_DAMPED_SPACE ? (int)n : RG_DAMPED_SPACE, has));
    if (*has && n > RG_DAMPED_SPACE)
        RG_TRY(find_mode(x, n < RG_DAMPED_SURE ? (int)n : RG_DAMPED_SURE, has));
    return RG_OK;
}

/* Few where the run itself is cheap. */
static int64_t looks_of(const rg_damped *d)
{
    int64_t steps = 0;

    for (int64_t k = 1; k < d->count; k++)
        steps += d->steps[k];
    steps /= RG_DAMPED_EVERY;
    return steps < 2 ? 2 : steps > RG_DAMPED_LOOKS ? RG_DAMPED_LOOKS : steps;
}

/* At one point of every group, behind the longest step. */
static rg_status has_any(look *x, bool *has)
{
    const rg_damped *d = x->d;
    const int64_t looks = looks_of(d), group = (d->count - 2) / looks + 1;

    *has = false;
    for (int64_t from = 1; from < d->count && !*has; from += group) {
        int64_t best = from;
        for (int64_t k = from; k < from + group && k < d->count; k++)
            if (d->h[k] > d->h[best]) best = k;
        const int parts = parts_of(x, best, 1);
        for (int i = 0; i < parts && d->h[best] > 0.0 && !*has; i++) {
            const rg_status status = has_mode(x, best, (i + 0.5) / parts, has);
            if (status < 0) return status;
        }
    }
    return RG_OK;
}

/* ---- errors along the run -------------------------------------------------------------------- */

/* From point k - 1 to point k, by implicit Euler steps: many short ones, and those of the run. */
static rg_status pass(look *x, int64_t k)
{
    const rg_damped *d = x->d;
    const double h = d->t[k] - d->t[k - 1];
    const int parts = parts_of(x, k, RG_DAMPED_PARTS),
              steps = (int)fmin((double)d->steps[k], RG_DAMPED_STEPS);

    for (int i = 0; i < parts; i++) {
        RG_TRY(factor(x, k, (i + 0.5) / parts, h / (parts * RG_DAMPED_SHORT)));
        for (int q = 0; q < RG_DAMPED_SHORT; q++) {
            apply(x, x->noise);
            apply(x, x->start);
        }
    }
    if (steps == 0) return RG_OK;
    RG_TRY(factor(x, k, 0.5, h / steps));
    for (int q = 0; q < steps; q++)
        apply(x, x->seen);
    return RG_OK;
}

static void make_errors(look *x, int64_t k)
{
    const double part = fmax(x->s->options.rtol, DBL_EPSILON);

    set_units(x, point(x->d, k));
    for (int64_t j = 0; j < x->d->n; j++) {
        const double e = part * x->unit[j] * rg_random_sign((uint64_t)k, (uint64_t)j);
        x->noise[j] += e;
        x->seen[j] += e;
        if (k == 0) x->start[j] += e;
    }
}

typedef struct {
    double most, t_most, end; /* errors by size: the largest one, and those at the end */
    int64_t state;
} hidden;

/* Those that are far beyond what steps see, and what the start leaves. */
static void judge(const look *x, int64_t k, hidden *out)
{
    out->end = 0.0;
    for (int64_t j = 0; j < x->d->n; j++) {
        const double e = fabs(x->noise[j]), known = fmax(fabs(x->seen[j]), fabs(x->start[j]));
        const double part = e / x->unit[j];
        if (!(e > RG_DIP_RISE * known) || !(part > RG_DAMPED_GROWTH * x->s->options.rtol)) continue;
        out->end = fmax(out->end, part);
        if (!(part > out->most)) continue;
        out->most = part;
        out->t_most = x->d->t[k];
        out->state = j;
    }
}

static rg_status follow(look *x, hidden *out)
{
    for (int64_t k = 0; k < x->d->count; k++) {
        const rg_status status = k > 0 ? pass(x, k) : RG_OK;
        if (status < 0) return status;
        make_errors(x, k);
        judge(x, k, out);
    }
    return RG_OK;
}

/* ---- what comes of it ------------------------------------------------------------------------ */

static rg_status take_memory(look *x)
{
    const int64_t n = x->d->n, entries = rg_system_pattern(x->s->system)->start[n] + 1;
    const int64_t m = n < RG_DAMPED_SURE ? n : RG_DAMPED_SURE;

    RG_TRY(rg_matrix_create(x->s->ctx, rg_system_pattern(x->s->system), false, &x->M));
    RG_TRY(RG_TAKE(x->s->ctx, &x->memory, RG_PIECE(x->y, 2 * n), RG_PIECE(x->unit, n),
                   RG_PIECE(x->Jy, entries), RG_PIECE(x->Jyp, entries), RG_PIECE(x->b, n),
                   RG_PIECE(x->V, (m + 1) * n), RG_PIECE(x->H, m * m), RG_PIECE(x->re, m),
                   RG_PIECE(x->im, m), RG_PIECE(x->noise, n), RG_PIECE(x->seen, n),
                   RG_PIECE(x->start, n)));
    x->yp = x->y + n;
    return RG_OK;
}

static rg_status find(const rg_damped *d, const rg_solver *s, hidden *out)
{
    look x = {.d = d, .s = s};
    bool has = false;

    rg_status status = take_memory(&x);
    if (status == RG_OK) status = has_any(&x, &has);
    if (status == RG_OK && has) status = follow(&x, out);
    rg_matrix_destroy(&x.M);
    rg_free(s->ctx, x.memory);
    return status;
}

static rg_status tell(const hidden *e, const rg_solver *s, const rg_solution *out)
{
    static const char what[] = "errors of '%s' are damped away and grow again, up to %.2g of its "
                               "value near %s = %.4g, and the steps do not follow that";
    const char *time = rg_problem_time_name(s->problem);
    char name[128];

    rg_system_state_name(s->system, e->state, name, sizeof name);
    if (s->options.accept_doubt || !(e->end > RG_ESTIMATE_NO_DIGIT))
        return rg_problem_warn(s->problem, what, name, e->most, time, e->t_most);
    rg_fail(s->ctx, RG_ERR_CONVERGENCE, what, name, e->most, time, e->t_most);
    rg_fail_time(s->ctx, out->t_last);
    return rg_remedy(s->ctx, "end the run before that time with --to, or take what falls to 0 as "
                             "an unknown of its own; --accept-doubt takes the result as it is");
}

rg_status rg_damped_tell(rg_damped *d, const rg_solver *s, rg_solution *out)
{
    hidden e = {.state = -1};

    if (d->n == 0 || isnan(out->estimate)) return RG_OK;
    if (rg_system_redundant(s->system) > 0 || out->n_singular > 0) return RG_OK;
    if (d->open_steps > 0) {
        const rg_state now = rg_integrator_state(s->integrator);
        keep(d, fabs(now.t - s->integrator->t_start) / RG_DAMPED_WINDOWS, &now);
    }
    if (d->count < 2) return RG_OK;
    RG_TRY(find(d, s, &e));
    if (e.state < 0 || !(e.most > out->estimate)) return RG_OK;
    out->estimate = e.most;
    out->estimate_end = fmax(out->estimate_end, e.end);
    return tell(&e, s, out);
}
