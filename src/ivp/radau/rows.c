/* Values between the steps that are as good as those at steps: rows of the output.
 *
 * The polynomial p of a step has an error of O(h^(s+1)), and what follows a fast signal without
 * being integrated (algebraic and stiff unknowns) is in no error test at all.  How far p is off is
 * told by
 *
 *     d = max_i |((gamma/h) F_y' + F_y)^-1 F(t, p, p')|_i / (atol + rtol |y_i|)        (1)
 *
 * at two places between the stages, with the factors of the step: 0.1 to 3 times the true error
 * in units of the user's tolerance.  Then, with RG_ROWS_TARGET = 0.1 and r rows inside the step:
 *
 *     d <= RG_ROWS_TARGET     the polynomial
 *     r <= 2                  a side step per row: the same method from t_n to the row
 *     m <= RG_ROWS_LIFT_MOST  one collocation with s + 4 stages over the step, all rows from it
 *     else                    pieces of h/m, one after the other; split again where (1) asks for it
 *
 * m = 1.1 (d/RG_ROWS_TARGET)^(1/(s+1)).  Where rows are fewer than pieces, side steps.  Where a
 * factorization costs as much as several iterations, p is first corrected with the factors of the
 * step (correct.c); if that is not enough, one collocation serves also one or two rows, since its
 * factors serve in the next step of the same length.  All of them start from p, use the Jacobian of
 * the step and an iteration of their own: the steps of the run do not depend on the rows.  In
 * reduced views every row is projected onto the hidden constraints.
 *
 * Unknowns of index 2 and 3 of the model as written are left out of (1): their own error at steps
 * is larger than what it would show.  A very short step multiplies it by 1/h, so there is no side
 * step to the first tenth of a step. */
#include "ivp/radau/piece.h"
#include "ivp/radau/tuning.h"
#include "ivp/tuning.h"

#include <math.h>
#include <string.h>

/* ---- decision -------------------------------------------------------------------------------- */

/* 1.1 (d/RG_ROWS_TARGET)^(1/(s+1)): how many pieces a step or a piece would need. */
static double pieces_for(double d, int stages)
{
    return isfinite(d) ? RG_ROWS_SAFETY * pow(d / RG_ROWS_TARGET, 1.0 / (stages + 1.0))
                       : RG_ROWS_MOST_PIECES;
}

static void set_pieces(rg_radau_rows *w, double m)
{
    w->way = ROWS_PIECES;
    w->length = (w->t1 - w->t0) / fmax(2.0, fmin(RG_ROWS_MOST_PIECES, ceil(m)));
    w->splits = 0;
    w->d = INFINITY;
    w->piece.has_values = false;
}

/* One collocation over the whole step.  Where (1) is not as small as it should be, the first piece
 * will tell whether that is its fault. */
static rg_status lift(rg_integrator *g, rg_radau_rows *w, double m)
{
    double d;

    set_pieces(w, m);
    const int more = m < RG_ROWS_LITTLE ? RG_ROWS_MORE_STAGES / 2 : RG_ROWS_MORE_STAGES;
    const int least = w->stages + more, factored = rg_piece_factored(w, w->t1 - w->t0);
    const int stages = w->is_thrifty && factored > least ? factored : least;
    rg_status status = rg_piece_take(g, w, w->t0, w->y0, stages, w->t1 - w->t0);
    if (status == RG_OK) status = rg_piece_indicator(g, w, &d);
    if (status < 0) return status;
    if (status == RG_OK && d <= RG_ROWS_TARGET) return RG_OK;
    w->piece.has_values = false;
    if (status == RG_OK && d <= RG_ROWS_DOUBTFUL) {
        w->d = d;
        rg_piece_keep(w);
    }
    return RG_OK;
}

static rg_status decide(rg_integrator *g, rg_radau_rows *w, int64_t count)
{
    double d;

    w->way = ROWS_POLYNOMIAL;
    w->count = (double)count;
    w->is_thrifty = rg_radau_is_thrifty(g);
    const bool may_correct = rg_piece_may_correct(g, w);
    const rg_status status = may_correct ? rg_piece_correct(g, w, &d) : rg_step_indicator(g, w, &d);
    if (status < 0) return status;
    w->d_step = d;
    rg_log(g->ctx, 3, "rows: %lld in %.10g .. %.10g, d = %.3g", (long long)count, w->t0, w->t1, d);
    if (d <= RG_ROWS_TARGET) return RG_OK;
    const double m = pieces_for(d, w->stages);
    if (may_correct && status == RG_OK) {
        set_pieces(w, m);
        w->piece.has_values = true;
        return RG_OK;
    }
    if ((count <= RG_ROWS_FEW && !w->is_thrifty)
        || (m > RG_ROWS_LIFT_MOST && (double)count <= fmin(m, RG_ROWS_MOST_PIECES))) {
        w->way = ROWS_SIDE;
        return RG_OK;
    }
    if (m <= RG_ROWS_LIFT_MOST) return lift(g, w, m);
    set_pieces(w, m);
    return RG_OK;
}

