/* The guess of a solution as a function of time: from the model, a file, or the conditions. */
#include "bvp/guess.h"
#include "bvp/tuning.h"

#include <math.h>
#include <string.h>

/* What the start values say: the same at all times. */
static void take_start(rg_guess *g)
{
    const rg_bvp_form *f = g->f;
    const rg_problem *p = f->p;

    for (int r = 0; r <= f->n_orders; r++)
        for (int j = 0; j < f->n; j++) {
            const bool has = r < p->start_orders && p->start[r].kind != NULL
                             && p->start[r].kind[j] != RG_START_NONE;
            /* a kept start value of a derivative says nothing about the rest of the interval */
            const bool is_used = has && (r == 0 || p->start[r].kind[j] == RG_START_GUESS)
                                 && !(g->is_own && p->start[r].kind[j] == RG_START_GUESS
                                      && !rg_bvp_form_is_constant(f, j));
            g->start[r * f->n + j] = is_used ? p->start[r].value[j] : r == 0 ? 0.0 : NAN;
        }
}

static rg_status fill(rg_guess *g, const char *path)
{
    const rg_bvp_form *f = g->f;
    const rg_problem *p = f->p;
    const size_t size = (size_t)f->n * (size_t)(f->n_orders + 1) + 1;
    size_t count = 1;

    for (int k = 0; k < 3; k++)
        if ((g->at[k] = rg_alloc(f->ctx, size, sizeof(double))) == NULL) return RG_ERR_MEMORY;
    g->start = rg_alloc(f->ctx, size, sizeof *g->start);
    if (g->start == NULL) return RG_ERR_MEMORY;
    take_start(g);
    g->w = rg_alloc(f->ctx, (size_t)f->n + 1, sizeof *g->w);
    g->work = rg_alloc(f->ctx, rg_bvp_form_work(f) + 1, sizeof *g->work);
    g->pivot = rg_alloc(f->ctx, (size_t)f->n + 1, sizeof *g->pivot);
    if (g->w == NULL || g->work == NULL || g->pivot == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < p->n_guesses; k++)
        count += (size_t)p->guesses[k].body->count;
    if ((g->list = rg_alloc(f->ctx, count, sizeof *g->list)) == NULL) return RG_ERR_MEMORY;
    RG_TRY(rg_layout_create(f->ctx, f->n, f->n, 1, &g->layout));
    if (p->n_guesses > 0)
        RG_TRY(rg_values_create(p, p->n_guesses, p->guesses, g->layout, &g->values));
    return path[0] != '\0' ? rg_guess_table_read(p, path, &g->table) : RG_OK;
}

rg_status rg_guess_create(rg_bvp_form *f, double a, double b, const char *path, rg_guess **out)
{
    rg_guess *g = rg_alloc(f->ctx, 1, sizeof *g);

    *out = NULL;
    if (g == NULL) return RG_ERR_MEMORY;
    g->f = f;
    g->delta = RG_GUESS_DIFFERENCE * (b - a);
    const rg_status status = fill(g, path);
    if (status == RG_OK)
        *out = g;
    else
        rg_guess_destroy(&g);
    return status;
}

void rg_guess_destroy(rg_guess **guess)
{
    rg_guess *g = *guess;

    if (g == NULL) return;
    rg_context *ctx = g->f->ctx;
    rg_values_destroy(&g->values);
    rg_layout_destroy(&g->layout);
    rg_guess_table_destroy(ctx, &g->table);
    rg_guess_hints_clear(ctx, &g->hints);
    for (int k = 0; k < 3; k++)
        rg_free(ctx, g->at[k]);
    rg_free(ctx, g->start);
    rg_free(ctx, g->list);
    rg_free(ctx, g->w);
    rg_free(ctx, g->work);
    rg_free(ctx, g->pivot);
    rg_free(ctx, g);
    *guess = NULL;
}

