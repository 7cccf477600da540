/* Collocation inside a step that was taken: Newton's method, values, the indicator of its error.
 *
 * The work is done by a second state of the method, the side: it borrows Jacobian and workspace of
 * the run and never changes them. */
#include "ivp/radau/piece.h"
#include "ivp/radau/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- life ------------------------------------------------------------------------------------ */

static rg_status fill(rg_integrator *g, rg_radau_rows *w)
{
    const size_t n = (size_t)rg_padded(g->n);
    const rg_state start = {g->t, g->y, g->yp};
    const rg_radau *r = rg_radau_of(g);
    rg_options o = g->options;

    o.stages = 0;
    if (r->is_fixed) { /* its Newton iteration goes on to rounding errors */
        o.step = 0.0;
        o.rtol = o.atol = RG_ROWS_FIXED;
    }
    w->y0 = rg_alloc(g->ctx, (3 + RG_RULE_MOST_ODD) * n + 1, sizeof *w->y0);
    if (w->y0 == NULL) return RG_ERR_MEMORY;
    w->has_slope = rg_alloc(g->ctx, 2 * n + 1, sizeof *w->has_slope);
    if (w->has_slope == NULL) return RG_ERR_MEMORY;
    w->is_recovered = w->has_slope + n;
    w->y = w->y0 + n;
    w->scale = w->y + n;
    w->kept_Z = w->scale + n;
    w->first = g->n;
    RG_TRY(rg_integrator_create_with(&rg_radau_method, g->system, &o, &start, g->t_end, &w->side));
    rg_radau *q = rg_radau_of(w->side);
    RG_TRY(rg_radau_share(w->side, r));
    if (r->index != NULL && q->index != NULL)
        memcpy(q->index, r->index, (size_t)g->n * sizeof *q->index);
    if (r->is_fixed && w->side->unit == NULL)
        w->side->unit = rg_alloc(g->ctx, (size_t)g->n + 1, sizeof *w->side->unit);
    if (r->is_fixed && w->side->unit == NULL) return RG_ERR_MEMORY;
    w->own = w->side->work;
    w->side->work = g->work;
    w->own_Jy = q->Jy;
    w->own_Jyp = q->Jyp;
    return RG_OK;
}

rg_status rg_side_create(rg_integrator *g, rg_radau_rows **rows)
{
    rg_radau_rows *w = *rows = rg_alloc(g->ctx, 1, sizeof *w);

    if (w == NULL) return RG_ERR_MEMORY;
    const rg_status status = fill(g, w);
    if (status != RG_OK) rg_side_destroy(g, rows);
    return status;
}

void rg_side_destroy(rg_integrator *g, rg_radau_rows **rows)
{
    rg_radau_rows *w = *rows;

    if (w == NULL) return;
    if (w->own != NULL) w->side->work = w->own;
    rg_integrator_destroy(&w->side);
    for (int k = 0; k < (RADAU_MOST / 2) * RG_RESPONSE_KINDS; k++)
        rg_free(g->ctx, w->response[k / RG_RESPONSE_KINDS][k % RG_RESPONSE_KINDS]);
    rg_free(g->ctx, w->y0);
    rg_free(g->ctx, w->has_slope);
    rg_free(g->ctx, w);
    *rows = NULL;
}

static void forget_factors(rg_radau_rows *w)
{
    rg_radau_of(w->side)->h_factored = 0.0;
    w->factored_stages = 0;
}

static void find_slopes(const rg_integrator *g, rg_radau_rows *w)
{
    const rg_pattern *p = rg_system_pattern(g->system);
    const double *Jyp = rg_radau_of(g)->Jyp;

    for (int64_t i = 0; i < g->n; i++) {
        w->has_slope[i] = 0;
        for (int64_t e = p->start[i]; e < p->start[i + 1]; e++)
            if (Jyp[e] != 0.0) w->has_slope[i] = 1;
    }
}

