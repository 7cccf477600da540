/* Step size control of a sweep, by doubling.
 *
 * Full step: u_f, h_f, T_f; two half steps: v, h_v, T_v = T_2 T_1; both with orthonormal columns, in bases that differ by an
 * orthogonal matrix, S = u_f^T v.  With the order 2 s the error of the half steps is
 *
 *     e = max(|v - u_f S| / rtol,  |h_v - S^T h_f| / (atol + rtol |h_v|)) / (2^(2s) - 1)
 *
 * and a step is accepted when e <= |dt| / (length of the interval): errors of h add up, since its equation has no damping of
 * its own where the solution decays.  Under-resolution does not show where h has decayed below atol, though it will in what h meets
 * later, nor in u once it lies in the dominant subspace.  It shows in the growth:
 *
 *     |S^T T_f T_v^-1 - I| <= GROWTH_TOL.
 *
 * For lambda dt = z the Gauss method of four stages errs by 4e-8 z^9 there: the bound keeps z below about 3. */
#include "bvp/transfer/sweep.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double GROWTH_TOL = 1e-3; /* chosen by experiment: tests/unit/bvp/test_transfer.c */
static const double SAFETY = 0.9, FASTEST = 5.0, SLOWEST = 0.2;
static const double FIRST_STEP = 0.01; /* of the interval */

typedef struct { /* a candidate for the next node */
    double *u, *h, *T;
} candidate;

static candidate take_candidate(const rg_sweep *s, int number)
{
    double *place = s->work + number * (s->m + 1 + s->k) * s->k;

    return (candidate){place, place + s->m * s->k, place + (s->m + 1) * s->k};
}

rg_status rg_sweep_create(rg_field *field, const rg_sweep_options *o, double from, double to, int k,
                          const double *u, const double *h, rg_sweep **out)
{
    rg_sweep *s = rg_alloc(field->ctx, 1, sizeof *s);
    enum { FIRST_CAPACITY = 64, CANDIDATES = 5 };
    const size_t size = (size_t)field->m * (size_t)k;
    rg_status status;

    *out = NULL;
    if (s == NULL) return RG_ERR_MEMORY;
    s->ctx = field->ctx;
    s->options = *o;
    s->m = field->m;
    s->k = k;
    s->from = from;
    s->to = to;
    s->n = 1;
    s->capacity = FIRST_CAPACITY;
    s->t = rg_alloc(s->ctx, FIRST_CAPACITY, sizeof *s->t);
    s->u = rg_alloc(s->ctx, FIRST_CAPACITY * size, sizeof *s->u);
    s->h = rg_alloc(s->ctx, FIRST_CAPACITY * (size_t)k, sizeof *s->h);
    s->start = rg_alloc(s->ctx, (size_t)k * (size_t)k, sizeof *s->start);
    s->growth = rg_alloc(s->ctx, (size_t)k, sizeof *s->growth);
    s->work = rg_alloc(s->ctx, CANDIDATES * (size_t)(s->m + 1 + k) * (size_t)k, sizeof *s->work);
    status = rg_gauss_work_create(field, o->stages, &s->gauss);
    if (status == RG_OK
        && (s->t == NULL || s->u == NULL || s->h == NULL || s->start == NULL || s->work == NULL
            || s->growth == NULL))
        status = RG_ERR_MEMORY;
    if (status != RG_OK) {
        rg_sweep_destroy(&s);
        return status;
    }
    s->t[0] = from;
    memcpy(s->u, u, size * sizeof *u);
    memcpy(s->h, h, (size_t)k * sizeof *h);
    *out = s;
    return RG_OK;
}

void rg_sweep_destroy(rg_sweep **sweep)
{
    rg_sweep *s = *sweep;

    if (s == NULL) return;
    rg_gauss_work_destroy(&s->gauss);
    rg_free(s->ctx, s->t);
    rg_free(s->ctx, s->u);
    rg_free(s->ctx, s->h);
    rg_free(s->ctx, s->start);
    rg_free(s->ctx, s->growth);
    rg_free(s->ctx, s->work);
    rg_free(s->ctx, s);
    *sweep = NULL;
}

