/* Finds the times at which equations change branch, and ends steps there. */
#include "ivp/events.h"

#include "base/pieces.h"
#include "ivp/method.h"
#include "ivp/tuning.h"
#include "views/crossings.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 8 };
/* Where in a step the modes are looked at: the nodes of the three- and five-stage Radau IIA methods
 * are among them, since a stage behind a switch spoils the step even if the values in between do
 * not show it. */
static const double sample[SAMPLES] = {0.0571, 0.1551, 0.2768, 0.42, 0.5836, 0.6449, 0.8602, 1.0};

struct rg_events {
    rg_context *ctx;
    rg_integrator *g;
    int64_t n;        /* switching functions */
    void *memory;     /* of all arrays */
    double *mode;     /* of the branch the run is on; 0: not known yet */
    double *values;   /* of the functions */
    double *y0, *yp0; /* before the step */
    double *y, *yp;   /* on the way */
    double step;      /* the step in which the change was seen */
    double last;      /* time of the last switch */
    int64_t count;
    rg_progress progress;
    int close;   /* switches in a row that were close together */
    bool is_due; /* the last step ends at one, and was handed out */
};

rg_status rg_events_create(rg_integrator *g, rg_events **out)
{
    const int64_t n = rg_system_switch_count(g->system);

    *out = NULL;
    if (n == 0) return RG_OK;
    rg_events *e = rg_alloc(g->ctx, 1, sizeof *e);
    if (e == NULL) return RG_ERR_MEMORY;
    e->ctx = g->ctx;
    e->g = g;
    e->n = n;
    e->last = NAN;
    rg_status status = RG_TAKE(g->ctx, &e->memory, RG_PIECE(e->mode, n), RG_PIECE(e->values, n),
                               RG_PIECE(e->y0, g->n), RG_PIECE(e->yp0, g->n), RG_PIECE(e->y, g->n),
                               RG_PIECE(e->yp, g->n));
    if (status == RG_OK) {
        status = rg_system_switch_modes(g->system, g->work, g->t, g->y, g->yp, e->mode);
        if (status == RG_RETRY) status = RG_OK;
    }
    if (status == RG_OK)
        *out = e;
    else
        rg_events_destroy(&e);
    return status;
}

void rg_events_destroy(rg_events **events)
{
    rg_events *e = *events;

    if (e == NULL) return;
    rg_free(e->ctx, e->memory);
    rg_free(e->ctx, e);
    *events = NULL;
}

void rg_events_store(rg_events *e, rg_store *s)
{
    rg_store_reals(s, e->mode, e->n);
    RG_STORE(s, e->step);
    RG_STORE(s, e->last);
    RG_STORE(s, e->count);
    RG_STORE(s, e->progress.anchor);
    RG_STORE(s, e->progress.anchor_step);
    RG_STORE(s, e->progress.since);
    RG_STORE(s, e->close);
}

int64_t rg_events_count(const rg_events *e)
{
    return e->count;
}

/* Has some function left its mode at time t of the last step?  A mode not known yet is not left. */
static bool has_changed(rg_events *e, double t)
{
    rg_integrator *g = e->g;

    rg_integrator_eval(g, t, e->y, e->yp);
    if (rg_system_switch_modes(g->system, g->work, t, e->y, e->yp, e->values) != RG_OK)
        return false;
    for (int64_t k = 0; k < e->n; k++)
        if (e->mode[k] != 0.0 && e->values[k] != 0.0 && e->values[k] != e->mode[k]) return true;
    return false;
}

/* Modes that were 0 at the start (on the edge) are those seen first. */
static void learn_modes(rg_events *e)
{
    for (int64_t k = 0; k < e->n; k++)
        if (e->mode[k] == 0.0) e->mode[k] = e->values[k];
}

static rg_status is_behind(void *user, double t, bool *is_before)
{
    *is_before = has_changed(user, t);
    return RG_OK;
}