rg_status rg_side_start(rg_integrator *g, rg_radau_rows *w)
{
    const rg_radau *r = rg_radau_of(g);
    const bool is_output = g->rows_for == RG_ROWS_OUTPUT; /* what is put out is recovered */
    const double rtol = w->side->options.rtol;
    const double gain = is_output ? rg_integrator_recovery_gain(g) : INFINITY;
    rg_radau *q = rg_radau_of(w->side);

    w->t0 = g->t_previous;
    w->t1 = g->t;
    w->step = g->stats.steps;
    w->stages = g->degree;
    w->piece.has_values = false;
    w->d_step = INFINITY; /* not known */
    memcpy(w->y0, g->polynomial, (size_t)g->n * sizeof *w->y0);
    for (int64_t i = 0; i < g->n; i++) {
        const double size = fmax(fabs(w->y0[i]), fabs(g->y[i]));
        if (r->is_fixed) w->side->unit[i] = r->inverse[i] > 0.0 ? 1.0 / r->inverse[i] : size;
        w->scale[i] = 1.0 / fmax(rg_integrator_atol(w->side, i) + rtol * size, RG_WEIGHT_LEAST);
        w->is_recovered[i] = isfinite(gain) && rg_recovery_gives(g->recovery, i);
    }
    /* Newton's method leaves RG_PIECE_STOP: no more than that can be asked for. */
    w->gain = isfinite(gain) ? fmin(gain, RG_ROWS_TARGET / RG_PIECE_STOP) : 1.0;
    if (rg_integrator_is_far(g) && !r->is_fixed) rg_radau_allow_times(g, w->scale);
    const bool is_other = q->Jy != r->Jy || w->t_jacobian != r->t_jacobian;
    if (is_other) {
        forget_factors(w);
        find_slopes(g, w);
    }
    q->Jy = r->Jy;
    q->Jyp = r->Jyp;
    w->t_jacobian = r->t_jacobian;
    return q->n_pins > 0 && (is_other || !q->has_pins) ? rg_radau_find_pins(w->side) : RG_OK;
}

bool rg_side_belong(const rg_integrator *g, const rg_radau_rows *w)
{
    return w->t0 == g->t_previous && w->t1 == g->t && w->step == g->stats.steps;
}

void rg_side_count(rg_integrator *g, rg_radau_rows *w)
{
    rg_radau *r = rg_radau_of(g);
    const rg_stats *now = &w->side->stats;
    const int64_t evaluations = now->evaluations - w->counted.evaluations;
    const int64_t factorizations = now->factorizations - w->counted.factorizations;

    g->stats.evaluations += evaluations;
    g->stats.factorizations += factorizations;
    g->stats.jacobians += now->jacobians - w->counted.jacobians;
    r->evaluations_before += evaluations;
    r->factorizations_before += factorizations;
    w->counted = *now;
}

/* ---- Newton's method ------------------------------------------------------------------------- */

/* Z_i = p(t + c_i h) - y */
void rg_piece_predict(rg_integrator *g, rg_radau_rows *w)
{
    rg_radau *q = rg_radau_of(w->side);
    const int s = q->table->s;

    for (int i = 0; i < s; i++) {
        double *Z = rg_radau_stage(q, q->Z, i);
        rg_integrator_eval(g, w->piece.t + q->table->c[i] * w->piece.h, Z, NULL);
        for (int64_t k = 0; k < g->n; k++)
            Z[k] -= w->side->y[k];
        for (int64_t k = g->n; k < q->blocks * RG_LANES; k++)
            Z[k] = 0.0;
    }
}

/* Unknowns of index 2 and 3 count with factors h and h^2, as in error.c. */
static double weight_of(const rg_radau_rows *w, int64_t i)
{
    const rg_radau *q = rg_radau_of(w->side);
    const double h = fmin(fabs(w->piece.h), 1.0);
    const int index = q->index == NULL ? 1 : q->index[i];

    return w->scale[i] * (index < 2 ? 1.0 : index == 2 ? h : h * h);
}

/* The largest change of a stage, in units of the tolerance; F holds dW and is overwritten.  Beside
 * a pole a value is far larger than at both ends of the step. */
