/* Stages, error estimate and polynomial of a step by full Newton; see coupled.h.
 * Source: doc/methods/passage.md, section 2; constants chosen by experiment there. */
#include "ivp/radau/coupled.h"

#include "ivp/radau/tuning.h"
#include "ivp/tuning.h"
#include "linalg/powers.h"
#include "newton/tuning.h"

#include <math.h>
#include <string.h>

/* Off the diagonal only entries of dF/dw' stand. */
static bool occurs(const rg_coupled *c, int i, int j, int64_t e)
{
    return i == j || (c->equations.kinds[e] & 2) != 0;
}

static rg_status create_matrix(rg_coupled *c)
{
    const rg_pattern *p = c->equations.pattern;
    const int N = c->equations.N, n = COUPLED_STAGES * N;
    const size_t most = 9 * (size_t)p->start[N] + 1;
    rg_pattern all = {.n_rows = n, .n_columns = n};
    rg_status status = RG_ERR_MEMORY;
    int64_t next = 0;

    all.start = rg_alloc(c->ctx, (size_t)n + 1, sizeof *all.start);
    all.row = rg_alloc(c->ctx, most, sizeof *all.row);
    if (all.start != NULL && all.row != NULL) {
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < COUPLED_STAGES; i++)
                for (int64_t e = p->start[j % N]; e < p->start[j % N + 1]; e++)
                    if (occurs(c, i, j / N, e)) all.row[next++] = i * N + p->row[e];
            all.start[j + 1] = next;
        }
        status = rg_matrix_create(c->ctx, &all, false, &c->matrix);
    }
    rg_free(c->ctx, all.start);
    rg_free(c->ctx, all.row);
    return status;
}

static rg_status take_memory(rg_coupled *c)
{
    const size_t N = (size_t)c->equations.N, entries = (size_t)c->equations.pattern->start[N];
    const struct {
        double **to;
        size_t count;
    } wanted[] = {
        {&c->w,          N          },
        {&c->wp,         N          },
        {&c->W,          3 * N      },
        {&c->F,          3 * N      },
        {&c->Wp,         N          },
        {&c->weight,     N          },
        {&c->polynomial, 4 * N      },
        {&c->last,       4 * N      },
        {&c->Jw,         3 * entries},
        {&c->Jwp,        3 * entries},
        {&c->values,     9 * entries}
    };
    double *next = c->memory = rg_alloc(c->ctx, 18 * N + 15 * entries + 1, sizeof *next);

    if (next == NULL) return RG_ERR_MEMORY;
    for (size_t e = 0; e < sizeof wanted / sizeof *wanted; next += wanted[e++].count)
        *wanted[e].to = next;
    return RG_OK;
}

rg_status rg_coupled_create(rg_context *ctx, const rg_coupled_equations *e, rg_coupled **out)
{
    rg_coupled *c = *out = rg_alloc(ctx, 1, sizeof *c);

    if (c == NULL) return RG_ERR_MEMORY;
    c->ctx = ctx;
    c->equations = *e;
    c->rule = *rg_rule_radau(COUPLED_STAGES);
    rg_status status = take_memory(c);
    if (status == RG_OK) status = create_matrix(c);
    if (status == RG_OK) status = rg_matrix_create(ctx, e->pattern, false, &c->estimator);
    if (status != RG_OK) rg_coupled_destroy(out);
    return status;
}

void rg_coupled_destroy(rg_coupled **coupled)
{
    rg_coupled *c = *coupled;

    if (c == NULL) return;
    rg_matrix_destroy(&c->matrix);
    rg_matrix_destroy(&c->side);
    rg_matrix_destroy(&c->estimator);
    rg_free(c->ctx, c->memory);
    rg_free(c->ctx, c);
    *coupled = NULL;
}

/* Through w_n and the stages: degree 3; of algebraic unknowns through the stages alone: degree 2.
 * With the other nodes a, b of node c:   s (s^2 - (a + b) s + a b) / (c (c - a)(c - b)),
 * (s^2 - (a + b) s + a b) / ((c - a)(c - b)). */
