/* What is decided from the options, the model and its start: variant, scheme, step, eps, iterations. */
#include "ivp/srm/srm_impl.h"

#include <math.h>
#include <string.h>

/* Steps of a run whose step is not given, at the default tolerance; eps of variants that are not stiff, over rtol. */
static const double DEFAULT_STEPS = 1000.0, DEFAULT_TOL = 1e-6, SMALL_EPS = 1e-2;

static bool is_word(const char *option, const char *word)
{
    return strcmp(option, word) == 0;
}

static rg_status choose_variant(rg_integrator *g)
{
    rg_srm *b = g->srm;
    const rg_options *o = &g->options;
    const bool is_auto = is_word(o->variant, "auto");
    const srm_variant *v =
        is_auto ? rg_srm_variant_default(b->order) : rg_srm_variant_find(o->variant);

    if (v == NULL) return rg_srm_variant_fail(g->ctx, o->variant);
    if (v->order != b->order) return rg_srm_variant_misfit(g->ctx, v, b->order);
    b->variant = *v;
    return RG_OK;
}

/* The rivals are rows like the variants: Baumgarte's method is N (2.5) or (4.5) in the limit eps = 0 with alpha = (1, gamma) or
 * (1, 2 gamma, gamma^2); the penalty method is its first iteration from y_0 = 0. */
static rg_status choose_rival(rg_integrator *g)
{
    rg_srm *b = g->srm;
    const bool is_baumgarte = g->method == &rg_baumgarte_method;
    const bool is_penalty = g->method == &rg_penalty_method;

    b->variant = (srm_variant){.name = g->method->name,
                               .equations = is_baumgarte ? "N (4.3)"
                                            : is_penalty ? "N (2.5), (4.5) with s = 1"
                                                         : "N (4.10), (5.2)",
                               .order = b->order,
                               .kind = b->order == 1 ? SRM_FIRST : SRM_SECOND,
                               .carry = SRM_CARRY_Y,
                               .E = is_penalty ? SRM_E_IDENTITY : SRM_E_INVERSE,
                               .only_inverse = !is_penalty,
                               .iterations = 1};
    if (!is_baumgarte && !is_penalty) b->variant.kind = SRM_UNDERLYING;
    if (g->method != &rg_park_chiou_method) return RG_OK;
    b->variant.kind = SRM_COUPLED;
    b->variant.equations = "L (3.5a),(3.7)";
    b->variant.E = SRM_E_IDENTITY;
    if (b->order == 1) return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD, "'park-chiou' is for index 2; this model has index 3");
    return rg_remedy(g->ctx, "take --method penalty or --method srm");
}

static rg_status choose_E(rg_integrator *g)
{
    rg_srm *b = g->srm;
    const char *name = g->options.E;
    static const char *const names[] = {"identity", "inverse", "transpose", "shifted"};

    if (b->variant.kind == SRM_COUPLED) return RG_OK; /* as published */
    for (int k = 0; k < 4; k++)
        if (is_word(name, names[k])) b->variant.E = (srm_E)k;
    if (!b->variant.only_inverse || is_word(name, "auto") || is_word(name, "inverse")) return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD, "the variant '%s', %s, is made with E = inverse, not %s",
            b->variant.name, b->variant.equations, name);
    return rg_remedy(g->ctx, "leave --E out, or take --variant %s",
                     b->order == 1 ? "basic" : "stabilized");
}

static void take_alphas(rg_srm *b, const rg_options *o)
{
    const double given[3] = {o->alpha1, o->alpha2, o->alpha3};

    for (int k = 0; k < 3; k++)
        if (given[k] >= 0.0) b->variant.alpha[k] = given[k];
}

/* N after (4.5): alpha_1 = alpha_2 = 0 is not allowed; nor are stabilized forms with other weights. */
static rg_status check_alphas(rg_integrator *g)
{
    const srm_variant *v = &g->srm->variant;
    const rg_options *o = &g->options;
    const bool is_free = v->kind == SRM_FIRST || v->kind == SRM_SECOND;

    if (!is_free && (o->alpha1 > 0.0 || o->alpha2 >= 0.0 || o->alpha3 >= 0.0)) {
        rg_fail(g->ctx, RG_ERR_METHOD, "the variant '%s', %s, has no alpha1, alpha2, alpha3",
                v->name, v->equations);
        return rg_remedy(g->ctx, "leave them out, or take --variant %s",
                         v->order == 1 ? "basic" : "second-order");
    }
    if (!is_free || v->alpha[1] > 0.0 || (v->kind == SRM_FIRST && v->alpha[0] > 0.0)
        || (v->kind == SRM_SECOND && v->alpha[0] > 0.0 && v->alpha[2] > 0.0))
        return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD, "alpha2 = 0 leaves the constraint to drift or to oscillate");
    return rg_remedy(g->ctx, "give alpha2 greater than 0");
}