static double largest_change(rg_radau_rows *w)
{
    rg_radau *q = rg_radau_of(w->side);
    const int s = q->table->s;
    double most = 0.0;

    rg_stages_transform(s, q->T, q->blocks, q->F, q->F);
    for (int64_t k = 0; k < w->side->n; k++) {
        const double weight = weight_of(w, k);
        const double part = w->side->options.rtol * w->scale[k];
        for (int i = 0; i < s; i++) {
            const double size = fabs(w->side->y[k] + rg_radau_stage(q, q->Z, i)[k]);
            const double change =
                fabs(rg_radau_stage(q, q->F, i)[k]) * weight / fmax(1.0, part * size);
            if (!(change <= most)) most = change;
        }
    }
    return most;
}

/* The rate is measured here, never inherited: with one iteration multipliers would be wrong by
 * several tolerances. */
static rg_status iterate(rg_radau_rows *w)
{
    const rg_radau *q = rg_radau_of(w->side);
    const double stop = fmax(RG_PIECE_STOP, 10.0 * DBL_EPSILON / w->side->options.rtol);
    const int most =
        w->side->options.rtol > RG_ROWS_FIXED ? RG_PIECE_ITERATIONS : 3 * RG_PIECE_ITERATIONS;
    double first = INFINITY, previous = INFINITY;

    for (int k = 1; k <= most; k++) {
        RG_TRY(rg_radau_residuals(w->side));
        (void)rg_radau_update(w->side);
        const double size = largest_change(w);
        if (!isfinite(size)) return (rg_status)RG_RETRY;
        if (size <= stop || q->is_linear) return RG_OK;
        const double rate = k > 1 ? size / previous : 0.5;
        if (rate >= 1.0 && k > 2)
            return (rg_status)RG_RETRY; /* the first is not judged: newton.c */
        if (k > 1 && rate < 1.0 && rate / (1.0 - rate) * size <= stop) return RG_OK;
        if (k == 1) first = size;
        w->left = size / first;
        if (k > 2 && pow(rate, most - k) * size > stop) return (rg_status)RG_RETRY;
        previous = size;
    }
    return (rg_status)RG_RETRY;
}

/* A Jacobian of the piece itself, at its middle, where that of the step does not do: on the
 * iterate, where updates have become smaller.  The polynomial of the step may be far off. */
static rg_status renew_jacobian(rg_integrator *g, rg_radau_rows *w, bool is_nearer)
{
    rg_radau *q = rg_radau_of(w->side);
    const double t = w->piece.t + 0.5 * w->piece.h;

    q->Jy = w->own_Jy;
    q->Jyp = w->own_Jyp;
    forget_factors(w);
    w->side->stats.jacobians++;
    if (is_nearer)
        rg_piece_eval(g, w, t, q->Y, q->Yp);
    else
        rg_integrator_eval(g, t, q->Y, q->Yp);
    return rg_system_jacobian(g->system, g->work, t, q->Y, q->Yp, q->Jy, q->Jyp);
}

/* Steps of the same length end at times that are rounded: their differences are not the same. */
static bool has_factors(const rg_radau_rows *w, double h)
{
    const rg_radau *q = rg_radau_of(w->side);

    return fabs(q->h_factored - h) <= RG_PIECE_SAME * fabs(h);
}

int rg_piece_factored(const rg_radau_rows *w, double h)
{
    if (has_factors(w, h)) return rg_radau_of(w->side)->table->s;
    return fabs(w->h_factored - h) <= RG_PIECE_SAME * fabs(h) ? w->factored_stages : 0;
}

static rg_status attempt(rg_integrator *g, rg_radau_rows *w, bool goes_on)
{
    rg_integrator *side = w->side;
    rg_radau *q = rg_radau_of(side);

    q->is_last = false;
    q->has_jacobian = true;
    q->has_weights = q->has_rates = false;
    rg_radau_weights(side);
    if (!has_factors(w, q->h)) {
        forget_factors(w);
        RG_TRY(rg_radau_prepare(side));
    }
    if (!goes_on) {
        rg_piece_predict(g, w);
        rg_stages_transform(q->table->s, q->T_inverse, q->blocks, q->Z, q->W);
    }
    RG_TRY(iterate(w));
    return q->has_pins ? rg_radau_least_norm(side) : RG_OK;
}

