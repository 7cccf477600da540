/* What is decided from the options and the start of the model: sign of E, step, eps, gamma. */
#include "ivp/srm/srm_impl.h"

#include <math.h>

/* Steps of a run with a fixed step that is not given, at the default tolerance; eps of variants that are not stiff, over rtol. */
static const double DEFAULT_STEPS = 1000.0, DEFAULT_TOL = 1e-6, SMALL_EPS = 1e-2, OSCILLATION = 4.0;
/* Local error control: the length of time over eps, at the default tolerance.  Chosen by experiment: with three iterations by Radau
 * the error then stays near the tolerance from 1e-3 to 1e-10 (slider crank, robot, L Example 2, N Examples 6.1 to 6.3); four
 * iterations with an eps three times as large cost the same and err more in the initial layer. */
static const double CONSTANT_RADAU = 3000.0, CONSTANT_PAIR = 1000.0, TIME_SCALES = 10.0;

/* max row sum of |A| */
static double row_sum(int n, const double *A)
{
    double largest = 0.0;

    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += fabs(A[j * n + i]);
        largest = fmax(largest, sum);
    }
    return largest;
}

/* E shifted: the sign that fits the trace of G B. */
static void choose_sign(rg_srm *b)
{
    double trace = 0.0;

    for (int k = 0; k < b->n_y; k++)
        trace += b->space.GB[k * b->n_y + k];
    b->sign = trace < 0.0 ? -1.0 : 1.0;
}

/* The size of G B E at the start, E other than I: the stiffness is that over eps. */
static double stiffness(const rg_srm *b)
{
    const srm_space *w = &b->space;
    const double size = row_sum(b->n_y, w->GB);

    if (b->variant.kind == SRM_INVARIANT) {
        double sum = 0.0;
        for (int k = 0; k < b->n_x * b->n_y; k++)
            sum += w->v.G[k] * w->v.G[k];
        return sum;
    }
    return b->variant.E == SRM_E_TRANSPOSE ? size * size : 1.0;
}

/* The interval, or ten times the time in which the start values would change by their own size: eps is to be small beside the
 * time scale of the motion, and a long run has many of these. */
static double length_of_time(const rg_integrator *g)
{
    const rg_srm *b = g->srm;
    const double interval = fabs(g->t_end - g->t);
    double size = g->options.atol / g->options.rtol, rate = 0.0;

    for (int k = 0; k < b->n_x; k++)
        size = fmax(size, fabs(g->y[rg_srm_state(b, 0, k)]));
    for (int r = 0; size > 0.0 && r < b->order; r++)
        for (int k = 0; k < b->n_x; k++)
            rate = fmax(rate, pow(fabs(g->yp[rg_srm_state(b, r, k)]) / size, 1.0 / (r + 1)));
    return rate * interval > TIME_SCALES ? TIME_SCALES / rate : interval;
}

/* eps where none is given; tau: the step, or what stands for it.  The penalty of thesis (2.26) oscillates with the frequency
 * sqrt(|GB|/eps): OSCILLATION makes that 1/(2 tau). */
static double natural_eps(const rg_srm *b, const rg_options *o, double tau, double rho)
{
    const double size = rho > 0.0 ? rho : 1.0;

    if (b->variant.kind == SRM_DIRECT) return OSCILLATION * tau * tau * size;
    if (b->variant.kind == SRM_PARAMETERIZED) return tau;
    if (b->variant.alpha[0] > 0.0) return SMALL_EPS * o->rtol;
    return tau * size * fmax(b->variant.alpha[1], 1e-300);
}

/* Local error control: eps is constant, for every change of it would begin a new layer. */
static void choose_constant(rg_integrator *g, double rho)
{
    rg_srm *b = g->srm;
    const rg_options *o = &g->options;
    const double parts = b->scheme->stepping == SRM_RADAU ? CONSTANT_RADAU : CONSTANT_PAIR;
    const double natural = length_of_time(g) / parts * pow(o->rtol / DEFAULT_TOL, 1.0 / b->m);

    b->eps = o->eps > 0.0 ? o->eps : natural_eps(b, o, natural, rho);
    b->gamma = o->gamma > 0.0 ? o->gamma : DEFAULT_STEPS / fabs(g->t_end - g->t);
    if (g->method == &rg_baumgarte_method) b->eps = 0.0;
}

static void choose_step(rg_integrator *g, double rho)
{
    rg_srm *b = g->srm;
    const rg_options *o = &g->options;
    const double interval = fabs(g->t_end - g->t);
    const double a1 = b->variant.alpha[0], a2 = fmax(b->variant.alpha[1], 1e-300);

    b->h = o->step;
    if (o->step == 0.0) {
        b->h = interval / DEFAULT_STEPS * pow(o->rtol / DEFAULT_TOL, 1.0 / b->scheme->order);
        b->h = fmin(b->h, interval / 10.0);
        if (o->h_max > 0.0) b->h = fmin(b->h, o->h_max);
        if (o->eps > 0.0 && a1 == 0.0 && !b->scheme->is_implicit && rho > 0.0)
            b->h = fmin(b->h, o->eps / (rho * a2));
        g->options.step = b->h; /* the mesh is fixed from here on */
    }
    b->gamma = g->method == &rg_post_method ? 0.0 : o->gamma > 0.0 ? o->gamma : 1.0 / b->h;
    b->eps = o->eps > 0.0 ? o->eps : natural_eps(b, o, b->h, rho);
    if (g->method == &rg_baumgarte_method) b->eps = 0.0;
}

