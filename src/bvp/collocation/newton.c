/* The collocation equations on one mesh, solved by Newton's method. */
#include "bvp/collocation/newton.h"

#include "base/context.h"
#include "base/journal.h"

#include <string.h>

static rg_status correct(void *user, const rg_curve *at, bool is_new, rg_curve *delta)
{
    return rg_implicit_correct(user, at, is_new, delta);
}

static void find_natural(void *user, const rg_curve *at, double *u, double *natural)
{
    rg_implicit_natural(user, at, u, natural);
}

static void take_noise(rg_implicit *l, const rg_curve *it, const rg_bvp_newton *n,
                       rg_newton_outcome *outcome)
{
    double *own = n->Db->x;

    rg_bvp_newton_own_scale(n, it, own);
    outcome->noise = rg_implicit_noise(l, it, own, RG_ROUNDING_EQUATIONS, n->D->x);
    outcome->slopes = rg_implicit_slopes(l, it, own, n->D->x, &outcome->slopes_at);
    outcome->doubt = rg_implicit_noise(l, it, n->scale, RG_ROUNDING_FACTORS, n->D->x);
}

static double find_rounding(void *user, const rg_curve *at, const double *scale, double *u)
{
    return rg_implicit_noise(user, at, scale, RG_ROUNDING_FACTORS, u);
}

static rg_status compute(rg_bvp_form *f, rg_bvp_conditions *c, const rg_newton_control *control,
                         rg_curve *it, rg_stats *stats, rg_newton_outcome *outcome)
{
    rg_implicit *l = NULL;
    rg_bvp_newton n = {.control = *control, .correct = correct, .order = f->d};

    n.find_natural = find_natural;
    n.find_rounding = f->is_linear ? find_rounding : NULL;
    n.depth = f->order;
    rg_status status = rg_bvp_newton_init(&n, it);

    *outcome = (rg_newton_outcome){.natural = outcome->natural};
    if (status == RG_OK) status = rg_implicit_create(f, c, it, stats, &l);
    if (status == RG_OK) {
        n.user = l;
        status = rg_bvp_newton_solve(&n, false, it);
        outcome->n_iterations = n.n_iterations;
        outcome->rounding = n.rounding;
        outcome->rounded = n.rounded;
    }
    if (status >= 0) {
        outcome->conditioning = rg_implicit_conditioning(l, n.scale, n.D->x);
        if (outcome->natural != NULL) {
            memcpy(outcome->natural, n.natural, (size_t)(2 * f->nz) * sizeof *n.natural);
            take_noise(l, it, &n, outcome);
        }
    }
    rg_implicit_destroy(&l);
    rg_bvp_newton_clear(&n);
    return status;
}

/* The work that was done, and what came of it. */
static void store(const rg_bvp_form *f, rg_curve *it, rg_status *status, rg_stats *work,
                  rg_newton_outcome *outcome, rg_store *s)
{
    const int64_t stages = it->N * it->rule.s;
    double *const natural = outcome->natural;

    RG_STORE(s, *status);
    RG_STORE(s, *work);
    rg_store_reals(s, it->x, (it->N + 1) * it->nx);
    rg_store_reals(s, it->Xp, stages * it->nx);
    rg_store_reals(s, it->w, stages * it->n);
    rg_store_reals(s, it->wn, (int64_t)it->n_nodes * it->n);
    RG_STORE(s, *outcome);
    outcome->natural = natural;
    if (natural != NULL) rg_store_reals(s, natural, 2 * (int64_t)f->nz);
}

static void add_work(rg_stats *stats, const rg_stats *now, int sign)
{
    stats->evaluations += sign * now->evaluations;
    stats->jacobians += sign * now->jacobians;
    stats->factorizations += sign * now->factorizations;
}

/* With checkpoints every solve is in their journal. */
rg_status rg_collocate(rg_bvp_form *f, rg_bvp_conditions *c, const rg_newton_control *control,
                       rg_curve *it, rg_stats *stats, rg_newton_outcome *outcome)
{
    rg_journal *j = f->ctx->journal;
    rg_stats work = *stats;
    rg_status status = RG_OK;

    if (rg_journal_has_next(j)) {
        store(f, it, &status, &work, outcome, j->store);
        add_work(stats, &work, 1);
        return j->store->status != RG_OK ? j->store->status : status;
    }
    status = compute(f, c, control, it, stats, outcome);
    if (j == NULL || status < 0) return status;
    rg_stats now = *stats;
    add_work(&now, &work, -1);
    rg_journal_begin(j);
    store(f, it, &status, &now, outcome, j->store);
    const rg_status kept = rg_journal_end(j);
    return kept != RG_OK ? kept : status;
}

rg_status rg_collocate_once(rg_bvp_form *f, rg_bvp_conditions *c, rg_curve *it, rg_stats *stats)
{
    rg_implicit *l = NULL;
    rg_curve *delta = NULL;
    rg_status status = rg_curve_like(it, &delta);

    if (status == RG_OK) status = rg_implicit_create(f, c, it, stats, &l);
    if (status == RG_OK) status = rg_implicit_correct(l, it, true, delta);
    if (status == RG_OK) rg_curve_add(it, 1.0, delta, it);
    rg_implicit_destroy(&l);
    rg_curve_destroy(&delta);
    return status;
}

rg_status rg_collocate_noise(rg_bvp_form *f, rg_bvp_conditions *c, const rg_newton_control *control,
                             const rg_curve *it, rg_stats *stats, rg_newton_outcome *outcome)
{
    rg_implicit *l = NULL;
    rg_bvp_newton n = {.control = *control, .order = f->d};
    rg_status status = rg_bvp_newton_init(&n, it);

    *outcome = (rg_newton_outcome){.natural = NULL};
    if (status == RG_OK) status = rg_implicit_create(f, c, it, stats, &l);
    if (status == RG_OK) status = rg_implicit_correct(l, it, true, n.D);
    if (status >= 0) {
        rg_bvp_newton_scale(&n, it, NULL);
        take_noise(l, it, &n, outcome);
    }
    rg_implicit_destroy(&l);
    rg_bvp_newton_clear(&n);
    return status < 0 ? status : RG_OK;
}
