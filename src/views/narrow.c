/* Finds narrow features of functions of time by halving; see narrow.h. */
#include "views/narrow.h"

#include "views/tuning.h"

enum { DEPTH = 50 }; /* halvings: the interval is down to rounding then */

typedef struct {
    rg_context *ctx;
    rg_resolved *r;
    double cell;
    rg_narrow *list;
    int64_t n, capacity;
    bool is_open,
        is_endless; /* a stretch is being followed; with a part that no halving resolves */
} search;

static rg_status close_stretch(search *s)
{
    if (s->is_open && s->is_endless) s->n--;
    s->is_open = s->is_endless = false;
    return RG_OK;
}

static rg_status add_part(search *s, double from, double to)
{
    if (!s->is_open) {
        RG_TRY(rg_grow(s->ctx, &s->list, s->n, &s->capacity, sizeof *s->list));
        s->list[s->n++] = (rg_narrow){from, to, to - from};
        s->is_open = true;
    }
    rg_narrow *last = &s->list[s->n - 1];
    last->to = to;
    if (to - from < last->shortest) last->shortest = to - from;
    return RG_OK;
}

/* A part that is not halved any more. */
static rg_status take_part(search *s, double from, double to, rg_resolved_kind kind)
{
    const double length = to - from;

    if (kind == RG_RESOLVED_UNKNOWN && s->is_open && length < s->cell) return RG_OK;
    if (kind == RG_RESOLVED_UNKNOWN || length * RG_NARROW_SHORT > s->cell) return close_stretch(s);
    if (kind == RG_RESOLVED_NOT) s->is_endless = true;
    return add_part(s, from, to);
}

/* From left to right; *looks counts. */
static rg_status halve(search *s, double a, double b, int *looks)
{
    double end[DEPTH + 1];
    int depth = 0;

    end[0] = b;
    while (depth >= 0 && *looks < RG_NARROW_LOOKS) {
        const double to = end[depth], middle = a + 0.5 * (to - a);
        const rg_resolved_kind kind = rg_resolved_look(s->r, a, to);
        const double least = kind == RG_RESOLVED_UNKNOWN ? s->cell / RG_NARROW_UNKNOWN : 0.0;
        ++*looks;
        if (kind != RG_RESOLVED && depth < DEPTH && to - a > least && middle > a && middle < to) {
            end[++depth] = middle;
            continue;
        }
        RG_TRY(take_part(s, a, to, kind));
        a = to;
        depth--;
    }
    return close_stretch(s);
}

rg_status rg_narrow_find(rg_context *ctx, rg_resolved *r, double a, double b, double cell,
                         rg_narrow **list, int64_t *n)
{
    search s = {.ctx = ctx, .r = r, .cell = cell};
    int looks = 0;
    const rg_status status = halve(&s, a, b, &looks);

    *list = s.list;
    *n = looks < RG_NARROW_LOOKS ? s.n : 0;
    return status;
}
