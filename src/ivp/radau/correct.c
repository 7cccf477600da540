/* The polynomial of a step corrected with the factors of the step, where factorizations are dear.
 *
 * By F at three or four places between the stages: response.c.  What is left is the next order of
 * the defect, and what an old Jacobian makes of the correction: w = u v with a Jacobian of several
 * steps before is corrected by the old u and v.  That defect is there at the stages too, where it
 * has the shape of the correction; F at two of them tells it.  So the next turn looks at places of
 * both kinds, never at those of the turn before.  What has no shape, as what Newton's method has
 * left at the stages, takes F at all nodes of the result.  (1) of rows.c ends it.  Four
 * places cost as much as one: rg_matrix_solve_several().  (1) at the places of a turn is the first
 * part of the correction by it. */
#include "base/vector.h"
#include "ivp/radau/piece.h"
#include "ivp/radau/tuning.h"

#include <math.h>
#include <string.h>

typedef struct { /* F and workspace of a turn, padded */
    double *F[RG_RESPONSE_MOST], *u[RG_RESPONSE_PLACES], *v[RG_RESPONSE_PLACES];
} turn;

/* v_l = F_y' u_l/h.  Most entries of the pattern are none of F_y'. */
static void multiply(const rg_integrator *g, int count, double h, double *const *u,
                     double *const *v)
{
    const rg_pattern *p = rg_system_pattern(g->system);
    const double *A = rg_radau_of(g)->Jyp;

    for (int l = 0; l < count; l++)
        rg_clear(v[l], g->n);
    for (int64_t j = 0; j < g->n; j++)
        for (int64_t k = p->start[j]; k < p->start[j + 1]; k++) {
            if (A[k] == 0.0) continue;
            for (int l = 0; l < count; l++)
                v[l][p->row[k]] += A[k] / h * u[l][j];
        }
}

bool rg_piece_may_correct(const rg_integrator *g, const rg_radau_rows *w)
{
    const rg_radau *r = rg_radau_of(g);
    const double h = w->t1 - w->t0;
    const bool has_factors =
        r->table->s == w->stages && fabs(r->h_factored - h) <= RG_PIECE_SAME * fabs(h);

    return w->is_thrifty && has_factors && w->stages > 1 && r->highest < 2;
}

static rg_status response_for(rg_integrator *g, rg_radau_rows *w, rg_response_kind kind,
                              const rg_response **out)
{
    rg_response **r = &w->response[w->stages / 2 - 1][kind];
    const rg_rule_modes *m, *more;
    rg_status status = RG_OK;

    if (*r == NULL) {
        RG_TRY(rg_radau_table_for(g, w->stages, &m));
        RG_TRY(rg_radau_table_for(w->side, w->stages + RG_ROWS_MORE_STAGES, &more));
        *r = rg_alloc(g->ctx, 1, sizeof **r);
        if (*r == NULL) return RG_ERR_MEMORY;
        status = rg_response_init(g->ctx, m, more, kind, *r);
    }
    if (status != RG_OK) {
        rg_free(g->ctx, *r);
        *r = NULL;
    }
    *out = *r;
    return status;
}

/* W and F of the side are not used otherwise, and have 14 vectors at least. */
static void find_memory(rg_radau_rows *w, turn *x)
{
    rg_radau *q = rg_radau_of(w->side);

    const int most = q->table->s - 1;

    for (int l = 0; l < most; l++)
        x->F[l] = rg_radau_stage(q, q->W, l);
    for (int l = 0; l < RG_RESPONSE_PLACES; l++) {
        x->u[l] = rg_radau_stage(q, q->W, most + l);
        x->v[l] = rg_radau_stage(q, q->W, most + RG_RESPONSE_PLACES + l);
        for (int64_t k = w->side->n; k < q->blocks * RG_LANES; k++)
            x->u[l][k] = x->v[l][k] = 0.0;
    }
}

/* x + i y = M^-1 b */
static void solve(rg_matrix *m, int count, double *const *b, double *const *x, double *const *y)
{
    const rg_sides sides = {(const double *const *)b, NULL, x, y};

    rg_matrix_solve_several(m, count, &sides);
}

/* F of the polynomial, or of the piece, at x of the step */
static rg_status evaluate(rg_integrator *g, rg_radau_rows *w, double x, bool is_first, double *F)
{
    const double t = w->piece.t + x * w->piece.h;
    double *point = rg_system_point(g->work);

    if (is_first)
        rg_integrator_eval(g, t, point, point + g->n);
    else
        rg_piece_eval(g, w, t, point, point + g->n);
    w->side->stats.evaluations++;
    return rg_system_residual_here(g->system, g->work, t, F);
}

/* F at all places, and u = M^-1 F with the largest of it; M the real matrix */
static rg_status look(rg_integrator *g, rg_radau_rows *w, const rg_response *s, bool is_first,
                      turn *x, double *d, double *d_slopes)
{
    rg_radau *r = rg_radau_of(g);

    *d = *d_slopes = 0.0;
    for (int l = 0; l < s->places; l++)
        RG_TRY(evaluate(g, w, s->x[l], is_first, x->F[l]));
    solve(r->real, s->places, x->F, x->u, NULL);
    for (int l = 0; l < s->places; l++)
        for (int64_t i = 0; i < g->n; i++) {
            if (w->is_recovered[i]) continue;
            const double size = fabs(x->u[l][i]) * w->scale[i] * w->gain;
            if (!(size <= *d)) *d = size;
            if (w->has_slope[i] && size > *d_slopes) *d_slopes = size;
        }
    return isnan(*d) ? (rg_status)RG_RETRY : RG_OK;
}

