/* Forces and sources of time and space, f = a_1(t) F_1 + ... + a_n(t) F_n (expr/separate.h): F is
 * computed once and kept, so that a step costs n products per place whatever f is. */
#include "base/vector.h"
#include "expr/separate.h"
#include "pdae/mesh/block.h"
#include "pdae/run/run_impl.h"
#include "pdae/run/tuning.h"

#include <math.h>

struct rg_run_kept {
    int n; /* 0: not kept */
    double *F[RG_SEPARATED], a[RG_SEPARATED];
};

void rg_run_kept_free(rg_run_part *p)
{
    for (int c = 0; c < RG_AXES; c++) {
        struct rg_run_kept *kept = p->kept[c];
        if (kept == NULL) continue;
        for (int m = 0; m < RG_SEPARATED; m++)
            rg_free(p->run->ctx, kept->F[m]);
        rg_free(p->run->ctx, kept);
        p->kept[c] = NULL;
    }
}

static bool is_moderate(int64_t n, const double *v)
{
    for (int64_t k = 0; k < n; k++)
        if (!(fabs(v[k]) <= RG_GRID_KEPT_RANGE)) return false;
    return true;
}

static bool is_on_faces(const rg_run_part *p)
{
    return p->space != NULL;
}

static rg_points points_of(const rg_run_part *p, int c)
{
    const rg_grid *g = p->run->grid;

    return is_on_faces(p) ? rg_points_faces(g, c) : rg_points_cells(g);
}

/* Where a number is out of range nothing is kept: the expression itself has the last word. */
static rg_status make(rg_run_part *p, int c)
{
    const rg_quantity *q = p->eq->force[c];
    const rg_grid *g = p->run->grid;
    struct rg_run_kept *kept = rg_alloc(p->run->ctx, 1, sizeof *kept);
    const rg_points points = points_of(p, c);
    bool is_out = false;

    if (kept == NULL) return RG_ERR_MEMORY;
    p->kept[c] = kept;
    const int n = q != NULL ? rg_quantity_terms(q) : 0;
    if (n == 0) return RG_OK;
    for (int m = 0; m < n; m++)
        if ((kept->F[m] = rg_grid_array(g)) == NULL) return RG_ERR_MEMORY;
    rg_run_bring(p->run, q, is_on_faces(p) ? c : -1);
    if (rg_quantity_eval_space(q, &points, p->run->at, p->run->work, kept->F) != RG_OK)
        is_out = true;
    for (int m = 0; m < n; m++)
        is_out = is_out || !is_moderate(g->size, kept->F[m]);
    if (!rg_grid_any(g, is_out)) kept->n = n;
    return RG_OK;
}

/* Is the force of time t the sum of what is kept? */
static rg_status find(rg_run_part *p, int c, double t, bool *is_kept)
{
    if (p->kept[c] == NULL) RG_TRY(make(p, c));
    struct rg_run_kept *kept = p->kept[c];
    *is_kept = kept->n > 0;
    if (!*is_kept) return RG_OK;
    rg_quantity_eval_time(p->eq->force[c], t, p->run->work, kept->a);
    *is_kept = is_moderate(kept->n, kept->a);
    return RG_OK;
}

typedef struct {
    const rg_grid *g;
    const struct rg_run_kept *kept;
    const int *first, *end;
    double *out;
    bool adds;
} loop;

/* out (+)= a_1 F_1 + ... in the order of the terms. */
RG_FOR_ALL_VECTORS
static void sum_rows(void *user, int hand, int64_t from, int64_t until)
{
    const loop *w = user;
    const int first = w->first[0], end = w->end[0], n = w->kept->n;

    (void)hand;
    for (int64_t r = from; r < until; r++) {
        int j, k;
        rg_row_of(w->first, w->end, r, &j, &k);
        const int64_t row = rg_grid_at(w->g, 0, j, k);
        double *restrict out = w->out + row;
        for (int i = first; !w->adds && i < end; i++)
            out[i] = 0.0;
        for (int m = 0; m < n; m++) {
            const double a = w->kept->a[m], *restrict F = w->kept->F[m] + row;
            for (int i = first; i < end; i++)
                out[i] += a * F[i];
        }
    }
}

rg_status rg_run_force_at(rg_run_part *p, int c, double t, double *out)
{
    const rg_points points = points_of(p, c);
    const int first[RG_AXES] = {0},
              end[RG_AXES] = {(int)points.count[0], (int)points.count[1], (int)points.count[2]};
    bool is_kept;

    RG_TRY(find(p, c, t, &is_kept));
    if (!is_kept)
        return is_on_faces(p) ? rg_run_at_faces(p->run, p->eq->force[c], t, c, out)
                              : rg_run_at_cells(p->run, p->eq->force[c], t, out);
    loop w = {.g = p->run->grid, .kept = p->kept[c], .first = first, .end = end, .out = out};
    rg_grid_rows(w.g, first, end, sum_rows, &w);
    return RG_OK;
}

rg_status rg_run_add_force(rg_run_part *p, int c, double t, double *out)
{
    const rg_vector_space *s = p->space;
    bool is_kept;

    RG_TRY(find(p, c, t, &is_kept));
    loop w = {.g = s->grid,
              .kept = p->kept[c],
              .first = s->first[c],
              .end = s->end[c],
              .out = out,
              .adds = true};
    if (is_kept) {
        rg_grid_rows(s->grid, s->first[c], s->end[c], sum_rows, &w);
        return RG_OK;
    }
    RG_TRY(rg_run_at_faces(p->run, p->eq->force[c], t, c, p->f[c]));
    for (int k = s->first[c][2]; k < s->end[c][2]; k++)
        for (int j = s->first[c][1]; j < s->end[c][1]; j++) {
            const int64_t row = rg_grid_at(s->grid, 0, j, k);
            for (int i = s->first[c][0]; i < s->end[c][0]; i++)
                out[row + i] += p->f[c][row + i];
        }
    return RG_OK;
}
