/* What is decided from the options and the start of the model: step, eps, gamma. */
#include "ivp/srm/srm_impl.h"
#include "ivp/srm/tuning.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

double rg_srm_unit(const rg_integrator *g, int i)
{
    const rg_srm_core *c = rg_srm_of(g)->core;
    const int q = i % c->n_z, n_differential = c->order * c->n_x;

    return rg_integrator_unit(g, q < n_differential ? rg_srm_state(c, q / c->n_x, q % c->n_x)
                                                    : rg_semi_y(c->view)[q - n_differential]);
}

/* The interval, or ten times the time in which the start values would change by their own size:
 * eps is to be small beside the time scale of the motion, and a long run has many of these. */
static double length_of_time(const rg_integrator *g)
{
    const rg_srm *b = rg_srm_of(g);
    const double interval = fabs(g->t_end - g->t);
    double size = 0.0, rate = 0.0;

    for (int k = 0; k < b->core->n_x; k++) {
        const int64_t state = rg_srm_state(b->core, 0, k);
        size = fmax(size, fmax(rg_integrator_unit(g, state), fabs(g->y[state])));
    }
    for (int r = 0; size > 0.0 && r < b->core->order; r++)
        for (int k = 0; k < b->core->n_x; k++)
            rate = fmax(rate, pow(fabs(g->yp[rg_srm_state(b->core, r, k)]) / size, 1.0 / (r + 1)));
    return rate * interval > RG_SRM_TIME_SCALES ? RG_SRM_TIME_SCALES / rate : interval;
}

/* Local error control: eps is constant, for every change of it would begin a new layer. */
static void choose_constant(rg_integrator *g, double rho)
{
    rg_srm *b = rg_srm_of(g);
    const rg_options *o = &g->options;
    const double parts =
        b->scheme.stepping == SRM_RADAU ? RG_SRM_CONSTANT_RADAU : RG_SRM_CONSTANT_PAIR;
    const double natural = length_of_time(g) / parts * pow(o->rtol / RG_SRM_TOL, 1.0 / b->m);

    b->core->eps = o->eps > 0.0 ? o->eps : rg_srm_core_eps(b->core, o->rtol, natural, rho);
    b->core->gamma = o->gamma > 0.0 ? o->gamma : RG_SRM_STEPS / fabs(g->t_end - g->t);
}

static void choose_step(rg_integrator *g, double rho)
{
    rg_srm *b = rg_srm_of(g);
    rg_srm_core *c = b->core;
    const rg_options *o = &g->options;
    const double a1 = c->variant.alpha[0], a2 = fmax(c->variant.alpha[1], 1e-300);

    b->h = o->step;
    if (o->step == 0.0) {
        b->h = rg_srm_scheme_step(&b->scheme, o, fabs(g->t_end - g->t));
        if (o->eps > 0.0 && a1 == 0.0 && !b->scheme.is_implicit && rho > 0.0)
            b->h = fmin(b->h, o->eps / (rho * a2));
        g->options.step = b->h; /* the mesh is fixed from here on */
    }
    c->gamma = b->passes > 0 ? 0.0 : o->gamma > 0.0 ? o->gamma : 1.0 / b->h;
    c->eps = o->eps > 0.0 ? o->eps : rg_srm_core_eps(c, o->rtol, b->h, rho);
}

/* Penalty, index 3, where gamma is not given: N (4.5) with alpha = (0, 1, gamma) makes the drift
 *
 *     eps g'' + G B E (g' + gamma g) = eps G B y,     y of the hidden constraint,
 *
 * which decays without oscillations up to gamma = rho/(4 eps), and leaves g = eps E^-1 y/gamma. */
static void limit_gamma(rg_integrator *g, double rho)
{
    rg_srm_core *c = rg_srm_of(g)->core;

    if (rg_srm_of(g)->method->is_from_zero && !(g->options.gamma > 0.0) && rho > 0.0)
        c->gamma = fmin(c->gamma, rho / (4.0 * c->eps));
}

static void take_gamma(rg_integrator *g)
{
    rg_srm_core *c = rg_srm_of(g)->core;
    const srm_method *method = rg_srm_of(g)->method;
    double *a = c->variant.alpha;

    if (method->has_no_eps) c->eps = 0.0;
    if (c->variant.kind == SRM_PARAMETERIZED) { /* eps = 0 in (eps I + E G B) y = E r */
        a[1] = 1.0 / c->eps;
        c->eps = 0.0;
        return;
    }
    if (c->variant.kind == SRM_DIRECT || !method->has_gamma) return;
    const bool is_plain = method->is_from_zero;
    a[0] = is_plain ? 0.0 : 1.0;
    a[1] = is_plain ? 1.0 : c->order == 1 ? c->gamma : 2.0 * c->gamma;
    a[2] = is_plain ? c->gamma : c->gamma * c->gamma;
    rg_srm_take_alphas(&c->variant, &g->options);
}