void rg_coupled_interpolate(rg_coupled *c)
{
    const int N = c->equations.N;
    const uint8_t *is_differential = c->equations.is_differential;

    memset(c->polynomial, 0, 4 * (size_t)N * sizeof *c->polynomial);
    for (int j = 0; j < COUPLED_STAGES; j++) {
        double q[COUPLED_STAGES];
        rg_powers_lagrange(COUPLED_STAGES, c->rule.c, j, q);
        for (int i = 0; i < N; i++) {
            const int up = is_differential[i] ? 1 : 0;
            const double W = c->W[j * N + i], z = up ? (W - c->w[i]) / c->rule.c[j] : W;
            for (int e = 0; e < COUPLED_STAGES; e++)
                c->polynomial[(e + up) * N + i] += q[e] * z;
        }
    }
    for (int i = 0; i < N; i++)
        if (is_differential[i]) c->polynomial[i] = c->w[i];
}

/* rg_powers_eval() takes twice as many instructions, and the signal is sampled often. */
void rg_coupled_at(const rg_coupled *c, double h, double s, double *w, double *wp)
{
    const double *a = c->polynomial;
    const int N = c->equations.N;

    for (int i = 0; i < N; i++) {
        w[i] = a[i] + s * (a[N + i] + s * (a[2 * N + i] + s * a[3 * N + i]));
        if (wp != NULL) wp[i] = (a[N + i] + s * (2 * a[2 * N + i] + s * 3 * a[3 * N + i])) / h;
    }
}

void rg_coupled_straight(rg_coupled *c, double h)
{
    const int N = c->equations.N;

    memset(c->polynomial, 0, 4 * (size_t)N * sizeof *c->polynomial);
    for (int e = 0; e < N; e++) {
        c->polynomial[e] = c->w[e];
        c->polynomial[N + e] = h * c->wp[e];
    }
}

/* The last polynomial, which ends at w_n, or a straight line.  Algebraic unknowns start
 * from their last values: they occur linearly, so the first iteration finds them. */
void rg_coupled_predict(rg_coupled *c, double h)
{
    const int N = c->equations.N;

    for (int i = 0; i < COUPLED_STAGES; i++) {
        const double u = c->rule.c[i] * h;
        double *W = c->W + i * N;
        if (c->h_last != 0.0) rg_powers_eval(3, N, c->last, 1.0 + u / c->h_last, 1.0, W, NULL);
        for (int e = 0; e < N; e++) {
            if (!c->equations.is_differential[e])
                W[e] = c->w[e];
            else if (c->h_last == 0.0)
                W[e] = c->w[e] + u * c->wp[e];
        }
    }
}

/* W'_i of differential unknowns */
static void stage_slope(rg_coupled *c, int i, double h)
{
    const int N = c->equations.N;

    for (int e = 0; e < N; e++) {
        double sum = 0.0;
        for (int j = 0; j < COUPLED_STAGES && c->equations.is_differential[e]; j++)
            sum += c->rule.inverse[COUPLED_STAGES * i + j] * (c->W[j * N + e] - c->w[e]);
        c->Wp[e] = sum / h;
    }
}

/* The residuals of all stages; with new factors, their matrices. */
static rg_status evaluate(rg_coupled *c, double t, double h)
{
    const rg_coupled_equations *q = &c->equations;
    const int64_t entries = q->pattern->start[q->N];

    for (int i = 0; i < COUPLED_STAGES; i++) {
        double *Jw = c->has_factors ? NULL : c->Jw + i * entries;
        stage_slope(c, i, h);
        RG_TRY(q->eval(q->user, i, t + c->rule.c[i] * h, c->W + i * q->N, c->Wp, c->F + i * q->N,
                       Jw, Jw != NULL ? c->Jwp + i * entries : NULL));
    }
    return RG_OK;
}

/* Factors of the coupled matrix. */
static rg_status factor(rg_coupled *c, double h)
{
    const rg_coupled_equations *q = &c->equations;
    const int N = q->N;
    const int64_t entries = q->pattern->start[N];
    double *a = c->values;

    for (int j = 0; j < COUPLED_STAGES; j++)
        for (int k = 0; k < N; k++)
            for (int i = 0; i < COUPLED_STAGES; i++) {
                const double D = c->rule.inverse[COUPLED_STAGES * i + j] / h;
                const double *Jw = c->Jw + i * entries, *Jwp = c->Jwp + i * entries;
                for (int64_t e = q->pattern->start[k]; e < q->pattern->start[k + 1]; e++)
                    if (occurs(c, i, j, e)) *a++ = D * Jwp[e] + (i == j ? Jw[e] : 0.0);
            }
    return rg_matrix_factor(c->matrix, 0.0, 0.0, c->values, NULL);
}