static void take_gamma(rg_integrator *g)
{
    rg_srm *b = g->srm;
    double *a = b->variant.alpha;

    if (b->variant.kind == SRM_PARAMETERIZED) { /* eps = 0 in (eps I + E G B) y = E r */
        a[1] = 1.0 / b->eps;
        b->eps = 0.0;
        return;
    }
    if (b->variant.kind == SRM_DIRECT
        || (g->method != &rg_baumgarte_method && g->method != &rg_penalty_method
            && g->method != &rg_augmented_method))
        return;
    const bool is_plain = g->method == &rg_penalty_method && b->order == 1;
    a[0] = is_plain ? 0.0 : 1.0;
    a[1] = is_plain ? 1.0 : b->order == 1 ? b->gamma : 2.0 * b->gamma;
    a[2] = b->gamma * b->gamma;
    rg_srm_take_alphas(b, &g->options);
}

/* |lambda| of the drift, or of its oscillation. */
static double drift_rate(const rg_srm *b, double rho)
{
    const double *a = b->variant.alpha;

    switch (b->variant.kind) {
    case SRM_UNDERLYING:
        return b->gamma;
    case SRM_PARAMETERIZED:
        return a[1];
    case SRM_DIRECT:
        return sqrt(rho / b->eps);
    case SRM_FIRST:
    case SRM_SECOND:
    case SRM_AUGMENTED:
        return a[1] * rho / (b->eps + a[0] * rho);
    default:
        return rho / b->eps;
    }
}

/* Explicit schemes: h |lambda| must lie in the stability region (L section 4.2); those of order 1 and 2 have no part of the
 * imaginary axis in it. */
static void predict(rg_integrator *g, double rho)
{
    rg_srm *b = g->srm;
    const double lambda = drift_rate(b, rho);

    if (b->scheme->stepping != SRM_MESH || b->scheme->is_implicit) return;
    if (b->variant.kind == SRM_DIRECT && b->scheme->order <= 2)
        snprintf(b->warning, sizeof b->warning,
                 "%s lets the oscillations of the direct regularization grow; take --scheme rk4 or "
                 "gauss2",
                 b->scheme->name);
    else if (b->h * lambda > b->scheme->limit)
        snprintf(b->warning, sizeof b->warning,
                 "step = %.3g lies outside the stability region of %s: step times %.3g must be at "
                 "most %.3g; give a step up to %.2g, a larger eps, or --scheme radau3",
                 b->h, b->scheme->name, lambda, b->scheme->limit, b->scheme->limit / lambda);
}

static void describe(rg_integrator *g)
{
    static const char *const names[] = {"identity", "inverse", "transpose", "shifted"};
    rg_srm *b = g->srm;
    char step[64];

    if (b->scheme->stepping == SRM_MESH)
        snprintf(step, sizeof step, "%s, step %.4g", b->scheme->name, b->h);
    else
        snprintf(step, sizeof step, "%s, steps by error control", b->scheme->name);

    if (g->method == &rg_srm_method)
        snprintf(b->choice, sizeof b->choice,
                 "variant %s, %s: %s, eps %.4g, %d iteration%s, E = %s", b->variant.name,
                 b->variant.equations, step, b->eps, b->m, b->m == 1 ? "" : "s",
                 b->variant.kind == SRM_INVARIANT ? "identity" : names[b->variant.E]);
    else if (g->method == &rg_penalty_method)
        snprintf(b->choice, sizeof b->choice, "variant %s, %s: %s, eps %.4g, E = %s",
                 b->variant.name, b->variant.equations, step,
                 b->variant.kind == SRM_PARAMETERIZED ? 1.0 / b->variant.alpha[1] : b->eps,
                 names[b->variant.E]);
    else if (g->method == &rg_park_chiou_method)
        snprintf(b->choice, sizeof b->choice, "%s, eps %.4g, E = %s", step, b->eps,
                 names[b->variant.E]);
    else if (g->method == &rg_augmented_method)
        snprintf(b->choice, sizeof b->choice, "%s, eps %.4g, gamma %.4g", step, b->eps, b->gamma);
    else if (g->method == &rg_post_method)
        snprintf(b->choice, sizeof b->choice, "%s, %d passes", step, b->passes);
    else
        snprintf(b->choice, sizeof b->choice, "%s, gamma %.4g", step, b->gamma);
}

/* GB at the start: its sign and the size of G B E. */
static rg_status look_at_start(rg_integrator *g, double *rho)
{
    rg_srm *b = g->srm;
    srm_space *w = &b->space;
    const int m = b->n_y;

    const rg_status status = rg_semi_eval_at(b->view, g->t, b->z, rg_srm_v(b, b->z),
                                             b->variant.is_nonlinear ? b->y0 : NULL, &w->v);
    if (status != RG_OK) return status == RG_RETRY ? rg_srm_fail_step(g, b->h) : status;
    if (b->variant.E == SRM_E_IDENTITY) return rg_srm_spectrum(g, rho);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            w->GB[j * m + i] = 0.0;
            for (int k = 0; k < b->n_x; k++)
                w->GB[j * m + i] += w->v.G[k * m + i] * w->v.B[j * b->n_x + k];
        }
    choose_sign(b);
    *rho = stiffness(b);
    return RG_OK;
}

rg_status rg_srm_settle(rg_integrator *g)
{
    double rho;

    RG_TRY(look_at_start(g, &rho));
    if (g->srm->scheme->stepping == SRM_MESH)
        choose_step(g, rho);
    else
        choose_constant(g, rho);
    take_gamma(g);
    predict(g, rho);
    describe(g);
    rg_log(g->ctx, 2, "%s: %s", g->method->name, g->srm->choice);
    return RG_OK;
}
