/* Which branches hold behind a switch?  Those to which no switching function objects in a trial
 * step: objecting ones are changed, together at first, then one by one; at last all combinations
 * are tried. */
#include "ivp/switching/search.h"
#include "ivp/switching/tuning.h"
#include "views/tuning.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OBJECTED_UP = 1, OBJECTED_DOWN = 2, TOOK_PART = 4 };

/* ---- objections ------------------------------------------------------------------------------ */

static double *stage_values(const rg_switching *s, int i)
{
    return s->samples + i * s->m;
}

static rg_status take_values(rg_switching *s, double h)
{
    const rg_radau *r = rg_radau_of(s->trial);

    for (int i = 0; i < RADAU_TRIAL_STAGES; i++) {
        const double t = s->here.t + s->g->direction * r->table->c[i] * h;
        const int64_t at = i * s->trial->n;
        RG_TRY(rg_switching_margins(s, t, s->Y + at, s->Yp + at, s->margins));
        for (int64_t c = 0; c < s->m; c++)
            stage_values(s, i)[c] = rg_switching_value(s, c);
    }
    return RG_OK;
}

static double sliding_branch(const rg_switching *s, int64_t c)
{
    const int64_t last = (RADAU_TRIAL_STAGES - 1) * s->trial->n;

    return s->Y[last + s->g->n + s->switches[c].slide];
}

/* Switches that are turned where their functions are not 0 move others by what they are. */
static double turned_early(const rg_switch_search *f, int64_t c)
{
    const rg_switching *s = f->s;
    double part = 0.0;

    for (int64_t k = 0; k < s->m; k++)
        if (k != c && !s->switches[k].is_whole && s->switches[k].branch != f->old[k].branch)
            part = fmax(part, fabs(f->value[k]) / s->sizes[k]);
    return RG_BEHIND_TURNED * part * s->sizes[c];
}

/* The function right behind the switch, from the stages. */
static double value_behind(const rg_switch_search *f, int64_t c, const rg_rule *rule)
{
    double l[RADAU_TRIAL_STAGES], v = 0.0;

    rg_rule_lagrange(rule, 0.0, l);
    for (int i = 0; i < RADAU_TRIAL_STAGES; i++)
        v += l[i] * stage_values(f->s, i)[c];
    return v;
}

/* Where it has jumped, and comes back before the first stage, its side is that of the jump.  Zero:
 * it is continuous, as far as can be told from what a straight line would say, and within the
 * tolerance.  *from: its value there, between that at the switch and 0.  What is not 0 at a switch
 * is an error of its place, and some unknowns in it are others behind it: that is no jump. */
static double jump_of(const rg_switch_search *f, int64_t c, double *from)
{
    const rg_switching *s = f->s;
    rg_rule rule;

    rg_rule_init(RG_RULE_RADAU, RADAU_TRIAL_STAGES, &rule);
    const double v = value_behind(f, c, &rule), zero = f->zero[c];
    const double first = stage_values(s, 0)[c], second = stage_values(s, 1)[c];
    const double line = first + (first - second) * rule.c[0] / (rule.c[1] - rule.c[0]);
    const double least = fmax(s->g->options.rtol, RG_SWITCH_AT_ZERO) * s->sizes[c];
    const double error = RG_BEHIND_BENT * fabs(v - line) + least + turned_early(f, c);

    *from = fmax(fmin(v, fmax(zero, 0.0)), fmin(zero, 0.0));
    return fabs(v - *from) > error ? v - *from : 0.0;
}

/* -1: the function is on the lower side of where its branch is valid, 1: on the upper side, 0: no
 * objection. */
