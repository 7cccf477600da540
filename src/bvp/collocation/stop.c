/* When no further mesh helps.  Rounding leaves a part of the solution open, on every mesh the
 * same:
 *
 *     floor = max(rounding in the equations, a unit in the last place times the conditioning)
 *
 * On a finer mesh the error does not fall below that, and may well grow.  So the best mesh so far
 * is kept, and the run ends there as soon as the floor explains what is left of the error. */
#include "bvp/collocation/run.h"
#include "bvp/collocation/tuning.h"

#include <math.h>
#include <string.h>

static void note_slopes(rg_bvp_run *r, const rg_newton_outcome *outcome)
{
    const int nx = r->f->nx;

    if (!r->is_graded) return; /* a mesh without layers has no such modes */
    r->slopes.noise = outcome->slopes;
    r->slopes.t = r->t[outcome->slopes_at / nx];
    r->slopes.state = (int)(outcome->slopes_at % nx);
}

void rg_run_note(rg_bvp_run *r, double worst, const rg_newton_outcome *outcome)
{
    const double noise = outcome->noise;
    const double conditioning = fmin(r->conditioning[0], r->conditioning[1]);

    r->floor = fmax(noise, 0x1p-53 * conditioning);
    r->n_floor = r->floor > r->control->rtol ? r->n_floor + 1 : 0;
    r->n_stuck = worst < r->best_error / RG_STOP_FALLS ? 0 : r->n_stuck + 1;
    if (r->f->nx > 0) note_slopes(r, outcome);
    if (r->best != NULL && !(worst < r->best_error)) return;
    if (r->best != r->now) rg_curve_destroy(&r->best);
    r->best = r->now;
    r->best_error = worst;
    r->best_t = r->worst_t;
}

void rg_run_drop(rg_bvp_run *r)
{
    if (r->now != r->best) rg_curve_destroy(&r->now);
    r->now = NULL;
}

/* Where a solution has a pole, iterates reach as far up as the mesh lets them: 1/h on the way of
 * y' = y^2, and so with every halving higher. */
void rg_run_note_failure(rg_bvp_run *r, const rg_curve *it)
{
    const rg_bvp_form *f = r->f;
    double most = 0.0, size = 0.0;
    int largest = 0;

    for (int64_t q = 0; q < (it->N + 1) * f->nx; q++)
        if (f->order[q % f->nx] == 0 && fabs(it->x[q]) > most) {
            most = fabs(it->x[q]);
            largest = (int)(q % f->nx);
        }
    for (int k = 0; k < f->nx; k++)
        if (f->order[k] == 0) size = fmax(size, r->past[k]);
    const bool grows = r->pole.size > 0.0 && most > RG_POLE_GROWTH * r->pole.size
                       && most < RG_POLE_MOST * r->pole.size;
    r->pole.n = grows ? r->pole.n + 1 : 0;
    r->pole.is_high = most > RG_POLE_HIGH * size;
    r->pole.size = most;
    r->pole.state = largest;
}

bool rg_run_is_pole(const rg_bvp_run *r)
{
    return r->now == NULL && r->pole.n >= RG_POLE_MESHES && r->pole.is_high;
}

bool rg_run_is_floor(const rg_bvp_run *r)
{
    const double rtol = r->control->rtol;

    if (r->best == NULL) return false;
    if (r->n_stuck >= RG_STOP_STUCK && RG_STOP_NEAR * r->floor > r->best_error * rtol) return true;
    if (r->floor > RG_STOP_NO_DIGITS && r->n_floor >= RG_STOP_MESHES) return true;
    return r->floor > rtol && r->best_error * rtol <= RG_STOP_SURE * r->floor;
}

/* Not where rounding changes the unknowns themselves by as much: that is another reason. */
bool rg_run_is_noise(const rg_bvp_run *r)
{
    const double noise = r->slopes.noise;

    return r->best != NULL && noise > RG_STOP_NEAR_SLOPES * r->noise
           && RG_STOP_NEAR_SLOPES * noise > r->best_error * r->control->rtol;
}

/* With points in layers rounding makes the error of the derivatives, or nothing can be solved; and
 * without them nothing gets better either. */
bool rg_run_is_steep(const rg_bvp_run *r)
{
    if (r->best == NULL || r->n_stuck == 0 || r->is_graded) return false;
    if (rg_run_is_thin(r) && r->n_equal > RG_STOP_EQUAL) return true;
    return r->n_stuck >= RG_STOP_EQUAL && (rg_run_is_noise(r) || rg_run_is_thin(r));
}

void rg_run_settle(rg_bvp_run *r, bool is_solved)
{
    if (r->best == r->now) return;
    if (is_solved || r->best == NULL) {
        rg_curve_destroy(&r->best);
        return;
    }
    rg_curve_destroy(&r->now);
    r->now = r->best;
    r->worst_t = r->best_t;
    r->result->error = r->best_error;
    r->result->estimate = r->best_error * r->control->rtol;
    r->result->stats.steps = r->now->N;
}
