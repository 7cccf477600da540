/* The curves of quasilinearization: their mesh, the guess, values from the sweeps, distances. */
#include "bvp/transfer/quasi_impl.h"

#include "bvp/guess.h"
#include "bvp/transfer/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { CURVES = RG_QUASI_CURVES };

void rg_quasi_destroy(rg_transfer *t)
{
    rg_quasi *q = t->quasi;

    if (q == NULL) return;
    for (int k = 0; k < CURVES; k++)
        rg_transfer_curve_destroy(&q->curve[k]);
    rg_free(t->ctx, q->scale);
    rg_free(t->ctx, q);
    t->quasi = NULL;
}

/* ---- the start ------------------------------------------------------------------------------- */

static rg_status take_mesh(rg_transfer *t, int n_pieces, const double *edge)
{
    rg_quasi *q = t->quasi;

    for (int k = 0; k < CURVES; k++) {
        rg_transfer_curve_destroy(&q->curve[k]);
        RG_TRY(rg_transfer_curve_create(t->ctx, t->m, n_pieces, edge, &q->curve[k]));
    }
    q->newton.pieces = n_pieces;
    return RG_OK;
}

/* Equal pieces, and every kink an edge; a limit for the steps makes more of them, and so do
 * pulses. */
static rg_status first_mesh(rg_transfer *t)
{
    const double low = fmin(t->a, t->b), high = fmax(t->a, t->b), gap = 1e-9 * (high - low);
    const double most = t->options.h_max > 0.0 ? 0.5 * (high - low) / t->options.h_max : 0.0;
    const int pieces = (int)fmin(RG_TRANSFER_CURVE_MOST_FIRST_PIECES,
                                 fmax(RG_TRANSFER_CURVE_FIRST_PIECES, ceil(most)));
    double *edge = rg_alloc(t->ctx, (size_t)t->n_kinks + (size_t)pieces + 1, sizeof *edge);
    int n = 0;
    int64_t kink = 0;

    if (edge == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k <= pieces; k++) {
        const double x = k == pieces ? high : low + (high - low) * k / pieces;
        for (; kink < t->n_kinks && t->kinks[kink] < x - gap; kink++)
            if (n > 0 && t->kinks[kink] > edge[n - 1] + gap) edge[n++] = t->kinks[kink];
        edge[n++] = x;
    }
    int64_t N = n - 1;
    rg_status status =
        rg_bvp_pulses_cut(t->ctx, &t->scene->pulses, RG_TRANSFER_PULSE_PIECE, &N, &edge);
    if (status == RG_OK) status = take_mesh(t, (int)N, edge);
    rg_free(t->ctx, edge);
    return status;
}

/* x and w of the guess at all points, into the states of the linear view. */
static rg_status sample_guess(rg_transfer *t, rg_bvp_form *form, rg_guess *guess, double *room)
{
    const rg_states *s = rg_linear_states(t->worker[0].linear);
    rg_transfer_curve *c = t->quasi->curve[RG_BASE];
    double *x = room, *xp = x + form->nx, *w = xp + form->nx;

    for (int k = 0; k < rg_transfer_curve_points(c); k++) {
        double *y = c->value + (size_t)k * (size_t)t->m;
        RG_TRY(rg_guess_profile(guess, c->point[k], x, xp, w));
        memset(y, 0, (size_t)t->m * sizeof *y);
        for (int i = 0; i < form->nx; i++)
            if (form->order[i] < s->m[form->unknown[i]])
                y[s->column[form->order[i]][form->unknown[i]]] = x[i];
        for (int j = 0; j < form->n; j++)
            if (form->a->d[j] < s->m[j]) y[s->column[form->a->d[j]][j]] = w[j];
    }
    rg_transfer_curve_update(c);
    return RG_OK;
}

