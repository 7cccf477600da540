/* The hypotheses of the method at a place where G B loses rank, L section 1:
 *
 *     H1:  P = B (GB)^-1 G is bounded;
 *     H2:  there is a smooth x with g(x, t) = 0.
 *
 * Where one of them does not hold B y has a pole, and the solution ends there.
 *
 * On a mesh nothing grows that steps could notice: they go over the place.  So the solution is
 * looked at on the dense output, at the distances d, RG_SRM_FAR d and RG_SRM_CLOSER of that,
 * moved onto the constraint, x^ = x - B (GB)^-1 g: P may be bounded there alone, and what x is
 * off it, by a large eps or by the step, does not matter then, for x^ = x - P (x - x^).  A pole
 * makes x^(closest) - x^(d) much larger than x^(next) - x^(d); what is smooth does not.
 *
 * Chosen steps become smaller and smaller before a pole.  There |P| and |B y|, B y = B (GB)^-1
 * (G f + g_nu), are noted for every power of ten of the smallest pivot of G B: where the run
 * gets stuck, have they grown over the last two of these? */
#include "ivp/srm/srm_impl.h"

#include "ivp/srm/tuning.h"

#include <math.h>
#include <string.h>

/* A change of component k of x in units of its largest value so far, with the tolerance for 0. */
static double in_sizes(const rg_integrator *g, int k, double value)
{
    const rg_srm *b = rg_srm_of(g);
    const double size = rg_srm_unit(g, k) + fmax(b->reach[k], fabs(b->start[k]));

    return size > 0.0 ? fabs(value) / size : 0.0;
}

/* The same at the start: x itself may grow towards a pole, and P beside it would not. */
static double at_start(const rg_integrator *g, int k)
{
    return rg_srm_unit(g, k) + fabs(rg_srm_of(g)->start[k]);
}

/* out = B (GB)^-1 r at the point sampled last; w->S has the factors. */
static void correction(rg_srm_core *c, const double *r, double *out)
{
    srm_space *w = &c->space;

    if (r != w->u) memcpy(w->u, r, (size_t)c->n_y * sizeof *w->u);
    rg_srm_inverse_solve(c, w->S, w->pivot_S, w->u);
    rg_srm_product(c->n_x, c->n_y, w->v.B, w->u, out);
}

static bool factor(rg_srm_core *c)
{
    srm_space *w = &c->space;

    memcpy(w->S, w->GB, (size_t)(c->n_y * c->n_y) * sizeof *w->S);
    return rg_srm_inverse_factor(c, w->S, w->pivot_S);
}

/* |P|, unknowns in their sizes at the start; G B has been factored. */
static double projection(const rg_integrator *g)
{
    rg_srm_core *c = rg_srm_of(g)->core;
    double most = 0.0;

    for (int j = 0; j < c->n_x; j++) {
        correction(c, c->space.v.G + j * c->n_y, c->space.w);
        for (int i = 0; i < c->n_x; i++)
            if (at_start(g, i) > 0.0)
                most = fmax(most, fabs(c->space.w[i]) * at_start(g, j) / at_start(g, i));
    }
    return most;
}

/* |B y| of the hidden constraint; times the length of the run, unknowns in their sizes. */
static double force(const rg_integrator *g)
{
    rg_srm_core *c = rg_srm_of(g)->core;
    const double length = fabs(g->t_end - g->t_start);
    double most = 0.0;

    rg_semi_level(c->view, c->order, c->space.u);
    rg_srm_add_product(c->n_y, c->n_x, c->space.v.G, c->space.v.f, c->space.u);
    correction(c, c->space.u, c->space.w);
    for (int i = 0; i < c->n_x; i++)
        most = fmax(most, in_sizes(g, i, c->space.w[i] * pow(length, c->order)));
    return most;
}

static rg_status fail(rg_integrator *g, double t, const char *which)
{
    rg_fail(g->ctx, RG_ERR_CONVERGENCE,
            "stopped at t = %.10g: B y has a pole at t = %.8g, the solution ends there: %s", g->t,
            t, which);
    rg_fail_time(g->ctx, t);
    return rg_remedy(g->ctx, "end the run before with --to; --accept-doubt goes on");
}

