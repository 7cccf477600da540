/* Closed domains: what sides, wells and q bring in must sum to zero on the grid; and every part of
 * the domain needs an open side, or there is one part. */
#include "pdae/form/inside.h"
#include "pdae/form/tuning.h"

#include <math.h>
#include <string.h>

typedef struct {           /* at one time */
    double side[RG_SIDES]; /* inward */
    double wells, source;
    double in, total; /* what comes in, face by face and cell by cell, and the sum of all */
} flows;

static rg_status integrate(recognizer *r, const rg_quantity *q, double t, const rg_points *p,
                           double **out)
{
    double *work = rg_alloc(r->ctx, (size_t)q->work_size, sizeof *work);
    const double **leaves = rg_alloc(r->ctx, (size_t)r->form->n_leaves + 1, sizeof *leaves);

    *out = rg_alloc(r->ctx, (size_t)rg_points_size(p), sizeof **out);
    const bool has_room = work != NULL && leaves != NULL && *out != NULL;
    for (int l = 0; l < r->form->n_leaves && has_room; l++)
        if (r->form->leaves[l].data >= 0) leaves[l] = r->form->data[r->form->leaves[l].data].value;
    if (has_room) rg_quantity_eval(r->form, q, t, p, leaves, work, *out, NULL);
    rg_free(r->ctx, work);
    rg_free(r->ctx, leaves);
    return has_room ? RG_OK : RG_ERR_MEMORY;
}

/* The face centres of a side, packed. */
static rg_points side_points(const rg_grid *g, int side)
{
    rg_points p = rg_points_cells(g);
    const rg_axis *a = &g->axis[side / 2];

    p.count[side / 2] = 1;
    p.at[side / 2] = a->edge + (side % 2 == 1 ? a->n : 0);
    return rg_points_packed(p);
}

static rg_status side_flow(recognizer *r, const rg_quantity *q, int side, double t, flows *f)
{
    const rg_grid *g = r->form->grid;
    const int axis = side / 2;
    const rg_points p = side_points(g, side);
    double *value = NULL;

    if (q == NULL || (q->uses & RG_USES_DATA)) return RG_OK;
    const rg_status status = integrate(r, q, t, &p, &value);
    for (int k = 0; k < p.count[2] && status == RG_OK; k++)
        for (int j = 0; j < p.count[1]; j++)
            for (int i = 0; i < p.count[0]; i++) {
                int cell[RG_AXES] = {i, j, k};
                cell[axis] = side % 2 == 1 ? g->axis[axis].n - 1 : 0;
                if (!rg_form_is_fluid(r->form, cell)) continue;
                const double area =
                    rg_grid_volume(g, cell[0], cell[1], cell[2]) / g->axis[axis].width[cell[axis]];
                const double inward = side % 2 == 1 ? -area : area,
                             flow = inward * value[i + j * p.stride[1] + k * p.stride[2]];
                f->side[side] += flow;
                f->in += fmax(flow, 0);
            }
    f->total += f->side[side];
    rg_free(r->ctx, value);
    return status;
}

static rg_status source_flow(recognizer *r, const rg_quantity *q, double t, flows *f)
{
    const rg_grid *g = r->form->grid;
    const rg_points p = rg_points_packed(rg_points_cells(g));
    double *value = NULL;

    if (q == NULL || (q->uses & RG_USES_FIELDS)) return RG_OK;
    const rg_status status = integrate(r, q, t, &p, &value);
    for (int k = 0; k < p.count[2] && status == RG_OK; k++)
        for (int j = 0; j < p.count[1]; j++)
            for (int i = 0; i < p.count[0]; i++) {
                if (!rg_form_is_fluid(r->form, (const int[RG_AXES]){i, j, k})) continue;
                const double flow =
                    rg_grid_volume(g, i, j, k) * value[i + j * p.stride[1] + k * p.stride[2]];
                f->source += flow;
                f->in += fmax(flow, 0);
            }
    rg_free(r->ctx, value);
    return status;
}

static rg_status well_rate(recognizer *r, const rg_well *w, double t, double *out)
{
    const double *const at[RG_AXES] = {&w->at[0], &w->at[1], &w->at[2]};
    const rg_points p = {
        .count = {1,     1,     1    },
          .stride = {1,     1,     1    },
          .at = {at[0], at[1], at[2]}
    };
    double *value = NULL;

    RG_TRY(integrate(r, w->rate, t, &p, &value));
    *out = value[0];
    rg_free(r->ctx, value);
    return RG_OK;
}

static rg_status find_flows(recognizer *r, const rg_form_equation *e, double t, flows *f)
{
    const rg_field *u = &r->form->fields[e->field];

    memset(f, 0, sizeof *f);
    for (int side = 0; side < 2 * r->form->grid->dims; side++) {
        if (u->side[side].kind != RG_VECTOR_GIVEN) continue;
        RG_TRY(side_flow(r, u->side[side].value[side / 2], side, t, f));
    }
    for (int k = 0; k < r->form->n_wells; k++) {
        double rate = 0;
        if (r->form->wells[k].rate == NULL) continue;
        RG_TRY(well_rate(r, &r->form->wells[k], t, &rate));
        f->in += fmax(rate, 0);
        f->wells += rate;
    }
    RG_TRY(source_flow(r, e->source, t, f));
    f->total += f->wells + f->source;
    return RG_OK;
}

