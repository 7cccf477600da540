/* Steps of the stacked form by the pair of Dormand and Prince, of order 5 with an error estimate
 * of order 4:
 *
 *     k_i = F(t_n + c_i h, z_n + h sum_j a_ij k_j),  i = 1..7,
 *     z_{n+1} = z_n + h sum_j a_7j k_j,     error = h sum_j e_j k_j
 *
 * HNW93 table II.5.2; dense output of order 4, section II.6 (6.12) and the code DOPRI5.  Step
 * size: HNW93 (4.12), (4.13) with the stabilized control of HW96 IV.2 (2.43c): fac = 0.9
 * err^-(0.2 - 0.75 beta) err_old^beta, beta = 0.04, as in DOPRI5.  The error is measured on all
 * iterates.  A step in which GB cannot be inverted at some stage is tried again a little
 * shorter. */
#include "ivp/srm/srm_impl.h"

#include "ivp/first.h"
#include "ivp/srm/tuning.h"
#include "ivp/tuning.h"
#include "linalg/norm.h"
#include "linalg/tableau.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { STAGES = SRM_PAIR_STAGES, DEGREE = 4, Y_DEGREE = 2 };

/* Dense output (DOPRI5). */
/* clang-format off */
static const double D[STAGES] = {-12715105075.0 / 11282082432, 0, 87487479700.0 / 32700410799,
                                 -10690763975.0 / 1880347072, 701980252875.0 / 199316789632,
                                 -1453857185.0 / 822651844, 69997945.0 / 29380423};
/* clang-format on */

static double first_step(const rg_integrator *g)
{
    const rg_srm *b = rg_srm_of(g);
    const double rtol = g->options.rtol;
    rg_first f = {0};

    if (g->options.h_first > 0.0) return g->options.h_first;
    for (int i = 0; i < b->m * b->core->n_z; i++)
        rg_first_add(&f, b->z[i], b->slope[i], rtol * (rg_srm_unit(g, i) + fabs(b->z[i])));
    return rg_first_step(g, &f, rtol);
}

/* z_new and the slopes; the last stage belongs to z_new itself. */
static rg_status stages(rg_integrator *g, double h)
{
    const rg_tableau *a = rg_tableau_explicit(RG_TABLEAU_MOST_ORDER);
    rg_srm *b = rg_srm_of(g);
    const int N = b->m * b->core->n_z;

    memcpy(b->K7, b->slope, (size_t)N * sizeof *b->K7);
    for (int i = 1; i < STAGES; i++) {
        const double *weight = i < a->s ? a->A[i] : a->b;
        for (int r = 0; r < N; r++) {
            double sum = 0.0;
            for (int j = 0; j < i; j++)
                sum += weight[j] * b->K7[j * N + r];
            b->z_new[r] = b->z[r] + h * sum;
            if (!isfinite(b->z_new[r])) return RG_RETRY;
        }
        RG_TRY(rg_srm_stack_eval(g, g->t + (i < a->s ? a->c[i] : 1.0) * h, b->z_new, b->K7 + i * N,
                                 b->y_new));
    }
    return RG_OK;
}

/* Root mean square of the error over atol + rtol max(|z_n|, |z_{n+1}|). */
static double local_error(const rg_integrator *g, double h)
{
    const rg_tableau *a = rg_tableau_explicit(RG_TABLEAU_MOST_ORDER);
    const rg_srm *b = rg_srm_of(g);
    const int N = b->m * b->core->n_z;
    double sum = 0.0;

    for (int r = 0; r < N; r++) {
        double e = 0.0;
        for (int j = 0; j < STAGES; j++) /* b_7 = 0 */
            e += ((j < a->s ? a->b[j] : 0.0) - a->embedded[j]) * b->K7[j * N + r];
        const double size = fmax(fabs(b->z[r]), fabs(b->z_new[r]));
        e *= h / fmax(g->options.rtol * (rg_srm_unit(g, r) + size), DBL_MIN);
        sum += e * e;
    }
    return sqrt(sum / N);
}

/* HNW93 (6.12) in powers of s: r_1 + s (r_2 + (1-s) (r_3 + s (r_4 + (1-s) r_5))); in place of
 * the first five slopes. */
