/* Step size control of a sweep, by doubling.
 *
 * Full step: u_f, h_f, T_f; two half steps: v, h_v, T_v = T_2 T_1; both with orthonormal columns,
 * in bases that differ by an orthogonal matrix, S = u_f^T v.  With the order 2 s the error of the
 * half steps is
 *
 *     e = max(|v - u_f S| / rtol,  |h_v - S^T h_f| / (atol + rtol |h_v|)) / (2^(2s) - 1)
 *
 * and a step is accepted when e <= |dt| / (length of the interval): errors of h add up, since its
 * equation has no damping of its own where the solution decays.  In pulses of functions of time,
 * which may be shorter than any such part of the tolerance, their own length counts.
 * Under-resolution does not show where h has decayed below atol, though it will in what h meets
 * later, nor in u once it lies in the dominant subspace.  It shows in the growth:
 *
 *     |S^T T_f T_v^-1 - I| <= RG_TRANSFER_GROWTH_TOL.
 *
 * Where coefficients or f have structure (features.c), half of the order is relied on.
 * Where coefficients may jump, the half steps are no better than the full one and errors of single
 * steps do not shrink with dt^2: e counts without the factors for order and length.
 *
 * For lambda dt = z the Gauss method of four stages errs by 4e-8 z^9 there: the bound keeps z
 * below about 3. */
#include "bvp/transfer/sweep_impl.h"
#include "bvp/transfer/tuning.h"
#include "linalg/vectors.h"

#include <float.h>
#include <math.h>
#include <string.h>

rg_status rg_sweep_step(rg_sweep *s, double t, double dt, const double *u, const double *h,
                        rg_candidate *to)
{
    RG_TRY(rg_gauss_step(s->gauss, t, dt, s->k, u, h, to->u, to->h));
    return rg_normalise(s->m, s->k, to->u, to->h, to->T) ? RG_OK : RG_RETRY;
}

void rg_multiply_transposed(int n, int k, int l, const double *A, const double *B, double *C)
{
    for (int j = 0; j < l; j++)
        for (int i = 0; i < k; i++)
            C[j * k + i] = rg_dot(n, A + i * n, B + j * n);
}

/* |S^T T_f - T_v| relative to T_v from the right: columns of T_v are solved away.  M = S^T T_f
 * on entry. */
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

/* The largest entry of v - u S; the matrix is kept as the local error of the step. */
static double subspace_error(const rg_sweep *s, const rg_candidate *f, const rg_candidate *v,
                             const double *S)
{
    double largest = 0.0;

    for (int j = 0; j < s->k; j++)
        for (int i = 0; i < s->m; i++) {
            double e = v->u[j * s->m + i];
            for (int l = 0; l < s->k; l++)
                e -= f->u[l * s->m + i] * S[j * s->k + l];
            s->local.du[j * s->m + i] = e;
            if (!(fabs(e) <= largest)) largest = fabs(e);
        }
    return largest;
}

/* The largest entry of h_v - S^T h_f, and of h_v. */
static double value_error(const rg_sweep *s, const rg_candidate *f, const rg_candidate *v,
                          const double *S, double *size)
{
    double largest = 0.0;

    *size = 0.0;
    for (int j = 0; j < s->k; j++) {
        double e = v->h[j];
        for (int l = 0; l < s->k; l++)
            e -= S[j * s->k + l] * f->h[l];
        s->local.dh[j] = e;
        if (!(fabs(e) <= largest)) largest = fabs(e);
        *size = fmax(*size, fabs(v->h[j]));
    }
    return largest;
}

/* |K| at the last stage. */
static double norm_of_K(const rg_gauss_work *w)
{
    const int square = w->field->m * w->field->m;
    const double *K = w->K + (w->gauss.s - 1) * square;

    return sqrt(rg_dot(square, K, K));
}

/* What is allowed in h.  A condition with small data is carried with relative errors (build.c) as
 * long as the error is one of the method: once it falls by less than dt^2 from one try to the next,
 * it is rounding of the coefficients, and what units allow has to do from there on. */
static double allowed_in_h(rg_sweep *s, double dt, double difference, double size)
{
    const rg_sweep_options *o = &s->options;
    const double ratio = s->trial.node == s->n && s->trial.dt != 0.0 ? dt / s->trial.dt : INFINITY;

    if (o->is_judged && !o->has_kinks && o->atol < o->rtol && ratio < 1.0
        && difference > ratio * ratio * s->trial.difference)
        s->trial.is_noise = true;
    s->trial.node = s->n;
    s->trial.dt = dt;
    s->trial.difference = difference;
    return (s->trial.is_noise ? o->rtol : o->atol) + o->rtol * size;
}

