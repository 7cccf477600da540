/* Expressions on arrays of points. */
#include "expr/separate.h"
#include "pdae/form/inside.h"

#include <math.h>
#include <string.h>

enum { FIRST_LEAF = RG_AXES }; /* slots 0 .. 2 are the axes */

static void note_inputs(rg_form *form, rg_quantity *q)
{
    for (int k = 0; k < rg_tape_input_count(q->tape); k++) {
        const int slot = rg_tape_input_at(q->tape, k).slot;
        if (slot < FIRST_LEAF) {
            q->uses |= RG_USES_SPACE;
            continue;
        }
        const int l = slot - FIRST_LEAF; /* beyond n_leaves: read from fields, by outputs */
        q->uses |= l < form->n_leaves && form->leaves[l].data >= 0 ? RG_USES_DATA : RG_USES_FIELDS;
        q->inputs[q->n_inputs++] = slot - FIRST_LEAF;
    }
}

/* The sources of the inputs lie in front of the workspace of the tape. */
static size_t sources_of(const rg_tape *tape)
{
    return ((size_t)rg_tape_input_count(tape) * sizeof(rg_tape_source)) / sizeof(double) + 1;
}

static size_t work_of(const rg_tape *tape)
{
    return sources_of(tape) + rg_tape_workspace(tape);
}

/* The first axis runs along the rows, the others across them; fields and data do both. */
static rg_status split(rg_context *ctx, rg_tape *tape)
{
    const int n = rg_tape_input_count(tape);
    uint8_t *moves = rg_alloc(ctx, (size_t)n + 1, sizeof *moves);

    if (moves == NULL) return RG_ERR_MEMORY;
    for (int i = 0; i < n; i++) {
        const int slot = rg_tape_input_at(tape, i).slot;
        moves[i] = slot == 0           ? RG_MOVES_ALONG
                   : slot < FIRST_LEAF ? RG_MOVES_ACROSS
                                       : RG_MOVES_ALONG | RG_MOVES_ACROSS;
    }
    const rg_status status = rg_tape_split(tape, moves);
    rg_free(ctx, moves);
    return status;
}

static rg_status fill(recognizer *r, const rg_ast *ast, const char *what, int n_names,
                      const spatial_name *names, rg_quantity *q)
{
    spatial_tape made;

    RG_TRY(rg_spatial_compile(r->c, ast, n_names, names, what, &made));
    q->ast = ast;
    q->tape = made.tape;
    q->of_time = made.of_time;
    q->of_space = made.of_space;
    if (made.uses_time) q->uses |= RG_USES_TIME;
    q->value = made.is_constant ? made.value : NAN;
    const int n = rg_tape_input_count(q->tape);
    q->inputs = rg_alloc(r->ctx, (size_t)n + 1, sizeof *q->inputs);
    if (q->inputs == NULL) return RG_ERR_MEMORY;
    note_inputs(r->form, q);
    RG_TRY(split(r->ctx, q->tape));
    if (q->of_space) RG_TRY(split(r->ctx, q->of_space));
    q->work_size = (int64_t)work_of(q->tape);
    if (q->uses & RG_USES_FIELDS || q->of_space == NULL) { /* nothing to keep */
        rg_tape_destroy(&q->of_time);
        rg_tape_destroy(&q->of_space);
    } else {
        const int64_t one = (int64_t)work_of(q->of_time), two = (int64_t)work_of(q->of_space);
        if (one > q->work_size) q->work_size = one;
        if (two > q->work_size) q->work_size = two;
    }
    if (q->work_size > r->form->work_size) r->form->work_size = q->work_size;
    if (!made.is_constant || isfinite(made.value)) return RG_OK;
    rg_bad(r->c, q->span, "the value of %s is not a finite number", what);
    rg_bad_remedy(r->c, "look for a division by zero or a function outside its domain");
    return RG_ERR_SYNTAX;
}

rg_status rg_quantity_create_with(recognizer *r, const rg_ast *ast, rg_span span, const char *what,
                                  int n_names, const spatial_name *names, rg_quantity **out)
{
    *out = NULL;
    if (ast == NULL) return RG_OK;
    rg_quantity *q = rg_alloc(r->ctx, 1, sizeof *q);
    if (q == NULL) return RG_ERR_MEMORY;
    q->span = span;
    const rg_status status = fill(r, ast, what, n_names, names, q);
    if (status != RG_OK) rg_quantity_destroy(r->ctx, &q);
    *out = q;
    return status;
}

