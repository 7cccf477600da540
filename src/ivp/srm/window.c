/* The stages of one window.  With the stabilized form (views/ggl.h) of  q' = v, v' = f - B y,
 * 0 = g(q)  the iterate s over a step h is
 *
 *     q' = v - G^T mu,     0 = g - eps G G^T mu                                 N (5.5), D = G^T
 *     v' = f - B y_s,      0 = dg/dt + eps G (L_{s-1} - B y_s),  L_s = B y_s    N (5.6)
 *
 * at the three stages of Radau IIA, all iterates from z_n, eps = RATIO h.  Elimination of mu and
 * y gives  q' = v - G^T (G G^T)^-1 g/eps  and  B y_s = P (L_{s-1} + v/eps),  P = B (GB)^-1 G; as
 * they stand, nothing is inverted, all derivatives that matter are exact, and for s -> infinity
 * the stages are those of the form itself, whatever eps and L_0 are.  Index 2: the second line
 * with x in place of v and g in place of dg/dt, N (3.2); order nu: the first line for every level
 * below nu - 1.  E = I: eps (y_{s-1} - y_s) and mu in place of eps G(L - By) and G G^T mu,
 * N (5.3), (5.4), each constraint in units in which its own part of G G^T or G B is 1 at the start:
 * so eps means the same as with E = (GB)^-1.  f not linear in y: eps G B (y_{s-1} - y_s), B = -f_y
 * at y_{s-1} (thesis 7.2).
 *
 * L_0: the quadratic through the stage values of the step before; B y_0 in the first step.  y is
 * never extrapolated, it may have poles.  Measured: doc/methods/srm.md. */
#include "ivp/srm/window.h"

#include "ivp/srm/tuning.h"
#include "linalg/powers.h"

#include <math.h>
#include <string.h>

struct rg_srm_window {
    rg_passage_iteration iteration; /* first */
    rg_context *ctx;
    rg_srm_core *core;
    rg_stable *form;
    double eps_given, rtol;
    int m_given;
    int N, n_x, n_y, n_c, levels; /* levels: of constraints, the order */
    bool carries_y, is_identity, accepts_doubt;
    double *unit; /* levels n_y, E = I: diagonals of G G^T, and of sign G B, at the start */
    bool has_unit;
    int32_t *x, *y;     /* order n_x, n_y: unknowns of the form */
    int32_t *row, *mu;  /* levels n_y: rows of d^r g/dt^r; of all levels but the last, mu */
    rg_pattern pattern; /* of the form, and the blocks G B, G G^T */
    int64_t *index;     /* in it, per entry of the form's */
    int64_t *block;     /* levels n_y n_y, column-major: places of these blocks */
    uint8_t *kinds;
    double *Jw, *Jwp;     /* of the form */
    double eps;           /* of the window now */
    double *before, *now; /* 3 n_c: what the iterates s - 1 and s carry at the stages */
    double *last;         /* ... the last iterate of the step before; has_last: there is one */
    bool has_last;
    double *y_hidden; /* 4 n_y: y from the hidden constraint at the start and the stages */
    bool has_hidden;  /* ... at the start of the next step */
    double *W;        /* 3 N: stages of the iterate before */
    double *point, *ys, *u, *GB, *values;
    int32_t *numbers;
};

bool rg_srm_window_fits(const rg_srm_core *c)
{
    const srm_variant *v = &c->variant;

    return (v->kind == SRM_FIRST || v->kind == SRM_STABILIZED) && v->alpha[0] == 0.0
           && v->alpha[1] == 1.0 && (v->E == SRM_E_INVERSE || v->E == SRM_E_IDENTITY);
}

/* ---- equations ------------------------------------------------------------------------------- */

/* x, x', .. and y of the core at a point of the form. */
static void take_point(rg_srm_window *q, const double *w)
{
    for (int k = 0; k < q->levels * q->n_x; k++)
        q->point[k] = w[q->x[k]];
    for (int k = 0; k < q->n_y; k++)
        q->ys[k] = w[q->y[k]];
}

