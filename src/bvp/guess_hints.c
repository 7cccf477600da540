/* What the conditions say about an unknown without a guess: a condition a y(t_k) = b gives y at t_k.  Between such points the
 * guess is a straight line. */
#include "bvp/guess.h"

#include <math.h>
#include <string.h>

void rg_guess_hints_clear(rg_context *ctx, rg_guess_hints *h)
{
    rg_free(ctx, h->start);
    rg_free(ctx, h->t);
    rg_free(ctx, h->value);
    memset(h, 0, sizeof *h);
}

static bool has_guess(const rg_problem *p, int j)
{
    return p->start_orders > 0 && p->start[0].kind != NULL && p->start[0].kind[j] == RG_START_GUESS;
}

typedef struct {
    const rg_bvp_form *f;
    rg_bvp_conditions *c;
    double *z[2], *values[2],
        *J[2]; /* at two places: a linear condition has the same gradient at both */
} probe;

/* The one entry of z that row i reads, linearly; -1: it reads another number of them, or is not linear. */
static int single_entry(const probe *s, int i)
{
    const int columns = s->c->n_points * s->f->nz;
    const double *a = s->J[0] + (int64_t)i * columns, *b = s->J[1] + (int64_t)i * columns;
    int found = -1;

    for (int j = 0; j < columns; j++) {
        if (a[j] == 0.0 && b[j] == 0.0) continue;
        if (found >= 0 || !(fabs(a[j] - b[j]) <= 1e-12 * fabs(a[j]))) return -1;
        found = j;
    }
    return found;
}

/* Unknown j at point k: does a condition give its value? */
static bool find_value(const probe *s, int j, int k, double *value)
{
    const int columns = s->c->n_points * s->f->nz, place = k * s->f->nz + s->f->place[0][j];

    for (int i = 0; i < s->c->n_rows; i++)
        if (single_entry(s, i) == place) {
            *value = s->z[0][place] - s->values[0][i] / s->J[0][(int64_t)i * columns + place];
            return isfinite(*value);
        }
    return false;
}

static rg_status collect(probe *s, rg_guess_hints *out)
{
    const rg_bvp_form *f = s->f;
    const size_t most = (size_t)f->n * (size_t)s->c->n_points;
    double value;
    int n = 0;

    out->start = rg_alloc(f->ctx, (size_t)f->n + 2, sizeof *out->start);
    out->t = rg_alloc(f->ctx, most + 1, sizeof *out->t);
    out->value = rg_alloc(f->ctx, most + 1, sizeof *out->value);
    if (out->start == NULL || out->t == NULL || out->value == NULL) return RG_ERR_MEMORY;
    for (int j = 0; j < f->n; j++) {
        out->start[j] = n;
        for (int k = 0; k < s->c->n_points && !has_guess(f->p, j); k++)
            if (find_value(s, j, k, &value)) {
                out->t[n] = s->c->point[k];
                out->value[n++] = value;
            }
    }
    out->start[f->n] = n;
    return RG_OK;
}

rg_status rg_guess_use_conditions(rg_guess *g, rg_bvp_conditions *c)
{
    const rg_bvp_form *f = g->f;
    const size_t columns = (size_t)c->n_points * (size_t)f->nz, rows = (size_t)c->n_rows;
    double *all = rg_alloc(f->ctx, 2 * (columns + rows + rows * columns) + 1, sizeof *all);
    probe s = {.f = f, .c = c};
    rg_status status = all != NULL ? RG_OK : RG_ERR_MEMORY;

    rg_guess_hints_clear(f->ctx, &g->hints);
    for (int k = 0; k < 2 && status == RG_OK; k++) {
        s.z[k] = all + (size_t)k * (columns + rows + rows * columns);
        s.values[k] = s.z[k] + columns;
        s.J[k] = s.values[k] + rows;
        for (size_t j = 0; j < columns; j++)
            s.z[k][j] = k == 0 ? 1.0 : 1.5 + 0.1 * (double)(j % 7);
        status = rg_bvp_conditions_eval(c, s.z[k], s.values[k], s.J[k]);
    }
    if (status == RG_OK) status = collect(&s, &g->hints);
    rg_free(f->ctx, all);
    return status < 0 ? status : RG_OK; /* conditions that cannot be evaluated give no hints */
}

bool rg_guess_hint(const rg_guess_hints *h, int j, double t, double *value)
{
    const int first = h->start != NULL ? h->start[j] : 0;
    const int n = h->start != NULL ? h->start[j + 1] - first : 0;
    const double *time = h->t + first, *y = h->value + first;
    int k = 0;

    if (n == 0) return false;
    *value = y[0];
    if (n == 1) return true;
    const double sign = time[1] > time[0] ? 1.0 : -1.0;
    while (k + 2 < n && sign * time[k + 1] <= sign * t)
        k++;
    *value = y[k] + (t - time[k]) / (time[k + 1] - time[k]) * (y[k + 1] - y[k]);
    return true;
}
