/* A period or an end time that has become zero or negative: nothing moves, or everything runs
 * backwards.  An unknown constant is one where the derivatives of all unknowns vanish with it,
 * x' = T f(x). */
#include "bvp/continuation.h"
#include "bvp/tuning.h"

#include <math.h>
#include <string.h>

typedef struct {
    double *x, *w, *work;
    int *pivot;
} point;

static rg_status take(const rg_bvp_form *f, point *m)
{
    m->x = rg_alloc(f->ctx, (size_t)(f->nx + f->n) + rg_bvp_form_work(f) + 1, sizeof *m->x);
    m->pivot = rg_alloc(f->ctx, (size_t)f->n + 1, sizeof *m->pivot);
    if (m->x == NULL || m->pivot == NULL) return RG_ERR_MEMORY;
    m->w = m->x + f->nx;
    m->work = m->w + f->n;
    return RG_OK;
}

/* Does everything stand still in the middle of the mesh with x_k = 0, and move with its guess? */
static bool is_length(rg_bvp_form *f, const rg_curve *it, int k, point *m)
{
    const int64_t i = it->N / 2;
    const double t = it->t[i] + it->rule.c[0] * (it->t[i + 1] - it->t[i]);
    double fast = 0.0, slow = 0.0;

    for (int q = 0; q < 2; q++) {
        rg_curve_stage(it, i, 0, m->x);
        memcpy(m->w, rg_curve_w(it, i, 0), (size_t)f->n * sizeof *m->w);
        m->x[k] = q == 0 ? f->p->start[0].value[f->unknown[k]] : 0.0;
        if (rg_bvp_form_solve(f, t, m->x, m->w, m->work, m->pivot) != RG_OK) return false;
        for (int j = 0; j < f->n; j++)
            if (f->d[j] > 0 && !rg_bvp_form_is_constant(f, j))
                *(q == 0 ? &fast : &slow) += fabs(m->w[j]);
    }
    return slow <= RG_ENDTIME_STILL * fast && fast > 0.0;
}

/* The first unknown constant that is a length of time and smaller than `factor` times its guess,
 * signs included; -1: none. */
static rg_status find_length(const rg_boundary *b, const rg_curve *it, double factor, int *state)
{
    rg_bvp_form *f = b->form;
    point m = {0};

    *state = -1;
    if (f->is_large) return RG_OK;
    const rg_status status = take(f, &m);
    for (int k = 0; k < f->nx && status == RG_OK && *state < 0; k++) {
        const int j = f->unknown[k];
        const double guess = f->p->start[0].value[j];
        if (f->order[k] > 0 || !rg_bvp_form_is_constant(f, j) || !isfinite(guess)) continue;
        const double part = it->x[k] * (guess < 0.0 ? -1.0 : 1.0);
        if (part < factor * fabs(guess) && is_length(f, it, k, &m)) *state = k;
    }
    rg_free(f->ctx, m.x);
    rg_free(f->ctx, m.pivot);
    return status;
}

static rg_status find_small(const rg_boundary *b, const rg_curve *it, double part, int *unknown)
{
    const rg_bvp_form *f = b->form;
    int k;

    RG_TRY(find_length(b, it, part, &k));
    const bool is_small =
        k >= 0 && fabs(it->x[k]) < part * fabs(f->p->start[0].value[f->unknown[k]]);
    *unknown = is_small ? f->unknown[k] : -1;
    return RG_OK;
}

rg_status rg_boundary_find_standstill(const rg_boundary *b, const rg_curve *it, int *unknown)
{
    return find_small(b, it, RG_ENDTIME_STILL, unknown);
}

rg_status rg_boundary_find_fading(const rg_boundary *b, const rg_curve *it, int *unknown)
{
    return find_small(b, it, RG_ENDTIME_FADES, unknown);
}

rg_status rg_boundary_tell_backwards(rg_problem *p, const rg_boundary *b, const rg_curve *it)
{
    char name[160];
    int k;

    RG_TRY(find_length(b, it, 0.0, &k));
    if (k < 0) return RG_OK;
    rg_variable_name(p, b->form->unknown[k], 0, name, sizeof name);
    return rg_problem_warn(p,
                           "'%s' is %.6g, though its guess has the other sign: this solution is "
                           "run through backwards; if that is not meant, give guesses of the "
                           "unknowns that run forwards",
                           name, it->x[k]);
}