/* |lambda| of the drift, or of its oscillation. */
static double drift_rate(const rg_srm_core *c, double rho)
{
    const double *a = c->variant.alpha;

    switch (c->variant.kind) {
    case SRM_UNDERLYING:
    case SRM_UNDERLYING_FULL:
        return c->gamma;
    case SRM_PARAMETERIZED:
        return a[1];
    case SRM_DIRECT:
        return sqrt(rho / c->eps);
    case SRM_SECOND: /* (eps + a_1 rho) lambda^2 + rho (a_2 lambda + a_3) = 0: a bound, or exact */
        return fmax(a[1] * rho / (c->eps + a[0] * rho), sqrt(a[2] * rho / (c->eps + a[0] * rho)));
    case SRM_FIRST:
    case SRM_AUGMENTED:
        return a[1] * rho / (c->eps + a[0] * rho);
    default:
        return rho / c->eps;
    }
}

/* Explicit schemes: h |lambda| must lie in the stability region (L section 4.2); those of order
 * 1 and 2 have no part of the imaginary axis in it. */
static void predict(rg_integrator *g, double rho)
{
    rg_srm *b = rg_srm_of(g);
    const double lambda = drift_rate(b->core, rho);

    if (b->scheme.stepping != SRM_MESH || b->scheme.is_implicit) return;
    if (b->core->variant.kind == SRM_DIRECT && b->scheme.order <= 2)
        snprintf(b->warning, sizeof b->warning,
                 "%s lets the oscillations of the direct regularization grow; take --scheme rk4 or "
                 "gauss2",
                 b->scheme.name);
    else if (b->h * lambda > b->scheme.limit)
        snprintf(b->warning, sizeof b->warning,
                 "step = %.3g lies outside the stability region of %s: step times %.3g must be at "
                 "most %.3g; give a step up to %.2g, a larger eps, or --scheme radau3",
                 b->h, b->scheme.name, lambda, b->scheme.limit, b->scheme.limit / lambda);
}

/* Appends to the text of size `size`. */
static void add(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list list;

    va_start(list, format);
    vsnprintf(text + used, size - used, format, list);
    va_end(list);
}

void rg_srm_describe(rg_integrator *g)
{
    rg_srm *b = rg_srm_of(g);
    const rg_srm_core *c = b->core;
    const srm_variant *v = &c->variant;
    const unsigned shown = b->method->shown;
    const size_t size = sizeof b->choice;
    char *text = b->choice;

    text[0] = '\0';
    if (shown & SRM_SHOWS_VARIANT) add(text, size, "variant %s: ", v->name);
    if (b->window != NULL) {
        add(text, size, "windows of one step, %s", b->scheme.name);
        add(text, size, g->options.eps > 0.0 ? ", eps %.4g" : ", eps %.4g of the step",
            g->options.eps > 0.0 ? g->options.eps : RG_WINDOW_RATIO);
        if (g->options.iterations > 0) add(text, size, ", %d iterations", g->options.iterations);
        add(text, size, ", E = %s", rg_srm_E_name(v));
        return;
    }
    if (b->scheme.stepping == SRM_MESH)
        add(text, size, "%s, step %.4g", b->scheme.name, b->h);
    else
        add(text, size, "%s, steps by error control", b->scheme.name);
    if (shown & SRM_SHOWS_EPS)
        add(text, size, ", eps %.4g", v->kind == SRM_PARAMETERIZED ? 1.0 / v->alpha[1] : c->eps);
    if (shown & SRM_SHOWS_ITERATIONS)
        add(text, size, ", %d iteration%s", b->m, b->m == 1 ? "" : "s");
    const bool is_stiff = b->method->is_from_zero && v->kind == SRM_SECOND;
    if (shown & SRM_SHOWS_GAMMA || is_stiff) add(text, size, ", gamma %.4g", c->gamma);
    if (shown & SRM_SHOWS_PASSES || b->core->variant.passes > 0)
        add(text, size, ", %d passes", b->passes);
    if (shown & SRM_SHOWS_E) add(text, size, ", E = %s", rg_srm_E_name(v));
    if (is_stiff)
        add(text, size,
            "\nnote: alpha1 = 0, the penalty that the papers argue against: stiff like 1/eps, "
            "off the constraint in proportion to eps/gamma");
}

rg_status rg_srm_choose_parameters(rg_integrator *g)
{
    rg_srm *b = rg_srm_of(g);
    double rho;

    const rg_status status = rg_srm_core_measure(b->core, g->t, b->z, &rho);
    if (status != RG_OK) return status == RG_RETRY ? rg_srm_fail_step(g, b->h) : status;
    if (b->scheme.stepping == SRM_MESH)
        choose_step(g, rho);
    else
        choose_constant(g, rho);
    limit_gamma(g, rho);
    take_gamma(g);
    predict(g, rho);
    rg_srm_describe(g);
    rg_log(g->ctx, 2, "%s: %s", g->method->name, b->choice);
    return RG_OK;
}