/* Other stages use the same memory: factors are kept until others are there. */
static rg_status take_stages(rg_radau_rows *w, int stages)
{
    rg_radau *q = rg_radau_of(w->side);

    if (q->table->s == stages) return RG_OK;
    if (q->h_factored != 0.0) {
        w->factored_stages = q->table->s;
        w->h_factored = q->h_factored;
    }
    RG_TRY(rg_radau_set_stages(w->side, stages));
    if (stages == w->factored_stages) q->h_factored = w->h_factored;
    return RG_OK;
}

static rg_status start_piece(rg_radau_rows *w, double t, const double *y, int stages, double h)
{
    rg_integrator *side = w->side;

    w->piece = (rg_piece){.t = t, .h = h};
    RG_TRY(take_stages(w, stages));
    memmove(side->y, y, (size_t)side->n * sizeof *y);
    side->t = t;
    rg_radau_of(side)->h = h;
    return RG_OK;
}

rg_status rg_piece_start(rg_radau_rows *w, int stages)
{
    return start_piece(w, w->t0, w->y0, stages, w->t1 - w->t0);
}

rg_status rg_piece_take(rg_integrator *g, rg_radau_rows *w, double t, const double *y, int stages,
                        double h)
{
    RG_TRY(start_piece(w, t, y, stages, h));
    w->left = INFINITY;
    rg_status status = attempt(g, w, false);
    if (status == (rg_status)RG_RETRY) {
        const bool is_nearer = w->left < 1.0;
        status = renew_jacobian(g, w, is_nearer);
        if (status == RG_OK) status = attempt(g, w, is_nearer);
    }
    w->piece.has_values = status == RG_OK;
    return status;
}

void rg_piece_keep(rg_radau_rows *w)
{
    const rg_radau *q = rg_radau_of(w->side);

    w->kept = w->piece;
    w->kept_stages = q->table->s;
    memcpy(w->kept_Z, q->Z, (size_t)(q->table->s * q->blocks * RG_LANES) * sizeof *q->Z);
}

rg_status rg_piece_restore(rg_radau_rows *w)
{
    rg_radau *q = rg_radau_of(w->side);

    w->piece = w->kept;
    w->piece.has_values = true;
    RG_TRY(take_stages(w, w->kept_stages));
    memcpy(w->side->y, w->y0, (size_t)w->side->n * sizeof *w->y0);
    memcpy(q->Z, w->kept_Z, (size_t)(q->table->s * q->blocks * RG_LANES) * sizeof *q->Z);
    return RG_OK;
}

/* ---- values ---------------------------------------------------------------------------------- */

void rg_piece_end(const rg_radau_rows *w, double *y)
{
    const rg_radau *q = rg_radau_of(w->side);
    const double *Zs = rg_radau_stage(q, q->Z, q->table->s - 1);

    for (int64_t i = 0; i < w->side->n; i++)
        y[i] = w->side->y[i] + Zs[i];
}

/* y = y0 + sum_i value_i Z_i,  y' = sum_i slope_i Z_i */
RG_FOR_ALL_VECTORS static void combine(int s, int64_t n, const double *value, const double *slope,
                                       const double *Z, int64_t stride, const double *y0,
                                       double *restrict y, double *restrict yp)
{
    for (int64_t k = 0; k < n; k++) {
        y[k] = y0[k] + value[0] * Z[k];
        yp[k] = slope[0] * Z[k];
    }
    for (int i = 1; i < s; i++) {
        const double *z = Z + i * stride;
        const double v = value[i], d = slope[i];
        for (int64_t k = 0; k < n; k++) {
            y[k] += v * z[k];
            yp[k] += d * z[k];
        }
    }
}

/* p = y + sum_i (x/c_i) l_i(x) Z_i,  h p' = sum_j (sum_i l_i(x) (A^-1)_ij) Z_j,  l_i on the nodes
 * c_1 .. c_s: p' has degree s - 1.  Powers of x would lose digits with many stages. */
