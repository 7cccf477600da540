/* A solution was found from the user's guess, but Newton's method had to go a long way: which of
 * several solutions it has come to, nobody knows.  What the conditions say is another guess; where
 * that leads to another solution, a warning tells. */
#include "bvp/continuation.h"
#include "bvp/tuning.h"

#include <math.h>

typedef struct {
    double most; /* the largest difference, relative to the size of the state: */
    int k;       /* of this one, */
    double t, here, there;
} distance;

static rg_status compare(const rg_bvp_form *f, const rg_curve *it, const rg_curve *other,
                         distance *d)
{
    const int nx = f->nx;
    double *x = rg_alloc(f->ctx, (size_t)(2 * nx + f->n) + 1, sizeof *x);

    *d = (distance){0};
    if (x == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < nx; k++) {
        double size = 0.0;
        if (f->order[k] > 0) continue;
        for (int64_t i = 0; i <= it->N; i++)
            size = fmax(size, fabs(it->x[i * nx + k]));
        for (int64_t i = 0; i <= it->N && size > 0.0; i++) {
            rg_curve_eval(other, rg_curve_find(other, it->t[i]), it->t[i], x, NULL, x + 2 * nx);
            const double part = fabs(x[k] - it->x[i * nx + k]) / size;
            if (part > d->most) *d = (distance){part, k, it->t[i], it->x[i * nx + k], x[k]};
        }
    }
    rg_free(f->ctx, x);
    return RG_OK;
}

static rg_status tell(rg_problem *p, const rg_bvp_form *f, const distance *d)
{
    char name[160], t[32];

    rg_variable_name(p, f->unknown[d->k], 0, name, sizeof name);
    return rg_problem_warn(p,
                           "this problem has more than one solution: at %s = %s '%s' is %.6g in "
                           "this one and about %.3g in the one that is found without the guess; "
                           "leave the guess out to have that one",
                           rg_problem_time_name(p), rg_real_text(d->t, t), name, d->here, d->there);
}

rg_status rg_boundary_look_aside(rg_problem *p, const rg_collocation_control *control,
                                 rg_boundary *b, rg_collocation_result *result)
{
    rg_collocation_control rough = *control;
    rg_collocation_result found = {0};
    const rg_profile guess = {rg_guess_profile, b->guess};
    bool is_trivial = false;
    distance d = {0};

    if (result->n_newton < RG_OTHER_ITERATIONS || !rg_guess_is_given(b->guess)
        || b->form->is_unchecked)
        return RG_OK;
    rough.is_rough = true;
    rough.rtol = fmax(control->rtol, RG_BVP_ROUGH_TOL);
    rough.max_intervals = RG_ATTEMPT_INTERVALS;
    RG_TRY(rg_guess_ignore(b->guess, b->conditions, true));
    rg_status status = rg_collocation_run(b->form, b->conditions, &rough, &guess, NULL, &found);
    const rg_status back = rg_guess_ignore(b->guess, b->conditions, false);
    if (status == RG_OK)
        status = rg_boundary_is_trivial(b, rough.rtol, found.solution, &is_trivial);
    if (status == RG_OK) status = compare(b->form, result->solution, found.solution, &d);
    result->stats.evaluations += found.stats.evaluations;
    result->stats.jacobians += found.stats.jacobians;
    result->stats.factorizations += found.stats.factorizations;
    rg_collocation_clear(&found);
    if (back < 0) return back;
    if (status == RG_ERR_CONVERGENCE) rg_clear_error(p->ctx);
    if (status != RG_OK) return status == RG_ERR_CONVERGENCE ? RG_OK : status;
    return d.most > RG_OTHER_DIFFERENT && !is_trivial ? tell(p, b->form, &d) : RG_OK;
}