/* One normalised step; RG_RETRY also where the columns become dependent. */
static rg_status step(rg_sweep *s, double t, double dt, const double *u, const double *h,
                      candidate *to)
{
    RG_TRY(rg_gauss_step(s->gauss, t, dt, s->k, u, h, to->u, to->h));
    return rg_normalise(s->m, s->k, to->u, to->h, to->T) ? RG_OK : RG_RETRY;
}

/* C = A^T B for A (n x k) and B (n x l). */
static void multiply_transposed(int n, int k, int l, const double *A, const double *B, double *C)
{
    for (int j = 0; j < l; j++)
        for (int i = 0; i < k; i++) {
            double sum = 0.0;
            for (int r = 0; r < n; r++)
                sum += A[i * n + r] * B[j * n + r];
            C[j * k + i] = sum;
        }
}

/* |S^T T_f - T_v| relative to T_v from the right: columns of T_v are solved away.  M = S^T T_f on entry. */
static double growth_error(int k, double *M, const double *T_v)
{
    double largest = 0.0;

    for (int j = 0; j < k; j++) { /* M <- M T_v^-1, column by column */
        for (int l = 0; l < j; l++)
            for (int i = 0; i < k; i++)
                M[j * k + i] -= M[l * k + i] * T_v[j * k + l];
        for (int i = 0; i < k; i++)
            M[j * k + i] /= T_v[j * k + j];
    }
    for (int j = 0; j < k; j++)
        for (int i = 0; i < k; i++) {
            const double e = fabs(M[j * k + i] - (i == j));
            if (!(e <= largest)) largest = e;
        }
    return largest;
}

/* The largest entry of v - u S. */
static double subspace_error(const rg_sweep *s, const candidate *f, const candidate *v,
                             const double *S)
{
    double largest = 0.0;

    for (int j = 0; j < s->k; j++)
        for (int i = 0; i < s->m; i++) {
            double e = v->u[j * s->m + i];
            for (int l = 0; l < s->k; l++)
                e -= f->u[l * s->m + i] * S[j * s->k + l];
            if (!(fabs(e) <= largest)) largest = fabs(e);
        }
    return largest;
}

/* The largest entry of h_v - S^T h_f, and of h_v. */
static double value_error(const rg_sweep *s, const candidate *f, const candidate *v,
                          const double *S, double *size)
{
    double largest = 0.0;

    *size = 0.0;
    for (int j = 0; j < s->k; j++) {
        double e = v->h[j];
        for (int l = 0; l < s->k; l++)
            e -= S[j * s->k + l] * f->h[l];
        if (!(fabs(e) <= largest)) largest = fabs(e);
        *size = fmax(*size, fabs(v->h[j]));
    }
    return largest;
}

/* e of the head of this file, as a multiple of what is allowed; infinite where the growth is not resolved. */
static double step_error(const rg_sweep *s, double dt, const candidate *f, const candidate *v,
                         candidate *work)
{
    const int k = s->k;
    const rg_sweep_options *o = &s->options;
    double *S = work->T, *M = work->u, size;

    multiply_transposed(s->m, k, k, f->u, v->u, S);
    const double e_u = subspace_error(s, f, v, S) / o->rtol;
    const double difference = value_error(s, f, v, S, &size);
    const double e_h = difference == 0.0 ? 0.0 : difference / (o->atol + o->rtol * size);
    multiply_transposed(k, k, k, S, f->T, M);
    const double growth = growth_error(k, M, v->T);
    if (!isfinite(e_u) || !isfinite(e_h) || !(growth <= GROWTH_TOL)) return INFINITY;
    /* two subspaces of rounded columns differ by rounding: that much is always allowed */
    const double rounding = 16.0 * DBL_EPSILON / o->rtol;
    const double e = fmax(fmax(e_u - rounding, 0.0), fmax(e_h - rounding, 0.0));
    return e / (pow(4.0, o->stages) - 1.0) * (o->length / fabs(dt));
}

