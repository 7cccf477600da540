/* Carried scalars over a step that explicit diffusion would limit to h^2: the Runge-Kutta-Legendre
 * method of second order in s stages.  With M the rate of c and k the step,
 *
 *     Y_1 = Y_0 + m_1 k M(Y_0)
 *     Y_j = mu_j Y_(j-1) + nu_j Y_(j-2) + (1 - mu_j - nu_j) Y_0 + m_j k M(Y_(j-1)) + g_j k M(Y_0)
 *
 *     b_j = (j^2 + j - 2)/(2 j (j + 1)), b_0 = b_1 = 1/3,   w = 4/(s^2 + s - 2),
 *     mu_j = (2 j - 1)/j b_j/b_(j-1),    nu_j = -(j - 1)/j b_j/b_(j-2),
 *     m_1 = b_1 w,  m_j = mu_j w,        g_j = -(1 - b_(j-1)) m_j:
 *
 * the polynomial of stability is one of Legendre in the shifted argument, below 1 for k times the
 * largest rate of decay up to (s^2 + s - 2)/2.  So s stages reach about s^2/4 times as far as one
 * step of the two stages of scalars.c.  No system is solved, fluxes are what they are there, and
 * what passes the sides is a scalar of its own in these formulas: nothing is lost.
 *
 * Stability keeps no error small now.  With M_s the rate behind the step
 *
 *     0.8 (Y_0 - Y_s) + 0.4 k (M(Y_0) + M_s) = about k^3 |c'''|/15
 *
 * is that of the step; it holds sources and data that change in time too. */
#include "pdae/mesh/block.h"
#include "pdae/run/run_impl.h"
#include "pdae/run/tuning.h"

#include <math.h>
#include <string.h>

typedef struct {
    double mu, nu, m, g;
    double at; /* the part of the step at which Y_j stands: the formulas for c' = 1 */
} stage;

static double b_of(int j)
{
    return j < 2 ? 1.0 / 3.0 : (j * (j + 1.0) - 2.0) / (2.0 * j * (j + 1.0));
}

/* Stage j of s behind the stages j - 1 and j - 2. */
static stage stage_of(int j, int s, const stage *one, const stage *two)
{
    const double w = 4.0 / (s * (s + 1.0) - 2.0);
    stage q = {.mu = 1.0, .m = b_of(1) * w}; /* Y_0 at first */

    if (j > 1) {
        q.mu = (2.0 * j - 1.0) / j * b_of(j) / b_of(j - 1);
        q.nu = -(j - 1.0) / j * b_of(j) / b_of(j - 2);
        q.m = q.mu * w;
        q.g = -(1.0 - b_of(j - 1)) * q.m;
    }
    q.at = q.mu * one->at + q.nu * two->at + q.m + q.g;
    return q;
}

/* Odd numbers of stages damp the fastest parts; two are for steps that they do not limit. */
static int count_stages(double reach)
{
    int s = 2;

    while (s < RG_GRID_MOST_STAGES && 0.5 * (s * (s + 1.0) - 2.0) < reach)
        s += s == 2 ? 1 : 2;
    return s;
}

double rg_run_stages_reach(void)
{
    const double s = RG_GRID_MOST_STAGES;

    return 0.5 * (s * (s + 1.0) - 2.0);
}

/* Not where more than scalars would have to follow the stages: storage that changes, dispersion by
 * a velocity that does, fields that equations without a time derivative determine. */
bool rg_run_may_stage(const rg_run_grid *r)
{
    bool any = false;

    if (r->options.implicit || r->options.step > 0.0) return false;
    for (int m = 0; m < r->n_parts; m++) {
        const rg_run_part *p = &r->part[m];
        if (p->storage_old != NULL || p->is_marched) return false;
        if (p->darcy ? p->is_timed : rg_run_is_determined(p)) return false;
        if (p->is_carried && p->eq->has_dispersion
            && rg_run_part_of((rg_run_grid *)(uintptr_t)r, p->eq->dispersion.velocity)->fluid)
            return false;
        any = any || p->is_carried;
    }
    return any;
}

/* Values outside, as other scalars may read them. */
static rg_status fill_all(rg_run_grid *r, double t)
{
    for (int m = 0; m < r->n_parts; m++) {
        rg_run_part *p = &r->part[m];
        if (!p->is_carried) continue;
        RG_TRY(rg_run_scalar_sides(p, t));
        rg_scalar_fill(&p->scalar, p->c);
    }
    return RG_OK;
}

/* The rates of all scalars at the part `at` of the step, and what passes. */
static rg_status find_rates(rg_run_grid *r, double t, double k, double at)
{
    if (at > 0.0) RG_TRY(fill_all(r, t + at * k));
    for (int m = 0; m < r->n_parts; m++) {
        rg_run_part *p = &r->part[m];
        if (!p->is_carried) continue;
        if (p->moves && at > 0.0)
            RG_TRY(rg_run_scalar_terms(p, t + at * k, RG_TERMS_SECOND, &p->terms));
        RG_TRY(rg_run_scalar_rate(p, &p->terms, t + at * k, at, p->passing));
    }
    return RG_OK;
}

