/* Where Newton's method begins: the stages of a step, predicted. */
#include "ivp/radau/radau.h"

/* Z from the last collocation polynomial p(x), x = 1 + u at the new stages, u_i = c_i h/h_old:
 *     Z_i = p(1 + u_i) - p(1) = sum_k a_k ((1 + u_i)^k - 1).
 * In the first step, and when a fixed step is tried again, Z_i = c_i h y'_n; the third time
 * Z_i = 0. */
static void predict_stage(rg_integrator *g, int i, double *Z)
{
    rg_radau *r = rg_radau_of(g);
    const bool continues = r->h_accepted != 0.0 && !(r->is_fixed && r->failures > 0);
    const double c = r->table->c[i];

    if (continues) {
        double weight[RADAU_MOST];
        const double u = c * r->h / r->h_accepted;
        weight[0] = u;
        for (int k = 1; k < g->degree; k++) /* x^(k+1) - 1 = x (x^k - 1) + u, x = 1 + u */
            weight[k] = (1.0 + u) * weight[k - 1] + u;
        rg_stages_combine(g->degree, weight, r->blocks, g->polynomial + g->n, g->n, Z);
        for (int lane = 1; lane < RG_LANES; lane++) /* written out: no call for three numbers */
            if (g->n + lane <= r->blocks * RG_LANES) Z[g->n + lane - 1] = 0.0;
    } else {
        const double slope = r->is_fixed && r->failures > 1 ? 0.0 : c * r->h;
        for (int64_t k = 0; k < g->n; k++)
            Z[k] = slope * g->yp[k];
    }
}

void rg_radau_predict(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const int s = r->table->s;

    for (int i = 0; i < s; i++) {
        double *Z = rg_radau_stage(r, r->Z, i);
        predict_stage(g, i, Z);
        for (int k = 0; k < r->n_pins; k++)
            Z[r->pins[r->n_pins + k]] = 0.0; /* held constant */
    }
    rg_stages_transform(s, r->T_inverse, r->blocks, r->Z, r->W);
}

/* Has the derivative of an unknown no part in the equations? */
static bool is_algebraic(const rg_integrator *g, int64_t k)
{
    const rg_pattern *p = rg_system_pattern(g->system);
    const double *Jyp = rg_radau_of(g)->Jyp;
    bool is_so = true;

    for (int64_t e = p->start[k]; e < p->start[k + 1] && is_so; e++)
        is_so = Jyp[e] == 0.0;
    return is_so;
}

/* The residuals of the first iteration.  Behind a restart the slopes of multipliers are noise,
 * divided by the square of the step they are from: where the prediction leads out of the domain of
 * a function, it is made again without those of algebraic unknowns. */
rg_status rg_radau_begin_newton(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const int s = r->table->s;
    const rg_status status = rg_radau_residuals(g);

    if (status != (rg_status)RG_RETRY || r->h_accepted != 0.0 || !r->has_algebraic) return status;
    for (int64_t k = 0; k < g->n; k++)
        for (int i = 0; i < s && is_algebraic(g, k); i++)
            rg_radau_stage(r, r->Z, i)[k] = 0.0;
    rg_stages_transform(s, r->T_inverse, r->blocks, r->Z, r->W);
    return rg_radau_residuals(g);
}
