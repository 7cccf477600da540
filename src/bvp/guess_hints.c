/* What the conditions say about an unknown without a guess: a condition a y(t_k) = b gives y at
 * t_k.  Between such points the guess is a straight line. */
#include "bvp/guess.h"

#include "base/random.h"
#include "bvp/tuning.h"

#include <math.h>
#include <string.h>

void rg_guess_hints_clear(rg_context *ctx, rg_guess_hints *h)
{
    rg_free(ctx, h->start);
    rg_free(ctx, h->t);
    rg_free(ctx, h->value);
    memset(h, 0, sizeof *h);
}

static bool has_guess(const rg_guess *g, int j)
{
    const rg_problem *p = g->f->p;

    if (g->is_own && !rg_bvp_form_is_constant(g->f, j)) return false;
    return p->start_orders > 0 && p->start[0].kind != NULL && p->start[0].kind[j] == RG_START_GUESS;
}

typedef struct {
    const rg_bvp_form *f;
    rg_bvp_conditions *c;
    /* where the conditions are evaluated, at two places: a linear one has the same gradient at
     * both */
    double *z;
    double *values[2]; /* per line */
    double *J[2];      /* entries of the pattern */
    int64_t *column;   /* per line: the one entry of z that it reads, linearly; NONE, or OTHER */
    double *value;     /* per column: what a condition gives it; NaN: nothing */
} probe;

enum { NONE = -1, OTHER = -2 };

static rg_status take_memory(probe *s)
{
    rg_context *ctx = s->f->ctx;
    const size_t columns = (size_t)s->c->n_points * (size_t)s->f->nz, lines = (size_t)s->c->n_lines;
    const size_t entries = (size_t)rg_assembly_pattern(s->c->lines)->start[columns];

    s->z = rg_alloc(ctx, 2 * columns + 2 * lines + 2 * entries + 1, sizeof *s->z);
    s->column = rg_alloc(ctx, lines + 1, sizeof *s->column);
    if (s->z == NULL || s->column == NULL) return RG_ERR_MEMORY;
    s->value = s->z + columns;
    for (int k = 0; k < 2; k++) {
        s->values[k] = s->value + columns + (size_t)k * (lines + entries);
        s->J[k] = s->values[k] + lines;
    }
    return RG_OK;
}

/* Values and gradients at two places, the last one z = 1. */
static rg_status evaluate(probe *s)
{
    const int64_t columns = (int64_t)s->c->n_points * s->f->nz;

    for (int k = 1; k >= 0; k--) {
        for (int64_t j = 0; j < columns; j++)
            s->z[j] = k == 0 ? 1.0 : 1.5 + 0.6 * rg_random(0, (uint64_t)j);
        RG_TRY(rg_assembly_jacobian(s->c->lines, s->c->work, 0.0, s->z, s->values[k], s->J[k]));
    }
    return RG_OK;
}

static void find_values(probe *s)
{
    const rg_pattern *p = rg_assembly_pattern(s->c->lines);
    const rg_bvp_conditions *c = s->c;

    for (int i = 0; i < c->n_lines; i++)
        s->column[i] = NONE;
    for (int64_t j = 0; j < p->n_columns; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            const double a = s->J[0][e], b = s->J[1][e];
            int64_t *column = &s->column[p->row[e]];
            if (a == 0.0 && b == 0.0) continue;
            *column = *column == NONE && fabs(a - b) <= RG_SAME * fabs(a) ? j : OTHER;
        }
    for (int64_t j = 0; j < p->n_columns; j++) {
        s->value[j] = NAN;
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            if (s->column[p->row[e]] == j && isnan(s->value[j]))
                s->value[j] = s->z[j] - s->values[0][p->row[e]] / s->J[0][e];
    }
    for (int i = 0; i < c->n_rows - c->n_lines; i++)
        s->value[s->f->place[c->kept_order[i]][c->kept_unknown[i]]] = c->kept_value[i];
}

static rg_status collect(const probe *s, const rg_guess *g, rg_guess_hints *out)
{
    const rg_bvp_form *f = s->f;
    const size_t most = (size_t)f->n * (size_t)s->c->n_points;
    int n = 0;

    out->start = rg_alloc(f->ctx, (size_t)f->n + 2, sizeof *out->start);
    out->t = rg_alloc(f->ctx, most + 1, sizeof *out->t);
    out->value = rg_alloc(f->ctx, most + 1, sizeof *out->value);
    if (out->start == NULL || out->t == NULL || out->value == NULL) return RG_ERR_MEMORY;
    for (int j = 0; j < f->n; j++) {
        out->start[j] = n;
        for (int k = 0; k < s->c->n_points && !has_guess(g, j); k++) {
            const double value = s->value[(int64_t)k * f->nz + f->place[0][j]];
            if (!isfinite(value)) continue;
            out->t[n] = s->c->point[k];
            out->value[n++] = value;
        }
    }
    out->start[f->n] = n;
    return RG_OK;
}

rg_status rg_guess_use_conditions(rg_guess *g, rg_bvp_conditions *c)
{
    rg_context *ctx = g->f->ctx;
    probe s = {.f = g->f, .c = c};

    rg_guess_hints_clear(ctx, &g->hints);
    rg_status status = take_memory(&s);
    if (status == RG_OK) status = evaluate(&s);
    if (status == RG_OK) {
        find_values(&s);
        status = collect(&s, g, &g->hints);
    }
    rg_free(ctx, s.z);
    rg_free(ctx, s.column);
    return status < 0 ? status : RG_OK; /* conditions that cannot be evaluated give no hints */
}

bool rg_guess_hint(const rg_guess_hints *h, int j, double t, double *value)
{
    if (h->start == NULL || h->start[j + 1] == h->start[j]) return false;
    const int first = h->start[j], n = h->start[j + 1] - first;
    const double *time = h->t + first, *y = h->value + first;
    int k = 0;

    *value = y[0];
    if (n == 1) return true;
    const double sign = time[1] > time[0] ? 1.0 : -1.0;
    while (k + 2 < n && sign * time[k + 1] <= sign * t)
        k++;
    *value = y[k] + (t - time[k]) / (time[k + 1] - time[k]) * (y[k + 1] - y[k]);
    return true;
}