/* Z_i += f sum_l g_li v_l for the term k and the places from .. from + count - 1 */
static void add(rg_radau_rows *w, const rg_response *s, int from, int count, int k, double f,
                double *const *v)
{
    rg_radau *q = rg_radau_of(w->side);
    double a[RG_RULE_MOST_ODD * RG_RESPONSE_PLACES];

    for (int i = 0; i < q->table->s; i++)
        for (int l = 0; l < count; l++)
            a[count * i + l] = f * s->weight[from + l][k][i];
    rg_stages_add(q->table->s, count, a, q->blocks, v, q->Z);
}

/* Z + e, e = - sum_k g_k M_k^-1 F by these places, u = M^-1 F there.  A pair: g (u + i v) and its
 * conjugate, as 2 u and -2 v. */
static void respond(rg_integrator *g, rg_radau_rows *w, const rg_response *s, int from, int count,
                    turn *x)
{
    const rg_radau *r = rg_radau_of(g);

    add(w, s, from, count, 0, -1.0, x->u);
    for (int k = 1; k < s->powers; k++) {
        multiply(g, count, w->piece.h, x->u, x->v);
        solve(r->real, count, x->v, x->u, NULL);
        add(w, s, from, count, k, -1.0, x->u);
    }
    for (int p = 0; p < w->stages / 2; p++) {
        solve(r->pair[p], count, x->F + from, x->u, x->v);
        add(w, s, from, count, s->powers + 2 * p, -2.0, x->u);
        add(w, s, from, count, s->powers + 2 * p + 1, 2.0, x->v);
    }
}

static int fewer(int a, int b)
{
    return a < b ? a : b;
}

/* The same by all nodes but the end */
static rg_status respond_fully(rg_integrator *g, rg_radau_rows *w, turn *x)
{
    const rg_response *s;

    RG_TRY(response_for(g, w, RG_RESPONSE_FULL, &s));
    for (int l = 0; l < s->places; l++)
        RG_TRY(evaluate(g, w, s->x[l], false, x->F[l]));
    for (int from = 0; from < s->places; from += RG_RESPONSE_PLACES) {
        const int count = fewer(s->places - from, RG_RESPONSE_PLACES);
        solve(rg_radau_of(g)->real, count, x->F + from, x->u, NULL);
        respond(g, w, s, from, count, x);
    }
    return RG_OK;
}

/* Where only unknowns without slopes are off: e = -M^-1 F for them, at all nodes of the piece but
 * its end, which is that of the step. */
static rg_status settle(rg_integrator *g, rg_radau_rows *w, turn *x)
{
    rg_radau *q = rg_radau_of(w->side);
    const int nodes = q->table->s - 1;

    for (int from = 0; from < nodes; from += RG_RESPONSE_PLACES) {
        const int count = fewer(nodes - from, RG_RESPONSE_PLACES);
        for (int l = 0; l < count; l++)
            RG_TRY(evaluate(g, w, q->table->c[from + l], false, x->F[l]));
        solve(rg_radau_of(g)->real, count, x->F, x->u, NULL);
        for (int l = 0; l < count; l++) {
            double *Z = rg_radau_stage(q, q->Z, from + l);
            for (int64_t i = 0; i < g->n; i++)
                if (!w->has_slope[i]) Z[i] -= x->u[l][i];
        }
    }
    return RG_OK;
}

rg_status rg_piece_correct(rg_integrator *g, rg_radau_rows *w, double *d)
{
    rg_response_kind kind = RG_RESPONSE_FIRST;
    const rg_response *s;
    double after, d_slopes;
    turn x;

    *d = INFINITY; /* where F cannot be evaluated */
    RG_TRY(rg_piece_start(w, w->stages + RG_ROWS_MORE_STAGES));
    find_memory(w, &x);
    RG_TRY(response_for(g, w, kind, &s));
    RG_TRY(look(g, w, s, true, &x, &after, &d_slopes));
    *d = after;
    if (*d <= RG_ROWS_TARGET) return RG_OK;
    if (*d > RG_CORRECT_MOST) return (rg_status)RG_RETRY;
    rg_piece_predict(g, w);
    if (*d > RG_CORRECT_LITTLE) RG_TRY(response_for(g, w, RG_RESPONSE_FINE, &s));
    for (int k = 0; k < RG_CORRECT_TURNS; k++) {
        const double before = after, slopes_before = d_slopes;
        if (k > 0 && d_slopes <= RG_ROWS_TARGET)
            RG_TRY(settle(g, w, &x));
        else if (k > 1)
            RG_TRY(respond_fully(g, w, &x));
        else
            respond(g, w, s, 0, s->places, &x);
        kind = kind == RG_RESPONSE_EVEN ? RG_RESPONSE_ODD : RG_RESPONSE_EVEN;
        RG_TRY(response_for(g, w, kind, &s));
        RG_TRY(look(g, w, s, false, &x, &after, &d_slopes));
        rg_log(g->ctx, 3, "rows: correction %d from d = %.3g to %.3g, %.3g where there are slopes",
               k + 1, before, after, d_slopes);
        if (after <= RG_ROWS_TARGET) return RG_OK;
        if (k > 1 && after <= RG_CORRECT_LEFT && d_slopes > RG_ROWS_TARGET) return RG_OK;
        const bool is_stuck =
            slopes_before > RG_ROWS_TARGET && d_slopes > RG_CORRECT_GAIN * slopes_before;
        if (k > 1 && (is_stuck || !(after <= RG_CORRECT_GAIN * before))) break;
    }
    return (rg_status)RG_RETRY;
}