/* The first change in the last step: *left before it, *right behind it, next to each other. */
static bool find_change(rg_events *e, double t0, double *left, double *right)
{
    const double t1 = e->g->t;

    *left = t0;
    for (int k = 0; k < SAMPLES; k++) {
        *right = k == SAMPLES - 1 ? t1 : t0 + (t1 - t0) * sample[k];
        if (has_changed(e, *right)) break;
        learn_modes(e);
        *left = *right;
    }
    if (*left == t1) return false;
    rg_crossing_narrow(is_behind, e, left, right);
    return true;
}

static rg_status chattering(rg_context *ctx, double t)
{
    rg_fail(ctx, RG_ERR_CONVERGENCE,
            "at t = %.10g the equations switch back and forth without end (sliding motion)", t);
    rg_fail_time(ctx, t);
    return rg_remedy(ctx, "smooth the switch, for example tanh(x/1e-3) for sign(x), and "
                          "limit the steps with --h_max");
}

/* Changes that follow each other without end. */
static rg_status note_change(rg_events *e, double t, double t_end)
{
    const double span = fabs(t_end - e->g->t_start);

    e->close = fabs(t - e->last) <= RG_EVENTS_CHATTER_PART * span ? e->close + 1 : 0;
    e->last = t;
    return e->close >= RG_EVENTS_CHATTER ? chattering(e->ctx, t) : RG_OK;
}

/* Where values are smaller than the tolerance their signs mean nothing, and a sliding motion may
 * look like many tiny steps without any change: progress itself is watched too.  A run that does
 * not get on faster than this, and whose steps do not grow, would need more than
 * RG_EVENTS_STUCK/RG_EVENTS_STUCK_PART steps. */
double rg_progress_note(rg_progress *p, const rg_integrator *g, double step, double t_end)
{
    if (p->since++ == 0) {
        p->anchor = g->t;
        p->anchor_step = step;
    }
    if (p->since < RG_EVENTS_STUCK) return INFINITY;
    p->since = 0;
    if (fabs(step) > 2.0 * fabs(p->anchor_step)) return INFINITY;
    return fabs(g->t - p->anchor) / fabs(t_end - g->t_start);
}

/* A run that cannot go on right behind a switch slides along it; farther away that is only one
 * possible cause. */
static rg_status stopped_near_switch(rg_events *e, double t_end)
{
    const double span = fabs(t_end - e->g->t_start);

    if (!(fabs(e->g->t - e->last) <= RG_EVENTS_STUCK_PART * span))
        return rg_remedy(
            e->ctx, "the equations switched before: if the solution slides along a "
                    "switch here, smooth it, for example tanh(x/1e-3) for sign(x), with --h_max");
    rg_clear_error(e->ctx);
    return chattering(e->ctx, e->g->t);
}

/* The run stands just before a change.  Where does the branch really change, a little further on?
 * The accuracy of the steps decides by how much the crossing differs from the one seen first;
 * too far away: not yet. */
static bool find_other_side(rg_events *e, double left, double first, double *right)
{
    const double h = fabs(left - e->g->t_previous);

    for (double d = first - left; fabs(d) <= fmax(RG_SAME * h, fabs(first - left)); d *= 4.0) {
        *right = left + d;
        if (has_changed(e, *right)) return true;
        if (d == 0.0) return false;
    }
    return false;
}

/* What is differentiated cannot jump: with a constraint that does, the run ends here.  e->y is
 * behind the switch, e->y0 before it at the same time. */
static rg_status check_jump(rg_events *e, double t)
{
    const rg_integrator *g = e->g;
    const rg_pattern *p = rg_system_pattern(g->system);
    const double allowed = fmax(RG_JUMP_TOLERANCES * g->options.rtol, RG_JUMP_LEAST);
    char name[128];

    if (rg_system_drift_levels(g->system) == 0) return RG_OK;
    uint8_t *kinds = rg_alloc(e->ctx, (size_t)p->start[p->n_columns] + 1, 1);
    if (kinds == NULL) return RG_ERR_MEMORY;
    rg_system_entry_kinds(g->system, kinds);
    int64_t state = -1;
    for (int64_t j = 0; j < g->n && state < 0; j++) {
        bool is_held = false;
        for (int64_t k = p->start[j]; k < p->start[j + 1]; k++)
            is_held = is_held || kinds[k] >= 2;
        const double size = fabs(e->y0[j]) + rg_integrator_unit(g, j);
        if (is_held && fabs(e->y[j] - e->y0[j]) > allowed * size) state = j;
    }
    rg_free(e->ctx, kinds);
    if (state < 0) return RG_OK;
    rg_system_state_name(g->system, state, name, sizeof name);
    rg_fail(e->ctx, RG_ERR_CONVERGENCE,
            "at t = %.10g %s would have to jump, because a constraint switches", t, name);
    rg_fail_time(e->ctx, t);
    return rg_remedy(e->ctx, "a constraint that jumps needs an impulse: let it change "
                             "continuously, or describe the impact in equations");
}

