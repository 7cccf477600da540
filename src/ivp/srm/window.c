/* A window, made and destroyed: which unknowns and rows of the form are those of the core, and
 * where the blocks of the regularization stand in its matrix. */
#include "ivp/srm/window_impl.h"

bool rg_srm_window_fits(const rg_srm_core *c)
{
    const srm_variant *v = &c->variant;

    return (v->kind == SRM_FIRST || v->kind == SRM_STABILIZED) && v->alpha[0] == 0.0
           && v->alpha[1] == 1.0 && (v->E == SRM_E_INVERSE || v->E == SRM_E_IDENTITY);
}

static bool has_entry(const rg_pattern *p, int row, int column, int64_t *at)
{
    for (int64_t e = p->start[column]; e < p->start[column + 1]; e++)
        if (p->row[e] == row) {
            *at = e;
            return true;
        }
    return false;
}

/* The level and component of the multiplier in this column; -1: it is none. */
static int block_of(const rg_srm_window *q, int column)
{
    for (int e = 0; e < q->levels * q->n_y; e++)
        if ((e < (q->levels - 1) * q->n_y ? q->mu[e] : q->y[e - (q->levels - 1) * q->n_y])
            == column)
            return e;
    return -1;
}

/* Column by column, rows ascending: the entries of the form, and those of the blocks. */
static void fill_pattern(rg_srm_window *q)
{
    const rg_pattern *p = q->form->pattern;
    const int m = q->n_y;
    int64_t next = 0, at;

    for (int j = 0; j < q->N; j++) {
        const int b = block_of(q, j);
        for (int row = 0; row < q->N; row++) {
            const bool is_there = has_entry(p, row, j, &at);
            int i = 0;
            while (b >= 0 && i < m && q->row[b / m * m + i] != row)
                i++;
            const bool is_new = b >= 0 && i < m;
            if (!is_there && !is_new) continue;
            if (is_there) q->index[at] = next;
            if (is_new) q->block[b * m + i] = next;
            q->kinds[next] = is_there ? q->form->kinds[at] : 1;
            q->pattern.row[next++] = row;
        }
        q->pattern.start[j + 1] = next;
    }
    q->pattern.n_rows = q->pattern.n_columns = q->N;
}

static rg_status prepare(rg_passage_iteration *iteration, const rg_stable *form,
                         rg_coupled_equations *e)
{
    rg_srm_window *q = (rg_srm_window *)iteration;
    const size_t N = (size_t)q->N, old = (size_t)form->pattern->start[q->N] + 1;
    const size_t extra = (size_t)q->levels * (size_t)q->n_y * (size_t)q->n_y;

    q->pattern.start = rg_alloc(q->ctx, N + 1, sizeof *q->pattern.start);
    q->pattern.row = rg_alloc(q->ctx, old + extra, sizeof *q->pattern.row);
    q->index = rg_alloc(q->ctx, old + extra, sizeof *q->index);
    q->kinds = rg_alloc(q->ctx, old + extra, 1);
    q->Jw = rg_alloc(q->ctx, 2 * old, sizeof *q->Jw);
    q->values = rg_alloc(q->ctx, 3 * N + 9 * (size_t)q->n_c, sizeof *q->values);
    if (q->pattern.start == NULL || q->pattern.row == NULL || q->index == NULL || q->kinds == NULL
        || q->Jw == NULL || q->values == NULL)
        return RG_ERR_MEMORY;
    q->block = q->index + old;
    q->Jwp = q->Jw + old;
    q->W = q->values;
    q->before = q->W + 3 * N;
    q->now = q->before + 3 * q->n_c;
    q->last = q->now + 3 * q->n_c;
    fill_pattern(q);
    e->pattern = &q->pattern;
    e->kinds = q->kinds;
    e->eval = rg_srm_window_evaluate;
    e->user = q;
    return RG_OK;
}