/* The weighted rms of x over the differential unknowns of so many stages. */
static double norm(const rg_coupled *c, int stages, const double *x)
{
    double sum = 0.0;
    int count = 0;

    for (int i = 0; i < stages; i++)
        for (int e = 0; e < c->equations.N; e++, x++) {
            sum += *x * c->weight[e] * *x * c->weight[e];
            count += c->equations.is_differential[e];
        }
    return count > 0 ? sqrt(sum / count) : 0.0;
}

double rg_coupled_distance(const rg_coupled *c, const double *W)
{
    double most = 0.0;

    for (int i = 0; i < COUPLED_STAGES; i++)
        for (int e = 0; e < c->equations.N; e++) {
            const int k = i * c->equations.N + e;
            const double d = fabs(c->W[k] - W[k]) * c->weight[e];
            if (!(d <= most)) most = d; /* also takes NaN */
        }
    return most;
}

/* Beside a point rounding is magnified, the more the shorter the step: updates that no longer
 * shrink are nothing else.  Below the tolerance they do no harm.  Above it, up to most_noise,
 * the tolerance of the steps here is raised to them: RG_RETRY, with the same step. */
static bool is_noise(rg_coupled *c, int stalled, double size, rg_status *status)
{
    if (stalled < RG_FIXED_IDLE || size * c->noise > c->most_noise) return false;
    *status = size < RG_COUPLED_NOISE ? RG_OK : (rg_status)RG_RETRY;
    if (size >= RG_COUPLED_NOISE) c->noise *= 4.0 * size;
    return true;
}

rg_status rg_coupled_newton(rg_coupled *c, double t, double h, int64_t *evaluations)
{
    double previous = INFINITY;
    int stalled = 0;
    rg_status status;

    for (int iteration = 1; iteration <= RG_COUPLED_ITERATIONS; iteration++) {
        *evaluations += COUPLED_STAGES;
        RG_TRY(evaluate(c, t, h));
        if (!c->has_factors) RG_TRY(factor(c, h));
        c->has_factors = c->keeps_factors;
        rg_matrix_solve(c->matrix, c->F, NULL);
        for (int e = 0; e < COUPLED_STAGES * c->equations.N; e++)
            c->W[e] -= c->F[e];
        const double size = norm(c, COUPLED_STAGES, c->F);
        if (!isfinite(size)) return (rg_status)RG_RETRY;
        if (size < RG_COUPLED_TOL) return RG_OK;
        if (iteration > 1 && size < RG_COUPLED_QUADRATIC_RATE * previous
            && size * size / previous < RG_COUPLED_QUADRATIC_TOL)
            return RG_OK;
        if (size > RG_NEWTON_SIMPLE * previous) c->has_factors = false;
        stalled = size > RG_COUPLED_SHRINKING * previous ? stalled + 1 : 0;
        if (is_noise(c, stalled, fmax(size, previous), &status)) return status;
        if (iteration >= RG_COUPLED_PATIENCE && size > 2.0 * previous) return (rg_status)RG_RETRY;
        previous = size;
    }
    return (rg_status)RG_RETRY;
}

/* As in error.c, with the matrices of the last stage:
 *
 *     ((gamma/h) F_w' + F_w) e = F_w' (w'_n - a_1/h),     a_1 = sum_i P_1i (W_i - w_n)
 *
 * without the algebraic unknowns, whose rows have the right side 0. */
double rg_coupled_error(rg_coupled *c, double h)
{
    const int N = c->equations.N;
    const int64_t last = (COUPLED_STAGES - 1) * c->equations.pattern->start[N];
    double *b = c->F;

    for (int e = 0; e < N; e++) {
        double z = h * c->wp[e];
        for (int i = 0; i < COUPLED_STAGES; i++)
            z -= c->rule.P[i] * (c->W[i * N + e] - c->w[e]);
        c->Wp[e] = c->equations.is_differential[e] ? z / h : 0.0;
    }
    memset(b, 0, (size_t)N * sizeof *b);
    rg_pattern_multiply(c->equations.pattern, c->Jwp + last, 1.0, c->Wp, b);
    if (rg_matrix_factor(c->estimator, c->rule.gamma / h, 0.0, c->Jw + last, c->Jwp + last)
        != RG_OK)
        return INFINITY;
    rg_matrix_solve(c->estimator, b, NULL);
    return norm(c, 1, b);
}