/* What those who ask now have of their own, for the last step. */
static rg_status start_side(rg_integrator *g, rg_radau_rows **rows)
{
    rg_radau_rows **own = &rg_radau_of(g)->rows[g->rows_for];

    if (*own == NULL) RG_TRY(rg_side_create(g, own));
    *rows = *own;
    return rg_side_start(g, *own);
}

rg_status rg_radau_rows_begin(rg_integrator *g, int64_t count)
{
    rg_radau_rows *w;

    if (g->t == g->t_previous) return RG_OK;
    if (rg_system_switch_count(g->system) > 0 && !rg_system_is_held(g->work))
        return RG_OK; /* a stage may be on the edge */
    RG_TRY(start_side(g, &w));
    rg_status status = RG_OK;
    if (rg_radau_of(g)->is_fixed)
        w->way = ROWS_SIDE; /* as a run that ends there: no tolerance tells what is enough */
    else
        status = decide(g, w, count);
    rg_side_count(g, w);
    return status;
}

rg_status rg_radau_side_rows(rg_integrator *g)
{
    rg_radau_rows *w;

    g->rows_for = RG_ROWS_STEPS;
    const rg_status status = start_side(g, &w);
    g->rows_for = RG_ROWS_OUTPUT;
    if (status == RG_OK) w->way = ROWS_SIDE;
    return status;
}

/* (1) of the states that count, or of all; *off of those from `first` on. */
static rg_status roughness(rg_integrator *g, int64_t first, const uint8_t *counts, double *d,
                           double *off, int64_t *state)
{
    rg_radau_rows *w;

    *d = *off = 0.0;
    *state = -1;
    if (g->t == g->t_previous) return RG_OK;
    RG_TRY(start_side(g, &w));
    w->first = first;
    w->counts = counts;
    w->off = 0.0;
    const rg_status status = rg_step_indicator(g, w, d);
    w->first = g->n;
    w->counts = NULL;
    *off = w->off;
    if (*d > 0.0) *state = w->worst;
    rg_side_count(g, w);
    w->step = -1; /* nothing is decided about rows */
    return status < 0 ? status : RG_OK;
}

rg_status rg_radau_roughness(rg_integrator *g, int64_t first, double *d, double *off)
{
    int64_t state;

    g->rows_for = RG_ROWS_STEPS;
    const rg_status status = roughness(g, first, NULL, d, off, &state);
    g->rows_for = RG_ROWS_OUTPUT;
    return status;
}