/* f, B, G at the point; B = -f_y at y_{s-1} where f is not linear in y. */
static rg_status look(rg_srm_window *q, double t, const double *before)
{
    rg_srm_core *c = q->core;
    const double *v = rg_srm_v(c, q->point);

    if (c->variant.is_nonlinear)
        return rg_semi_eval_at(c->view, t, q->point, v, before, &c->space.v);
    return rg_semi_eval(c->view, t, q->point, v, &c->space.v);
}

/* The matrix of block r: the upper levels have G G^T, the last one G B; E = I: sign I. */
static void form_block(rg_srm_window *q, int r)
{
    const srm_space *s = &q->core->space;
    const int n = q->n_x, m = q->n_y;

    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            double sum = i == j && q->is_identity ? q->unit[r * m + i] : 0.0;
            for (int k = 0; k < n && !q->is_identity; k++)
                sum +=
                    s->v.G[k * m + i] * (r < q->levels - 1 ? s->v.G[k * m + j] : s->v.B[j * n + k]);
            q->GB[j * m + i] = sum;
        }
}

/* Diagonals that vanish at the start become the largest one. */
static void fill_gaps(int m, double sign, double *unit)
{
    double most = 0.0;

    for (int k = 0; k < m; k++)
        most = fmax(most, fabs(unit[k]));
    for (int k = 0; k < m; k++)
        if (!(fabs(unit[k]) > RG_WINDOW_UNIT * most)) unit[k] = most > 0.0 ? sign * most : sign;
}

/* E = I: the units of the constraints, from products with unit vectors; of large models one for
 * all, by power iteration at the start (spectrum.c). */
static rg_status take_units(rg_srm_window *q, double t, const double *w)
{
    rg_srm_core *c = q->core;
    const int m = q->n_y, last = (q->levels - 1) * m;
    double rho = 1.0;

    if (q->has_unit || !q->is_identity) return RG_OK;
    take_point(q, w);
    RG_TRY(look(q, t, q->ys));
    for (int r = 0; r < q->levels - 1; r++) {
        rg_semi_gradient_squares(c->view, q->unit + r * m);
        fill_gaps(m, 1.0, q->unit + r * m);
    }
    if (m > RG_WINDOW_MOST_UNITS) RG_TRY(rg_srm_core_measure(c, t, q->point, &rho));
    for (int k = 0; k < m; k++) {
        q->unit[last + k] = c->sign * rho;
        if (m > RG_WINDOW_MOST_UNITS) continue;
        memset(q->u, 0, (size_t)m * sizeof *q->u);
        q->u[k] = 1.0;
        rg_semi_force(c->view, q->u, c->space.w);
        rg_semi_gradient(c->view, c->space.w, c->space.r);
        q->unit[last + k] = c->sign * fabs(c->space.r[k]);
    }
    fill_gaps(m, c->sign, q->unit + last);
    q->has_unit = true;
    return RG_OK;
}

/* eps E^-1 (what is carried - what is there), in the rows of level r. */
static void add_level(rg_srm_window *q, int r, const double *w, const double *before, double *F,
                      double *J)
{
    const int m = q->n_y, last = q->levels - 1;
    const int32_t *row = q->row + r * m;

    form_block(q, r);
    memset(q->u, 0, (size_t)m * sizeof *q->u);
    if (r == last && !q->carries_y) rg_srm_product(m, q->n_x, q->core->space.v.G, before, q->u);
    for (int j = 0; j < m; j++) {
        const double value = r == last ? q->ys[j] : w[q->mu[r * m + j]];
        const double d = (r == last && q->carries_y ? before[j] : 0.0) - value;
        for (int i = 0; i < m; i++)
            q->u[i] += q->GB[j * m + i] * d;
    }
    for (int i = 0; i < m; i++)
        F[row[i]] += q->eps * q->u[i];
    for (int e = 0; J != NULL && e < m * m; e++)
        J[q->block[r * m * m + e]] -= q->eps * q->GB[e];
}