static void dense(const rg_srm *b, double h)
{
    const int N = b->m * b->core->n_z;
    double *K = b->K7;

    for (int r = 0; r < N; r++) {
        const double difference = b->z_new[r] - b->z[r];
        const double r3 = h * K[r] - difference, r4 = difference - h * K[6 * N + r] - r3;
        double r5 = 0.0;
        for (int j = 0; j < STAGES; j++)
            r5 += h * D[j] * K[j * N + r];
        K[r] = b->z[r];
        K[N + r] = difference + r3;
        K[2 * N + r] = r4 - r3 + r5;
        K[3 * N + r] = -r4 - 2.0 * r5;
        K[4 * N + r] = r5;
    }
}

static rg_status accept(rg_integrator *g, double h, double t_new)
{
    rg_srm *b = rg_srm_of(g);
    const size_t bytes = (size_t)(b->m * b->core->n_z) * sizeof(double);

    memcpy(b->slope, b->K7 + (STAGES - 1) * b->m * b->core->n_z, bytes);
    dense(b, h);
    memcpy(b->z, b->z_new, bytes);
    g->stats.steps++;
    const srm_stack_step step = {t_new, DEGREE, Y_DEGREE, b->K7, b->z, b->slope};
    return rg_srm_stack_accept(g, &step);
}

/* The size of the attempt: what is wanted, or the rest; a rest of less than two steps is halved. */
static double choose(const rg_integrator *g, double *t_new)
{
    const double rest = fabs(g->t_end - g->t);
    double h = rg_srm_of(g)->h_next;

    if (g->options.h_max > 0.0) h = fmin(h, g->options.h_max);
    if (h * (1.0 + RG_PACE_LAST) >= rest)
        h = rest;
    else if (2.0 * h > rest)
        h = 0.5 * rest;
    *t_new = h == rest ? g->t_end : g->t + g->direction * h;
    return g->direction * h;
}

/* One attempt.  RG_RETRY: h_next has been made smaller. */
static rg_status attempt(rg_integrator *g, double h, bool was_rejected)
{
    rg_srm *b = rg_srm_of(g);

    const rg_status status = stages(g, h);
    if (status < 0) return status;
    const double error = status == RG_OK ? local_error(g, h) : INFINITY;
    if (!isfinite(error)) {
        b->h_next = RG_DOPRI_ASIDE * fabs(h);
        return RG_RETRY;
    }
    if (error > 1.0) {
        b->h_next = fabs(h) * fmax(RG_PACE_SHRINK, RG_DOPRI_SAFETY * pow(error, -0.2));
        return RG_RETRY;
    }
    const double e = fmax(error, 1e-8);
    const double factor =
        RG_DOPRI_SAFETY * pow(e, 0.75 * RG_DOPRI_BETA - 0.2) * pow(b->error_old, RG_DOPRI_BETA);
    b->h_next = fabs(h) * fmin(was_rejected ? 1.0 : RG_DOPRI_GROW, fmax(RG_PACE_SHRINK, factor));
    b->error_old = fmax(error, 1e-4);
    return RG_OK;
}

rg_status rg_srm_pair_step(rg_integrator *g)
{
    rg_srm *b = rg_srm_of(g);
    double t_new;

    if (b->h_next == 0.0) {
        b->h_next = first_step(g);
        b->error_old = 1e-4;
    }
    for (int failures = 0; failures < RG_PACE_FAILURES; failures++) {
        const double wanted = b->h_next;
        RG_TRY(rg_integrator_go_on(g));
        if (g->stats.steps + g->stats.rejected >= g->options.max_steps) return rg_srm_fail_steps(g);
        const double h = choose(g, &t_new);
        if (fabs(h) <= 10.0 * DBL_EPSILON * fabs(g->t) && t_new != g->t_end) break;
        const rg_status status = attempt(g, h, failures > 0);
        if (status == RG_OK) {
            if (fabs(h) < wanted) b->h_next = fmax(b->h_next, wanted); /* cut by the end only */
            return accept(g, h, t_new);
        }
        if (status < 0) return status;
        g->stats.rejected++;
    }
    return b->core->has_hit ? rg_srm_fail_singular(g, t_new) : rg_srm_fail_step(g, t_new - g->t);
}