rg_status rg_radau_between(rg_integrator *g, const uint8_t *counts, double *d, int64_t *state)
{
    double off;

    return roughness(g, g->n, counts, d, &off, state);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool is_within(const rg_radau_rows *w, double t)
{
    const rg_piece *p = &w->piece;

    return p->has_values && (t - p->t) * (p->t + p->h - t) >= 0.0;
}

/* The next piece, behind the last one or at the start of the step.  Where pieces would be more than
 * rows, none is taken: side steps from then on. */
static rg_status next_piece(rg_integrator *g, rg_radau_rows *w)
{
    const rg_piece *p = &w->piece;
    double t = w->t0, d = 0.0, before = w->d;

    if (p->has_values) {
        t = p->t + p->h;
        rg_piece_end(w, w->y);
    } else {
        memcpy(w->y, w->y0, (size_t)g->n * sizeof *w->y);
    }
    for (;;) {
        const double left = fmax(1.0, ceil((w->t1 - t) / w->length - 1e-9));
        const double h = (w->t1 - t) / left;
        rg_status status = rg_piece_take(g, w, t, w->y, w->stages, h);
        if (status == RG_OK) status = rg_piece_indicator(g, w, &d);
        if (status < 0) return status;
        const bool is_last = w->splits >= RG_ROWS_MOST_SPLITS;
        if (status != RG_OK && is_last) return status;
        const double m = status == RG_OK ? pieces_for(d, w->stages) : 2.0;
        const bool is_start_error =
            d > RG_ROWS_NO_GAIN * before && (d <= RG_ROWS_DOUBTFUL || isinf(w->count));
        if (status == RG_OK && (is_last || is_start_error || d <= RG_ROWS_TARGET)) {
            if (m < RG_ROWS_GROW || is_start_error) w->length = 2.0 * h;
            if (isfinite(w->count)) w->splits = 0;
            const bool is_lift_good = isfinite(w->d) && d > RG_ROWS_NO_GAIN * w->d;
            w->d = INFINITY;
            return is_lift_good ? rg_piece_restore(w) : RG_OK;
        }
        before = status == RG_OK ? d : INFINITY;
        w->piece.has_values = false;
        w->length = h / fmax(2.0, fmin(RG_ROWS_MOST_PIECES, ceil(m)));
        w->splits++;
        if ((w->t1 - w->t0) / w->length <= w->count) continue;
        w->way = ROWS_SIDE;
        return RG_OK;
    }
}

static rg_status side_step(rg_integrator *g, rg_radau_rows *w, double t)
{
    const double theta = (t - w->t0) / (w->t1 - w->t0);

    const bool is_recovered = rg_radau_of(g)->highest < 2 || g->recovery != NULL;

    if (!is_recovered && theta < RG_ROWS_NEAR_START) return (rg_status)RG_RETRY;
    return rg_piece_take(g, w, w->t0, w->y0, w->stages, t - w->t0);
}

/* Pieces up to t, or until side steps are cheaper than those. */
static rg_status walk(rg_integrator *g, rg_radau_rows *w, double t)
{
    rg_status status = RG_OK;

    if ((t - w->piece.t) * w->piece.h < 0.0) w->piece.has_values = false; /* from the start again */
    while (!is_within(w, t) && status == RG_OK && w->way == ROWS_PIECES)
        status = next_piece(g, w);
    return status;
}

/* The piece that t is in; RG_RETRY: there is none, the polynomial has to do. */
static rg_status find_piece(rg_integrator *g, rg_radau_rows *w, double t)
{
    if (w->way == ROWS_PIECES) {
        const rg_status status = walk(g, w, t);
        if (w->way == ROWS_PIECES) return status;
    }
    const rg_status status = side_step(g, w, t);
    if (status <= 0) return status;
    set_pieces(w, 2.0);
    w->count = INFINITY; /* side steps have been tried */
    return walk(g, w, t);
}

/* Unknowns without a slope in the equations: what Newton's method leaves in them makes slopes of
 * RG_PIECE_STOP/(theta h), in tolerances, in a side step of length theta h; the polynomial's are
 * off by about (1)/h. */
static void mend_slopes(rg_integrator *g, const rg_radau_rows *w, double t, double *yp)
{
    const rg_radau *r = rg_radau_of(g);
    const double theta = (t - w->t0) / (w->t1 - w->t0);

    if (w->way != ROWS_SIDE || theta * w->d_step >= RG_PIECE_STOP) return;
    rg_integrator_eval(g, t, r->Y, r->Yp);
    for (int64_t i = 0; i < g->n; i++)
        if (!w->has_slope[i]) yp[i] = r->Yp[i];
}

rg_status rg_radau_row(rg_integrator *g, double t, double *y, double *yp)
{
    rg_radau *r = rg_radau_of(g);
    rg_radau_rows *w = r->rows[g->rows_for];

    if (w == NULL || !rg_side_belong(g, w)) {
        RG_TRY(rg_radau_rows_begin(g, 1));
        w = r->rows[g->rows_for];
    }
    if (w == NULL || !rg_side_belong(g, w) || (t - w->t0) * (w->t1 - t) <= 0.0) {
        rg_integrator_eval(g, t, y, yp);
        return RG_OK;
    }
    rg_status status = (rg_status)RG_RETRY;
    if (w->way != ROWS_POLYNOMIAL) status = find_piece(g, w, t);
    rg_side_count(g, w);
    if (status < 0) return status;
    if (status == RG_OK) {
        rg_piece_eval(g, w, t, y, yp);
        mend_slopes(g, w, t, yp);
    } else {
        rg_integrator_eval(g, t, y, yp);
    }
    return rg_piece_project(g, w, t, y, yp);
}

void rg_radau_rows_destroy(rg_integrator *g)
{
    for (int k = 0; k < RG_ROWS_USERS; k++)
        rg_side_destroy(g, &rg_radau_of(g)->rows[k]);
}