static rg_status evaluate(void *user, int stage, double t, const double *w, const double *wp,
                          double *F, double *Jw, double *Jwp)
{
    rg_srm_window *q = user;
    const double *before = q->before + stage * q->n_c;
    const int64_t entries = q->form->pattern->start[q->N];

    RG_TRY(rg_stable_eval(q->form, t, w, wp, F, Jw != NULL ? q->Jw : NULL, q->Jwp));
    take_point(q, w);
    if (!q->is_identity || !q->carries_y) RG_TRY(look(q, t, before));
    if (Jw != NULL) {
        memset(Jw, 0, (size_t)q->pattern.start[q->N] * sizeof *Jw);
        memset(Jwp, 0, (size_t)q->pattern.start[q->N] * sizeof *Jwp);
        for (int64_t e = 0; e < entries; e++) {
            Jw[q->index[e]] = q->Jw[e];
            Jwp[q->index[e]] = q->Jwp[e];
        }
    }
    for (int r = 0; r < q->levels; r++)
        add_level(q, r, w, before, F, Jw);
    return RG_OK;
}

/* ---- the iteration --------------------------------------------------------------------------- */

/* What is carried on: L = B y at the stages, or y itself. */
static rg_status take_carried(rg_srm_window *q, const rg_coupled *c, double t, double h)
{
    for (int i = 0; i < COUPLED_STAGES; i++) {
        double *L = q->now + i * q->n_c;
        take_point(q, c->W + i * q->N);
        if (q->carries_y) {
            memcpy(L, q->ys, (size_t)q->n_y * sizeof *L);
            continue;
        }
        RG_TRY(look(q, t + c->rule.c[i] * h, NULL));
        rg_srm_product(q->n_x, q->n_y, q->core->space.v.B, q->ys, L);
    }
    return RG_OK;
}

/* y_0 of the options, at the predicted stages. */
static rg_status take_y0(rg_srm_window *q, const rg_coupled *c, double t, double h)
{
    for (int i = 0; i < COUPLED_STAGES; i++) {
        double *L = q->before + i * q->n_c;
        RG_TRY(rg_srm_y0_eval(q->core, t + c->rule.c[i] * h));
        take_point(q, c->W + i * q->N);
        if (q->carries_y) {
            memcpy(L, q->core->y0, (size_t)q->n_y * sizeof *L);
            continue;
        }
        RG_TRY(look(q, t + c->rule.c[i] * h, NULL));
        rg_srm_product(q->n_x, q->n_y, q->core->space.v.B, q->core->y0, L);
    }
    return RG_OK;
}

/* Iterate 0 from the step before: L by its quadratic, y as it was at the end. */
static void extrapolate(rg_srm_window *q, const rg_coupled *c, double h)
{
    for (int i = 0; i < COUPLED_STAGES; i++) {
        const double s = 1.0 + c->rule.c[i] * h / c->h_last;
        double *L = q->before + i * q->n_c, a[COUPLED_STAGES];
        for (int j = 0; j < COUPLED_STAGES; j++) {
            rg_powers_lagrange(COUPLED_STAGES, c->rule.c, j, a);
            const double factor =
                q->carries_y ? (j == COUPLED_STAGES - 1 ? 1.0 : 0.0) : a[0] + s * (a[1] + s * a[2]);
            for (int k = 0; k < q->n_c; k++)
                L[k] = (j > 0 ? L[k] : 0.0) + factor * q->last[j * q->n_c + k];
        }
    }
}

static void swap(rg_srm_window *q)
{
    double *kept = q->before;

    q->before = q->now;
    q->now = kept;
}

/* Iterates until two of them agree: the next one would move by about 2 RATIO of their distance. */
static rg_status stages(rg_passage_iteration *iteration, rg_coupled *c, double t, double h,
                        int64_t *evaluations)
{
    rg_srm_window *q = (rg_srm_window *)iteration;
    const int most = q->m_given > 0 ? q->m_given : RG_WINDOW_ITERATES;

    q->eps = q->eps_given > 0.0 ? copysign(q->eps_given, h) : RG_WINDOW_RATIO * h;
    c->has_factors = false;
    RG_TRY(take_units(q, t, c->W));
    if (c->h_last != 0.0 && q->has_last)
        extrapolate(q, c, h);
    else
        RG_TRY(take_y0(q, c, t, h));
    for (int s = 1; s <= most; s++) {
        memcpy(q->W, c->W, COUPLED_STAGES * (size_t)q->N * sizeof *q->W);
        RG_TRY(rg_coupled_newton(c, t, h, evaluations));
        RG_TRY(take_carried(q, c, t, h));
        *evaluations += COUPLED_STAGES;
        swap(q);
        const double d = rg_coupled_distance(c, q->W);
        if (!isfinite(d)) return (rg_status)RG_RETRY;
        if (q->m_given == 0 && s >= 2 && d < RG_WINDOW_CLOSE) return RG_OK;
    }
    return q->m_given > 0 ? RG_OK : (rg_status)RG_RETRY;
}