static int objection(const rg_switch_search *f, int64_t c)
{
    const rg_switching *s = f->s;
    const rg_switch *w = &s->switches[c];
    const bool is_zero = !isnan(f->zero[c]);
    double from = f->zero[c];

    if (w->is_timed) return 0; /* its branch is known */
    if (w->slides) {
        const double mu = sliding_branch(s, c);
        return mu > 1.0 + RG_LOCATE_NOISE_SLIDE ? 1 : mu < -1.0 - RG_LOCATE_NOISE_SLIDE ? -1 : 0;
    }
    if (is_zero && !f->is_start && !w->is_whole && w->branch != 0.0) {
        const double jump = jump_of(f, c, &from);
        if (jump != 0.0) return jump * w->branch > 0.0 ? 0 : jump > 0.0 ? 1 : -1;
    }
    for (int i = 0; i < RADAU_TRIAL_STAGES; i++) {
        const bool grows = is_zero && (w->branch != 0.0 || w->is_whole);
        const double v = stage_values(s, i)[c], d = grows ? v - from : v;
        if (w->is_whole) {
            const bool is_low = is_zero && fabs(f->zero[c] - w->branch) < 0.5;
            const double edge = is_zero ? f->zero[c] : is_low ? w->branch : w->branch + 1.0;
            if (isnan(v)) continue;
            if (is_zero && fabs(v - edge) <= f->noise[c]) continue;
            if (is_zero) return is_low ? (v < edge ? -1 : 0) : (v > edge ? 1 : 0);
            return v < w->branch ? -1 : v > w->branch + 1.0 ? 1 : 0;
        }
        if (fabs(d) <= f->noise[c] || isnan(d)) continue;
        return d * w->branch > 0.0 ? 0 : d > 0.0 ? 1 : -1;
    }
    return 0;
}

void rg_switch_end_slide(rg_switch *w, double mu)
{
    w->slides = false;
    if (!w->is_whole)
        w->branch = mu > 0.0 ? 1.0 : -1.0;
    else if (!(mu > 0.0))
        w->branch -= 1.0;
}

