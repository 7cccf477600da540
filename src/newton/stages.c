/* Which constraints are the first that data contradict?
 *
 * Equation i is differentiated c_i times; row F_i^(k) has the stage c_i - k, how many derivatives
 * of it follow.  Rows of a stage hold no derivatives beyond those that they determine (Pryce's
 * block triangular form): a constraint of index 3 has stage 2, its first derivative stage 1
 * together with the kinematic equations.  So stages from above are solved by themselves, the rows
 * of all lower ones left out: least squares over all rows at once would spread a contradiction over
 * rows that hold exactly. */
#include "newton/search.h"
#include "newton/tuning.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

int rg_start_stage_of(const rg_start_system *s, int64_t row)
{
    return s->rank[row] - s->level[row];
}

static rg_status miss_at(rg_start_system *s, double *miss)
{
    const rg_status status = rg_start_linearize(s);

    *miss = status == RG_OK ? rg_start_miss(s, NULL) : INFINITY;
    return status < 0 ? status : RG_OK;
}

/* The rows from this stage on by themselves, from s->z; z: work.  The better one of the points
 * before and after. */
static rg_status solve(rg_start_system *s, double limit, double *z, double *miss)
{
    const size_t bytes = (size_t)s->n_columns * sizeof *z;
    rg_iteration *it = NULL;
    double before;

    RG_TRY(miss_at(s, &before));
    *miss = before;
    if (before <= limit) return RG_OK;
    memcpy(z, s->z, bytes);
    RG_TRY(rg_iteration_create(s, false, &it));
    const rg_status status = rg_newton_damped(it);
    rg_iteration_destroy(&it);
    if (status < 0) return status;
    RG_TRY(miss_at(s, miss));
    if (*miss <= before) return RG_OK;
    memcpy(s->z, z, bytes);
    *miss = before;
    return RG_OK;
}

static rg_status find(rg_start_system *s, double limit, double *z, int most, int least)
{
    for (s->stage = most; s->stage > least; s->stage--) {
        double miss;
        RG_TRY(solve(s, limit, z, &miss));
        if (miss > limit) return RG_OK;
    }
    s->stage = RG_STAGE_ALL;
    return RG_OK;
}

rg_status rg_start_first_stage(rg_start_system *s, double limit, int *stage)
{
    double *z = rg_alloc(s->ctx, (size_t)s->n_columns + 1, sizeof *z);
    int most = INT_MIN, least = INT_MAX;

    if (z == NULL) return RG_ERR_MEMORY;
    for (int64_t i = 0; i < s->n_rows; i++) {
        const int here = rg_start_stage_of(s, i);
        most = here > most ? here : most;
        least = here < least ? here : least;
    }
    const rg_status status = find(s, limit, z, most, least);
    *stage = s->stage == RG_STAGE_ALL ? least : s->stage;
    rg_free(s->ctx, z);
    return status;
}

/* Of rows that miss about as much the one that is differentiated most: the constraint. */
static void pick_row(const rg_start_system *s, int stage, int64_t *row, double *miss)
{
    double worst = 0;

    for (int64_t i = 0; i < s->n_rows; i++)
        if (rg_start_stage_of(s, i) == stage && fabs(s->F[i]) >= DBL_MIN)
            worst = fmax(worst, fabs(s->F[i]) / s->size[i]);
    for (int64_t i = 0; i < s->n_rows && worst > 0; i++) {
        const double here = fabs(s->F[i]) / s->size[i];
        if (rg_start_stage_of(s, i) != stage || !(here >= RG_CONTRADICTION_INVOLVED * worst))
            continue;
        if (*row >= 0
            && (s->rank[i] < s->rank[*row] || (s->rank[i] == s->rank[*row] && here <= *miss)))
            continue;
        *row = i;
        *miss = here;
    }
}

rg_status rg_start_violated(rg_start_system *s, double limit, int64_t *row, double *miss)
{
    int stage;
    rg_status status = rg_start_first_stage(s, limit, &stage);

    *row = -1;
    if (status == RG_OK) status = miss_at(s, miss);
    if (status == RG_OK && isfinite(*miss)) pick_row(s, stage, row, miss);
    s->stage = RG_STAGE_ALL;
    return status;
}