rg_status rg_srm_choose(rg_integrator *g)
{
    rg_srm *b = g->srm;
    const rg_options *o = &g->options;

    if (g->method == &rg_srm_method)
        RG_TRY(choose_variant(g));
    else
        RG_TRY(choose_rival(g));
    b->scheme = rg_srm_scheme_find(is_word(o->scheme, "auto") ? "rk4" : o->scheme);
    if (b->scheme == NULL) return rg_srm_scheme_fail(g->ctx, o->scheme);
    RG_TRY(choose_E(g));
    take_alphas(b, o);
    b->is_lean = b->variant.E == SRM_E_IDENTITY && b->variant.alpha[0] == 0.0
                 && (b->variant.kind == SRM_FIRST || b->variant.kind == SRM_SECOND
                     || b->variant.kind == SRM_STABILIZED)
                 && (g->method == &rg_srm_method);
    b->delta = o->delta;
    b->passes = g->method == &rg_post_method ? (o->passes > 0 ? o->passes : 2) : 0;
    if (g->method == &rg_srm_method) RG_TRY(check_alphas(g));
    b->m = o->iterations > 0 && g->method == &rg_srm_method ? o->iterations
           : b->variant.iterations > 0                      ? b->variant.iterations
           : b->variant.alpha[0] > 0.0                      ? 1
                                                            : b->scheme->order;
    return RG_OK;
}

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
    const double natural = a1 > 0.0 ? SMALL_EPS * o->rtol : b->h * (rho > 0.0 ? rho : 1.0) * a2;
    b->eps = o->eps > 0.0 ? o->eps : natural;
    if (g->method == &rg_baumgarte_method) b->eps = 0.0;
}

static void take_gamma(rg_integrator *g)
{
    rg_srm *b = g->srm;
    double *a = b->variant.alpha;

    if (g->method != &rg_baumgarte_method && g->method != &rg_penalty_method) return;
    const bool is_plain = g->method == &rg_penalty_method && b->order == 1;
    a[0] = is_plain ? 0.0 : 1.0;
    a[1] = is_plain ? 1.0 : b->order == 1 ? b->gamma : 2.0 * b->gamma;
    a[2] = b->gamma * b->gamma;
    take_alphas(b, &g->options);
}

/* Explicit schemes: h |lambda| of the drift must lie in the stability region (L section 4.2). */
static void predict(rg_integrator *g, double rho)
{
    rg_srm *b = g->srm;
    const double *a = b->variant.alpha;
    const double lambda = b->variant.kind == SRM_UNDERLYING ? b->gamma
                          : b->variant.kind == SRM_FIRST || b->variant.kind == SRM_SECOND
                              ? a[1] * rho / (b->eps + a[0] * rho)
                              : rho / b->eps;

    if (b->scheme->is_implicit || !(b->h * lambda > b->scheme->limit)) return;
    snprintf(b->warning, sizeof b->warning,
             "step = %.3g lies outside the stability region of %s: step times %.3g must be at most "
             "%.3g; give a step up to %.2g, a larger eps, or --scheme radau3",
             b->h, b->scheme->name, lambda, b->scheme->limit, b->scheme->limit / lambda);
}

static void describe(rg_integrator *g)
{
    static const char *const names[] = {"identity", "inverse", "transpose", "shifted"};
    rg_srm *b = g->srm;

    if (g->method == &rg_srm_method)
        snprintf(b->choice, sizeof b->choice,
                 "variant %s, %s: %s, step %.4g, eps %.4g, %d iteration%s, E = %s", b->variant.name,
                 b->variant.equations, b->scheme->name, b->h, b->eps, b->m, b->m == 1 ? "" : "s",
                 b->variant.kind == SRM_INVARIANT ? "identity" : names[b->variant.E]);
    else if (g->method == &rg_penalty_method || g->method == &rg_park_chiou_method)
        snprintf(b->choice, sizeof b->choice, "%s, step %.4g, eps %.4g, E = %s", b->scheme->name,
                 b->h, b->eps, names[b->variant.E]);
    else if (g->method == &rg_post_method)
        snprintf(b->choice, sizeof b->choice, "%s, step %.4g, %d passes", b->scheme->name, b->h,
                 b->passes);
    else
        snprintf(b->choice, sizeof b->choice, "%s, step %.4g, gamma %.4g", b->scheme->name, b->h,
                 b->gamma);
}

/* GB at the start: its sign and the size of G B E. */
static rg_status look_at_start(rg_integrator *g, double *rho)
{
    rg_srm *b = g->srm;
    srm_space *w = &b->space;
    const int m = b->n_y;

    const rg_status status =
        rg_semi_eval(b->view, g->t, b->z, b->order == 2 ? b->z + b->n_x : NULL, &w->v);
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
    choose_step(g, rho);
    take_gamma(g);
    predict(g, rho);
    describe(g);
    rg_log(g->ctx, 2, "%s: %s", g->method->name, g->srm->choice);
    return RG_OK;
}