static rg_status fail_hypothesis(rg_integrator *g, double t, int which)
{
    return which == 1 ? fail(g, t, "hypothesis H1, P = B (GB)^-1 G is bounded, does not hold")
                      : fail(g, t, "hypothesis H2, B (GB)^-1 g is bounded, does not hold");
}

/* Steps outside the stability region make values that mean nothing. */
static bool is_judged(const rg_integrator *g)
{
    const rg_srm_core *c = rg_srm_of(g)->core;
    const bool is_unstable = rg_srm_of(g)->warning[0] != '\0';

    return !g->options.accept_doubt && !c->is_lean && !is_unstable;
}

/* ---- fixed steps ----------------------------------------------------------------------------- */

/* |P| at (t, x^), and x^ - x^(d), in sizes of x; at d itself x^ is kept.  NaN: no inverse. */
static rg_status look(rg_integrator *g, double t, bool is_first, double *P, double *away)
{
    rg_srm *b = rg_srm_of(g);
    rg_srm_core *c = b->core;
    srm_sample at;

    *P = *away = NAN;
    RG_TRY(rg_srm_sample_at(g, t, &at));
    if (isnan(at.p) || !factor(c)) return RG_OK;
    rg_semi_level(c->view, 0, c->space.u);
    correction(c, c->space.u, c->space.w);
    for (int i = 0; i < c->n_x; i++)
        b->stage[i] -= c->space.w[i];
    RG_TRY(rg_srm_pivot_at(c, b->stage, b->samples, RG_SRM_PASSED, &at));
    if (isnan(at.p) || !factor(c)) return RG_OK;
    *P = projection(g);
    *away = 0.0;
    for (int i = 0; i < c->n_x; i++) {
        if (is_first) b->moved[i] = b->stage[i];
        *away = fmax(*away, in_sizes(g, i, b->stage[i] - b->moved[i]));
    }
    return RG_OK;
}

rg_status rg_srm_check_bounded(rg_integrator *g, double t, double side)
{
    static const double at[] = {1.0, RG_SRM_FAR, RG_SRM_FAR * RG_SRM_CLOSER};
    double P[3], away[3];

    if (!is_judged(g)) return RG_OK;
    for (int k = 0; k < 3; k++) {
        RG_TRY(look(g, t + at[k] * side, k == 0, &P[k], &away[k]));
        if (isnan(P[k])) return RG_OK;
    }
    if (P[2] > RG_SRM_GROWS * P[1] && P[2] > RG_SRM_LARGE_P) return fail_hypothesis(g, t, 1);
    if (away[2] > RG_SRM_SUDDEN * away[1] && away[2] > RG_SRM_LARGE_STEP)
        return fail_hypothesis(g, t, 2);
    return RG_OK;
}

/* ---- chosen steps ---------------------------------------------------------------------------- */

/* Which power of ten; -1: G B is far from singular, or p is of no use. */
static int power(double p)
{
    const double k = floor(-log10(p));

    return !(k >= 0.0) ? -1 : k < SRM_MOST_POWERS ? (int)k : SRM_MOST_POWERS - 1;
}

void rg_srm_trace(rg_integrator *g, const srm_sample *now)
{
    rg_srm *b = rg_srm_of(g);
    const int k = power(now->p);

    b->depth = k;
    if (b->scheme.stepping == SRM_MESH || k < 0 || !is_judged(g) || !factor(b->core)) return;
    b->trace[k] = (srm_trace){projection(g), force(g)};
}

int rg_srm_broken(const rg_integrator *g)
{
    const rg_srm *b = rg_srm_of(g);

    if (b->scheme.stepping == SRM_MESH || b->depth < 2) return 0;
    const srm_trace *now = &b->trace[b->depth], *then = &b->trace[b->depth - 2];
    if (now->P > RG_SRM_GROWS * then->P && now->P > RG_SRM_LARGE_P) return 1;
    if (now->By > RG_SRM_GROWS * then->By && now->By > RG_SRM_LARGE_P) return 2;
    return 0;
}

rg_status rg_srm_fail_broken(rg_integrator *g, int which)
{
    return fail_hypothesis(g, g->t, which);
}
