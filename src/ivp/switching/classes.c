/* Which switching functions are one switch, and when those of time alone switch. */
#include "ivp/switching/switching.h"

#include "base/pieces.h"
#include "ivp/switching/tuning.h"
#include "ivp/tuning.h"
#include "views/timed.h"
#include "views/tuning.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCALES = 2 * RG_CLASS_SCALES + 1, PROBES = SCALES * RG_CLASS_POINTS };

typedef struct {
    double value[PROBES]; /* at points of one scale after the other: divided by the first of them */
    double first;         /* at the very first point */
    double print;         /* of what it depends on there, rg_system_switch_prints() */
    int64_t function;
    rg_switch_nature nature;
} probe;

/* Where it cannot be told, the values tell. */
static bool has_same_print(const probe *x, const probe *y)
{
    return !isfinite(x->print) || !isfinite(y->print)
           || fabs(x->print - y->print) <= RG_SAME * (1.0 + fabs(x->print));
}

static int by_value(const void *a, const void *b)
{
    const probe *x = a, *y = b;

    if (x->nature.is_whole != y->nature.is_whole) return x->nature.is_whole ? 1 : -1;
    if (x->nature.nodes.grid != y->nature.nodes.grid)
        return x->nature.nodes.grid < y->nature.nodes.grid ? -1 : 1;
    for (int k = 0; k < PROBES; k++)
        if (x->value[k] != y->value[k]
            && !(fabs(x->value[k] - y->value[k])
                 <= RG_SAME * fmax(fabs(x->value[k]), fabs(y->value[k]))))
            return x->value[k] < y->value[k] ? -1 : 1;
    if (!has_same_print(x, y)) return x->print < y->print ? -1 : 1;
    return x->function < y->function ? -1 : x->function > y->function;
}

/* The same value at all points, as pulses have between them, exp(-((t - c)/0.002)^2) - 0.5: nothing
 * tells it from others. */
static bool is_flat(const probe *x)
{
    bool is_so = !x->nature.is_whole;

    for (int k = 0; k < PROBES && is_so; k++)
        is_so = fabs(x->value[k] - 1.0) <= RG_SAME;
    return is_so;
}

static bool is_same(const probe *x, const probe *y)
{
    bool same = !is_flat(x) && x->nature.is_whole == y->nature.is_whole
                && x->nature.nodes.grid == y->nature.nodes.grid && isfinite(x->first)
                && isfinite(y->first) && has_same_print(x, y);

    for (int k = 0; k < PROBES && same; k++)
        same =
            fabs(x->value[k] - y->value[k]) <= RG_SAME * fmax(fabs(x->value[k]), fabs(y->value[k]));
    if (x->nature.is_whole) same = same && fabs(x->first - y->first) <= RG_SAME * fabs(x->first);
    return same;
}

