/* Margins of the branches: positive as long as a branch is valid. */
#include "ivp/switching/switching.h"

#include "ivp/switching/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

rg_integrator *rg_switching_active(const rg_switching *s)
{
    return s->is_sliding ? s->slider : s->g;
}

void rg_switching_hold(rg_switching *s)
{
    s->is_sliding = false;
    for (int64_t k = 0; k < s->n; k++) {
        const rg_switch *c = &s->switches[s->class_of[k]];
        const bool is_zero = c->branch == 0.0 && !c->is_whole && !c->slides;
        s->branch[k] = c->is_whole ? c->branch : s->sign[k] * c->branch;
        if (is_zero) s->branch[k] = rg_system_switch_mode(s->g->system, k, 0.0);
    }
    for (int64_t c = 0; c < s->m; c++) {
        const rg_switch *w = &s->switches[c];
        if (w->slide >= 0) s->slides[w->slide] = w->slides;
        s->is_sliding = s->is_sliding || w->slides;
    }
    s->g->along = s->is_sliding ? s : NULL;
    rg_system_hold(s->g->system, s->g->work, s->branch);
    if (s->trial != NULL) rg_system_slide_hold(s->trial->work, s->slides, s->branch);
    if (s->slider != NULL) rg_system_slide_hold(s->slider->work, s->slides, s->branch);
}

double rg_switching_value(const rg_switching *s, int64_t c)
{
    return s->values[s->switches[c].function];
}

/* The branches that slide enter functions of functions: held at their values for the moment. */
static void follow_sliding(rg_switching *s, const double *y)
{
    memcpy(s->along, s->branch, (size_t)s->n * sizeof *s->along);
    for (int64_t k = 0; k < s->n; k++) {
        const rg_switch *c = &s->switches[s->class_of[k]];
        if (!c->slides) continue;
        const double mu = y[s->g->n + c->slide];
        s->along[k] = c->is_whole ? c->branch - 0.5 + 0.5 * mu : s->sign[k] * mu;
    }
    rg_system_hold(s->g->system, s->g->work, s->along);
}

/* NaN: the function has no value there.  The branch of another one in it ends before, and that one
 * is looked at. */
static rg_status take_values(rg_switching *s, double t, const double *y, const double *yp)
{
    const rg_integrator *g = s->g;
    const rg_status status = rg_system_switch_values(g->system, g->work, t, y, yp, s->values);

    for (int64_t k = 0; k < s->n && status > 0; k++)
        if (!isfinite(s->values[k])) s->values[k] = NAN;
    return status < 0 ? status : RG_OK;
}

/* The margins at a point that the run is not at: nothing is learnt from it. */
rg_status rg_switching_margins_before(rg_switching *s, double t, const double *y, const double *yp,
                                      double *margins)
{
    const rg_integrator *g = s->g;

    if (s->is_sliding) follow_sliding(s, y);
    RG_TRY(take_values(s, t, y, yp));
    for (int64_t c = 0; c < s->m; c++) {
        const rg_switch *w = &s->switches[c];
        const double v = s->values[w->function];
        if (w->slides) {
            const double mu = y[g->n + w->slide];
            margins[c] = 1.0 - mu * mu;
        } else if (w->is_whole) {
            margins[c] = (v - w->branch) * (w->branch + 1.0 - v);
        } else {
            margins[c] = w->branch * (w->branch * v > 0.0 ? v : v - w->offset);
            if (w->branch == 0.0) margins[c] = -fabs(v);
        }
    }
    return RG_OK;
}

rg_status rg_switching_margins(rg_switching *s, double t, const double *y, const double *yp,
                               double *margins)
{
    RG_TRY(rg_switching_margins_before(s, t, y, yp, margins));
    for (int64_t c = 0; c < s->m; c++) {
        rg_switch *w = &s->switches[c];
        const double v = s->values[w->function];
        if (w->branch * v > 0.0) w->offset = 0.0;
    }
    return RG_OK;
}

/* S = sum |ds/dy_i| (|y_i| + 1e-3 unit_i) + sum |ds/dy'_i| |y'_i| + 1e-3 |s|, and at least 1/100 of
 * the largest value seen; so large, too, that what a rounding of the time changes is noise. */
rg_status rg_switching_sizes(rg_switching *s, double t, const double *y, const double *yp)
{
    const rg_integrator *g = s->g;
    const double moment = 2.0 * DBL_EPSILON * fabs(t);

    for (int64_t k = 0; k < g->n; k++)
        s->unit[k] = fmax(s->unit[k], RG_SWITCH_LARGE * fabs(y[k]));
    if (s->is_sliding) follow_sliding(s, y);
    RG_TRY(take_values(s, t, y, yp));
    const rg_status status =
        rg_system_switch_sizes(g->system, g->work, t, y, yp, s->unit, s->margins, s->span);
    if (status < 0) return status;
    for (int64_t c = 0; c < s->m; c++) {
        rg_switch *w = &s->switches[c];
        const double v = fabs(s->values[w->function]), span = s->span[w->function];
        const double size = s->margins[w->function] + 1e-3 * (span + v);
        if (!isfinite(size) && s->sizes[c] > 0.0) continue; /* no slope there: as before */
        w->error = g->options.rtol * (s->margins[w->function] + fmin(span, w->largest));
        s->sizes[c] = fmax(size, 1e-2 * w->largest);
        if (!w->slides) s->sizes[c] = fmax(s->sizes[c], w->rate * moment / RG_LOCATE_NOISE);
        if (w->is_whole) s->sizes[c] = fmax(s->sizes[c], 1.0);
    }
    return RG_OK;
}