/* The statement, from its word on. */
static rg_span whole_line(const recognizer *r, rg_span span)
{
    static const char word[] = "boundary";
    const int32_t length = (int32_t)sizeof word - 1;
    int32_t at = span.start;

    while (at > 0 && r->c->source->text[at - 1] == ' ')
        at--;
    if (at >= length && strncmp(r->c->source->text + at - length, word, (size_t)length) == 0)
        span.start = at - length;
    return span;
}

static rg_status fail_balance(recognizer *r, const rg_form_equation *e, const flows *f)
{
    const rg_field *u = &r->form->fields[e->field];
    const char *p = r->form->fields[e->pressure].name;
    int side = -1, n_sides = 0;

    for (int k = 0; k < RG_SIDES; k++)
        if (f->side[k] != 0) {
            side = k;
            n_sides++;
        }
    if (f->wells != 0 && n_sides == 0 && f->source == 0) {
        rg_bad(r->c, r->form->wells[0].span, "the wells add up to %.3g in a closed domain",
               f->wells);
        rg_bad_remedy(r->c,
                      "change a rate, give one well 'pressure P radius R', or open a side with "
                      "'boundary %s(SIDE) = ...'",
                      p);
        return RG_ERR_SYNTAX;
    }
    if (n_sides == 1 && f->wells == 0 && f->source == 0) {
        const bool is_in = f->side[side] > 0;
        rg_bad(r->c, whole_line(r, u->side[side].span),
               "%.3g flows %s through '%s' and nothing can flow %s", fabs(f->side[side]),
               is_in ? "in" : "out", rg_side_name(side), is_in ? "out" : "in");
        rg_bad_remedy(r->c,
                      "open a side: 'boundary %s(%s) = 0', or prescribe an %s of the same amount",
                      p, rg_side_name(side ^ 1), is_in ? "outflow" : "inflow");
        return RG_ERR_SYNTAX;
    }
    rg_bad(r->c, e->constraint_span,
           "sides, wells and sources add up to %.3g in a closed domain, where their sum must be 0",
           f->total);
    rg_bad_remedy(r->c, "open a side: 'boundary %s(SIDE) = 0', or balance what flows in and out",
                  p);
    return RG_ERR_SYNTAX;
}

static bool changes_in_time(const rg_form *form, const rg_form_equation *e)
{
    const rg_field *u = &form->fields[e->field];

    for (int side = 0; side < 2 * form->grid->dims; side++) {
        const rg_quantity *q = u->side[side].value[side / 2];
        if (q != NULL && (q->uses & RG_USES_TIME)) return true;
    }
    for (int k = 0; k < form->n_wells; k++)
        if (form->wells[k].rate != NULL && (form->wells[k].rate->uses & RG_USES_TIME)) return true;
    return e->source != NULL && (e->source->uses & RG_USES_TIME);
}

bool rg_form_knows_flows(const rg_form *form, const rg_form_equation *e)
{
    bool known = e->source == NULL || (e->source->uses & RG_USES_FIELDS) == 0;

    for (int c = 0; c < form->grid->dims; c++) {
        for (int side = 2 * c; side < 2 * c + 2; side++) {
            const rg_quantity *q = form->fields[e->field].side[side].value[c];
            known = known && (q == NULL || (q->uses & RG_USES_DATA) == 0);
        }
        for (int k = 0; k < form->n_solids; k++)
            known = known && rg_quantity_is_zero(form->solids[k].condition[e->field].value[c]);
    }
    return known;
}

/* Times at which the data are looked at: 0 .. TIMES of the interval. */
enum { TIMES = 16 };

static rg_status check_one(recognizer *r, const rg_form_equation *e)
{
    const rg_problem *p = r->c->p;
    const int n = changes_in_time(r->form, e) ? TIMES : 0;
    double worst = 0;
    flows f;

    if (!rg_form_knows_flows(r->form, e)) return RG_OK; /* a run looks at them */
    for (int k = 0; k <= n; k++) {
        RG_TRY(find_flows(r, e, p->a + (p->b - p->a) * k / TIMES, &f));
        const double in = fmax(f.in, f.in - f.total); /* or out, whichever is more */
        if (fabs(f.total) > RG_CLOSED_MISS * in) return fail_balance(r, e, &f);
        if (fabs(f.total) > RG_CLOSED_ROUNDING * in) worst = fmax(worst, fabs(f.total) / in);
    }
    if (worst == 0) return RG_OK;
    return rg_problem_warn(p,
                           "what flows into the closed domain of %s misses what flows out by %.2g "
                           "%%: the difference is spread evenly over the cells",
                           r->form->fields[e->field].name, 100 * worst);
}