/* `side`: where the function is. */
static void change(rg_switch_search *f, int64_t c, int side)
{
    rg_switch *w = &f->s->switches[c];

    f->past[c] |= TOOK_PART;
    if (w->slides) {
        rg_switch_end_slide(w, side);
        return;
    }
    if (w->branch == 0.0 && !w->is_whole) {
        w->branch = side;
        return;
    }
    f->past[c] |= side < 0 ? OBJECTED_UP : OBJECTED_DOWN;
    const bool by_both = (f->past[c] & (OBJECTED_UP | OBJECTED_DOWN)) == 3;
    if (by_both && w->slide >= 0) {
        w->slides = true;
        w->branch = w->is_whole ? w->branch + (side > 0) : 0.0;
    } else if (w->is_whole) {
        w->branch += side;
    } else {
        w->branch = -w->branch;
    }
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static bool was_tried(rg_switch_search *f)
{
    const rg_switching *s = f->s;
    double *now = f->seen + f->n_seen * s->m;

    for (int64_t c = 0; c < s->m; c++)
        now[c] = s->switches[c].slides ? 0.25 : s->switches[c].branch;
    for (int k = 0; k < f->n_seen; k++)
        if (memcmp(f->seen + k * s->m, now, (size_t)s->m * sizeof *now) == 0) return true;
    if (f->n_seen < RG_BEHIND_ROUNDS) f->n_seen++;
    return false;
}

/* A function stays zero behind the switch, max(x, 0) where x < 0: what is compared with it is
 * neither above nor below.  Its last value before need not be 0: that of sqrt(max(x, 0)) is the
 * root of how well the place of x = 0 is known. */
static bool rests(const rg_switch_search *f, int64_t c)
{
    const rg_switching *s = f->s;
    const rg_switch *w = &s->switches[c];
    bool is_so = w->jumps && !w->slides && !w->is_whole && !w->is_timed;

    for (int i = 0; i < RADAU_TRIAL_STAGES && is_so; i++)
        is_so = fabs(stage_values(s, i)[c]) <= DBL_EPSILON * w->largest;
    return is_so;
}

/* What of the functions is rounding.  At the start of a run their sizes are those of the units, one
 * where nothing else is known, and a source of nanovolts begins at 0: there they are what the trial
 * step makes of them in the interval. */
static rg_status take_noise(rg_switch_search *f)
{
    rg_switching *s = f->s;
    const rg_integrator *g = s->g;
    const int64_t last = (RADAU_TRIAL_STAGES - 1) * s->trial->n;
    const double *y = s->Y + last, *yp = s->Yp + last, interval = fabs(g->t_end - g->t_start);
    double *unit = s->behind.y; /* not needed here */

    for (int64_t c = 0; c < s->m; c++)
        f->noise[c] = RG_ROUNDING_PART * s->sizes[c];
    if (!f->is_fine) return RG_OK;
    for (int64_t k = 0; k < g->n; k++)
        unit[k] = fmin(s->unit[k], fmax(fabs(y[k]), interval * fabs(yp[k])));
    const rg_status status = rg_system_switch_sizes(
        g->system, g->work, s->here.t + g->direction * f->h, y, yp, unit, s->margins, s->span);
    if (status < 0) return status; /* RG_RETRY: some of them have no slope, fmin() keeps the rest */
    for (int64_t c = 0; c < s->m; c++) {
        const int64_t k = s->switches[c].function;
        f->noise[c] = fmin(f->noise[c], RG_ROUNDING_PART * (s->margins[k] + 1e-3 * s->span[k]));
    }
    return RG_OK;
}

static rg_status try_once(rg_switch_search *f, bool is_relaxed)
{
    RG_TRY(rg_switching_try(f->s, f->h, is_relaxed));
    RG_TRY(take_values(f->s, f->h));
    return take_noise(f);
}

/* A trial step; where functions rest on zero in it, with them on neither side, if they stay there
 * then, too. */
static rg_status try_resting(rg_switch_search *f)
{
    rg_switching *s = f->s;
    bool is_any = false, stay = true;

    RG_TRY(try_once(f, false));
    for (int64_t c = 0; c < s->m; c++) {
        f->side[c] = s->switches[c].branch;
        if (f->side[c] == 0.0 || !rests(f, c)) continue;
        s->switches[c].branch = 0.0;
        is_any = true;
    }
    if (!is_any) return RG_OK;
    const rg_status status = try_once(f, false);
    if (status < 0) return status;
    for (int64_t c = 0; c < s->m; c++)
        stay = stay && (f->side[c] == s->switches[c].branch || rests(f, c));
    if (status == RG_OK && stay) return RG_OK;
    for (int64_t c = 0; c < s->m; c++)
        s->switches[c].branch = f->side[c];
    return try_once(f, false);
}

/* One candidate: *n objections, -1: it has no solution.  RG_RETRY does not come out of here. */
rg_status rg_switch_judge(rg_switch_search *f, int64_t *n, bool *is_solved)
{
    rg_switching *s = f->s;
    rg_status status = try_resting(f);

    *is_solved = status == RG_OK;
    *n = -1;
    if (status == (rg_status)RG_RETRY) status = try_once(f, true);
    if (status < 0) return status;
    if (status != RG_OK) {
        *is_solved = false;
        return RG_OK;
    }
    *n = 0;
    for (int64_t c = 0; c < s->m; c++) {
        f->objects[c] = (uint8_t)(objection(f, c) + 1);
        if (f->objects[c] != 1) ++*n;
    }
    return RG_OK;
}

static bool is_distant(const rg_switch_search *f, int64_t c)
{
    return isnan(f->zero[c]) && !f->s->switches[c].slides;
}

/* A branch that jumps takes functions with it, abs(sign(x)): with their old branches the equations
 * may have no value, sqrt(max(sign(x), 0)).  Those that are on the other side already change. */
static rg_status follow_jumps(rg_switch_search *f, bool *is_any)
{
    rg_switching *s = f->s;

    *is_any = false;
    rg_switching_hold(s);
    RG_TRY(rg_switching_margins_before(s, s->here.t, s->here.y, s->here.yp, s->margins));
    for (int64_t c = 0; c < s->m; c++) {
        rg_switch *w = &s->switches[c];
        if (w->is_whole || w->is_timed || w->slides || !isnan(f->zero[c])) continue;
        if (!(s->margins[c] < -RG_SWITCH_AT_ZERO * s->sizes[c])) continue;
        f->past[c] |= TOOK_PART;
        w->branch = rg_switching_value(s, c) > 0.0 ? 1.0 : -1.0;
        *is_any = true;
    }
    return RG_OK;
}

/* Candidates on one level.  *is_found: the branches of s are right. */
rg_status rg_switch_rounds(rg_switch_search *f, bool is_last, bool *is_found)
{
    rg_switching *s = f->s;
    int64_t n;
    bool is_solved;

    *is_found = false;
    f->n_seen = 0;
    memset(f->past, 0, (size_t)s->m);
    for (int64_t c = 0; c < s->m; c++)
        if (f->first[c].branch != f->old[c].branch || f->first[c].slides != f->old[c].slides)
            f->past[c] = TOOK_PART;
    for (int round = 0; round < RG_BEHIND_ROUNDS; round++) {
        if (was_tried(f)) return RG_OK;
        RG_TRY(rg_switch_judge(f, &n, &is_solved));
        if (n == 0) *is_found = is_solved;
        if (n == 0) return RG_OK;
        if (n < 0) {
            bool is_any;
            RG_TRY(follow_jumps(f, &is_any));
            if (!is_any) return RG_OK;
            continue;
        }
        for (int64_t c = 0; c < s->m; c++)
            if (f->objects[c] != 1 && is_distant(f, c) && !is_last && is_solved) return RG_OK;
        for (int64_t c = 0; c < s->m; c++) {
            if (f->objects[c] == 1) continue;
            change(f, c, f->objects[c] - 1);
            if (round >= RG_BEHIND_TOGETHER) break;
        }
    }
    return RG_OK;
}

/* ---- all combinations ------------------------------------------------------------------------ */

typedef struct {
    int code, order;
} combination;

static int by_order(const void *a, const void *b)
{
    const combination *x = a, *y = b;

    return x->order != y->order ? x->order - y->order : x->code - y->code;
}

/* The switches that took part in all combinations: fewest that slide first, then fewest changes. */
rg_status rg_switch_enumerate(rg_switch_search *f, bool *is_found)
{
    enum { ALL = 2187 };
    rg_switching *s = f->s;
    int64_t part[RG_BEHIND_TRIED];
    int n = 0, total = 1;
    combination *list = rg_alloc(s->ctx, ALL, sizeof *list);
    rg_status status = list != NULL ? RG_OK : RG_ERR_MEMORY;

    *is_found = false;
    for (int64_t c = 0; c < s->m && n < RG_BEHIND_TRIED; c++)
        if ((f->past[c] & TOOK_PART || !isnan(f->zero[c])) && !s->switches[c].is_whole
            && !s->switches[c].is_timed)
            part[n++] = c;
    for (int k = 0; k < n; k++)
        total *= 3;
    int count = 0;
    for (int code = 0; code < total && list != NULL; code++) {
        int order = 0, rest = code;
        bool is_possible = true;
        for (int k = 0; k < n; k++, rest /= 3) {
            const rg_switch *w = &f->old[part[k]];
            if (rest % 3 == 2) is_possible = is_possible && s->switches[part[k]].slide >= 0;
            order += rest % 3 == 2 ? 100 : (rest % 3 == 1 ? -1.0 : 1.0) != w->branch;
        }
        if (is_possible) list[count++] = (combination){code, order};
    }
    if (list != NULL) qsort(list, (size_t)count, sizeof *list, by_order);
    for (int i = 0; i < count && status == RG_OK && !*is_found; i++) {
        int64_t objections;
        bool is_solved;
        int rest = list[i].code;
        memcpy(s->switches, f->first, (size_t)s->m * sizeof *s->switches);
        for (int k = 0; k < n; k++, rest /= 3) {
            rg_switch *w = &s->switches[part[k]];
            w->slides = rest % 3 == 2;
            w->branch = rest % 3 == 2 ? 0.0 : rest % 3 == 1 ? -1.0 : 1.0;
        }
        status = rg_switch_judge(f, &objections, &is_solved);
        *is_found = status == RG_OK && is_solved && objections == 0;
    }
    rg_free(s->ctx, list);
    return status;
}