/* T <- T_2 T_1, upper triangular. */
static void multiply_factors(int k, const double *T_2, const double *T_1, double *T)
{
    for (int j = 0; j < k; j++)
        for (int i = 0; i < k; i++) {
            double sum = 0.0;
            for (int l = i; l <= j; l++)
                sum += T_2[l * k + i] * T_1[j * k + l];
            T[j * k + i] = sum;
        }
}

/* Full step and two half steps; the result is in *v. */
static rg_status try_step(rg_sweep *s, double t, double dt, candidate *v, double *error)
{
    const int64_t last = s->n - 1;
    const double *u = s->u + last * s->m * s->k, *h = s->h + last * s->k;
    candidate f = take_candidate(s, 0), half = take_candidate(s, 1), work = take_candidate(s, 3);
    candidate second = take_candidate(s, 4);

    *error = 0.0;
    if (s->options.step > 0.0) return step(s, t, dt, u, h, v);
    RG_TRY(step(s, t, 0.5 * dt, u, h, &half));
    RG_TRY(step(s, t + 0.5 * dt, 0.5 * dt, half.u, half.h, v));
    RG_TRY(step(s, t, dt, u, h, &f));
    memcpy(second.T, v->T, (size_t)s->k * (size_t)s->k * sizeof *v->T);
    multiply_factors(s->k, second.T, half.T, v->T);
    *error = step_error(s, dt, &f, v, &work);
    return RG_OK;
}

/* u^T u, in variant 16 with h h^T. */
static void invariant(const rg_sweep *s, const double *u, const double *h, double *N)
{
    multiply_transposed(s->m, s->k, s->k, u, u, N);
    for (int j = 0; j < s->k && s->options.variant == 16; j++)
        for (int i = 0; i < s->k; i++)
            N[j * s->k + i] += h[i] * h[j];
}

static void note_deviation(rg_sweep *s, const double *u, const double *h, double *N)
{
    double size = 0.0;

    invariant(s, u, h, N);
    for (int k = 0; k < s->k * s->k; k++)
        size = fmax(size, fabs(s->start[k]));
    for (int k = 0; k < s->k * s->k; k++)
        s->deviation = fmax(s->deviation, fabs(N[k] - s->start[k]) / size);
}

/* Lower factor L of a symmetric positive matrix N = L L^T, in place of its lower half. */
static bool cholesky(int k, double *N)
{
    for (int j = 0; j < k; j++) {
        for (int l = 0; l < j; l++)
            for (int i = j; i < k; i++)
                N[j * k + i] -= N[l * k + i] * N[l * k + j];
        if (!(N[j * k + j] > 0.0) || !isfinite(N[j * k + j])) return false;
        const double root = sqrt(N[j * k + j]);
        for (int i = j; i < k; i++)
            N[j * k + i] /= root;
    }
    return true;
}

/* From orthonormal columns to the normalisation of the start:  u <- u M^T, h <- M h  with  M N M^T = N_0,  N = the invariant
 * of the orthonormal pair (I, or I + h h^T), so M = L_0 L^-1 of the Cholesky factors. */
static bool restore_start(rg_sweep *s, candidate *v, candidate *work)
{
    const int k = s->k, m = s->m;
    double *N = work->T, *N_0 = work->u, *row = work->h;

    invariant(s, v->u, v->h, N);
    memcpy(N_0, s->start, (size_t)k * (size_t)k * sizeof *N_0);
    if (!cholesky(k, N) || !cholesky(k, N_0)) return false;
    for (int i = 0; i < k; i++) /* the next T has M in it */
        s->growth[i] -= log(N_0[i * k + i] / N[i * k + i]);
    for (int r = 0; r <= m; r++) { /* rows of (u; h^T): x <- L_0 L^-1 x */
        for (int i = 0; i < k; i++) {
            double x = r < m ? v->u[i * m + r] : v->h[i];
            for (int l = 0; l < i; l++)
                x -= N[l * k + i] * row[l];
            row[i] = x / N[i * k + i];
        }
        for (int i = 0; i < k; i++) {
            double x = 0.0;
            for (int l = 0; l <= i; l++)
                x += N_0[l * k + i] * row[l];
            if (r < m)
                v->u[i * m + r] = x;
            else
                v->h[i] = x;
        }
    }
    return true;
}

