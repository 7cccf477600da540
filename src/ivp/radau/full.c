/* The stages of a step by full Newton, where one Jacobian for all of them does not converge.
 *
 * x^p (y - s(t)) = 0: with the Jacobian where x = x_0, an iteration leaves 1 - (x_i/x_0)^p of an
 * error at stage i.  So no step gets past x = 0 where p is odd, few do where it is even, and the
 * steps before it become shorter and shorter.  With the Jacobian of every stage (coupled.h) one
 * iteration is exact.
 *
 * At x = 0 itself any y would do.  What goes on there continuously is found from both sides, and
 * agrees with its prediction, the better the shorter the step; poles and jumps do not, however
 * short it is, and are left to the failure that they were before.
 *
 * A run that begins there, t y = sin t from t = 0, has no prediction.  The error test has the last
 * word: slopes that y' has at the start do not agree with those of the step until h is as short as
 * the tolerance.  What the equations do not determine there is what the stages tend to. */
#include "ivp/radau/radau.h"

#include "ivp/radau/tuning.h"
#include "linalg/powers.h"

#include <math.h>
#include <string.h>

enum { ALGEBRAIC = 4 }; /* in kinds */

static rg_status evaluate(void *user, int stage, double t, const double *w, const double *wp,
                          double *F, double *Jw, double *Jwp)
{
    rg_integrator *g = user;

    t = rg_radau_time(g, rg_radau_of(g)->table->c[stage]);
    RG_TRY(rg_system_residual(g->system, g->work, t, w, wp, F));
    if (Jw == NULL) return RG_OK;
    g->stats.jacobians++;
    return rg_system_jacobian(g->system, g->work, t, w, wp, Jw, Jwp);
}

/* Marks the entries of unknowns without derivatives in equations without any. */
static void mark_algebraic(const rg_pattern *p, uint8_t *kinds, uint8_t *has_slope)
{
    for (int64_t e = 0; e < p->start[p->n_columns]; e++)
        if (kinds[e] & 2) has_slope[p->row[e]] = 1;
    for (int j = 0; j < p->n_columns; j++) {
        bool is_algebraic = true;
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            is_algebraic = is_algebraic && !(kinds[e] & 2);
        for (int64_t e = p->start[j]; e < p->start[j + 1] && is_algebraic; e++)
            if (!has_slope[p->row[e]]) kinds[e] |= ALGEBRAIC;
    }
}

/* All unknowns count, also those without derivatives. */
static rg_status create(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const rg_pattern *p = rg_system_pattern(g->system);
    const size_t entries = (size_t)p->start[p->n_columns], n = (size_t)g->n;

    if (r->kinds == NULL) r->kinds = rg_alloc(g->ctx, entries + n + 1, 1);
    if (r->kinds == NULL) return RG_ERR_MEMORY;
    rg_system_entry_kinds(g->system, r->kinds);
    mark_algebraic(p, r->kinds, r->kinds + entries);
    memset(r->kinds + entries, 1, n);
    const rg_coupled_equations e = {(int)n, p, r->kinds, r->kinds + entries, evaluate, g};
    return rg_coupled_create(g->ctx, &e, &r->full);
}

/* Only where blocks of algebraic equations are known and linear in their unknowns (ivp/branch.h has
 * nothing to watch), and no switch has branches: full Newton may find a solution far away. */
static bool is_possible(const rg_integrator *g)
{
    const rg_radau *r = rg_radau_of(g);

    return !r->is_fixed && g->branch == NULL && rg_system_switch_count(g->system) == 0
           && rg_system_is_regular(g->system) && r->highest <= 1 && r->n_pins == 0
           && r->table->s == COUPLED_STAGES;
}

bool rg_radau_may_begin(const rg_integrator *g)
{
    return rg_radau_of(g)->h_accepted == 0.0 && is_possible(g);
}

static bool is_wanted(const rg_integrator *g)
{
    const rg_radau *r = rg_radau_of(g);
    const bool is_stuck = r->stuck >= RG_RADAU_STUCK;

    if (r->h_accepted == 0.0) return (is_stuck || r->begins) && is_possible(g);
    return is_stuck && r->looks_at_end && is_possible(g);
}

/* Does a factor of an algebraic unknown change from the first stage to the last, as predicted, so
 * that one Jacobian does not serve both?  Other failures are not for full Newton: with long steps
 * it finds solutions that do not belong to the run (Robertson's reaction with atol = 1e-4). */