rg_status rg_quantity_create(recognizer *r, const rg_ast *ast, rg_span span, const char *what,
                             rg_quantity **out)
{
    return rg_quantity_create_with(r, ast, span, what, r->in->n_names, r->in->names, out);
}

void rg_quantity_destroy(rg_context *ctx, rg_quantity **q)
{
    if (*q == NULL) return;
    rg_tape_destroy(&(*q)->tape);
    rg_tape_destroy(&(*q)->of_time);
    rg_tape_destroy(&(*q)->of_space);
    rg_free(ctx, (*q)->inputs);
    rg_free(ctx, *q);
    *q = NULL;
}

/* Row (j, k) of the points: the first axis runs, the others stand still. */
static void set_sources(const rg_tape *tape, const rg_points *p, const double *const *leaves,
                        int64_t j, int64_t k, rg_tape_source *source)
{
    const int64_t first = p->origin + j * p->stride[1] + k * p->stride[2];
    const int64_t at[RG_AXES] = {0, j, k};

    for (int i = 0; i < rg_tape_input_count(tape); i++) {
        const int slot = rg_tape_input_at(tape, i).slot;
        if (slot < FIRST_LEAF)
            source[i] = (rg_tape_source){
                p->at[slot], {at[slot], slot == 0 ? 1 : 0, NULL}
            };
        else
            source[i] = (rg_tape_source){
                leaves[slot - FIRST_LEAF], {first, p->stride[0], NULL}
            };
    }
}

/* The first place, in the order of memory, where a number is not finite. */
static void find_bad(const rg_points *p, const double *out, int64_t *where)
{
    for (int64_t k = 0; k < p->count[2]; k++)
        for (int64_t j = 0; j < p->count[1]; j++)
            for (int64_t i = 0; i < p->count[0]; i++) {
                const int64_t at =
                    p->origin + i * p->stride[0] + j * p->stride[1] + k * p->stride[2];
                if (isfinite(out[at])) continue;
                *where = at;
                return;
            }
}

/* All outputs of a tape, each at the points of its array; of two coordinates the first one.  A
 * piece of all rows, then the next one: what moves along the rows only is computed once in it. */
static rg_status run_rows(const rg_tape *tape, double t, const rg_points *points,
                          const double *const *leaves, double *work, double *const *out,
                          int64_t *where)
{
    rg_tape_source *source = (rg_tape_source *)(void *)work;
    const int64_t width = rg_tape_width(tape);
    rg_tape_target target[RG_SEPARATED];
    bool is_finite = true;

    for (int64_t i = 0; i < points->count[0]; i += width) {
        const int64_t left = points->count[0] - i;
        const int n = (int)(left < width ? left : width);
        for (int64_t row = 0; row < points->count[1] * points->count[2]; row++) {
            const int64_t j = row % points->count[1], k = row / points->count[1],
                          first = points->origin + j * points->stride[1] + k * points->stride[2];
            for (int m = 0; m < rg_tape_output_count(tape); m++)
                target[m] = (rg_tape_target){
                    out[m], {first, points->stride[0], NULL},
                     false
                };
            set_sources(tape, points, leaves, j, k, source);
            if (!rg_tape_run_row(tape, t, i, n, row == 0, source, target, work + sources_of(tape)))
                is_finite = false;
        }
    }
    if (!is_finite && where != NULL) find_bad(points, out[0], where);
    return is_finite ? RG_OK : RG_RETRY;
}

static bool reads_axis(const rg_tape *tape, int axis)
{
    for (int i = 0; i < rg_tape_input_count(tape); i++)
        if (rg_tape_input_at(tape, i).slot == axis) return true;
    return false;
}

/* The second coordinate along axis d of point i, or NULL. */
static const double *second(const rg_points *p, int d, int64_t i)
{
    if (i == 0 && p->seam[d][0] != NULL) return p->seam[d][0];
    return i == p->count[d] - 1 ? p->seam[d][1] : NULL;
}

