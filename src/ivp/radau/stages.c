/* Tolerances and storage that belong to the number of stages. */
#include "ivp/radau/radau.h"
#include "ivp/radau/tuning.h"
#include "ivp/tuning.h"

#include <float.h>
#include <math.h>

/* The estimated error is of order s, the solution of order 2s - 1: as in RADAU (HW99, section 3)
 * the given tolerances become
 *
 *     rtol' = 0.1 rtol^((s+1)/(2s)),   atol' = rtol' atol/rtol,
 *
 * and Newton stops below  kappa = max(10 eps/rtol', min(0.03, rtol'^((s-1)/(s+1)))),  after at most
 * 7 + 5/2 (s - 3) iterations.  For s = 3 these are the values of RADAU5.  With variables of index 3
 * we ask for RG_RADAU_NEWTON_INDEX3 kappa: what is left in the positions enters their second
 * differences, and with them the error estimate, as noise that does not become smaller with the
 * step.  Pendulum, Andrews' mechanism, Bricard's: one digit more for 20 % more evaluations, and no
 * failures with 5 stages. */

void rg_radau_find_tolerances(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);

    for (int k = 0; k <= RADAU_PAIRS; k++) {
        const double s = 2 * k + 1;
        r->rtol_of[k] = 0.1 * pow(g->options.rtol, (s + 1.0) / (2.0 * s));
        r->unit_step[k] = pow(r->rtol_of[k], 1.0 / (s + 1.0));
    }
}

double rg_radau_root(int stages, double x)
{
    switch (stages) {
    case 1:
        return sqrt(x);
    case 3:
        return sqrt(sqrt(x));
    case 5:
        return sqrt(cbrt(x));
    default:
        return sqrt(sqrt(sqrt(x)));
    }
}

static void set_tolerances(rg_radau *r, const rg_options *o)
{
    const double s = r->table->s;

    r->rtol = r->rtol_of[r->table->s / 2];
    const double kappa = fmin(0.03, pow(r->rtol, (s - 1.0) / (s + 1.0)));
    r->newton_tol =
        fmax(10.0 * DBL_EPSILON / r->rtol, (r->highest > 2 ? RG_RADAU_NEWTON_INDEX3 : 1.0) * kappa);
    r->max_newton = o->max_newton > 0 ? o->max_newton
                    : o->step > 0.0   ? RG_FIXED_NEWTON
                                      : 7 + (s > 3.0 ? (int)(2.5 * (s - 3.0)) : 0);
}

/* Room for Z, W, F and the complex matrices.  After a failure the method is as it was. */
static rg_status grow(rg_integrator *g, int stages)
{
    rg_radau *r = rg_radau_of(g);
    const size_t count = (size_t)(stages * r->blocks * RG_LANES);
    double *fresh = rg_alloc(g->ctx, 3 * count + 1, sizeof *fresh);

    if (fresh == NULL) return RG_ERR_MEMORY;
    rg_free(g->ctx, r->stages);
    r->stages = r->Z = fresh;
    r->W = r->Z + count;
    r->F = r->W + count;
    for (int k = 0; k < stages / 2; k++) {
        if (r->pair[k] != NULL) continue;
        RG_TRY(rg_matrix_create_like(r->real, true, &r->pair[k]));
        if (r->has_pins) RG_TRY(rg_matrix_pin(r->pair[k], r->n_pins, r->pins, r->pins + r->n_pins));
    }
    const int degree = g->degree;
    RG_TRY(rg_integrator_set_degree(g, stages)); /* room only: the last polynomial stays */
    g->degree = degree > 0 ? degree : stages;
    r->most = stages;
    return RG_OK;
}

rg_status rg_radau_share(rg_integrator *g, const rg_radau *with)
{
    rg_radau *r = rg_radau_of(g);

    rg_matrix_destroy(&r->real);
    RG_TRY(rg_matrix_create_like(with->real, false, &r->real));
    for (int k = 0; k < r->most / 2; k++) {
        rg_matrix_destroy(&r->pair[k]);
        RG_TRY(rg_matrix_create_like(with->real, true, &r->pair[k]));
    }
    return RG_OK;
}

rg_status rg_radau_table_for(rg_integrator *g, int stages, const rg_rule_modes **table)
{
    enum { FIRST = RADAU_MOST + 2, COUNT = (RG_RULE_MOST_ODD - RADAU_MOST) / 2 };
    rg_radau *r = rg_radau_of(g);

    *table = rg_rule_radau(stages);
    if (*table != NULL) return RG_OK;
    if (r->more == NULL) r->more = rg_alloc(g->ctx, COUNT, sizeof *r->more);
    if (r->more == NULL) return RG_ERR_MEMORY;
    rg_rule_modes *m = &r->more[(stages - FIRST) / 2];
    if (m->s == 0) rg_rule_modes_init(RG_RULE_RADAU, stages, m);
    *table = m;
    return RG_OK;
}

/* T, T^-1, A^-1 and P of s stages, wide. */
static rg_status take_table(rg_integrator *g, int s)
{
    rg_radau *r = rg_radau_of(g);
    const rg_rule_modes *m;
    double **wide = &r->wide[s / 2];
    const ptrdiff_t size = (ptrdiff_t)RG_LANES * s * s;

    RG_TRY(rg_radau_table_for(g, s, &m));
    if (*wide == NULL) {
        *wide = rg_alloc(g->ctx, 4 * (size_t)size, sizeof **wide);
        if (*wide == NULL) return RG_ERR_MEMORY;
        rg_stages_widen(s * s, m->T, *wide);
        rg_stages_widen(s * s, m->T_inverse, *wide + size);
        rg_stages_widen(s * s, m->inverse, *wide + 2 * size);
        rg_stages_widen(s * s, m->P, *wide + 3 * size);
    }
    r->table = m;
    r->T = *wide;
    r->T_inverse = *wide + size;
    r->inverse_A = *wide + 2 * size;
    r->P = *wide + 3 * size;
    return RG_OK;
}

rg_status rg_radau_set_stages(rg_integrator *g, int stages)
{
    rg_radau *r = rg_radau_of(g);

    if (stages > r->most) RG_TRY(grow(g, stages));
    RG_TRY(take_table(g, stages));
    r->h_factored = 0.0;
    r->error_accepted = 0.0;
    r->has_weights = false;
    set_tolerances(r, &g->options);
    return RG_OK;
}

/* Y_s = y_n + Z_s,  Y'_s = (1/h) sum_j (A^-1)_sj Z_j */
void rg_radau_last_stage(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const int s = r->table->s;
    const double *Zs = rg_radau_stage(r, r->Z, s - 1);

    rg_stages_combine(s, r->table->inverse + s * (s - 1), r->blocks, r->Z, r->blocks * RG_LANES,
                      r->error);
    rg_stage_point(g->n, g->y, Zs, 1.0 / r->h, r->error, r->Y, r->Yp);
}
