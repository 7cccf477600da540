/* Which variables of index 2 enter the error norms with the factor h, and at which rates?
 *
 * HLR89, sections 7 and 8: for  y' = f(y, z), 0 = g(y)  an error dz enters the other variables as
 * h f_z dz, so z is given the weight h.  That is a statement about small dz: z must be known well
 * enough for f_z to be the same, whatever h is (HLR89, section 4, existence: z_n - z(t_n) small).
 * Where f is linear in z nothing has to be small: Lagrange multipliers.  Where it is not, and h is
 * small (the unit of time may be a second, and h nanoseconds), steps would be accepted with any z,
 * until f cannot be evaluated any more.  So algebraic variables of index 2 that change the Jacobian
 * lose the factor.  Ring modulator without capacitances, diodes exp(17.7 U): fails at every
 * tolerance from 1e-3 to 1e-9 with the factor, at none without.
 *
 * Linear or not is found by a second Jacobian, near the start. */
#include "ivp/radau/radau.h"

#include "ivp/pace.h"
#include "ivp/radau/tuning.h"
#include "linalg/norm.h"
#include "linalg/tuning.h"
#include "structure/tuning.h"

#include <math.h>
#include <string.h>

static const double GOLDEN = 0.6180339887498949;

static bool is_algebraic(const rg_radau *r, const rg_pattern *p, int64_t j)
{
    for (int64_t k = p->start[j]; k < p->start[j + 1]; k++)
        if (r->Jyp[k] != 0.0) return false;
    return true;
}

static bool has_changed(const rg_pattern *p, int64_t j, const double *a, const double *b)
{
    for (int64_t k = p->start[j]; k < p->start[j + 1]; k++)
        if (fabs(a[k] - b[k]) > RG_RANK_DOUBT * fmax(fabs(a[k]), fabs(b[k]))) return true;
    return false;
}

/* Y = y with all variables of index 2 moved. */
static void shift(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);

    memcpy(r->Y, g->y, (size_t)g->n * sizeof *r->Y);
    for (int64_t i = 0; i < g->n; i++) {
        const double turn = GOLDEN * (double)i;
        if (r->index[i] > 1)
            r->Y[i] += RG_FREE_DISTURBANCE * (1.0 + fabs(g->y[i])) * (1.0 + turn - floor(turn));
    }
}

/* Where the shifted Jacobian cannot be evaluated, the equations are not linear either. */
static rg_status compare(rg_integrator *g, double *shifted)
{
    rg_radau *r = rg_radau_of(g);
    const rg_pattern *p = rg_system_pattern(g->system);

    shift(g);
    const rg_status there =
        rg_system_jacobian(g->system, g->work, g->t, r->Y, g->yp, shifted, r->Jyp);
    if (there < 0) return there;
    const rg_status here = rg_system_jacobian(g->system, g->work, g->t, g->y, g->yp, r->Jy, r->Jyp);
    if (here != RG_OK) return here == (rg_status)RG_RETRY ? RG_OK : here;
    for (int64_t j = 0; j < g->n; j++)
        if (r->index[j] == 2 && is_algebraic(r, p, j)
            && (there != RG_OK || has_changed(p, j, r->Jy, shifted)))
            r->index[j] = 1;
    return RG_OK;
}

rg_status rg_radau_find_scaling(rg_integrator *g)
{
    const rg_pattern *p = rg_system_pattern(g->system);
    double *shifted = rg_alloc(g->ctx, (size_t)p->start[p->n_columns] + 1, sizeof *shifted);

    if (shifted == NULL) return RG_ERR_MEMORY;
    const rg_status status = compare(g, shifted);
    rg_free(g->ctx, shifted);
    return status;
}

void rg_radau_find_rates(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const rg_rates rates = rg_radau_rates(r);

    rg_rates_find(g, &rates);
    r->has_rates = true;
}

/* max_i sum_j |a_ij| c_j,  c = NULL: 1 */
static double largest_sum(int s, const double *a, const double *c)
{
    double largest = 0.0;

    for (int i = 0; i < s; i++) {
        double sum = 0.0;
        for (int j = 0; j < s; j++)
            sum += fabs(a[i * s + j]) * (c != NULL ? c[j] : 1.0);
        largest = fmax(largest, sum);
    }
    return largest;
}

/* The updates dW cannot become smaller than what rounding errors of F make of them.  An algebraic
 * variable of index 2 has x ~ eps |y|/h there: with short steps that may be above what the
 * tolerance asks for, and a still shorter step would make it worse.  Y' = A^-1 Z/h, Z ~ c h y', has
 * |A^-1| c times the rounding of y', and T^-1 F its norm times that of F.  Only asked where the
 * iteration is about to be given up. */
double rg_radau_rounding(rg_integrator *g, double *stages)
{
    rg_radau *r = rg_radau_of(g);
    const rg_rule_modes *m = r->table;

    *stages = largest_sum(m->s, m->T_inverse, NULL) * largest_sum(m->s, m->inverse, m->c);

    rg_pace_rounding(g, r->Jy, r->Jyp, r->real, r->error);
    return rg_wrms_norm(g->n, r->error, r->weight);
}