static rg_status take_guess(rg_transfer *t, rg_bvp_form *form)
{
    rg_guess *guess = NULL;
    double *room = rg_alloc(t->ctx, 2 * (size_t)form->nx + (size_t)form->n + 1, sizeof *room);

    rg_status status = room == NULL ? RG_ERR_MEMORY : RG_OK;
    if (status == RG_OK) status = rg_guess_create(form, t->a, t->b, t->options.guess, &guess);
    if (status == RG_OK) status = sample_guess(t, form, guess, room);
    rg_guess_destroy(&guess);
    rg_free(t->ctx, room);
    return status;
}

/* '~' expressions at all points, over constants from the start values. */
static rg_status sample_values(rg_transfer *t, rg_values *values, double *list, double *room)
{
    const rg_states *s = rg_linear_states(t->worker[0].linear);
    const rg_problem *p = t->problem;
    rg_transfer_curve *c = t->quasi->curve[RG_BASE];

    for (int k = 0; k < rg_transfer_curve_points(c); k++) {
        double *y = c->value + (size_t)k * (size_t)t->m;
        const double *next = list;
        for (int r = 0; r < p->start_orders; r++)
            for (int64_t j = 0; p->start[r].kind != NULL && j < p->n; j++)
                if (p->start[r].kind[j] != RG_START_NONE && r < s->m[j])
                    y[s->column[r][j]] = p->start[r].value[j];
        if (values != NULL) RG_TRY(rg_values_eval(values, c->point[k], room, list));
        for (int g = 0; values != NULL && g < p->n_guesses; g++)
            for (int64_t i = 0; i < p->guesses[g].body->count; i++, next++) {
                const int64_t j = rg_map_at(&p->guesses[g].target, i);
                if (p->guesses[g].order < s->m[j] && isfinite(*next))
                    y[s->column[p->guesses[g].order][j]] = *next;
            }
    }
    rg_transfer_curve_update(c);
    return RG_OK;
}

/* Without the form that collocation works on: an index from combinations of equations. */
static rg_status take_values(rg_transfer *t)
{
    const rg_problem *p = t->problem;
    const size_t n = (size_t)p->n;
    rg_layout *layout = NULL;
    rg_values *values = NULL;
    size_t count = 1;

    if (t->options.guess[0] != '\0') {
        rg_fail(t->ctx, RG_ERR_METHOD,
                "a guess from a file needs an index that structure shows; this model hides it");
        return rg_remedy(t->ctx, "write the guess with '~' instead of --guess");
    }
    for (int g = 0; g < p->n_guesses; g++)
        count += (size_t)p->guesses[g].body->count;
    double *room = rg_alloc(t->ctx, count + n + 1, sizeof *room);
    rg_status status = room == NULL ? RG_ERR_MEMORY : RG_OK;
    if (status == RG_OK) status = rg_layout_create(t->ctx, p->n, p->n, 1, &layout);
    if (status == RG_OK && p->n_guesses > 0)
        status = rg_values_create(p, p->n_guesses, p->guesses, layout, &values);
    if (status == RG_OK) status = sample_values(t, values, room, room + count);
    rg_values_destroy(&values);
    rg_layout_destroy(&layout);
    rg_free(t->ctx, room);
    return status;
}

rg_status rg_quasi_create(rg_transfer *t, const rg_analysis *a)
{
    rg_quasi *q = t->quasi = rg_alloc(t->ctx, 1, sizeof *q);

    if (q == NULL) return RG_ERR_MEMORY;
    q->newton.is_used = true;
    q->newton.is_full = strcmp(t->options.newton, "full") == 0;
    if ((q->scale = rg_alloc(t->ctx, (size_t)t->m, sizeof *q->scale)) == NULL) return RG_ERR_MEMORY;
    RG_TRY(first_mesh(t));
    rg_bvp_form *form = NULL;
    rg_status status = a->is_structural ? rg_bvp_form_create(t->problem, a, &form) : RG_OK;
    if (status == RG_OK) status = form != NULL ? take_guess(t, form) : take_values(t);
    rg_bvp_form_destroy(&form);
    if (status != RG_OK) return status;
    t->frozen = t->now = q->curve[RG_BASE];
    return RG_OK;
}

/* ---- curves ---------------------------------------------------------------------------------- */