/* Restarts where the run stands with consistent values of the new branch; e->y, e->yp and e->values
 * hold the values on the other side. */
static rg_status cross(rg_events *e, double t, double t_end)
{
    rg_integrator *g = e->g;

    e->count++;
    rg_integrator_note_switch(g, t);
    rg_log(e->ctx, 2, "switch at t = %.10g", t);
    memcpy(e->mode, e->values, (size_t)e->n * sizeof *e->mode);
    memcpy(e->y0, e->y, (size_t)g->n * sizeof *e->y0); /* the start of the step is over */
    const rg_status status = rg_system_restart(g->system, t, e->y, e->yp);
    if (status < 0) return status;
    RG_TRY(check_jump(e, t));
    const rg_state from = {t, e->y, e->yp};
    RG_TRY(rg_integrator_restart(g, &from, RG_EVENTS_RESTART * fabs(e->step)));
    return rg_integrator_set_end(g, t_end);
}

/* The last step again, from e->y0 at t0, to end at `left`; shorter ones if a change shows up
 * earlier. */
static rg_status retake(rg_events *e, double t0, double *left, double *right)
{
    rg_integrator *g = e->g;

    for (int k = 0; k < RG_EVENTS_RETAKES; k++) {
        const rg_state before = {t0, e->y0, e->yp0};
        RG_TRY(rg_integrator_restart(g, &before, *left - t0));
        g->stats.steps--;
        g->stats.rejected++;
        RG_TRY(rg_integrator_set_end(g, *left));
        RG_TRY(rg_integrator_step(g));
        double earlier, behind;
        if (!find_change(e, t0, &earlier, &behind) || earlier == t0) return RG_OK;
        *left = earlier;
        *right = behind;
    }
    return RG_OK;
}

rg_status rg_events_step(rg_events *e, rg_step_sink *sink, void *user)
{
    rg_integrator *g = e->g;
    const double t_end = g->t_end;
    double left, right;

    if (e->is_due) { /* the sink stopped before */
        e->is_due = false;
        RG_TRY(cross(e, g->t, t_end));
    }
    const double t0 = g->t;
    memcpy(e->y0, g->y, (size_t)g->n * sizeof *g->y);
    memcpy(e->yp0, g->yp, (size_t)g->n * sizeof *g->yp);
    const rg_status status = rg_integrator_step(g);
    if (status == RG_ERR_CONVERGENCE && e->count > 0) return stopped_near_switch(e, t_end);
    if (status != RG_OK) return status;
    e->step = g->t - t0;
    if (rg_progress_note(&e->progress, g, e->step, t_end) <= RG_EVENTS_STUCK_PART)
        return chattering(e->ctx, g->t);
    if (!find_change(e, t0, &left, &right)) return sink != NULL ? sink(g, user) : RG_OK;
    RG_TRY(note_change(e, left, t_end));
    if (left == t0) { /* at once: nothing to approach */
        has_changed(e, right);
        return cross(e, right, t_end);
    }
    RG_TRY(retake(e, t0, &left, &right));
    const bool is_there = g->t == left && find_other_side(e, left, right, &right);
    if (is_there) g->t = (t_end - right) * g->direction < 0.0 ? t_end : right; /* some roundings */
    e->is_due = is_there;
    if (sink != NULL) RG_TRY(sink(g, user));
    e->is_due = false;
    return is_there ? cross(e, g->t, t_end) : rg_integrator_set_end(g, t_end);
}