/* Everything that is given at t, into v[order][unknown]. */
static rg_status look_up(rg_guess *g, double t, double *v)
{
    const rg_bvp_form *f = g->f;
    const rg_problem *p = f->p;
    int64_t at = 0;

    memcpy(v, g->start, (size_t)(f->n * (f->n_orders + 1)) * sizeof *v);
    for (int j = 0; j < f->n; j++)
        rg_guess_hint(&g->hints, j, t, &v[j]);
    if (g->is_own) return RG_OK;
    if (g->values != NULL) RG_TRY(rg_values_eval(g->values, t, g->at[0], g->list));
    for (int k = 0; g->values != NULL && k < p->n_guesses; k++) {
        const rg_value *guess = &p->guesses[k];
        for (int64_t i = 0; i < guess->body->count; i++, at++) {
            const int64_t j = rg_map_at(&guess->target, i);
            if (p->families[guess->family].is_constant || guess->order > f->n_orders) continue;
            if (isfinite(g->list[at])) v[guess->order * f->n + j] = g->list[at];
        }
    }
    for (int k = 0; g->table != NULL && k < g->table->n_columns; k++)
        if (g->table->unknown[k] >= 0 && g->table->order[k] <= f->n_orders)
            v[g->table->order[k] * f->n + g->table->unknown[k]] =
                rg_guess_table_value(g->table, k, t);
    return RG_OK;
}

/* Derivative r of unknown j: as given, or by central differences of the function itself. */
static double derivative(const rg_guess *g, int j, int r)
{
    const int n = g->f->n;
    const double *before = g->at[0], *now = g->at[1], *after = g->at[2], d = g->delta;
    double v = now[r * n + j];

    if (!isnan(v)) return v;
    if (r == 1 || !isnan(now[(r - 1) * n + j]))
        v = (after[(r - 1) * n + j] - before[(r - 1) * n + j]) / (2.0 * d);
    else if (r == 2)
        v = (after[j] - 2.0 * now[j] + before[j]) / (d * d);
    return isfinite(v) ? v : 0.0;
}

/* Algebraic unknowns follow from the equations where Newton's method finds them, starting from
 * their own guess. */
static rg_status complete(rg_guess *g, double t, const double *x, double *w)
{
    const rg_bvp_form *f = g->f;

    memcpy(g->w, w, (size_t)f->n * sizeof *w);
    const rg_status status = rg_bvp_form_solve(g->f, t, x, g->w, g->work, g->pivot);
    for (int j = 0; j < f->n && status == RG_OK; j++)
        if (f->d[j] == 0 && isfinite(g->w[j])) w[j] = g->w[j];
    return status < 0 ? status : RG_OK;
}

rg_status rg_guess_profile(void *user, double t, double *x, double *xp, double *w)
{
    rg_guess *g = user;
    const rg_bvp_form *f = g->f;

    RG_TRY(look_up(g, t + g->delta, g->at[2]));
    RG_TRY(look_up(g, t, g->at[1]));
    RG_TRY(look_up(g, t - g->delta, g->at[0]));
    for (int j = 0; j < f->n; j++)
        w[j] = derivative(g, j, f->d[j]);
    for (int k = 0; k < f->nx; k++) {
        x[k] = derivative(g, f->unknown[k], f->order[k]);
        xp[k] = derivative(g, f->unknown[k], f->order[k] + 1);
    }
    return f->n_algebraic > 0 ? complete(g, t, x, w) : RG_OK;
}

rg_status rg_guess_ignore(rg_guess *g, rg_bvp_conditions *c, bool is_own)
{
    g->is_own = is_own;
    take_start(g);
    return rg_guess_use_conditions(g, c);
}

bool rg_guess_is_given(const rg_guess *g)
{
    const rg_problem *p = g->f->p;

    if (g->table != NULL) return true;
    for (int r = 0; r < p->start_orders; r++)
        for (int j = 0; j < g->f->n && p->start[r].kind != NULL; j++)
            if (p->start[r].kind[j] == RG_START_GUESS && !rg_bvp_form_is_constant(g->f, j))
                return true;
    return false;
}
