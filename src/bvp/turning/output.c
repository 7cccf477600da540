/* A turning point problem's solution as points and steps.
 *
 * One unknown u of second order: states (u, u'); of a pair: (u, w) in the model's order, w = factor
 * u'.  u'' is the slope of u' between mesh points.  Polynomials, where they are kept: a line
 * outside of layers, cubics on parts of an interval inside, so short that they follow the
 * exponential. */
#include "bvp/turning/method.h"

#include "bvp/turning/tuning.h"
#include "curve/writer.h"

#include <math.h>

typedef struct {
    const rg_turn_solution *s;
    rg_writer writer;
    int interval; /* of the mesh, in which values are asked for */
    double y[2], yp[2];
    double powers[4 * 2];
} output;

void rg_turn_states(const rg_turn_solution *s, int i, double x, double *y, double *yp)
{
    const rg_turning *v = s->view;
    const double second = (s->up[i + 1] - s->up[i]) / (s->x[i + 1] - s->x[i]);
    double u, up;

    rg_turn_eval_in(s, i, x, &u, &up);
    const int iu = v->slope >= 0 ? (int)v->unknown : 0, iw = 1 - iu;
    const double factor = v->slope >= 0 ? v->factor : 1.0;
    y[iu] = u;
    y[iw] = factor * up;
    yp[iu] = up;
    yp[iw] = factor * second;
}

static rg_status eval(void *user, double x, double *y, double *yp)
{
    const output *o = user;

    rg_turn_states(o->s, o->interval, x, y, yp);
    return RG_OK;
}

/* Hermite's cubic of every state from (y, y') at both ends. */
static void fit(output *o, double h, const double *y0, const double *yp0)
{
    for (int j = 0; j < 2; j++) {
        const double d = o->y[j] - y0[j], p0 = h * yp0[j], p1 = h * o->yp[j];
        o->powers[j] = y0[j];
        o->powers[2 + j] = p0;
        o->powers[4 + j] = 3.0 * d - 2.0 * p0 - p1;
        o->powers[6 + j] = p0 + p1 - 2.0 * d;
    }
}

static void draw_line(output *o, const double *y0)
{
    for (int j = 0; j < 2; j++) {
        o->powers[j] = y0[j];
        o->powers[2 + j] = o->y[j] - y0[j];
        o->powers[4 + j] = o->powers[6 + j] = 0.0;
    }
}

/* From where the last step ended to x1. */
static rg_status put(output *o, double x0, double x1, bool is_layer)
{
    const double y0[2] = {o->y[0], o->y[1]}, yp0[2] = {o->yp[0], o->yp[1]};

    RG_TRY(eval(o, x1, o->y, o->yp));
    if (is_layer)
        fit(o, x1 - x0, y0, yp0);
    else
        draw_line(o, y0);
    const rg_solution_step step = {
        .t0 = x0, .t1 = x1, .y = o->y, .yp = o->yp, .degree = 3, .coefficients = o->powers};
    return rg_writer_step(&o->writer, &step);
}

/* Interval i, from `from` to `to`, in one step; in parts where polynomials of a layer are kept. */
static rg_status put_interval(output *o, int i, double from, double to)
{
    const rg_turn_solution *s = o->s;
    const bool is_kept = o->writer.request->keep == RG_KEEP_STEPS && s->is_layer[i];
    const rg_turn_half *h = &s->half[s->x[i] < s->x0 ? 0 : 1];
    const double decay = h->m1 * h->length * fabs(to - from) / s->view->eps;
    const int parts = is_kept ? (int)fmin(ceil(RG_TURN_PARTS * decay), RG_TURN_MOST_PARTS) : 1;

    o->interval = i;
    for (int k = 0; k < parts || k == 0; k++) {
        const double x0 = k == 0 ? from : from + (to - from) * k / parts;
        const double x1 = k >= parts - 1 ? to : from + (to - from) * (k + 1) / parts;
        RG_TRY(put(o, x0, x1, is_kept));
    }
    return RG_OK;
}

static rg_status put_all(output *o, bool is_reversed)
{
    const rg_turn_solution *s = o->s;
    const double start = is_reversed ? s->x[s->n] : s->x[0];

    o->interval = is_reversed ? s->n - 1 : 0;
    RG_TRY(eval(o, start, o->y, o->yp));
    RG_TRY(rg_writer_start(&o->writer, start, o->y, o->yp));
    for (int k = 0; k < s->n; k++) {
        const int i = is_reversed ? s->n - 1 - k : k;
        RG_TRY(put_interval(o, i, s->x[is_reversed ? i + 1 : i], s->x[is_reversed ? i : i + 1]));
    }
    return RG_OK;
}

static rg_status make_layout(const rg_turning *v, rg_layout **out)
{
    const int n = (int)v->p->n; /* 1: u, u' are states; 2: u and w */

    RG_TRY(rg_layout_create(v->ctx, 2, n, n == 1 ? 3 : 2, out));
    (*out)->place[0][0] = 0;
    if (n == 2) {
        (*out)->place[1][0] = 2;
        (*out)->place[0][1] = 1;
        (*out)->place[1][1] = 3;
    }
    return RG_OK;
}

rg_status rg_turn_write(rg_problem *p, const rg_turn_solution *s, const rg_request *r,
                        rg_solution **out)
{
    output o = {.s = s};
    rg_layout *layout = NULL;

    o.writer = (rg_writer){.user = &o, .eval = eval};
    RG_TRY(make_layout(s->view, &layout));
    rg_status status = rg_writer_open(&o.writer, p, &layout, 0, r, out);
    if (status == RG_OK) status = put_all(&o, p->a > s->x0);
    return rg_writer_close(&o.writer, status, 0, NULL);
}