/* false: an unknown or a constraint of the core has no place in the form. */
static bool number(rg_srm_window *q)
{
    const rg_semi *view = q->core->view;
    const rg_system *s = q->form->system;
    bool is_there = q->form->combinations == NULL;

    for (int r = 0; r < q->levels; r++) {
        for (int k = 0; k < q->n_x; k++) {
            const int64_t state = rg_system_state(s, rg_semi_x_unknown(view, k), r);
            q->x[r * q->n_x + k] = (int32_t)state;
            is_there = is_there && state >= 0;
        }
        for (int k = 0; k < q->n_y; k++) {
            const int64_t equation = rg_semi_equation(view, k);
            const int64_t row = rg_system_row(s, equation, r);
            const int64_t mu = rg_system_multiplier(s, equation, r);
            q->row[r * q->n_y + k] = (int32_t)row;
            q->mu[r * q->n_y + k] = (int32_t)mu;
            is_there = is_there && row >= 0 && (mu >= 0) == (r < q->levels - 1);
        }
    }
    for (int k = 0; k < q->n_y; k++) {
        const int64_t state = rg_system_state(s, rg_semi_y_unknown(view, k), 0);
        q->y[k] = (int32_t)state;
        is_there = is_there && state >= 0;
    }
    return is_there;
}

static rg_status fill(rg_srm_window *q, const rg_options *o, bool *is_there)
{
    const rg_srm_core *c = q->core;
    const size_t x = (size_t)(c->order * c->n_x), y = (size_t)c->n_y, L = (size_t)c->order;

    q->iteration = (rg_passage_iteration){.prepare = prepare,
                                          .stages = rg_srm_window_stages,
                                          .accept = rg_srm_window_accept,
                                          .lost = rg_srm_window_lost};
    q->eps_given = o->eps;
    q->rtol = o->rtol;
    q->accepts_doubt = o->accept_doubt;
    q->m_given = o->iterations;
    q->N = q->form->size;
    q->n_x = c->n_x, q->n_y = c->n_y, q->n_c = c->n_c, q->levels = c->order;
    q->carries_y = c->variant.carry == SRM_CARRY_Y;
    q->is_identity = c->variant.E == SRM_E_IDENTITY;
    q->numbers = rg_alloc(q->ctx, x + y + 2 * L * y + 1, sizeof *q->numbers);
    q->point = rg_alloc(q->ctx, x + 6 * y + y * y + L * y + 1, sizeof *q->point);
    if (q->numbers == NULL || q->point == NULL) return RG_ERR_MEMORY;
    q->x = q->numbers;
    q->y = q->x + x;
    q->row = q->y + y;
    q->mu = q->row + L * y;
    q->ys = q->point + x;
    q->u = q->ys + y;
    q->GB = q->u + y;
    q->y_hidden = q->GB + y * y;
    q->unit = q->y_hidden + 4 * y;
    *is_there = number(q);
    return RG_OK;
}

rg_status rg_srm_window_create(rg_srm_core *core, const rg_stable *form, const rg_options *o,
                               rg_srm_window **out)
{
    rg_srm_window *q = rg_alloc(core->ctx, 1, sizeof *q);
    bool is_there = false;

    *out = NULL;
    if (q == NULL) return RG_ERR_MEMORY;
    q->ctx = core->ctx;
    q->core = core;
    q->form = (rg_stable *)form;
    const rg_status status = fill(q, o, &is_there);
    if (status == RG_OK && is_there)
        *out = q;
    else
        rg_srm_window_destroy(&q);
    return status;
}

void rg_srm_window_destroy(rg_srm_window **window)
{
    rg_srm_window *q = *window;

    if (q == NULL) return;
    void *const owned[] = {q->pattern.start, q->pattern.row, q->index, q->kinds, q->Jw,
                           q->values,        q->numbers,     q->point};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        rg_free(q->ctx, owned[k]);
    rg_free(q->ctx, q);
    *window = NULL;
}

rg_passage_iteration *rg_srm_window_iteration(rg_srm_window *q)
{
    return &q->iteration;
}

void rg_srm_window_forget(rg_srm_window *q)
{
    q->has_last = q->has_hidden = false;
}