rg_status rg_form_check_balance(recognizer *r)
{
    for (int k = 0; k < r->form->n_equations; k++)
        if (r->form->equations[k].pressure >= 0 && r->form->equations[k].is_closed)
            RG_TRY(check_one(r, &r->form->equations[k]));
    return RG_OK;
}

/* ---- connected parts ------------------------------------------------------------------------- */
typedef struct {
    int32_t *part; /* of every cell, 0: solid or not seen */
    int64_t *queue;
    int64_t n[RG_AXES];
} flood;

static int64_t fill_part(const rg_form *form, const rg_form_equation *e, flood *f, int64_t seed,
                         int32_t number, bool *is_open, double mean[RG_AXES])
{
    const rg_grid *g = form->grid;
    int64_t head = 0, tail = 0;

    f->part[seed] = number;
    f->queue[tail++] = seed;
    memset(mean, 0, RG_AXES * sizeof *mean);
    while (head < tail) {
        const int64_t at = f->queue[head++];
        const int cell[RG_AXES] = {(int)(at % f->n[0]), (int)(at / f->n[0] % f->n[1]),
                                   (int)(at / (f->n[0] * f->n[1]))};
        for (int d = 0; d < g->dims; d++) {
            mean[d] += g->axis[d].centre[cell[d]];
            for (int high = 0; high < 2; high++) {
                int next[RG_AXES] = {cell[0], cell[1], cell[2]};
                next[d] += high == 1 ? 1 : -1;
                const bool is_outside = next[d] < 0 || next[d] >= f->n[d];
                if (is_outside && form->fields[e->field].side[2 * d + high].kind == RG_VECTOR_OPEN)
                    *is_open = true;
                if (!rg_form_is_fluid(form, next)) continue;
                next[d] = (int)((next[d] + f->n[d]) % f->n[d]);
                const int64_t to = next[0] + f->n[0] * (next[1] + f->n[1] * next[2]);
                if (f->part[to] != 0) continue;
                f->part[to] = number;
                f->queue[tail++] = to;
            }
        }
    }
    for (int d = 0; d < g->dims; d++)
        mean[d] /= (double)tail;
    return tail;
}

/* Where the middle of a part lies: the side that it is nearest to. */
static const char *where(const rg_grid *g, const double mean[RG_AXES])
{
    double most = 0;
    int side = 0;

    for (int d = 0; d < g->dims; d++) {
        const double low = g->axis[d].edge[0], high = g->axis[d].edge[g->axis[d].n];
        const double off = (2 * mean[d] - low - high) / (high - low);
        if (fabs(off) <= most) continue;
        most = fabs(off);
        side = 2 * d + (off > 0 ? 1 : 0);
    }
    return rg_side_name(side);
}

static rg_status look_at_parts(recognizer *r, const rg_form_equation *e, flood *f)
{
    const rg_form *form = r->form;
    int64_t lost = 0;
    int32_t n = 0;
    double mean[RG_AXES], middle[RG_AXES] = {0};

    for (int64_t at = 0; at < form->grid->cells; at++) {
        const int cell[RG_AXES] = {(int)(at % f->n[0]), (int)(at / f->n[0] % f->n[1]),
                                   (int)(at / (f->n[0] * f->n[1]))};
        bool is_open = false;
        if (f->part[at] != 0 || !rg_form_is_fluid(form, cell)) continue;
        const int64_t count = fill_part(form, e, f, at, ++n, &is_open, mean);
        for (int k = 0; k < form->n_wells; k++)
            if (form->wells[k].pressure != NULL && f->part[form->wells[k].cell] == n)
                is_open = true;
        if (is_open || (lost > 0 && count >= lost)) continue;
        lost = count;
        memcpy(middle, mean, sizeof middle);
    }
    if (n < 2 || lost == 0) return RG_OK;
    rg_bad(r->c, form->solids[0].span,
           "'solid %s' cuts the domain: %lld cells on the %s are not connected to an open side",
           form->solids[0].name, (long long)lost, where(form->grid, middle));
    rg_bad_remedy(r->c, "leave a gap, or open a side of that part too");
    return RG_ERR_SYNTAX;
}

rg_status rg_form_check_parts(recognizer *r)
{
    const rg_grid *g = r->form->grid;
    flood f = {
        .n = {g->axis[0].n, g->axis[1].n, g->axis[2].n}
    };
    rg_status status = RG_OK;

    if (g->solid == NULL) return RG_OK;
    f.part = rg_alloc(r->ctx, (size_t)g->cells, sizeof *f.part);
    f.queue = rg_alloc(r->ctx, (size_t)g->cells, sizeof *f.queue);
    if (f.part == NULL || f.queue == NULL) status = RG_ERR_MEMORY;
    for (int k = 0; k < r->form->n_equations && status == RG_OK; k++) {
        if (r->form->equations[k].pressure < 0) continue;
        memset(f.part, 0, (size_t)g->cells * sizeof *f.part);
        status = look_at_parts(r, &r->form->equations[k], &f);
    }
    rg_free(r->ctx, f.part);
    rg_free(r->ctx, f.queue);
    return status;
}
