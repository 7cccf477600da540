/* Start values that no branch of the equations has: u + sign(u) = 0.2 is solved by u = 0 with a
 * sign between -1 and 1.  And those that the branch at the start leaves open: the current of an
 * ideal diode between a source and a capacitor, 0 = min(i, u - e), is what the branch u = e makes
 * of it a moment later.  The branches at the start are found as behind a switch, by trial steps
 * from the given values: states stay, algebraic unknowns are computed, a switch may slide at
 * once. */
#include "ivp/switching/switching.h"
#include "ivp/switching/tuning.h"
#include "structure/jacobian.h"

#include <math.h>
#include <string.h>

/* Kept values are kept; what E holds is, as in every trial step. */
static bool is_kept(const rg_problem *p, const rg_system *system, const double *y, const double *yp)
{
    bool is_so = true;

    for (int r = 0; r < p->start_orders; r++)
        for (int64_t j = 0; j < p->n && p->start[r].kind != NULL; j++) {
            if (p->start[r].kind[j] != RG_START_KEPT) continue;
            const int64_t at = rg_system_state(system, j, r);
            const int64_t below = r > 0 && at < 0 ? rg_system_state(system, j, r - 1) : -1;
            const double given = p->start[r].value[j];
            const double now = at >= 0 ? y[at] : below >= 0 ? yp[below] : given;
            is_so = is_so && fabs(now - given) <= RG_SAME * (1.0 + fabs(given));
        }
    return is_so;
}

static void take_values(const rg_problem *p, const rg_analysis *a, const rg_system *system,
                        const double *y, const double *yp, rg_consistent *to)
{
    for (int64_t j = 0; j < p->n; j++)
        for (int r = 0; r < to->n_orders && r <= a->d[j]; r++) {
            const int64_t at = rg_system_state(system, j, r);
            const int64_t below = r > 0 ? rg_system_state(system, j, r - 1) : -1;
            to->value[r][j] = at >= 0 ? y[at] : below >= 0 ? yp[below] : NAN;
        }
}

/* *is_found: `to` are start values. */
static rg_status find(const rg_problem *p, const rg_analysis *a, const rg_system *system,
                      rg_consistent *to, bool *is_found)
{
    const size_t n = (size_t)rg_system_size(system) + 1;
    double *y = rg_alloc(p->ctx, 2 * n, sizeof *y), *yp = NULL;
    const rg_options o = rg_options_default();
    rg_integrator *g = NULL;
    rg_status status = y != NULL ? RG_OK : RG_ERR_MEMORY;

    if (status == RG_OK) {
        yp = y + n;
        rg_system_start(system, to, y, yp);
        status = rg_integrator_create(system, &o, &(rg_state){p->a, y, yp}, p->b, &g);
    }
    if (status == RG_OK) status = rg_switching_open(g, is_found);
    if (status == RG_OK && *is_found) *is_found = is_kept(p, system, g->y, g->yp);
    if (status == RG_OK && *is_found) take_values(p, a, system, g->y, g->yp, to);
    rg_integrator_destroy(&g);
    rg_free(p->ctx, y);
    return status;
}

/* From `known`, or from the given values.  Any failure but of memory: there are none, and the error
 * is that of the search before. */
static rg_status find_between(const rg_problem *p, const rg_analysis *a, const rg_consistent *known,
                              bool *is_found)
{
    const rg_error error = *rg_last_error(p->ctx);
    rg_system *system = NULL;
    rg_consistent *c = NULL;

    *is_found = false;
    rg_clear_error(p->ctx);
    rg_status status = rg_system_create(p, a, RG_VIEW_DIRECT, &system);
    if (status == RG_OK) status = rg_consistent_given(p, a, &c);
    for (int r = 0; status == RG_OK && known != NULL && r < c->n_orders; r++)
        memcpy(c->value[r], known->value[r], (size_t)p->n * sizeof *c->value[r]);
    if (status == RG_OK) status = find(p, a, system, c, is_found);
    if (status == RG_OK && *is_found && known != NULL) /* digits that a far guess has taken */
        status = find(p, a, system, c, is_found);
    if (status == RG_OK && *is_found) {
        if (p->study->consistent != NULL)
            p->study->consistent_destroy(p->ctx, &p->study->consistent);
        p->study->consistent = c;
        p->study->consistent_destroy = rg_consistent_destroy;
        c = NULL;
    }
    rg_consistent_destroy(p->ctx, &c);
    rg_system_destroy(&system);
    if (status == RG_ERR_MEMORY || (status == RG_OK && *is_found)) return status;
    *is_found = false;
    rg_clear_error(p->ctx);
    return known != NULL ? RG_OK : rg_fail_again(p->ctx, &error);
}

