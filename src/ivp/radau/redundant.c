/* Redundant equations: d of them follow from the others everywhere, and d unknowns (multipliers of
 * dependent constraints) are not determined.  Every Newton matrix  K = x F_y' + F_y  has rank n - d
 * then, whatever x.  In Newton's method d dependent equations are left out and d unknowns keep what
 * the prediction says: the "pins", chosen with every Jacobian by elimination with complete
 * pivoting.  Once is not enough: of three parallel cranks any two have dependent constraints in two
 * positions of a turn, and all three never.
 *
 * Of all solutions the one of least norm is taken.  At every stage the null space of K is spanned
 * by
 *
 *     v_k,  v_k[pin k] = 1, 0 at the other pins,   K v_k = 0 in the other rows,
 *
 * and with V made orthonormal  Y <- Y - V V^T Y.  F does not change where F_y' V = 0 and V is null
 * wherever on Y + V c: multipliers, which enter linearly.  Where it is otherwise, Y stays as it
 * is.
 *
 * Reduced views: stages are off the constraints by as much as their error, and so V is a null space
 * up to that.  Multipliers alone are moved, which the states of the step have no part in; those
 * that are put out are solved for on the constraints (views/recover.c). */
#include "ivp/radau/radau.h"

#include "ivp/tuning.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"
#include "linalg/vectors.h"

#include <math.h>
#include <string.h>

static double pin_factor(const rg_integrator *g)
{
    const double length = fabs(g->t_end - g->t);

    return 1.0 / (RG_PIN_STEP * (length > 0.0 ? length : 1.0));
}

/* After the first Jacobian. */
static rg_status take_memory(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const rg_pattern *pattern = rg_system_pattern(g->system);
    const int64_t entries = pattern->start[pattern->n_columns];

    RG_TRY(rg_matrix_create_like(r->real, false, &r->gauge));
    r->gauge_memory = rg_alloc(
        g->ctx, (size_t)(2 * entries + (r->n_pins + 1) * r->blocks * RG_LANES) + 1, sizeof(double));
    if (r->gauge_memory == NULL) return RG_ERR_MEMORY;
    r->pin_factor = pin_factor(g);
    return RG_OK;
}

/* With every Jacobian; small arrays are allocated. */
rg_status rg_radau_find_pins(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    int *rows = r->pins, *columns = r->pins + r->n_pins;

    if (r->gauge == NULL) RG_TRY(take_memory(g));
    RG_TRY(rg_system_find_pins(g->system, r->pin_factor, r->Jy, r->Jyp, r->pin_entries, rows,
                               columns));
    RG_TRY(rg_matrix_pin(r->real, r->n_pins, rows, columns));
    for (int k = 0; k < RADAU_PAIRS && r->pair[k] != NULL; k++)
        RG_TRY(rg_matrix_pin(r->pair[k], r->n_pins, rows, columns));
    RG_TRY(rg_matrix_pin(r->gauge, r->n_pins, rows, columns));
    for (int k = 0; k < r->n_pins && !r->has_pins; k++)
        g->yp[columns[k]] = 0.0;
    r->has_pins = true;
    return RG_OK;
}

static double largest(int64_t n, const double *x)
{
    double most = 0.0;

    for (int64_t i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* v_k from the factors of K.  False: it is not what a multiplier would have. */
static bool null_vector(rg_integrator *g, int k, const double *Jy, const double *Jyp, double *v,
                        double *work)
{
    rg_radau *r = rg_radau_of(g);
    const rg_pattern *pattern = rg_system_pattern(g->system);
    const int64_t n = g->n, entries = pattern->start[pattern->n_columns];
    const size_t bytes = (size_t)n * sizeof *v;
    const int pin = r->pins[r->n_pins + k];

    memset(work, 0, bytes);
    memset(v, 0, bytes);
    work[pin] = 1.0;
    rg_pattern_multiply(pattern, Jy, -1.0, work, v);
    rg_pattern_multiply(pattern, Jyp, -r->pin_factor, work, v);
    rg_matrix_solve(r->gauge, v, NULL);
    v[pin] = 1.0;
    if (rg_system_hidden_levels(g->system) > 0) {
        for (int64_t j = 0; j < n; j++)
            if (!rg_system_is_open(g->system, j)) v[j] = 0.0;
        return isfinite(largest(n, v));
    }
    /* The equations are dependent on the constraints only, which a stage meets as far as Newton's
     * method has come. */
    const double size = RG_RANK_DOUBT * largest(n, v);
    memset(work, 0, bytes);
    rg_pattern_multiply(pattern, Jyp, 1.0, v, work);
    if (!(largest(n, work) <= size * largest(entries, Jyp))) return false;
    memset(work, 0, bytes);
    rg_pattern_multiply(pattern, Jy, 1.0, v, work);
    return largest(n, work) <= size * largest(entries, Jy);
}

static void remove_part(int64_t n, const double *v, double *x)
{
    const double c = rg_dot(n, v, x);

    for (int64_t i = 0; i < n; i++)
        x[i] -= c * v[i];
}

/* v <- v less its parts along the first k columns of V, of length 1; twice, for the rounding
 * errors.  It does not vanish: v is 1 at its own pin, where the others are 0. */
static void make_orthonormal(int64_t n, int64_t ld, int k, const double *V, double *v)
{
    for (int round = 0; round < 2; round++) {
        for (int l = 0; l < k; l++)
            remove_part(n, V + l * ld, v);
        const double size = sqrt(rg_dot(n, v, v));
        for (int64_t i = 0; i < n; i++)
            v[i] /= size;
    }
}

/* One stage: Y in r->Y becomes Y - V V^T Y. */
static rg_status least_stage(rg_integrator *g, double t)
{
    rg_radau *r = rg_radau_of(g);
    const rg_pattern *pattern = rg_system_pattern(g->system);
    const int64_t n = g->n, ld = r->blocks * RG_LANES, entries = pattern->start[n];
    double *Jy = r->gauge_memory, *Jyp = Jy + entries, *V = Jyp + entries;
    double *work = V + r->n_pins * ld;

    g->stats.jacobians++;
    RG_TRY(rg_system_jacobian(g->system, g->work, t, r->Y, r->Yp, Jy, Jyp));
    g->stats.factorizations++;
    RG_TRY(rg_matrix_factor(r->gauge, r->pin_factor, 0.0, Jy, Jyp));
    for (int k = 0; k < r->n_pins; k++) {
        if (!null_vector(g, k, Jy, Jyp, V + k * ld, work)) return (rg_status)RG_RETRY;
        make_orthonormal(n, ld, k, V, V + k * ld);
    }
    for (int k = 0; k < r->n_pins; k++)
        remove_part(n, V + k * ld, r->Y);
    return RG_OK;
}

/* All stages of a step that Newton's method has found.  A stage where it does not work keeps its
 * values: they solve the equations. */
rg_status rg_radau_least_norm(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const rg_rule_modes *m = r->table;

    for (int i = 0; i < m->s; i++) {
        double *Z = rg_radau_stage(r, r->Z, i);
        rg_stages_combine(m->s, m->inverse + m->s * i, r->blocks, r->Z, r->blocks * RG_LANES,
                          r->error);
        rg_stage_point(g->n, g->y, Z, 1.0 / r->h, r->error, r->Y, r->Yp);
        const rg_status status = least_stage(g, g->t + m->c[i] * r->h);
        if (status < 0) return status;
        if (status != RG_OK) continue;
        for (int64_t j = 0; j < g->n; j++)
            Z[j] = r->Y[j] - g->y[j];
    }
    return RG_OK;
}
