/* Times at which the coefficients of a linear model switch branch: found by samples, and halving
 * between two that differ.
 *
 * A linear model switches by functions of t alone, so unknowns do not matter.  A branch that is
 * left and entered again between two samples is overlooked. */
#include "base/tuning.h"
#include "problem/assembly.h"
#include "views/linear/linear.h"
#include "views/switches.h"

#include <math.h>
#include <string.h>

typedef struct {
    rg_context *ctx;
    rg_switches switches;
    rg_assembly_work *work;
    double *z, *left, *now; /* modes */
    double gap;             /* closer ones are one */
    int64_t n, capacity;
    double *times;
} search;

static rg_status modes_at(search *s, double t, double *mode)
{
    const rg_status status = rg_assembly_residual(s->switches.values, s->work, t, s->z, mode);

    if (status < 0) return status;
    for (int64_t k = 0; k < s->switches.n; k++)
        mode[k] = isfinite(mode[k]) ? rg_switch_mode(&s->switches, k, mode[k]) : 0.0;
    return RG_OK;
}

static bool is_same(const search *s)
{
    return memcmp(s->left, s->now, (size_t)s->switches.n * sizeof *s->now) == 0;
}

static rg_status note(search *s, double t)
{
    if (s->n > 0 && t - s->times[s->n - 1] <= s->gap) return RG_OK;
    RG_TRY(rg_grow(s->ctx, &s->times, s->n, &s->capacity, sizeof *s->times));
    s->times[s->n++] = t;
    return RG_OK;
}

/* The first change behind t_0, where the modes are those in s->left; at t_1 they are others. */
static rg_status halve(search *s, double t_0, double t_1, double *found)
{
    for (int k = 0; k < RG_BREAKS_HALVINGS && t_1 - t_0 > RG_BREAKS_RESOLVED * s->gap; k++) {
        const double middle = 0.5 * (t_0 + t_1);
        if (middle == t_0 || middle == t_1) break;
        RG_TRY(modes_at(s, middle, s->now));
        if (is_same(s))
            t_0 = middle;
        else
            t_1 = middle;
    }
    *found = t_1;
    return note(s, t_1);
}

static rg_status look(search *s, double low, double high)
{
    double last = low;

    RG_TRY(modes_at(s, low, s->left));
    for (int k = 1; k <= RG_BREAKS_SAMPLES; k++) {
        const double t = low + (high - low) * k / RG_BREAKS_SAMPLES;
        for (int tries = 0; tries < RG_BREAKS_TRIES;
             tries++) { /* several changes between two samples */
            RG_TRY(modes_at(s, t, s->now));
            if (is_same(s) || last >= t) break;
            RG_TRY(halve(s, last, t, &last));
            RG_TRY(modes_at(s, last, s->left));
        }
        memcpy(s->left, s->now, (size_t)s->switches.n * sizeof *s->now);
        last = t;
    }
    return RG_OK;
}

static rg_status prepare(search *s, const rg_problem *p, const rg_states *states)
{
    RG_TRY(rg_switches_init(p, states, &s->switches));
    if (s->switches.n == 0) return RG_OK;
    RG_TRY(rg_assembly_work_create(s->switches.values, &s->work));
    s->z = rg_alloc(s->ctx, 2 * (size_t)states->n_states + 1, sizeof *s->z);
    s->left = rg_alloc(s->ctx, (size_t)s->switches.n, sizeof *s->left);
    s->now = rg_alloc(s->ctx, (size_t)s->switches.n, sizeof *s->now);
    return s->z == NULL || s->left == NULL || s->now == NULL ? RG_ERR_MEMORY : RG_OK;
}

rg_status rg_linear_breaks(const rg_problem *p, const rg_states *states, double low, double high,
                           int64_t *n, double **times)
{
    search s = {.ctx = p->ctx, .gap = RG_BREAKS_GAP * (high - low)};

    *n = 0;
    *times = NULL;
    rg_status status = prepare(&s, p, states);
    if (status == RG_OK && s.switches.n > 0) status = look(&s, low, high);
    rg_assembly_work_destroy(&s.work);
    rg_switches_clear(p->ctx, &s.switches);
    rg_free(p->ctx, s.z);
    rg_free(p->ctx, s.left);
    rg_free(p->ctx, s.now);
    if (status == RG_OK) {
        *n = s.n;
        *times = s.times;
    } else {
        rg_free(p->ctx, s.times);
    }
    return status;
}