/* (GB) y = G f + d^nu g/dt^nu:  away from singular positions the hidden constraint gives y with
 * the accuracy of x at a stage.  false: too near to one. */
static rg_status hidden(rg_srm_window *q, double t, const double *w, bool *is_there)
{
    srm_sample pivots;

    *is_there = false;
    take_point(q, w);
    const rg_status status = rg_srm_core_multipliers(q->core, t, q->point, q->ys);
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    rg_srm_pivot_now(q->core, 0.0, &pivots);
    *is_there = pivots.p > cbrt(q->rtol);
    return RG_OK;
}

/* The cubic through y at the start and at the stages. */
static void interpolate(const rg_srm_window *q, rg_coupled *c)
{
    const double node[COUPLED_STAGES + 1] = {0.0, c->rule.c[0], c->rule.c[1], c->rule.c[2]};

    for (int k = 0; k < q->n_y; k++) {
        double *a = c->polynomial + q->y[k];
        for (int e = 0; e <= COUPLED_STAGES; e++)
            a[e * q->N] = 0.0;
        for (int j = 0; j <= COUPLED_STAGES; j++) {
            double p[COUPLED_STAGES + 1];
            rg_powers_lagrange(COUPLED_STAGES + 1, node, j, p);
            for (int e = 0; e <= COUPLED_STAGES; e++)
                a[e * q->N] += p[e] * q->y_hidden[j * q->n_y + k];
        }
    }
}

static rg_status accept(rg_passage_iteration *iteration, rg_coupled *c, double t, double h,
                        int64_t *evaluations)
{
    rg_srm_window *q = (rg_srm_window *)iteration;
    const bool has_start = q->has_hidden;
    const size_t m = (size_t)q->n_y;

    memcpy(q->last, q->before, COUPLED_STAGES * (size_t)q->n_c * sizeof *q->last);
    q->has_last = true;
    q->has_hidden = false;
    if (q->is_identity && !q->accepts_doubt) {
        take_point(q, c->W + (COUPLED_STAGES - 1) * q->N);
        RG_TRY(rg_srm_weak_check(q->core, t + h, q->point, q->ys, RG_WINDOW_OFF * q->rtol));
    }
    if (q->is_identity || q->carries_y) return RG_OK;
    bool is_there = true;
    for (int i = 0; i < COUPLED_STAGES && is_there; i++, ++*evaluations) {
        RG_TRY(hidden(q, t + c->rule.c[i] * h, c->W + i * q->N, &is_there));
        memcpy(q->y_hidden + (i + 1) * q->n_y, q->ys, m * sizeof *q->ys);
    }
    if (!is_there) return RG_OK;
    for (int i = 0; i < COUPLED_STAGES; i++)
        for (int k = 0; k < q->n_y; k++)
            c->W[i * q->N + q->y[k]] = q->y_hidden[(i + 1) * q->n_y + k];
    rg_coupled_interpolate(c);
    if (has_start) interpolate(q, c);
    memcpy(q->y_hidden, q->y_hidden + COUPLED_STAGES * q->n_y, m * sizeof *q->ys);
    q->has_hidden = true;
    return RG_OK;
}

static int lost(rg_passage_iteration *iteration, double t, const double *w)
{
    rg_srm_window *q = (rg_srm_window *)iteration;
    srm_sample pivots = {.t = t};

    take_point(q, w);
    if (rg_srm_pivot_at(q->core, q->point, q->ys, RG_WINDOW_LOST, &pivots) != RG_OK) return 0;
    return pivots.lost;
}

/* ---- life ------------------------------------------------------------------------------------ */

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
    e->eval = evaluate;
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

    q->iteration = (rg_passage_iteration){prepare, stages, accept, lost};
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
