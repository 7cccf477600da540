/* The bound of Petry, Theorem 5.1, with its constants computed.
 *
 *     |y~ - y| / max(1, |y~|)
 *         <= kappa_2 (kappa_3 + kappa_4 kappa_5) gamma sum_i (|eps_i| + |delta_i|),
 *     kappa_2 = L sup |G(t, s)|,  kappa_3 = max |P G^-1|,  kappa_4 = max |Q G^-1|,
 *     kappa_5 = max |P'|,
 *     gamma   = |A|_inf sum_i 3 v_i (w_i + eps_i L),
 *
 * L the length of the interval, w_i = |u_i|, v_i = |(u_i^T u_i)^-1| at the start of sweep i, eps_i
 * and delta_i the perturbations of (14a) and (14b) along it, as sup over t.  It holds for 2 eps w
 * L <= 1/(3 v) and (eps L)^2 <= 1/(3 v) (proof of Lemma 5.2).
 *
 * - Green's function from what is carried: an impulse x at s leaves U^T y = (F(t, s)^-T u_0(s)^T x;
 * 0) for t > s, so that
 *   |G(t, s)| <= |U(t)^T+| |F(t, s)^-T| |u(s)|; the first factor is 1/(smallest singular value),
 *   the second the amplification of sweep_growth.c.
 * - The proof divides delta by max(1, |y~|) as well, before it drops that; we keep it, since h may
 * be as large as y.  - eps and delta: local errors divided by the step (Gauss), or the defect of
 * the polynomials (integrators).  - All maxima are over RG_BVP_SAMPLES times; norms are
 * Frobenius norms, which are larger than |.|_2. */
#include "bvp/transfer/transfer_impl.h"

#include "bvp/transfer/tuning.h"
#include "bvp/tuning.h"
#include "ivp/srm/tuning.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

static double frobenius(int n, const double *M)
{
    double sum = 0.0;

    for (int k = 0; k < n; k++)
        sum = hypot(sum, M[k]);
    return sum;
}

/* |P G^-1| and |Q G^-1|; after rg_field_decouple(), field->inverse is G^-1. */
static void split_inverse(const rg_field *field, double *room, double *P_part, double *Q_part)
{
    const int m = field->m;

    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            double sum = 0.0;
            for (int l = 0; l < m; l++)
                sum += field->Q[l * m + i] * field->inverse[j * m + l];
            room[j * m + i] = sum;
        }
    *Q_part = fmax(*Q_part, frobenius(m * m, room));
    for (int k = 0; k < m * m; k++)
        room[k] = (field->inverse[k] - room[k]) / field->length; /* of A + B Q: field.h */
    *P_part = fmax(*P_part, frobenius(m * m, room));
}

/* |P(t + d) - P(t)| / d */
static rg_status turn_of_kernel(rg_field *field, double t, double d, double *room, double *largest)
{
    const int size = field->m * field->m;

    if (!field->is_varying || field->rank == field->m) return RG_OK;
    RG_TRY(rg_field_at(field, t));
    memcpy(room, field->Q, (size_t)size * sizeof *room);
    RG_TRY(rg_field_at(field, t + d));
    for (int k = 0; k < size; k++)
        room[k] -= field->Q[k];
    *largest = fmax(*largest, frobenius(size, room) / fabs(d));
    return RG_OK;
}

/* |A|_inf: the largest sum of a row. */
static double row_sum(const rg_field *field)
{
    double largest = 0.0;

    for (int i = 0; i < field->m; i++) {
        double sum = 0.0;
        for (int j = 0; j < field->m; j++)
            sum += fabs(field->A[j * field->m + i]);
        largest = fmax(largest, sum);
    }
    return largest;
}

static rg_status sample(rg_transfer *t, double at, double *room, rg_transfer_bound *b)
{
    rg_field *field = t->worker[0].field;
    const double length = t->high - t->low;

    t->told_inverse = 0.0; /* singular values everywhere */
    RG_TRY(rg_transfer_eval(t, at, room, NULL));
    for (int i = 0; i < t->m; i++)
        b->size = fmax(b->size, fabs(room[i]) / t->unit[i]);
    RG_TRY(rg_field_decouple(field, at));
    split_inverse(field, room, &b->kappa_3, &b->kappa_4);
    b->norm_A = fmax(b->norm_A, row_sum(field));
    const double d = RG_SRM_DIFFERENCE * length;
    return turn_of_kernel(field, at, at + d > t->high ? -d : d, room, &b->kappa_5);
}

/* 3 v (w + eps L) of a sweep, and its perturbations. */
static rg_status add_sweep(rg_transfer *t, const rg_sweep *s, double *room, rg_transfer_bound *b)
{
    const double L = t->high - t->low;

    if (s == NULL) return RG_OK;
    memcpy(room, s->u, (size_t)(s->m * s->k) * sizeof *room);
    RG_TRY(rg_svd(t->ctx, s->m, s->k, room, t->s, NULL, NULL));
    const double w = t->s[0], v = 1.0 / (t->s[s->k - 1] * t->s[s->k - 1]), e = s->epsilon;
    if (!(2.0 * e * w * L <= 1.0 / (3.0 * v)) || !(e * e * L * L <= 1.0 / (3.0 * v)))
        b->is_valid = false;
    b->gamma += 3.0 * v * (w + e * L);
    b->epsilon = fmax(b->epsilon, e);
    b->delta = fmax(b->delta, s->delta);
    b->sum_epsilon += e;
    b->sum_delta += s->delta;
    b->green = fmax(b->green, s->amplification * w);
    return RG_OK;
}

static rg_status fill(rg_transfer *t, double *room, rg_transfer_bound *b)
{
    b->is_valid = t->options.step == 0.0; /* a fixed step has no estimate of its error */
    t->worst_inverse = 1.0;
    for (int k = 0; k < RG_BVP_SAMPLES; k++) {
        const double at = k == RG_BVP_SAMPLES - 1
                              ? t->high
                              : t->low + (t->high - t->low) * k / (RG_BVP_SAMPLES - 1);
        RG_TRY(sample(t, at, room, b));
    }
    for (int k = 0; k < t->n_groups; k++) {
        RG_TRY(add_sweep(t, t->groups[k].forward, room, b));
        RG_TRY(add_sweep(t, t->groups[k].backward, room, b));
    }
    b->kappa_2 = (t->high - t->low) * b->green * t->worst_inverse;
    b->gamma *= b->norm_A;
    b->bound = b->kappa_2 * (b->kappa_3 + b->kappa_4 * b->kappa_5) * b->gamma
               * (b->sum_epsilon + b->sum_delta / fmax(1.0, b->size));
    if (!isfinite(b->bound)) b->is_valid = false;
    return RG_OK;
}

rg_status rg_transfer_bound_find(rg_transfer *t, rg_transfer_bound *out)
{
    const size_t n = (size_t)t->size;
    double *room = rg_alloc(t->ctx, n * n + n, sizeof *room);

    *out = (rg_transfer_bound){.is_valid = false};
    if (room == NULL) return RG_ERR_MEMORY;
    const double worst_condition = t->worst_condition;
    const rg_status status = fill(t, room, out);
    t->worst_condition = worst_condition;
    rg_free(t->ctx, room);
    return status;
}