/* The errors of the head of this file, as multiples of what is allowed; and, divided by the step,
 * as perturbations of the equations.  Rounding, once per step, counts there. */
static double step_error(rg_sweep *s, double t, double dt, const rg_candidate *f,
                         const rg_candidate *v, rg_candidate *work)
{
    const int k = s->k;
    const rg_sweep_options *o = &s->options;
    double *S = work->T, *M = work->u, size;

    rg_multiply_transposed(s->m, k, k, f->u, v->u, S);
    const double distance = subspace_error(s, f, v, S), e_u = distance / o->rtol;
    const double difference = value_error(s, f, v, S, &size);
    const double shrink = o->has_kinks    ? 1.0
                          : s->is_in_tail ? 1.0 / (pow(2.0, o->stages) - 1.0)
                                          : 1.0 / (pow(4.0, o->stages) - 1.0);
    s->trial_epsilon = (distance * shrink + DBL_EPSILON) / fabs(dt);
    s->trial_delta = (difference * shrink + DBL_EPSILON * size) / fabs(dt);
    const double allowed = allowed_in_h(s, dt, difference, size);
    const double e_h = difference == 0.0 ? 0.0 : difference / allowed;
    rg_multiply_transposed(k, k, k, S, f->T, M);
    const double growth = growth_error(k, M, v->T);
    for (int i = 0; i < (s->m + 1) * k; i++)
        s->local.du[i] *= shrink; /* dh stands behind du */
    /* the time at which a step ends is rounded: in pulses that is not a small part of it */
    const double late = s->share < o->length ? 0x1p-53 * fmax(fabs(t), fabs(t + dt)) : 0.0;
    s->local.noise = 2.0 * DBL_EPSILON * (1.0 + fabs(dt) * norm_of_K(s->gauss));
    s->local.added = late * s->gauss->slope;
    if (!isfinite(e_u) || !isfinite(e_h) || !isfinite(growth)) return INFINITY;
    /* two subspaces of rounded columns differ by rounding: that much is always allowed */
    const double rounding = 16.0 * DBL_EPSILON;
    /* and so do sums of what f adds, which may cancel, and pulses at rounded times */
    const double cancelled = (rounding * s->gauss->forced + s->local.added) / allowed;
    const double e =
        fmax(fmax(e_u - rounding / o->rtol, 0.0), fmax(e_h - rounding / o->rtol - cancelled, 0.0));
    const double per_unit = e * shrink * (s->share / fabs(dt));
    return fmax(o->has_kinks ? e : per_unit, growth / RG_TRANSFER_GROWTH_TOL);
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

static rg_status recorded_step(rg_sweep *s, int part, double t, double dt, const double *u,
                               const double *h, rg_candidate *to)
{
    s->gauss->psi = rg_sweep_record(s, part);
    const rg_status status = rg_sweep_step(s, t, dt, u, h, to);
    s->gauss->psi = NULL;
    if (status == RG_OK) rg_sweep_record_factor(s, part, to->T);
    return status;
}

rg_status rg_sweep_try(rg_sweep *s, double t, double dt, rg_candidate *v, double *error)
{
    const int64_t last = s->n - 1;
    const double *u = s->u + last * s->m * s->k, *h = s->h + last * s->k;
    rg_candidate f = rg_sweep_candidate(s, 0), half = rg_sweep_candidate(s, 1),
                 work = rg_sweep_candidate(s, 3);
    rg_candidate second = rg_sweep_candidate(s, 4);

    *error = 0.0;
    RG_TRY(rg_sweep_record_room(s));
    if (s->options.step > 0.0) return recorded_step(s, 0, t, dt, u, h, v);
    RG_TRY(recorded_step(s, 0, t, 0.5 * dt, u, h, &half));
    RG_TRY(recorded_step(s, 1, t + 0.5 * dt, 0.5 * dt, half.u, half.h, v));
    RG_TRY(recorded_step(s, 2, t, dt, u, h, &f));
    memcpy(second.T, v->T, (size_t)s->k * (size_t)s->k * sizeof *v->T);
    multiply_factors(s->k, second.T, half.T, v->T);
    *error = step_error(s, t, dt, &f, v, &work);
    rg_sweep_record_factor(s, 3, work.T); /* S */
    return RG_OK;
}
