/* Meshes of turning point problems, in s = |x - x*| of each half, N = n/2 intervals of length L.
 *
 *     sweeps (6.20):   N/2 intervals in the layer at the end, e = eps/(m L):
 *                          s_i = L (1 + e ln(1 - (1 - e)(N - i)/(N/2)))
 *                          s_{N/2} = L (1 - e |ln e|)
 *                      the others uniform; all uniform where e is not small
 *     conservative:    s = L lambda(i/N), mu = sqrt(eps/(b_1 L^2)), alpha = 1/2,
 *                          gamma = alpha + mu^(1/3),
 *                          omega(t) = beta mu t/(gamma - t), t <= alpha, and behind alpha the cubic
 *                          with the same value, slope and curvature that is 1 at t = 1;
 *                          beta: the largest up to 1 with a cubic coefficient that is not negative
 *     Shishkin:        half of the intervals in the layer, up to a distance of eps ln(n)/m from the
 *                      end (repulsive), 2 sqrt(eps/b_1) ln(n) from x* (attractive)
 *
 * Thesis, 6.1.1 and 6.1.2; the printed limit of beta makes meshes fold for eps = 0.1. */
#include "bvp/turning/tuning.h"
#include "bvp/turning/turning.h"

#include <math.h>

static double layer_place(const rg_turn_half *h, int N, int i)
{
    const int N1 = N / 2, outside = N - N1;
    const double begin = h->length * (1.0 - h->e * fabs(log(h->e)));

    if (!(h->e < RG_TURN_UNIFORM)) return h->length * i / N;
    if (i <= outside) return begin * i / outside;
    return h->length * (1.0 + h->e * log(1.0 - (N - i) / (double)N1 * (1.0 - h->e)));
}

static double inner_place(const rg_turn_half *h, double eps, double t)
{
    const double mu = sqrt(eps / h->b0) / h->length, root = cbrt(mu), alpha = 0.5,
                 rest = 1.0 - alpha;
    const double gamma = alpha + root;
    const double beta =
        fmin(1.0, 1.0 / (gamma * rest * rest + gamma * root * rest + alpha * root * root));
    const double w0 = beta * mu * alpha / root; /* omega, omega', omega''/2 at alpha */
    const double w1 = beta * mu * gamma / (root * root), w2 = w1 / root;
    const double delta = (1.0 - w0 - w1 * rest - w2 * rest * rest) / (rest * rest * rest);
    const double d = t - alpha;

    if (t <= alpha) return h->length * beta * mu * t / (gamma - t);
    return h->length * (((delta * d + w2) * d + w1) * d + w0);
}

static double shishkin_place(const rg_turn_solution *s, const rg_turn_half *h, int i)
{
    const int N = s->n / 2, N1 = N / 2, outside = N - N1;
    const bool is_inner = s->view->facts.point[0].kind == RG_TURN_ATTRACTIVE;
    const double width = is_inner ? 2.0 * sqrt(s->view->eps / h->b0) : s->view->eps / h->m;
    const double sigma = fmin(0.5 * h->length, width * log(s->n));

    if (is_inner)
        return i <= N1 ? sigma * i / N1 : sigma + (h->length - sigma) * (i - N1) / outside;
    return i <= outside ? (h->length - sigma) * i / outside
                        : h->length - sigma * (N - i) / (double)N1;
}

static double place(const rg_turn_solution *s, const rg_turn_half *h, int i)
{
    const int N = s->n / 2;

    if (i == 0) return 0.0;
    if (i == N) return h->length;
    switch (s->variant) {
    case RG_TURN_SWEEP:
    case RG_TURN_TWO_PASS:
        return layer_place(h, N, i);
    case RG_TURN_CONSERVATIVE:
        return inner_place(h, s->view->eps, i / (double)N);
    case RG_TURN_SHISHKIN:
        return shishkin_place(s, h, i);
    default:
        return h->length * i / N;
    }
}

void rg_turn_mesh(rg_turn_solution *s)
{
    const int N = s->n / 2;

    for (int half = 0; half < 2; half++) {
        const rg_turn_half *h = &s->half[half];
        const bool has_layer = s->variant <= RG_TURN_TWO_PASS && h->e < RG_TURN_UNIFORM;
        for (int i = 0; i <= N; i++)
            s->x[N + h->side * i] = s->x0 + h->side * place(s, h, i);
        for (int i = 0; i < N; i++)
            s->is_layer[half == 0 ? N - 1 - i : N + i] = has_layer && i >= N - N / 2;
    }
    s->x[0] = s->view->low;
    s->x[s->n] = s->view->high;
}
