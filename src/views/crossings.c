/* Finds the times at which switches change along a solution; see crossings.h. */
#include "views/crossings.h"

#include "problem/assembly.h"
#include "views/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

rg_status rg_crossing_narrow(rg_crossing_fn *look, void *user, double *left, double *right)
{
    const double width = 0.25 * DBL_EPSILON * fmax(fabs(*left), fabs(*right)); /* near t = 0 */

    while (fabs(*right - *left) > width) {
        const double middle = *left + 0.5 * (*right - *left);
        bool is_before;
        if (middle == *left || middle == *right) break;
        RG_TRY(look(user, middle, &is_before));
        *(is_before ? right : left) = middle;
    }
    return RG_OK;
}

rg_status rg_crossings_init(rg_context *ctx, const rg_switches *switches,
                            rg_crossing_point_fn *point, void *user, rg_crossings *out)
{
    const size_t n = (size_t)switches->n;

    *out = (rg_crossings){.ctx = ctx, .switches = switches, .point = point, .user = user};
    if (n == 0) return RG_OK;
    RG_TRY(rg_assembly_work_create(switches->values, &out->work));
    out->z = rg_alloc(ctx, (size_t)switches->n_columns + 2 * n, sizeof *out->z);
    if (out->z == NULL) return RG_ERR_MEMORY;
    out->known = out->z + switches->n_columns;
    out->mode = out->known + n;
    return RG_OK;
}

void rg_crossings_clear(rg_crossings *c)
{
    if (c->ctx == NULL) return;
    rg_assembly_work_destroy(&c->work);
    rg_free(c->ctx, c->z);
    rg_free(c->ctx, c->times);
    *c = (rg_crossings){.ctx = c->ctx};
}

/* All modes at t; 0: not known there, or no affair of ours.  Whole numbers are moved by 1/2. */
static rg_status look(rg_crossings *c, double t)
{
    RG_TRY(c->point(c->user, t, c->z));
    const rg_status status = rg_switches_follow(c->switches, c->work, t, c->z, c->mode);
    if (status < 0) return status;
    for (int64_t k = 0; k < c->switches->n; k++) {
        const double shift = c->switches->kind[k] == RG_SWITCH_FLOOR ? 0.5 : 0.0;
        const bool is_known = c->switches->moves[k] && isfinite(c->mode[k]);
        c->mode[k] = is_known ? rg_switch_mode(c->switches, k, c->mode[k]) + shift : 0.0;
    }
    return RG_OK;
}

static rg_status has_changed(void *user, double t, bool *is_before)
{
    rg_crossings *c = user;

    RG_TRY(look(c, t));
    *is_before = false;
    for (int64_t k = 0; k < c->switches->n && !*is_before; k++)
        *is_before = c->mode[k] != 0.0 && c->known[k] != 0.0 && c->mode[k] != c->known[k];
    return RG_OK;
}

static void learn(rg_crossings *c)
{
    for (int64_t k = 0; k < c->switches->n; k++)
        if (c->mode[k] != 0.0) c->known[k] = c->mode[k];
}

rg_status rg_crossings_begin(rg_crossings *c, double t)
{
    c->n = 0;
    c->t = t;
    if (c->switches->n == 0) return RG_OK;
    RG_TRY(look(c, t));
    memcpy(c->known, c->mode, (size_t)c->switches->n * sizeof *c->known);
    return RG_OK;
}

rg_status rg_crossings_go_on(rg_crossings *c, double t)
{
    bool is_before;

    if (c->switches->n == 0) return RG_OK;
    RG_TRY(has_changed(c, t, &is_before));
    for (int k = 0; k < RG_CROSSINGS_BETWEEN && is_before; k++) {
        double left = c->t, right = t;
        RG_TRY(rg_crossing_narrow(has_changed, c, &left, &right));
        RG_TRY(rg_grow(c->ctx, &c->times, c->n, &c->capacity, sizeof *c->times));
        c->times[c->n++] = c->t = right;
        RG_TRY(look(c, right));
        learn(c);
        RG_TRY(has_changed(c, t, &is_before));
    }
    learn(c);
    c->t = t;
    return RG_OK;
}
