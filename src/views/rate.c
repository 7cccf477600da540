/* F_t of a view: one more total derivative of every row, less what the states contribute. */
#include "views/rate.h"

#include "linalg/matrix.h"
#include "views/system_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct rg_rate {
    rg_context *ctx;
    const rg_system *system;
    bool is_zero;
    rg_assembly *rows; /* F_i^(level + 1) over z = (y, y', 0); NULL: differences */
    rg_assembly_work *work;
    double *z;    /* ... */
    double *flow; /* d(state)/dt */
    double *full; /* F_y flow; differences: F */
};

bool rg_rate_has_time(const rg_body *body)
{
    for (int32_t k = 0; k < rg_graph_size(body->graph); k++)
        if (rg_graph_at(body->graph, k)->op == RG_OP_TIME) return true;
    for (int32_t k = 0; k < body->n_sums; k++)
        for (int i = 0; i < body->sums[k].n_parts; i++)
            if (rg_rate_has_time(body->sums[k].parts[i])) return true;
    return false;
}

bool rg_rate_is_autonomous(const rg_problem *p)
{
    for (int k = 0; k < p->n_blocks; k++)
        if (rg_rate_has_time(p->blocks[k].body)) return false;
    return p->n_blocks > 0;
}

/* The numbers of rows and columns: rows as in the view, one level higher; the derivative behind the
 * highest one is the last column, which stays zero. */
static void number(const rg_system *s, int levels, int32_t **row, int32_t **column)
{
    const rg_states *l = &s->layout;
    const int32_t zero = (int32_t)(2 * l->n_states);

    for (int64_t i = 0; i < l->n; i++)
        for (int k = 0; k < levels; k++)
            row[k][i] = s->row_level[i] + 1 == k ? s->row_of[i] : -1;
    for (int64_t j = 0; j < l->n; j++)
        for (int r = 0; r <= l->n_orders; r++)
            column[r][j] = r <= l->m[j] ? l->column[r][j] : r == l->m[j] + 1 ? zero : -1;
}

static rg_status make_rows(rg_rate *r)
{
    const rg_system *s = r->system;
    const rg_states *l = &s->layout;
    int levels = 2;

    for (int64_t i = 0; i < l->n; i++)
        if (s->row_level[i] + 2 > levels) levels = s->row_level[i] + 2;
    const int orders = l->n_orders + 1, count = levels + orders;
    int32_t *map = rg_alloc(r->ctx, (size_t)count * (size_t)l->n + 1, sizeof *map);
    int32_t **part = rg_alloc(r->ctx, (size_t)count, sizeof *part);
    rg_status status = map == NULL || part == NULL ? RG_ERR_MEMORY : RG_OK;
    for (int k = 0; k < count && status == RG_OK; k++)
        part[k] = map + k * l->n;
    if (status == RG_OK) {
        number(s, levels, part, part + levels);
        const rg_assembly_spec spec = {levels,
                                       orders,
                                       2 * l->n_states + 1,
                                       (const int32_t *const *)part,
                                       s->n_equations,
                                       (const int32_t *const *)(part + levels)};
        status = rg_assembly_create(s->p, &spec, false, &r->rows);
    }
    if (status == RG_OK) status = rg_assembly_work_create(r->rows, &r->work);
    rg_free(r->ctx, map);
    rg_free(r->ctx, part);
    return status;
}

rg_status rg_rate_create(const rg_system *s, rg_rate **out)
{
    rg_rate *r = rg_alloc(s->p->ctx, 1, sizeof *r);
    const size_t n = (size_t)s->layout.n_states + 1;

    *out = r;
    if (r == NULL) return RG_ERR_MEMORY;
    r->ctx = s->p->ctx;
    r->system = s;
    r->is_zero = rg_rate_is_autonomous(s->p);
    r->z = rg_alloc(r->ctx, 2 * n, sizeof *r->z);
    r->flow = rg_alloc(r->ctx, n, sizeof *r->flow);
    r->full = rg_alloc(r->ctx, n, sizeof *r->full);
    rg_status status = r->z == NULL || r->flow == NULL || r->full == NULL ? RG_ERR_MEMORY : RG_OK;
    if (status == RG_OK && !r->is_zero && s->p->n_blocks > 0) status = make_rows(r);
    if (status != RG_OK) rg_rate_destroy(out);
    return status;
}

void rg_rate_destroy(rg_rate **rate)
{
    rg_rate *r = *rate;

    if (r == NULL) return;
    rg_assembly_work_destroy(&r->work);
    rg_assembly_destroy(&r->rows);
    rg_free(r->ctx, r->z);
    rg_free(r->ctx, r->flow);
    rg_free(r->ctx, r->full);
    rg_free(r->ctx, r);
    *rate = NULL;
}

bool rg_rate_is_zero(const rg_rate *r)
{
    return r->is_zero;
}

/* (F(t + d) - F(t - d))/(2 d) */
static rg_status difference(rg_rate *r, rg_system_work *w, const rg_rate_point *at, double *Ft)
{
    const int64_t n = r->system->layout.n_states;
    const double d = cbrt(DBL_EPSILON) * fmax(fabs(at->span), fabs(at->t) * cbrt(DBL_EPSILON));

    RG_TRY(rg_system_residual(r->system, w, at->t + d, at->y, at->yp, Ft));
    RG_TRY(rg_system_residual(r->system, w, at->t - d, at->y, at->yp, r->full));
    for (int64_t k = 0; k < n; k++)
        Ft[k] = (Ft[k] - r->full[k]) / (2.0 * d);
    return RG_OK;
}

rg_status rg_rate_eval(rg_rate *r, rg_system_work *w, const rg_rate_point *at, double *Ft)
{
    const rg_states *l = &r->system->layout;
    const size_t n = (size_t)l->n_states;

    memset(Ft, 0, n * sizeof *Ft);
    if (r->is_zero) return RG_OK;
    if (r->rows == NULL) return difference(r, w, at, Ft);
    memcpy(r->z, at->y, n * sizeof *r->z);
    memcpy(r->z + n, at->yp, n * sizeof *r->z);
    r->z[2 * n] = 0.0;
    RG_TRY(rg_assembly_residual(r->rows, r->work, at->t, r->z, Ft));
    memcpy(r->flow, at->yp, n * sizeof *r->flow);
    for (int64_t k = l->n; k < l->n_states; k++)
        r->flow[l->chain_from[k - l->n]] = at->y[k];
    memset(r->full, 0, n * sizeof *r->full);
    rg_pattern_multiply(rg_system_pattern(r->system), at->Jy, 1.0, r->flow, r->full);
    for (int64_t k = 0; k < r->system->n_equations; k++)
        Ft[k] -= r->full[k];
    for (size_t k = (size_t)r->system->n_equations; k < n; k++)
        Ft[k] = 0.0;
    return RG_OK;
}