static rg_status store(rg_sweep *s, double t, const candidate *v)
{
    const size_t size = (size_t)s->m * (size_t)s->k, k = (size_t)s->k;

    if (s->n == s->capacity) {
        const size_t more = 2 * (size_t)s->capacity;
        double *p;
        if ((p = rg_resize(s->ctx, s->t, more, sizeof *p)) == NULL) return RG_ERR_MEMORY;
        s->t = p;
        if ((p = rg_resize(s->ctx, s->u, more * size, sizeof *p)) == NULL) return RG_ERR_MEMORY;
        s->u = p;
        if ((p = rg_resize(s->ctx, s->h, more * k, sizeof *p)) == NULL) return RG_ERR_MEMORY;
        s->h = p;
        s->capacity = (int64_t)more;
    }
    s->t[s->n] = t;
    memcpy(s->u + (size_t)s->n * size, v->u, size * sizeof *v->u);
    memcpy(s->h + (size_t)s->n * k, v->h, k * sizeof *v->h);
    s->n++;
    return RG_OK;
}

static rg_status fail(const rg_sweep *s, double t, const char *reason, const char *remedy)
{
    char number[32];

    rg_fail(s->ctx, RG_ERR_CONVERGENCE, "the transfer stopped at %s: %s", rg_real_text(t, number),
            reason);
    rg_fail_time(s->ctx, t);
    return rg_remedy(s->ctx, "%s", remedy);
}

static rg_status accept(rg_sweep *s, double t, candidate *v)
{
    candidate work = take_candidate(s, 3);

    for (int i = 0; i < s->k; i++)
        s->growth[i] += log(v->T[i * s->k + i]);
    if (!restore_start(s, v, &work))
        return fail(
            s, t, "values grow beyond what numbers can hold",
            "scale the unknowns; conditions at the end from which the solution decays help");
    note_deviation(s, v->u, v->h, work.T);
    s->steps++;
    RG_TRY(store(s, t, v));
    RG_TRY(rg_field_decouple(s->gauss->field, t));
    if (s->gauss->field->sign == s->sign) return RG_OK;
    return rg_field_locate(s->gauss->field, s->t[s->n - 2], t);
}

static rg_status check_going(const rg_sweep *s, double t, double dt)
{
    if (rg_interrupted(s->options.parent)) {
        rg_fail(s->ctx, RG_ERR_INTERRUPTED, "interrupted");
        return rg_remedy(s->ctx, "a larger --tol or a shorter interval takes less time");
    }
    if (s->steps + s->rejected >= s->options.max_steps)
        return fail(s, t, "max_steps reached", "give a larger --tol or --max-steps");
    if (fabs(dt) < 16.0 * DBL_EPSILON * fmax(fabs(t), s->options.length))
        return fail(s, t, "the step is below rounding",
                    "coefficients have a pole or a jump there, or --tol is too small");
    return RG_OK;
}

/* New step from the error e as a multiple of what is allowed:  dt min(5, max(0.2, 0.9 e^(-1/2s))). */
static double next_step(const rg_sweep *s, double dt, double e)
{
    const double order = 2.0 * s->options.stages;
    const double factor = isfinite(e) && e > 0.0 ? SAFETY * pow(e, -1.0 / order)
                          : e == 0.0             ? FASTEST
                                                 : SLOWEST;

    dt *= fmin(FASTEST, fmax(SLOWEST, factor));
    if (s->options.h_max > 0.0 && fabs(dt) > s->options.h_max) dt = copysign(s->options.h_max, dt);
    return dt;
}