/* The solution of (*) at all points. */
rg_status rg_quasi_sample(rg_transfer *t, int to)
{
    rg_transfer_curve *c = t->quasi->curve[to];

    for (int k = 0; k < rg_transfer_curve_points(c); k++)
        RG_TRY(rg_transfer_eval(t, c->point[k], c->value + (size_t)k * (size_t)t->m, NULL));
    rg_transfer_curve_update(c);
    t->quasi->best = c;
    return RG_OK;
}

/* max |x_i - y_i| / (atol + rtol max |x_i|), and never below rounding. */
double rg_quasi_distance(const rg_transfer *t, int x, int y)
{
    rg_quasi *q = t->quasi;
    const rg_transfer_curve *c = q->curve[x], *other = q->curve[y];
    const int n = rg_transfer_curve_points(c), m = t->m;
    double largest = 0.0;

    for (int i = 0; i < m; i++) {
        double size = 0.0;
        for (int k = 0; k < n; k++)
            size = fmax(size, fabs(c->value[k * m + i]));
        q->scale[i] = t->options.atol + fmax(t->options.rtol, 1e3 * DBL_EPSILON) * size + DBL_MIN;
    }
    for (int k = 0; k < n * m; k++) {
        const double e = fabs(c->value[k] - other->value[k]) / q->scale[k % m];
        if (!(e <= largest)) largest = e;
    }
    return largest;
}

/* y = y_0 + lambda (z_0 - y_0) */
void rg_quasi_step(const rg_transfer *t, double lambda)
{
    rg_transfer_curve *const *c = t->quasi->curve;
    const int n = rg_transfer_curve_points(c[RG_BASE]) * t->m;

    for (int k = 0; k < n; k++)
        c[RG_TRIAL]->value[k] =
            c[RG_BASE]->value[k] + lambda * (c[RG_NEXT]->value[k] - c[RG_BASE]->value[k]);
    rg_transfer_curve_update(c[RG_TRIAL]);
}

/* ---- the mesh -------------------------------------------------------------------------------- */

static bool is_resolved(const rg_transfer *t, const rg_transfer_curve *c, int piece)
{
    for (int i = 0; i < t->m; i++)
        if (!(rg_transfer_curve_tail(c, piece, i)
              <= RG_TRANSFER_CURVE_RESOLVED * t->quasi->scale[i]))
            return false;
    return true;
}

/* Halves the pieces of the curve `best` that need it; *count: how many they were. */
rg_status rg_quasi_refine(rg_transfer *t, int *count)
{
    rg_quasi *q = t->quasi;
    rg_transfer_curve *old = q->best;
    const int n = old->n_pieces;
    double *edge = rg_alloc(t->ctx, 2 * (size_t)n + 1, sizeof *edge);
    int m = 0;

    if (edge == NULL) return RG_ERR_MEMORY;
    for (int p = 0; p < n; p++) {
        edge[m++] = old->edge[p];
        if (!is_resolved(t, old, p)) edge[m++] = 0.5 * (old->edge[p] + old->edge[p + 1]);
    }
    edge[m] = old->edge[n];
    *count = m - n;
    rg_status status = RG_OK;
    if (*count > 0) {
        for (int k = 0; k < CURVES; k++) /* take_mesh() must not destroy it */
            if (q->curve[k] == old) q->curve[k] = NULL;
        rg_transfer_unbuild(t);
        t->frozen = t->now = NULL;
        status = take_mesh(t, m, edge);
        for (int k = 0; status == RG_OK && k < rg_transfer_curve_points(q->curve[RG_BASE]); k++)
            rg_transfer_curve_eval(old, q->curve[RG_BASE]->point[k],
                                   q->curve[RG_BASE]->value + (size_t)k * (size_t)t->m, NULL, NULL);
        rg_transfer_curve_destroy(&old);
        q->best = NULL;
        if (status == RG_OK) rg_transfer_curve_update(q->curve[RG_BASE]);
    }
    rg_free(t->ctx, edge);
    return status;
}
