/* The polynomial of a step corrected with the factors of the step, where factorizations are dear.
 *
 * By F at one to three places between the stages: response.c.  What is left is the next order of
 * the defect, and what an old Jacobian makes of the correction: w = u v with a Jacobian of several
 * steps before is corrected by the old u and v.  That defect is there at the stages too, where it
 * has the shape of the correction; F at two of them tells it.  So the two kinds of places take
 * turns until (1) of rows.c, at places where F was not evaluated for the last turn, allows the
 * polynomial.  Brusselator with 4800 unknowns, 1e-3 to 1e-9: one to three turns for polynomials
 * that are off by up to 70 tolerances, and (1) is 0.5 to 1.3 times the error that is left. */
#include "ivp/radau/piece.h"
#include "ivp/radau/tuning.h"

#include <math.h>
#include <string.h>

bool rg_piece_may_correct(const rg_integrator *g, const rg_radau_rows *w, double d)
{
    const rg_radau *r = rg_radau_of(g);
    const double h = w->t1 - w->t0;
    const bool has_factors =
        r->table->s == w->stages && fabs(r->h_factored - h) <= RG_PIECE_SAME * fabs(h);

    return w->is_thrifty && has_factors && w->stages > 1 && r->highest < 2 && r->n_pins == 0
           && d <= w->d_most;
}

static rg_status response_for(rg_integrator *g, rg_radau_rows *w, int points, rg_response **out)
{
    rg_response **r = &w->response[w->stages / 2 - 1][points - 1];
    const rg_rule_modes *m, *more;
    rg_status status = RG_OK;

    if (*r == NULL) {
        RG_TRY(rg_radau_table_for(g, w->stages, &m));
        RG_TRY(rg_radau_table_for(w->side, w->stages + RG_ROWS_MORE_STAGES, &more));
        *r = rg_alloc(g->ctx, 1, sizeof **r);
        if (*r == NULL) return RG_ERR_MEMORY;
        status = rg_response_init(g->ctx, m, more, points, *r);
    }
    if (status != RG_OK) {
        rg_free(g->ctx, *r);
        *r = NULL;
    }
    *out = *r;
    return status;
}

/* Z_i += f g_i v */
static void add(rg_radau_rows *w, const double *g, double f, const double *v)
{
    rg_radau *q = rg_radau_of(w->side);

    for (int i = 0; i < q->table->s; i++) {
        double *Z = rg_radau_stage(q, q->Z, i);
        const double a = f * g[i];
        for (int64_t k = 0; k < w->side->n; k++)
            Z[k] += a * v[k];
    }
}

/* Z + e, e = - sum_k g_k M_k^-1 F.  A pair: g (u + i v) and its conjugate, as 2 u and -2 v. */
static void add_response(rg_integrator *g, rg_radau_rows *w, double (*weight)[RG_RULE_MOST_ODD],
                         int powers, const double *F)
{
    const rg_radau *r = rg_radau_of(g), *q = rg_radau_of(w->side);
    const size_t size = (size_t)g->n * sizeof *F;
    double *u = q->Y, *v = q->Yp;

    memcpy(u, F, size);
    for (int k = 0; k < powers; k++) {
        rg_matrix_solve(r->real, u, NULL);
        add(w, *weight++, -1.0, u);
        if (k + 1 == powers) break;
        memset(v, 0, size);
        rg_pattern_multiply(rg_system_pattern(g->system), r->Jyp, 1.0 / w->piece.h, u, v);
        memcpy(u, v, size);
    }
    for (int p = 0; p < w->stages / 2; p++) {
        memcpy(u, F, size);
        memset(v, 0, size);
        rg_matrix_solve(r->pair[p], u, v);
        add(w, *weight++, -2.0, u);
        add(w, *weight++, 2.0, v);
    }
}

/* By F at the places from .. to - 1, three at most; all of it before Z changes */
static rg_status take_turn(rg_integrator *g, rg_radau_rows *w, rg_response *s, int from, int to)
{
    const rg_radau *r = rg_radau_of(g), *q = rg_radau_of(w->side);
    double *F[RG_RESPONSE_POINTS] = {r->error, q->error, q->end};

    for (int l = from; l < to; l++) {
        const double t = w->piece.t + s->x[l] * w->piece.h;
        rg_piece_eval(g, w, t, r->Y, r->Yp);
        w->side->stats.evaluations++;
        RG_TRY(rg_system_residual(g->system, g->work, t, r->Y, r->Yp, F[l - from]));
    }
    for (int l = from; l < to; l++)
        add_response(g, w, s->weight[l], s->powers, F[l - from]);
    return RG_OK;
}

/* (1) at a place of the other kind, between the stages, where an old Jacobian leaves what it did
 * not know of stiff unknowns, and behind the start, where defects are largest.  Is only the second
 * of them the reason for another turn? */
static rg_status look(rg_integrator *g, rg_radau_rows *w, const rg_response *s, bool is_between,
                      bool *is_stiff, double *d)
{
    *d = 0.0;
    RG_TRY(rg_place_indicator(g, w, is_between ? s->stage : s->middle, d));
    *is_stiff = *d <= RG_ROWS_TARGET;
    RG_TRY(rg_place_indicator(g, w, s->between, d));
    *is_stiff = *is_stiff && *d > RG_ROWS_TARGET;
    return rg_place_indicator(g, w, s->behind, d);
}

static rg_status take_turns(rg_integrator *g, rg_radau_rows *w, int points)
{
    rg_response *s;
    double d, before = INFINITY;
    bool is_between = true, is_stiff;

    RG_TRY(response_for(g, w, points, &s));
    RG_TRY(rg_piece_predict(g, w, w->stages + RG_ROWS_MORE_STAGES));
    for (int turn = 0; turn < RG_CORRECT_TURNS; turn++, before = d) {
        RG_TRY(is_between ? take_turn(g, w, s, 0, points) : take_turn(g, w, s, points, points + 2));
        RG_TRY(look(g, w, s, is_between, &is_stiff, &d));
        if (d <= RG_ROWS_TARGET) return RG_OK;
        if (!(d <= RG_CORRECT_GAIN * before)) break;
        is_between = !is_between || is_stiff;
    }
    return (rg_status)RG_RETRY;
}

rg_status rg_piece_correct(rg_integrator *g, rg_radau_rows *w, double d)
{
    const int most = w->stages == 3 ? 2 : RG_RESPONSE_POINTS;
    const int points = d <= RG_CORRECT_LITTLE ? 1 : d <= RG_CORRECT_MORE ? 2 : most;
    const rg_status status = take_turns(g, w, points);

    w->piece.has_values = status == RG_OK;
    if (status != RG_OK)
        w->d_most = RG_CORRECT_NEXT * d;
    else if (d > RG_CORRECT_NEXT * w->d_most)
        w->d_most = fmin(w->d_most / RG_CORRECT_NEXT, RG_CORRECT_MOST);
    return status;
}