/* The first node: normalised, or as the conditions stand. */
static rg_status begin(rg_sweep *s)
{
    const int k = s->k;
    candidate v = take_candidate(s, 2), work = take_candidate(s, 3);

    RG_TRY(rg_field_decouple(s->gauss->field, s->from));
    s->sign = s->gauss->field->sign;
    memcpy(v.u, s->u, (size_t)(s->m * k) * sizeof *v.u);
    memcpy(v.h, s->h, (size_t)k * sizeof *v.h);
    if (!rg_normalise(s->m, k, v.u, v.h, v.T))
        return fail(s, s->from, "the conditions there depend on each other",
                    "give independent conditions");
    invariant(s, s->u, s->h, s->start);
    if (!s->options.is_normalised) return RG_OK;
    memset(s->start, 0, (size_t)(k * k) * sizeof *s->start);
    for (int i = 0; i < k; i++)
        s->start[i * k + i] = 1.0;
    if (!restore_start(s, &v, &work))
        return fail(s, s->from, "the conditions there are too large", "scale the conditions");
    memcpy(s->u, v.u, (size_t)(s->m * k) * sizeof *v.u);
    memcpy(s->h, v.h, (size_t)k * sizeof *v.h);
    memset(s->growth, 0, (size_t)k * sizeof *s->growth);
    return RG_OK;
}

rg_status rg_sweep_run(rg_sweep *s)
{
    const double whole = s->to - s->from;
    double t = s->from, dt = FIRST_STEP * whole;
    candidate v = take_candidate(s, 2);

    if (s->options.step > 0.0) dt = whole / ceil(fabs(whole) / s->options.step - 1e-9);
    RG_TRY(begin(s));
    while (t != s->to) {
        double e = INFINITY;
        RG_TRY(check_going(s, t, dt));
        const bool is_last = fabs(s->to - t) <= fabs(dt) * (1.0 + 1e-9);
        if (is_last) dt = s->to - t;
        const rg_status status = try_step(s, t, dt, &v, &e);
        if (status < 0) return status;
        if (status != RG_OK) e = INFINITY;
        if (!(e <= 1.0)) {
            s->rejected++;
            if (s->options.step > 0.0)
                return fail(s, t, "the step cannot be made", "give a smaller --step");
            dt = next_step(s, dt, e);
            continue;
        }
        t = is_last ? s->to : t + dt;
        RG_TRY(accept(s, t, &v));
        if (s->options.step <= 0.0) dt = next_step(s, dt, e);
    }
    return RG_OK;
}

/* The node before t in the direction of the sweep. */
static int64_t find_node(const rg_sweep *s, double t)
{
    const double sign = s->to > s->from ? 1.0 : -1.0;
    int64_t low = 0, high = s->n - 1;

    while (low < high) {
        const int64_t middle = (low + high + 1) / 2;
        if (sign * s->t[middle] <= sign * t)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

rg_status rg_sweep_eval(rg_sweep *s, double t, double *u, double *h)
{
    const int64_t node = find_node(s, t);
    const double *u_n = s->u + node * s->m * s->k, *h_n = s->h + node * s->k;
    candidate v = take_candidate(s, 2), half = take_candidate(s, 1);
    const double dt = t - s->t[node];
    const bool is_fixed = s->options.step > 0.0;

    memcpy(u, u_n, (size_t)(s->m * s->k) * sizeof *u);
    memcpy(h, h_n, (size_t)s->k * sizeof *h);
    if (dt == 0.0) return RG_OK;
    if (is_fixed) RG_TRY(step(s, s->t[node], dt, u_n, h_n, &v));
    if (!is_fixed) RG_TRY(step(s, s->t[node], 0.5 * dt, u_n, h_n, &half));
    if (!is_fixed) RG_TRY(step(s, s->t[node] + 0.5 * dt, 0.5 * dt, half.u, half.h, &v));
    memcpy(u, v.u, (size_t)(s->m * s->k) * sizeof *u);
    memcpy(h, v.h, (size_t)s->k * sizeof *h);
    return RG_OK;
}