/* The mean over all coordinates that a point has. */
static rg_status run_seam(const rg_tape *tape, double t, const rg_points *points,
                          const int64_t index[RG_AXES], const double *const *leaves, double *work,
                          double *const *out, int64_t *where)
{
    rg_points one = {.origin = points->origin};
    const double *at[RG_AXES][2];
    double sum[RG_SEPARATED] = {0.0};
    int ways = 0;

    for (int d = 0; d < RG_AXES; d++) {
        at[d][0] = points->at[d] + index[d];
        at[d][1] = second(points, d, index[d]);
        one.count[d] = 1;
        one.stride[d] = points->stride[d];
        one.origin += index[d] * points->stride[d];
    }
    for (int way = 0; way < 1 << RG_AXES; way++) {
        bool is_there = true;
        for (int d = 0; d < RG_AXES; d++) {
            one.at[d] = at[d][way >> d & 1];
            is_there = is_there && one.at[d] != NULL;
        }
        if (!is_there) continue;
        RG_TRY(run_rows(tape, t, &one, leaves, work, out, where));
        for (int m = 0; m < rg_tape_output_count(tape); m++)
            sum[m] += out[m][one.origin];
        ways++;
    }
    for (int m = 0; m < rg_tape_output_count(tape); m++)
        out[m][one.origin] = sum[m] / ways;
    return RG_OK;
}

static rg_status run_tape(const rg_tape *tape, double t, const rg_points *points,
                          const double *const *leaves, double *work, double *const *out,
                          int64_t *where)
{
    rg_status status = run_rows(tape, t, points, leaves, work, out, where);

    for (int end = 0; end < 2 * RG_AXES; end++) {
        const int d = end / 2, e1 = (d + 1) % RG_AXES, e2 = (d + 2) % RG_AXES;
        const int64_t at = end % 2 == 1 ? points->count[d] - 1 : 0;
        int64_t index[RG_AXES];
        if (points->seam[d][end % 2] == NULL || at < 0 || !reads_axis(tape, d)) continue;
        index[d] = at;
        for (index[e2] = 0; index[e2] < points->count[e2]; index[e2]++)
            for (index[e1] = 0; index[e1] < points->count[e1]; index[e1]++) {
                const rg_status one = run_seam(tape, t, points, index, leaves, work, out,
                                               status == RG_OK ? where : NULL);
                if (status == RG_OK) status = one;
            }
    }
    return status;
}

rg_status rg_quantity_eval(const rg_form *form, const rg_quantity *q, double t,
                           const rg_points *points, const double *const *leaves, double *work,
                           double *out, int64_t *where)
{
    (void)form;
    return run_tape(q->tape, t, points, leaves, work, &out, where);
}

int rg_quantity_terms(const rg_quantity *q)
{
    return q->of_space != NULL ? rg_tape_output_count(q->of_space) : 0;
}

rg_status rg_quantity_eval_space(const rg_quantity *q, const rg_points *points,
                                 const double *const *leaves, double *work, double *const *F)
{
    return run_tape(q->of_space, 0.0, points, leaves, work, F, NULL);
}

void rg_quantity_eval_time(const rg_quantity *q, double t, double *work, double *a)
{
    rg_tape_run_one(q->of_time, t, work);
    memcpy(a, work + rg_tape_results(q->of_time), (size_t)rg_quantity_terms(q) * sizeof *a);
}

/* ---- points ---------------------------------------------------------------------------------- */
static const double nowhere[1] = {0};

rg_points rg_points_cells(const rg_grid *g)
{
    rg_points p = {.origin = g->origin};

    for (int d = 0; d < RG_AXES; d++) {
        p.count[d] = d < g->dims ? g->axis[d].n : 1;
        p.stride[d] = d == 0 ? 1 : g->stride[d];
        p.at[d] = d < g->dims ? g->axis[d].centre : nowhere;
    }
    return p;
}

/* Points at edges along an axis: those on a seam have the coordinate of the other end too. */
static void join_ends(const rg_grid *g, int axis, rg_points *p)
{
    const rg_axis *a = &g->axis[axis], *all = &(g->whole ? g->whole : g)->axis[axis];

    if (!all->periodic) return;
    if (a->from == 0) p->seam[axis][0] = &all->edge[all->n];
    if (a->from + p->count[axis] > all->n) p->seam[axis][1] = &all->edge[0];
}

rg_points rg_points_faces(const rg_grid *g, int axis)
{
    rg_points p = rg_points_cells(g);

    p.count[axis] = g->axis[axis].n + (g->axis[axis].periodic ? 0 : 1);
    p.at[axis] = g->axis[axis].edge;
    join_ends(g, axis, &p);
    return p;
}

rg_points rg_points_edges(const rg_grid *g, int c, int d)
{
    rg_points p = rg_points_faces(g, c);

    p.count[d] = g->axis[d].n + 1;
    p.at[d] = g->axis[d].edge;
    join_ends(g, d, &p);
    return p;
}

rg_points rg_points_packed(rg_points p)
{
    p.origin = 0;
    p.stride[0] = 1;
    p.stride[1] = p.count[0];
    p.stride[2] = p.count[0] * p.count[1];
    return p;
}