/* The start values, those of algebraic unknowns that are not kept moved by a little. */
static void set_point(const rg_problem *p, const rg_analysis *a, const rg_consistent *c,
                      double part, rg_sampler *s)
{
    s->t = p->a;
    for (int64_t k = 0; k < s->n_columns; k++) {
        const int64_t j = k % p->n, r = k / p->n;
        const bool is_kept =
            p->start_orders > 0 && p->start[0].kind != NULL && p->start[0].kind[j] == RG_START_KEPT;
        const double value = r < c->n_orders ? c->value[r][j] : NAN;
        s->z[k] = isfinite(value) ? value : 0.0;
        if (r == 0 && a->d[j] == 0 && !is_kept) s->z[k] += part * fmax(fabs(s->z[k]), s->unit[k]);
    }
}

/* Do the equations determine the algebraic unknowns, with the branches that they have at the start,
 * and where switches are zero there, with those beside it? */
static rg_status look(const rg_problem *p, const rg_analysis *a, const rg_consistent *c,
                      bool *is_determined)
{
    static const double parts[] = {0.0, RG_START_BESIDE, -RG_START_BESIDE};
    const int n_orders = p->max_order < 1 ? 2 : p->max_order + 1;
    const int64_t n_blocks = a->transversal->n_blocks;
    uint8_t *is_singular = rg_alloc(p->ctx, (size_t)n_blocks + 1, 1);
    rg_sampler *s = NULL;
    rg_status status = is_singular != NULL ? RG_OK : RG_ERR_MEMORY;

    *is_determined = true;
    if (status == RG_OK) status = rg_sampler_create(p, 1, n_orders, &s);
    for (int k = 0; k < 3 && status == RG_OK && *is_determined; k++) {
        int64_t n_singular = n_blocks;
        memset(is_singular, 1, (size_t)n_blocks);
        set_point(p, a, c, parts[k], s);
        status = rg_sampler_eval(s);
        if (status == RG_OK)
            status = rg_system_jacobian_check(s, a->transversal, is_singular, &n_singular, NULL);
        if (status == RG_OK) *is_determined = n_singular == 0;
    }
    rg_sampler_destroy(&s);
    rg_free(p->ctx, is_singular);
    return status < 0 ? status : RG_OK;
}

rg_status rg_switching_start(const rg_problem *p, const rg_analysis *a, const rg_consistent **out)
{
    const bool is_known = p->study->consistent != NULL;
    const int n_warnings = p->study->n_warnings;
    bool is_found, is_determined;
    const rg_status status = rg_start_get(p, a, out);

    if (is_known || a->index > 1 || p->has_start_conditions || !rg_problem_has_switches(p))
        return status;
    if (status == RG_ERR_INCONSISTENT || status == RG_ERR_CONVERGENCE) {
        RG_TRY(find_between(p, a, NULL, &is_found));
        return rg_start_get(p, a, out);
    }
    if (status != RG_OK || a->index < 1) return status;
    RG_TRY(look(p, a, *out, &is_determined));
    if (is_determined) return RG_OK;
    RG_TRY(find_between(p, a, *out, &is_found));
    if (is_found) rg_study_keep_warnings(p->study, n_warnings);
    return rg_start_get(p, a, out);
}
