/* Are the definitions q' = v?  With any coefficient, a q' - a v = 0, but always: where the time or
 * a size of v would change that, positions would follow other speeds from there on. */
#include "views/semi/semi_impl.h"

#include "base/tuning.h"
#include "views/rate.h"

#include <math.h>

enum { ORDERS = 3 };

typedef struct {
    rg_assembly *rows;
    rg_assembly_work *work;
    int32_t *map; /* rows, then columns: derivative r of unknown j is r n + j */
    double *z, *F, *J, *size;
} space;

bool rg_semi_has_time(const rg_problem *p, int64_t equation)
{
    for (int k = 0; k < p->n_blocks; k++) {
        const rg_body *body = p->blocks[k].body;
        const int64_t from = equation - p->blocks[k].first_row;
        if (from < 0 || from >= body->count * body->n_outputs) continue;
        if (body->n_sums > 0) return rg_rate_has_time(body);
        const rg_node output = body->outputs[from / body->count];
        return (rg_graph_at(body->graph, output)->depends & RG_DEP_TIME) != 0;
    }
    return false;
}

bool rg_semi_place(const rg_semi *s, int k, rg_generic_place *out)
{
    const rg_problem *p = s->system->p;
    const int last = RG_GENERIC_SCALES - 1, times = k - last - RG_SEMI_POINTS;

    out->is_late = times >= 0;
    out->scale = rg_generic_scale(k < last ? k : last);
    out->point = k < last ? 0 : (k - last) % RG_SEMI_POINTS;
    out->t = out->is_late ? p->a + (p->b - p->a) * (times + 0.5) / RG_SEMI_TIMES
                          : p->a + (p->b - p->a) * out->point / RG_SEMI_POINTS;
    return times < 0 || (times < RG_SEMI_TIMES && !rg_rate_is_autonomous(p));
}

static rg_status make(const rg_semi *s, space *w)
{
    const int64_t n = s->system->p->n, m = s->n_definitions;
    int32_t *row[ORDERS] = {NULL}, *column[ORDERS];

    w->map = rg_alloc(s->ctx, (size_t)((ORDERS + 1) * n) + 1, sizeof *w->map);
    w->z = rg_alloc(s->ctx, (size_t)(ORDERS * n + 2 * m) + 1, sizeof *w->z);
    if (w->map == NULL || w->z == NULL) return RG_ERR_MEMORY;
    w->F = w->z + ORDERS * n;
    w->size = w->F + m;
    for (int64_t k = 0; k < n; k++)
        w->map[k] = -1;
    for (int64_t k = 0; k < ORDERS * n; k++)
        w->map[n + k] = (int32_t)k;
    for (int r = 0; r < ORDERS; r++)
        column[r] = w->map + (r + 1) * n;
    for (int32_t k = 0; k < m; k++)
        w->map[s->definition[k]] = k;
    row[0] = w->map;
    const rg_assembly_spec spec = {
        1, ORDERS, ORDERS * n, (const int32_t *const *)row, m, (const int32_t *const *)column};
    RG_TRY(rg_assembly_create(s->system->p, &spec, true, &w->rows));
    const rg_pattern *pattern = rg_assembly_pattern(w->rows);
    w->J = rg_alloc(s->ctx, (size_t)pattern->start[pattern->n_columns] + 1, sizeof *w->J);
    return w->J != NULL ? rg_assembly_work_create(w->rows, &w->work) : RG_ERR_MEMORY;
}

/* A generic point with q' = v, in units of `scale`. */
static void fill(const rg_semi *s, space *w, int point, double scale)
{
    const int64_t n = s->system->p->n;

    for (int64_t k = 0; k < ORDERS * n; k++)
        w->z[k] = 0.0;
    for (int k = 0; k < s->n_x; k++) {
        if (s->v_unknown[k] < 0) continue;
        const double v = scale * (0.3 + 0.21 * point + 0.13 * sin(1.0 + 3.0 * k + point));
        w->z[n + s->x_unknown[k]] = w->z[s->v_unknown[k]] = v;
    }
}

/* *is_off: an equation does not hold.  Without values there: not known. */
static rg_status look(const rg_semi *s, space *w, double t, bool *is_off)
{
    const rg_status status = rg_assembly_jacobian(w->rows, w->work, t, w->z, w->F, w->J);

    if (status != RG_OK) return status < 0 ? status : RG_OK;
    const rg_pattern *p = rg_assembly_pattern(w->rows);
    for (int k = 0; k < s->n_definitions; k++)
        w->size[k] = 0.0;
    for (int64_t j = 0; j < p->n_columns; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            w->size[p->row[e]] += fabs(w->J[e] * w->z[j]);
    for (int k = 0; k < s->n_definitions; k++)
        if (!(fabs(w->F[k]) <= RG_SAME * w->size[k])) *is_off = true;
    return RG_OK;
}

static rg_status look_everywhere(const rg_semi *s, space *w, bool *is_off)
{
    const rg_problem *p = s->system->p;

    for (int k = 0; k < RG_GENERIC_SCALES; k++)
        for (int point = 0; point < RG_SEMI_POINTS; point++) {
            fill(s, w, point, rg_generic_scale(k));
            RG_TRY(look(s, w, p->a + (p->b - p->a) * point / RG_SEMI_POINTS, is_off));
        }
    return RG_OK;
}

rg_status rg_semi_check_definitions(const rg_semi *s, const char *method)
{
    space w = {NULL, NULL, NULL, NULL, NULL, NULL, NULL};

    if (s->n_definitions == 0) return RG_OK;
    bool is_off = false;
    rg_status status = make(s, &w);
    if (status == RG_OK) status = look_everywhere(s, &w, &is_off);
    if (is_off && status == RG_OK) {
        rg_fail(s->ctx, RG_ERR_METHOD,
                "'%s' does not fit this model: an equation between q' and v is not q' = v", method);
        status =
            rg_remedy(s->ctx, "take --method %s, which solves any form", rg_semi_other_method(s));
    }
    rg_assembly_work_destroy(&w.work);
    rg_assembly_destroy(&w.rows);
    rg_free(s->ctx, w.map);
    rg_free(s->ctx, w.z);
    rg_free(s->ctx, w.J);
    return status;
}