/* Y_0 stands in old, Y_(j-2) in delta, M(Y_0) in s. */
static void combine(rg_run_part *p, double k, const stage *q, bool is_first)
{
    const int64_t size = p->run->grid->size;
    const double rest = 1.0 - q->mu - q->nu;

    const double *const rates = is_first ? p->s : p->rate;

    if (is_first) memcpy(p->delta, p->old, (size_t)size * sizeof *p->delta);
    for (int64_t at = 0; at < size; at++) {
        const double rate = k * (q->m * rates[at] + q->g * p->s[at]) / p->storage[at];
        const double next = q->mu * p->c[at] + q->nu * p->delta[at] + rest * p->old[at] + rate;
        p->delta[at] = p->c[at];
        p->c[at] = next;
    }
}

/* The same formulas for what has come in and gone out. */
static void count_passed(rg_run_part *p, double k, const stage *q, bool is_first)
{
    for (int way = 0; way < 2; way++) {
        double *const passed = p->passed[way]; /* up to Y_(j-1), up to Y_(j-2), per time at Y_0 */
        if (is_first) passed[0] = passed[1] = 0.0;
        const double now = is_first ? passed[2] : p->passing[way];
        const double next =
            q->mu * passed[0] + q->nu * passed[1] + k * (q->m * now + q->g * passed[2]);
        passed[1] = passed[0];
        passed[0] = next;
    }
}

static double error_of(rg_run_part *p, double k)
{
    const rg_run_grid *r = p->run;
    const rg_grid *g = r->grid;
    double two[2] = {0.0, p->size};

    for (int m = 0; m < g->axis[2].n; m++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++) {
                const int64_t at = rg_grid_at(g, i, j, m);
                if (g->solid && g->solid[at]) continue;
                const double miss = fabs(0.8 * (p->old[at] - p->c[at])
                                         + 0.4 * k * (p->s[at] + p->rate[at]) / p->storage[at]);
                if (!(miss <= two[0])) two[0] = isfinite(miss) ? miss : INFINITY;
                two[1] = fmax(two[1], fmax(fabs(p->c[at]), fabs(p->old[at])));
            }
    rg_grid_most(g, 2, two);
    p->size = two[1];
    return two[0] > 0.0 ? two[0] / (r->options.tol * p->size) : 0.0;
}

/* The rates behind the last step are those before the next one. */
static void keep_rates(rg_run_grid *r)
{
    for (int m = 0; m < r->n_parts; m++) {
        rg_run_part *p = &r->part[m];
        double *const kept = p->s;
        p->s = p->rate;
        p->rate = kept;
        for (int way = 0; way < 2; way++)
            p->passed[way][2] = p->passing[way];
    }
    r->has_first = true;
}

void rg_run_stages_accept(rg_run_grid *r)
{
    r->has_first = false;
    for (int m = 0; m < r->n_parts; m++)
        if (r->part[m].darcy) return; /* it will carry otherwise */
    if (r->is_staged) keep_rates(r);
}

/* Also after a step that was taken back. */
static rg_status begin(rg_run_grid *r, double t, double k)
{
    for (int m = 0; m < r->n_parts; m++) {
        rg_run_part *p = &r->part[m];
        if (!p->is_carried) continue;
        RG_TRY(rg_run_scalar_terms(p, t, RG_TERMS_FIRST, &p->terms));
        rg_run_begin_carry(p);
    }
    if (r->has_first) return RG_OK;
    RG_TRY(find_rates(r, t, k, 0.0));
    keep_rates(r);
    return RG_OK;
}

static rg_status end(rg_run_grid *r, double t, double k, double *error)
{
    RG_TRY(find_rates(r, t, k, 1.0));
    for (int m = 0; m < r->n_parts; m++) {
        rg_run_part *p = &r->part[m];
        if (!p->is_carried) continue;
        p->balance.in += p->passed[0][0];
        p->balance.out += p->passed[1][0];
        *error = fmax(*error, error_of(p, k));
    }
    return RG_OK;
}

rg_status rg_run_carry_stages(rg_run_grid *r, double t, double k, double *error)
{
    const int s = count_stages(k * r->decay / RG_GRID_STAGES_USED);
    stage one = {0}, two = {0};

    RG_TRY(begin(r, t, k));
    for (int j = 1; j <= s; j++) {
        const stage q = stage_of(j, s, &one, &two);
        if (j > 1) RG_TRY(find_rates(r, t, k, one.at));
        for (int m = 0; m < r->n_parts; m++) {
            if (!r->part[m].is_carried) continue;
            combine(&r->part[m], k, &q, j == 1);
            count_passed(&r->part[m], k, &q, j == 1);
        }
        two = one;
        one = q;
    }
    return end(r, t, k, error);
}