static rg_status is_changing(rg_integrator *g, bool *changes)
{
    rg_radau *r = rg_radau_of(g);
    const rg_pattern *p = rg_system_pattern(g->system);
    const int64_t entries = p->start[p->n_columns];
    double *first = r->full->Jw, *last = r->full->Jw + entries;
    const double *end = r->full->W + (COUPLED_STAGES - 1) * g->n;

    *changes = false;
    g->stats.jacobians += 2;
    RG_TRY(rg_system_jacobian(g->system, g->work, rg_radau_time(g, r->table->c[0]), r->full->W,
                              g->yp, first, r->full->Jwp));
    RG_TRY(rg_system_jacobian(g->system, g->work, rg_radau_time(g, 1.0), end, g->yp, last,
                              r->full->Jwp));
    for (int64_t e = 0; e < entries; e++)
        if ((r->kinds[e] & ALGEBRAIC)
            && fabs(last[e] - first[e]) > RG_RADAU_CHANGES * fmax(fabs(first[e]), fabs(last[e])))
            *changes = true;
    return RG_OK;
}

/* Z <- the stages; how far they were from their prediction in Z, in tolerances */
static double take_stages(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const double unit = r->rtol / g->options.rtol; /* tolerances as they were given */
    double most = 0.0;

    for (int i = 0; i < COUPLED_STAGES; i++) {
        double *Z = rg_radau_stage(r, r->Z, i);
        for (int64_t k = 0; k < g->n; k++) {
            const double change = r->full->W[i * g->n + k] - g->y[k];
            const double off = fabs(change - Z[k]) * r->inverse[k] * unit;
            if (!(off <= most)) most = off; /* also takes NaN */
            Z[k] = change;
        }
    }
    rg_stages_transform(COUPLED_STAGES, r->T_inverse, r->blocks, r->Z, r->W);
    return most;
}

rg_status rg_radau_full(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);

    if (!is_wanted(g)) return (rg_status)RG_RETRY;
    if (r->full == NULL) RG_TRY(create(g));
    rg_coupled *c = r->full;
    rg_radau_predict(g);
    memcpy(c->w, g->y, (size_t)g->n * sizeof *c->w);
    memcpy(c->weight, r->weight, (size_t)g->n * sizeof *c->weight);
    for (int i = 0; i < COUPLED_STAGES; i++)
        for (int64_t k = 0; k < g->n; k++)
            c->W[i * g->n + k] = g->y[k] + rg_radau_stage(r, r->Z, i)[k];
    bool changes = true;
    const bool is_start = r->h_accepted == 0.0;
    if (!is_start && !g->is_combined) RG_TRY(is_changing(g, &changes));
    if (!changes) return (rg_status)RG_RETRY;
    g->stats.factorizations++;
    c->noise = 1.0;
    RG_TRY(rg_coupled_newton(c, g->t, r->h, &g->stats.evaluations));
    const double off = take_stages(g);
    if (!(off <= RG_RADAU_CONTINUES) && !is_start) return (rg_status)RG_RETRY;
    r->iterations = 1;
    r->theta = r->convergence = 1.0; /* of one Jacobian nothing is known here */
    return RG_OK;
}

static bool is_algebraic(const rg_radau *r, const rg_pattern *p, int64_t j)
{
    for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
        if (r->kinds[e] & 2) return false;
    return true;
}

/* y_n <- sum_i l_i(0) Y_i, the polynomial of the stages at the start, of unknowns without
 * derivatives. */
void rg_radau_begin(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const rg_pattern *p = rg_system_pattern(g->system);
    double l[COUPLED_STAGES][COUPLED_STAGES]; /* by powers: the first coefficient is l_i(0) */

    for (int i = 0; i < COUPLED_STAGES; i++)
        rg_powers_lagrange(COUPLED_STAGES, r->table->c, i, l[i]);
    for (int64_t k = 0; k < g->n; k++) {
        double change = 0.0;
        if (!is_algebraic(r, p, k)) continue;
        for (int i = 0; i < COUPLED_STAGES; i++)
            change += l[i][0] * rg_radau_stage(r, r->Z, i)[k];
        g->y[k] += change;
        for (int i = 0; i < COUPLED_STAGES; i++)
            rg_radau_stage(r, r->Z, i)[k] -= change;
    }
}