/* Numbers between 0 and 1 that repeat from run to run. */
static double chance(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* Which functions are found to be one so far. */
typedef struct {
    int64_t *first; /* per function: the smallest number of its class */
    int64_t *place; /* ... where it stands among the probes */
    int8_t *sign;   /* ... of the ratio to the first one */
    double *mode;   /* ... its branch at the start */
    double *mu;     /* ... a number between the branches */
} draft;

static rg_status find_modes(rg_switching *s, draft *d)
{
    const rg_integrator *g = s->g;

    rg_system_hold(g->system, g->work, NULL);
    const rg_status status = rg_system_switch_modes(g->system, g->work, g->t, g->y, g->yp, d->mode);
    for (int64_t k = 0; k < s->n; k++)
        if (status != RG_OK || !isfinite(d->mode[k]) || d->mode[k] == 0.0) d->mode[k] = 1.0;
    return status < 0 ? status : RG_OK;
}

/* Branches between those of the start and random ones, the same for what is known to be one: a
 * function may stand inside others. */
static void hold_branches(rg_switching *s, const draft *d, double distance, uint64_t *state)
{
    for (int64_t k = 0; k < s->n; k++) {
        d->mu[k] = chance(state) < 0.5 ? 0.3 : 0.7;
        d->mu[k] = d->mode[k] + distance * (d->mu[k] - d->mode[k]);
    }
    for (int64_t k = 0; k < s->n; k++)
        s->branch[k] = d->sign[k] * d->mu[d->first[k]];
    rg_system_hold(s->g->system, s->g->work, s->branch);
}

/* Values of all functions at a random point, so far from `near` times the start, with random
 * branches. */
static rg_status take_point(rg_switching *s, const draft *d, double near, double distance,
                            uint64_t *state, bool *is_there)
{
    const rg_integrator *g = s->g;

    for (int64_t k = 0; k < g->n; k++) {
        const double y = g->y[k], yp = g->yp[k], unit = s->unit[k];
        s->here.y[k] = near * y + distance * (0.1 + chance(state)) * (unit + fabs(y));
        s->here.yp[k] = near * yp + distance * (0.1 + chance(state)) * (unit + fabs(yp));
    }
    hold_branches(s, d, distance, state);
    s->here.t = g->t + chance(state) * (g->t_end - g->t);
    const rg_status status =
        rg_system_switch_values(g->system, g->work, s->here.t, s->here.y, s->here.yp, s->values);
    *is_there = status == RG_OK;
    return status < 0 ? status : RG_OK;
}

/* At the point that was taken last. */
static rg_status take_prints(rg_switching *s, probe *probes)
{
    const rg_integrator *g = s->g;
    const rg_status status =
        rg_system_switch_prints(g->system, g->work, s->here.t, s->here.y, s->here.yp, s->values);

    for (int64_t k = 0; k < s->n; k++)
        probes[k].print = status == RG_OK ? s->values[k] : NAN;
    return status < 0 ? status : RG_OK;
}

/* At points that are as far from the start as functions have values: sqrt, log and powers may end
 * far nearer than the unit of an unknown. */
static rg_status take_values(rg_switching *s, const draft *d, probe *probes)
{
    bool is_there = false;

    for (int64_t k = 0; k < s->n; k++)
        probes[k] = (probe){.function = k, .nature = rg_system_switch_nature(s->g->system, k)};
    for (double distance = 1.0; distance >= RG_CLASS_NEAREST && !is_there; distance *= 0.1) {
        uint64_t state = 1;
        is_there = true;
        for (int i = 0; i < RG_CLASS_POINTS; i++) {
            bool is_finite;
            RG_TRY(take_point(s, d, 1.0, distance, &state, &is_finite));
            for (int64_t k = 0; k < s->n; k++) {
                const double v = is_finite ? s->values[k] : NAN;
                if (i == 0) probes[k].first = v;
                probes[k].value[i] = v / probes[k].first;
            }
            if (i == 0 && is_finite) RG_TRY(take_prints(s, probes));
            is_there = is_there && is_finite;
        }
    }
    return RG_OK;
}

/* The same at points of other sizes:  1e12 x  and  1e12 x - 2  are one at  x = 1,  1e-12 x - 1
 * and  1e-12 x + 1  too.  Where functions have no values there, or none but zero, nothing is
 * said. */
static rg_status take_scales(rg_switching *s, const draft *d, probe *probes)
{
    for (int j = 1; j < SCALES; j++) {
        const double scale = pow(RG_CLASS_SCALE, j % 2 == 0 ? j / 2 : -(j + 1) / 2);
        uint64_t state = (uint64_t)j;
        for (int i = 0; i < RG_CLASS_POINTS; i++) {
            bool is_finite;
            RG_TRY(take_point(s, d, 0.0, scale, &state, &is_finite));
            for (int64_t k = 0; k < s->n; k++) {
                double *const at = probes[k].value + j * RG_CLASS_POINTS;
                at[i] = is_finite ? s->values[k] : 0.0;
                if (i < RG_CLASS_POINTS - 1) continue;
                for (int e = i; e >= 0; e--)
                    at[e] = at[0] != 0.0 && isfinite(at[e] / at[0]) ? at[e] / at[0] : 1.0;
            }
        }
    }
    return RG_OK;
}

/* Classes by the values; returns how many there are. */
static int64_t sort_classes(const rg_switching *s, draft *d, probe *probes)
{
    int64_t begin = 0, count = 0;

    qsort(probes, (size_t)s->n, sizeof *probes, by_value);
    for (int64_t i = 0; i < s->n; i++) {
        if (i > 0 && !is_same(&probes[begin], &probes[i])) begin = i;
        d->place[probes[i].function] = i;
        d->first[probes[i].function] = probes[begin].function;
        count += begin == i;
    }
    for (int64_t k = 0; k < s->n; k++) /* the smallest number of each set */
        if (k < d->first[k]) {
            const int64_t old = d->first[k];
            for (int64_t j = k; j < s->n; j++)
                if (d->first[j] == old) d->first[j] = k;
        }
    for (int64_t k = 0; k < s->n; k++) {
        const probe *x = &probes[d->place[k]], *y = &probes[d->place[d->first[k]]];
        d->sign[k] = d->first[k] == k || x->first * y->first > 0.0 ? 1 : -1;
    }
    return count;
}

static void add_class(rg_switching *s, const rg_switch_nature *nature, int64_t k)
{
    s->switches[s->m++] = (rg_switch){.function = k,
                                      .is_whole = nature->is_whole,
                                      .jumps = nature->jumps,
                                      .is_timed = nature->is_timed,
                                      .slide = -1};
}

/* Classes in the order of their first functions. */
static void number_classes(rg_switching *s, const draft *d)
{
    for (int64_t k = 0; k < s->n; k++) {
        const rg_switch_nature nature = rg_system_switch_nature(s->g->system, k);
        s->sign[k] = d->sign[k];
        if (d->first[k] == k) {
            s->class_of[k] = (int32_t)s->m;
            add_class(s, &nature, k);
            continue;
        }
        s->class_of[k] = s->class_of[d->first[k]];
        if (nature.jumps) s->switches[s->class_of[k]].jumps = true;
    }
    s->is_timed = true;
    for (int64_t c = 0; c < s->m; c++) {
        rg_switch *w = &s->switches[c];
        if (w->jumps && !w->is_timed) w->slide = s->n_slide++;
        s->is_timed = s->is_timed && w->is_timed;
    }
}

/* Functions that contain others are found to be one after those. */
static rg_status find_classes(rg_switching *s, draft *d, probe *probes)
{
    int64_t count = s->n + 1, before;

    for (int64_t k = 0; k < s->n; k++) {
        d->first[k] = k;
        d->sign[k] = 1;
    }
    RG_TRY(find_modes(s, d));
    do {
        before = count;
        RG_TRY(take_values(s, d, probes));
        RG_TRY(take_scales(s, d, probes));
        count = sort_classes(s, d, probes);
    } while (count < before);
    return RG_OK;
}

rg_status rg_switching_join(rg_switching *s)
{
    const int64_t n = s->n;
    probe *probes = NULL;
    draft d = {0};
    void *memory = NULL;
    rg_status status =
        RG_TAKE(s->ctx, &memory, RG_PIECE(probes, n), RG_PIECE(d.first, n), RG_PIECE(d.place, n),
                RG_PIECE(d.mode, n), RG_PIECE(d.mu, n), RG_PIECE(d.sign, n));

    if (status == RG_OK) status = find_classes(s, &d, probes);
    if (status == RG_OK) number_classes(s, &d);
    rg_system_hold(s->g->system, s->g->work, NULL);
    rg_free(s->ctx, memory);
    return status;
}

/* ---- functions of time ----------------------------------------------------------------------- */

static rg_status values_at(void *user, double t, double *values)
{
    rg_switching *s = user;
    const rg_integrator *g = s->g;

    return rg_system_switch_values(g->system, g->work, t, g->y, g->yp, values);
}

static double mode_of(void *user, int64_t function, double v)
{
    const rg_switching *s = user;

    if (s->switches[s->class_of[function]].is_whole) return floor(v) + 0.5;
    return v > 0.0 ? 1.0 : v < 0.0 ? -1.0 : 0.0;
}

/* Times that are closer together are one. */
static double least_time(const rg_switching *s)
{
    const rg_integrator *g = s->g;

    return fmax(8.0 * DBL_EPSILON * fmax(fabs(g->t), fabs(g->t_end)),
                RG_SAME_MOMENT * fabs(g->t_end - g->t));
}

static rg_status fail_fast(const rg_switching *s, int64_t function)
{
    char name[160];

    rg_system_switch_name(s->g->system, function, name, sizeof name);
    rg_fail(s->ctx, RG_ERR_CONVERGENCE,
            "a switch of time in %s turns too often between t = %.10g and %.10g: not all of its "
            "changes can be found",
            name, s->g->t, s->g->t_end);
    return rg_remedy(s->ctx, "give a shorter interval (--to), or write the mean of fast pulses");
}

static rg_status find_zeros(rg_switching *s, int64_t n, const rg_timed_function *list)
{
    const rg_integrator *g = s->g;
    const rg_timed w = {s->ctx, values_at, mode_of, s, s->n, n, list, g->t, g->t_end};
    int64_t fastest;

    const rg_status status = rg_timed_find(&w, &s->times, &s->n_times, &s->times_size, &fastest);
    return status > 0 ? fail_fast(s, list[fastest].function) : status;
}

static rg_status find_all(rg_switching *s, rg_timed_function *list)
{
    int64_t n = 0;

    for (int64_t c = 0; c < s->m; c++) {
        const rg_switch *w = &s->switches[c];
        if (!w->is_timed) continue;
        const rg_switch_nature nature = rg_system_switch_nature(s->g->system, w->function);
        list[n++] = (rg_timed_function){w->function, w->is_whole, nature.nodes.clock};
    }
    return find_zeros(s, n, list);
}

rg_status rg_switching_find_times(rg_switching *s)
{
    const rg_integrator *g = s->g;
    const double least = least_time(s);
    rg_timed_function *list = rg_alloc(s->ctx, (size_t)s->m + 1, sizeof *list);

    if (list == NULL) return RG_ERR_MEMORY;
    const rg_status status = find_all(s, list);
    rg_free(s->ctx, list);
    if (status != RG_OK) return status;
    rg_timed_sort(s->times, &s->n_times, g->direction < 0.0, least);
    if (s->n_times > 0 && fabs(s->times[0] - g->t) <= least) { /* the start itself is none */
        s->n_times--;
        memmove(s->times, s->times + 1, (size_t)s->n_times * sizeof *s->times);
    }
    return RG_OK;
}

/* The first of the times behind t; n_times: none. */
static int64_t first_behind(const rg_switching *s, double t)
{
    int64_t low = 0, high = s->n_times;

    while (low < high) {
        const int64_t k = low + (high - low) / 2;
        if ((s->times[k] - t) * s->g->direction <= 0.0)
            low = k + 1;
        else
            high = k;
    }
    return low;
}

/* In the second run: were both runs to go from one switch of time to the next in one step, they
 * would be the same, and tell nothing of its error. */
double rg_switching_second_step(const rg_switching *s)
{
    const int64_t k = first_behind(s, s->here.t);
    const double h = s->g->first_part * fabs(s->step);
    const double piece = k < s->n_times ? fabs(s->times[k] - s->here.t) : INFINITY;

    return piece > RG_SWITCH_PIECE * fabs(s->step) ? fmin(h, RG_PULSE_BETWEEN * piece) : h;
}

void rg_switching_look_ahead(rg_switching *s, double t)
{
    const rg_integrator *g = s->g;
    const double beyond = (g->t_end - g->t_start) / RG_TIMED_SAMPLES; /* of the end */
    const int64_t k = first_behind(s, t);
    const double to = k < s->n_times ? s->times[k] : t != g->t_end ? g->t_end : t + beyond;

    rg_system_hold(g->system, g->work, NULL);
    const bool is_defined = values_at(s, 0.5 * (t + to), s->values) == RG_OK;
    for (int64_t c = 0; c < s->m; c++) {
        rg_switch *w = &s->switches[c];
        if (!w->is_timed) continue;
        const double v = is_defined ? s->values[w->function] : NAN;
        w->next = isnan(v) ? w->branch : w->is_whole ? floor(v) : (double)((v > 0.0) - (v < 0.0));
    }
    rg_switching_hold(s);
}