void rg_piece_eval(const rg_integrator *g, const rg_radau_rows *w, double t, double *y, double *yp)
{
    const rg_radau *q = rg_radau_of(w->side);
    const rg_rule_modes *m = q->table;
    const int s = m->s;
    const double x = (t - w->piece.t) / w->piece.h;
    double value[RG_RULE_MOST_ODD], slope[RG_RULE_MOST_ODD] = {0};

    for (int i = 0; i < s; i++) {
        double l = 1.0;
        for (int k = 0; k < s; k++)
            if (k != i) l *= (x - m->c[k]) / (m->c[i] - m->c[k]);
        value[i] = x / m->c[i] * l;
        for (int j = 0; j < s; j++)
            slope[j] += l * m->inverse[s * i + j] / w->piece.h;
    }
    combine(s, g->n, value, slope, q->Z, q->blocks * RG_LANES, w->side->y, y, yp);
}

/* Of the solution of M x = F(t, Y, Y') */
static rg_status indicator(rg_integrator *g, rg_radau_rows *w, rg_radau *r, double t, double *d)
{
    w->side->stats.evaluations++;
    const rg_status status = rg_system_residual(g->system, g->work, t, r->Y, r->Yp, r->error);
    if (status != RG_OK) {
        *d = INFINITY;
        return status;
    }
    rg_matrix_solve(r->real, r->error, NULL);
    for (int64_t i = w->first; i < g->n; i++)
        if (!(fabs(r->error[i]) <= w->off)) w->off = fabs(r->error[i]);
    for (int64_t i = 0; i < g->n; i++) {
        if (r->index != NULL && r->index[i] > 1) continue;
        if (w->counts != NULL ? !w->counts[i] : w->is_recovered[i]) continue;
        const double size = fabs(r->error[i]) * w->scale[i] * (w->counts != NULL ? 1.0 : w->gain);
        if (size <= *d) continue;
        *d = size;
        w->worst = i;
    }
    if (isnan(*d)) *d = INFINITY;
    return RG_OK;
}

/* Between the two stages in the middle. */
static double middle(const rg_rule_modes *m)
{
    const int k = m->s / 2;

    return k > 0 ? 0.5 * (m->c[k - 1] + m->c[k]) : 0.5;
}

rg_status rg_step_indicator(rg_integrator *g, rg_radau_rows *w, double *d)
{
    rg_radau *r = rg_radau_of(g);
    const rg_rule_modes *m;

    RG_TRY(rg_radau_table_for(g, w->stages, &m));
    const double x[2] = {middle(m), 0.5 * m->c[0]};
    const int places = w->counts != NULL ? 1 : 2; /* a note costs less */

    *d = 0.0;
    for (int k = 0; k < places; k++) {
        const double t = w->t0 + x[k] * (w->t1 - w->t0);
        rg_integrator_eval(g, t, r->Y, r->Yp);
        RG_TRY(indicator(g, w, r, t, d));
    }
    return RG_OK;
}

/* One place is enough for a collocation with more stages than the step has. */
rg_status rg_piece_indicator(rg_integrator *g, rg_radau_rows *w, double *d)
{
    rg_radau *q = rg_radau_of(w->side);
    const double x[2] = {middle(q->table), 0.5 * q->table->c[0]};
    const int places = w->stages == q->table->s ? 2 : 1;

    *d = 0.0;
    for (int k = 0; k < places; k++) {
        const double t = w->piece.t + x[k] * w->piece.h;
        rg_piece_eval(g, w, t, q->Y, q->Yp);
        RG_TRY(indicator(g, w, q, t, d));
    }
    return RG_OK;
}

rg_status rg_piece_project(rg_integrator *g, rg_radau_rows *w, double t, double *y, double *yp)
{
    rg_radau *r = rg_radau_of(g);

    if (!rg_system_projects(g->system)) return RG_OK;
    for (int64_t i = 0; i < g->n; i++)
        r->error[i] = 1.0 / w->scale[i];
    rg_system_hold_as(g->system, w->own, g->work);
    const rg_status status = rg_system_project(g->system, w->own, t, r->error, y, yp);
    return status < 0 ? status : RG_OK; /* a row that cannot be moved stays where it is */
}
