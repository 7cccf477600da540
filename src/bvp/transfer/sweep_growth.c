/* How solutions grow along a sweep.
 *
 * The flow of phi' = K phi takes u(s) into u(t) F(t, s); what the conditions say about a solution
 * is multiplied by F^-T:
 *
 *     d(t) = F(t, s)^-T d(s)     for a perturbation d of h at s.
 *
 * The largest |F^-T| (Frobenius norm) over all t and over s at RG_TRANSFER_GROWTH_MARKS equally
 * spaced places is the amplification of errors on the way; it enters the Green's function of Petry,
 * Theorem 5.1.  The sums of log F_ii, with F upper triangular at every step, say how each column of
 * phi grows from
 * end to end: where phi grows, solutions decay.
 *
 * Gauss steps have F = T M^-T from their normalisation.  Integrators have F' = V F with V of
 * flow.h: Runge-Kutta steps of order 4 with V linear between nodes, made triangular after each;
 * for orders of magnitude that is enough. */
#include "bvp/transfer/sweep_impl.h"
#include "bvp/transfer/tuning.h"
#include "linalg/vectors.h"

#include <math.h>
#include <string.h>

rg_status rg_sweep_growth_create(rg_sweep *s)
{
    const size_t square = (size_t)s->k * (size_t)s->k;

    s->growth = rg_alloc(s->ctx, (size_t)s->k, sizeof *s->growth);
    s->E = rg_alloc(s->ctx, (2 * RG_TRANSFER_GROWTH_MARKS + 1) * square, sizeof *s->E);
    s->frame = rg_alloc(s->ctx, 9 * square + (size_t)s->k, sizeof *s->frame);
    s->amplification = 1.0;
    return s->growth == NULL || s->E == NULL || s->frame == NULL ? RG_ERR_MEMORY : RG_OK;
}

void rg_sweep_mark(rg_sweep *s, double t)
{
    const int k = s->k;

    while (s->n_marks < RG_TRANSFER_GROWTH_MARKS
           && fabs(t - s->from)
                  >= fabs(s->to - s->from) * s->n_marks / (double)RG_TRANSFER_GROWTH_MARKS) {
        double *E = s->E + s->n_marks++ * k * k;
        memset(E, 0, (size_t)(k * k) * sizeof *E);
        for (int i = 0; i < k; i++)
            E[i * k + i] = 1.0;
    }
}

/* E <- T^-T E; behind E: T^-T, and room. */
void rg_sweep_spread(rg_sweep *s, const double *T)
{
    const int k = s->k, n = s->n_marks * k;
    double *S = s->E + RG_TRANSFER_GROWTH_MARKS * k * k, *room = S + k * k;

    rg_invert_transposed(k, T, S);
    rg_multiply(k, k, n, S, s->E, room);
    memcpy(s->E, room, (size_t)(n * k) * sizeof *room);
}

void rg_sweep_note_spread(rg_sweep *s)
{
    const int square = s->k * s->k;

    for (int c = 0; c < s->n_marks; c++) {
        const double *E = s->E + c * square, size = sqrt(rg_dot(square, E, E));
        if (!(size <= s->amplification)) s->amplification = size;
    }
}

/* Y = X + factor (V_0 + x (V_1 - V_0)) Z, k x k; Y may be X or Z only if factor is 0. */
static void add_product(int k, const double *V, double x, double factor, const double *Z,
                        const double *X, double *Y)
{
    const double *V_0 = V, *V_1 = V + k * k;

    for (int j = 0; j < k; j++)
        for (int i = 0; i < k; i++) {
            double sum = 0.0;
            for (int l = 0; l < k; l++)
                sum += ((1.0 - x) * V_0[l * k + i] + x * V_1[l * k + i]) * Z[j * k + l];
            Y[j * k + i] = X[j * k + i] + factor * sum;
        }
}

/* One step of Z' = V(x) Z, x from x_0 over dx, by the classical method:  W collects the
 * increments. */
static void runge_kutta(int k, const double *V, double dt, double x, double dx, double *Z,
                        double *room)
{
    static const double weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, node[] = {0, 0.5, 0.5, 1};
    const size_t bytes = (size_t)(k * k) * sizeof *Z;
    double *W = room, *Y = room + k * k, *next = Y + k * k;

    memcpy(W, Z, bytes);
    memcpy(Y, Z, bytes);
    for (int stage = 0; stage < 4; stage++) {
        const double at = x + node[stage] * dx;
        add_product(k, V, at, dt * weight[stage], Y, W, next);
        memcpy(W, next, bytes);
        if (stage == 3) break;
        add_product(k, V, at, dt * node[stage + 1], Y, Z, next);
        memcpy(Y, next, bytes);
    }
    memcpy(Z, W, bytes);
}

/* frame: Z, V at the last node, V now, T, and room. */
bool rg_sweep_grow(rg_sweep *s, double dt, const double *V)
{
    const int k = s->k, square = k * k;
    double *Z = s->frame, *both = Z + square, *T = both + 2 * square, *room = T + square;
    double *g = s->frame + 9 * square, size = 0.0;

    memcpy(both + square, V, (size_t)square * sizeof *V);
    if (dt == 0.0) { /* the first node */
        memset(Z, 0, (size_t)square * sizeof *Z);
        for (int i = 0; i < k; i++)
            Z[i * k + i] = 1.0;
        memcpy(both, V, (size_t)square * sizeof *V);
        return true;
    }
    for (int i = 0; i < 2 * square; i++)
        size += fabs(both[i]);
    if (!(fabs(dt) * size < RG_TRANSFER_GROWTH_MOST_PARTS)) return false;
    const int parts = 1 + (int)(fabs(dt) * size);
    for (int part = 0; part < parts; part++) {
        runge_kutta(k, both, dt / parts, (double)part / parts, 1.0 / parts, Z, room);
        if (!rg_normalise(k, k, Z, g, T)) return false;
        for (int i = 0; i < k; i++)
            s->growth[i] += log(T[i * k + i]);
        rg_sweep_spread(s, T);
        rg_sweep_note_spread(s);
    }
    memcpy(both, V, (size_t)square * sizeof *V);
    return true;
}
