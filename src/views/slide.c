/* The view with branches as states: for motion along a switch, where the branch mu is an unknown
 * between -1 and 1 and the switching function s = 0 an equation (Filippov's convex combination).
 *
 *     F(t, y, y', mu) = 0,   s(t, y, y', mu) = 0  for those that slide,  mu = held  for the others.
 *
 * Where the branch is a whole number, the one that slides is held at N: s = N is the equation, and
 * N - 1/2 + mu/2 the branch, between N - 1 and N; in tables less far from N - 1/2 (views/hold.c).
 *
 * The pattern has room for all of them, so that it does not change when one begins or ends. */
#include "base/vector.h"
#include "linalg/join.h"
#include "views/system_impl.h"
#include "views/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct rg_slide {
    const rg_system *base;
    int64_t n, m; /* states of the base, branches */
    int64_t *function;
    int32_t *branch;
    double *factor;     /* per switch: of mu in its branch */
    uint8_t *is_whole;  /* per switch */
    int64_t *of_base;   /* entry of the base's pattern -> entry here */
    int64_t *of_branch; /* entry of the assembly, from the first in a branch column on; -1: none */
    int64_t *of_function; /* entry of the switches' assembly -> entry here; -1: none */
    int64_t *diagonal;    /* of the branches */
    int32_t *state_of;    /* per switch: the state whose function it is, or -1 */
    double *Jy, *Jyp;     /* not used at the same time by several threads: one view per run */
} rg_slide;

int64_t rg_slide_base_size(const rg_system *s)
{
    return s->slide->n;
}

const rg_system *rg_slide_base(const rg_system *s)
{
    return s->slide->base;
}

/* The entries of the base, in its order, of those of the view. */
void rg_slide_of_base(const rg_system *s, const double **Jy, const double **Jyp)
{
    const rg_slide *k = s->slide;
    const rg_pattern *p = &k->base->merge.pattern;

    for (int64_t e = 0; e < p->start[p->n_columns]; e++) {
        k->Jy[e] = (*Jy)[k->of_base[e]];
        k->Jyp[e] = (*Jyp)[k->of_base[e]];
    }
    *Jy = k->Jy;
    *Jyp = k->Jyp;
}

/* ---- pattern --------------------------------------------------------------------------------- */

typedef struct {
    rg_nonzero *items;
    int64_t count;
} list;

static void put(list *l, int64_t column, int64_t row, int64_t *place)
{
    if (l->items != NULL) l->items[l->count] = (rg_nonzero){(int32_t)row, (int32_t)column, place};
    l->count++;
}

static void put_all(const rg_system *s, list *l)
{
    rg_slide *k = s->slide;
    const rg_system *base = k->base;
    const rg_pattern *p = &base->merge.pattern, *z = rg_assembly_pattern(base->equations);
    const rg_pattern *f = rg_assembly_pattern(base->switches.values);
    const int64_t first = base->switches.first;
    const bool is_real = l->items != NULL;

    for (int64_t j = 0; j < k->n; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            put(l, j, p->row[e], is_real ? &k->of_base[e] : NULL);
    for (int64_t j = 0; j < base->switches.n; j++)
        for (int64_t e = z->start[first + j]; e < z->start[first + j + 1]; e++)
            if (k->branch[j] >= 0)
                put(l, k->n + k->branch[j], z->row[e],
                    is_real ? &k->of_branch[e - z->start[first]] : NULL);
    for (int64_t j = 0; j < f->n_columns; j++)
        for (int64_t e = f->start[j]; e < f->start[j + 1]; e++) {
            const int32_t c = k->state_of[f->row[e]];
            const int32_t b =
                j >= first && j < first + base->switches.n ? k->branch[j - first] : -1;
            const int64_t column = j < k->n ? j : j < 2 * k->n ? j - k->n : b >= 0 ? k->n + b : -1;
            if (c >= 0 && column >= 0)
                put(l, column, k->n + c, is_real ? &k->of_function[e] : NULL);
        }
    for (int64_t c = 0; c < k->m; c++)
        put(l, k->n + c, k->n + c, is_real ? &k->diagonal[c] : NULL);
}

static rg_status make_pattern(rg_system *s)
{
    rg_context *ctx = s->p->ctx;
    rg_pattern *p = &s->merge.pattern;
    const int64_t n = s->layout.n_states;
    list l = {0};

    put_all(s, &l);
    l.items = rg_alloc(ctx, (size_t)l.count + 1, sizeof *l.items);
    p->start = rg_alloc(ctx, (size_t)n + 1, sizeof *p->start);
    p->row = rg_alloc(ctx, (size_t)l.count + 1, sizeof *p->row);
    rg_status status = RG_ERR_MEMORY;
    if (l.items != NULL && p->start != NULL && p->row != NULL) {
        l.count = 0;
        put_all(s, &l);
        p->n_rows = p->n_columns = n;
        status = rg_pattern_join(ctx, l.count, l.items, p);
    }
    rg_free(ctx, l.items);
    return status;
}

/* ---- life ------------------------------------------------------------------------------------ */

static int64_t *places(rg_context *ctx, int64_t count)
{
    int64_t *p = rg_alloc(ctx, (size_t)count + 1, sizeof *p);

    for (int64_t k = 0; p != NULL && k < count; k++)
        p[k] = -1;
    return p;
}

static rg_status fill(rg_system *s, const rg_system *base, const rg_sliding *from)
{
    rg_context *ctx = base->p->ctx;
    const rg_pattern *p = &base->merge.pattern, *z = rg_assembly_pattern(base->equations);
    const rg_pattern *f = rg_assembly_pattern(base->switches.values);
    const int64_t n_switches = base->switches.n, entries = p->start[p->n_columns];
    rg_slide *k = s->slide;

    k->base = base;
    k->n = base->layout.n_states;
    k->m = from->m;
    k->function = places(ctx, k->m);
    k->branch = rg_alloc(ctx, (size_t)n_switches + 1, sizeof *k->branch);
    k->factor = rg_alloc(ctx, (size_t)n_switches + 1, sizeof *k->factor);
    k->is_whole = rg_alloc(ctx, (size_t)n_switches + 1, sizeof *k->is_whole);
    k->state_of = rg_alloc(ctx, (size_t)n_switches + 1, sizeof *k->state_of);
    k->of_base = places(ctx, entries);
    k->of_branch = places(ctx, z->start[z->n_columns] - z->start[base->switches.first]);
    k->of_function = places(ctx, f->start[f->n_columns]);
    k->diagonal = places(ctx, k->m);
    k->Jy = rg_alloc(ctx, (size_t)entries + 1, sizeof *k->Jy);
    k->Jyp = rg_alloc(ctx, (size_t)entries + 1, sizeof *k->Jyp);
    s->variable_index = rg_alloc(ctx, (size_t)(k->n + k->m) + 1, sizeof *s->variable_index);
    if (!k->function || !k->branch || !k->factor || !k->is_whole || !k->state_of || !k->of_base
        || !k->of_branch || !k->of_function || !k->diagonal || !k->Jy || !k->Jyp
        || !s->variable_index)
        return RG_ERR_MEMORY;
    memcpy(k->branch, from->branch, (size_t)n_switches * sizeof *k->branch);
    for (int64_t j = 0; j < n_switches; j++) {
        k->is_whole[j] = rg_system_switch_nature(base, j).is_whole;
        k->factor[j] = k->is_whole[j] ? 0.5 : from->sign[j];
        if (rg_system_switch_nature(base, j).nodes.grid != 0) k->factor[j] *= RG_SLIDE_SEGMENT;
        k->state_of[j] = -1;
    }
    for (int64_t c = 0; c < k->m; c++) {
        k->function[c] = from->function[c];
        k->state_of[from->function[c]] = (int32_t)c;
    }
    memcpy(s->variable_index, base->variable_index, (size_t)k->n * sizeof *s->variable_index);
    for (int64_t c = 0; c < k->m; c++)
        s->variable_index[k->n + c] = 2;
    return make_pattern(s);
}

rg_status rg_system_slide_create(const rg_system *base, const rg_sliding *sliding, rg_system **out)
{
    rg_system *s = rg_alloc(base->p->ctx, 1, sizeof *s);

    *out = NULL;
    if (s == NULL) return RG_ERR_MEMORY;
    s->p = base->p;
    s->kind = base->kind;
    s->analysis = base->analysis;
    s->n_redundant = base->n_redundant;
    s->layout.n_states = base->layout.n_states + sliding->m;
    rg_status status = RG_ERR_MEMORY;
    if ((s->slide = rg_alloc(base->p->ctx, 1, sizeof *s->slide)) != NULL)
        status = fill(s, base, sliding);
    if (status == RG_OK)
        *out = s;
    else
        rg_system_destroy(&s);
    return status;
}

void rg_slide_destroy(rg_context *ctx, struct rg_slide **slide)
{
    rg_slide *k = *slide;

    if (k == NULL) return;
    rg_free(ctx, k->function);
    rg_free(ctx, k->branch);
    rg_free(ctx, k->factor);
    rg_free(ctx, k->is_whole);
    rg_free(ctx, k->state_of);
    rg_free(ctx, k->of_base);
    rg_free(ctx, k->of_branch);
    rg_free(ctx, k->of_function);
    rg_free(ctx, k->diagonal);
    rg_free(ctx, k->Jy);
    rg_free(ctx, k->Jyp);
    rg_free(ctx, k);
    *slide = NULL;
}

rg_status rg_slide_work(const rg_system *s, rg_system_work *w)
{
    w->z = rg_alloc(s->p->ctx, 2 * (size_t)s->layout.n_states + RG_LANES, sizeof *w->z);
    if (w->z == NULL) return RG_ERR_MEMORY;
    return rg_system_work_create(s->slide->base, &w->base);
}

void rg_system_slide_hold(rg_system_work *w, const uint8_t *slides, const double *branch)
{
    w->slides = slides;
    w->held = branch;
    rg_system_hold(w->s->slide->base, w->base, branch);
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool slides(const rg_system_work *w, int64_t c)
{
    return c >= 0 && w->slides != NULL && w->slides[c];
}

/* The point of the base, with the branches that slide. */
static void set_base(const rg_system *s, rg_system_work *w, const double *y, const double *yp)
{
    const rg_slide *k = s->slide;
    double *z = w->base->z, *mu = z + k->base->switches.first;

    memmove(z, y, (size_t)k->n * sizeof *z);
    memmove(z + k->n, yp, (size_t)k->n * sizeof *z);
    for (int64_t j = 0; w->slides != NULL && j < k->base->switches.n; j++) {
        if (!slides(w, k->branch[j])) continue;
        const double x = y[k->n + k->branch[j]];
        mu[j] = k->factor[j] * (fabs(x) == 1.0 ? x * (1.0 - 64.0 * DBL_EPSILON) : x);
        if (k->is_whole[j]) mu[j] += w->held[j] - 0.5;
    }
}

rg_status rg_slide_residual(const rg_system *s, rg_system_work *w, double t, double *F)
{
    const rg_slide *k = s->slide;
    const double *y = w->z, *yp = w->z + s->layout.n_states;
    rg_system_work *b = w->base;

    set_base(s, w, y, yp);
    const rg_status status = rg_system_residual_here(k->base, b, t, F);
    if (status != RG_OK) return status;
    const rg_status known =
        rg_assembly_residual(k->base->switches.values, b->switches, t, b->z, b->values);
    bool is_good = true;
    for (int64_t c = 0; c < k->m; c++) {
        const int64_t j = k->function[c];
        const double edge = k->is_whole[j] && slides(w, c) ? w->held[j] : 0.0;
        F[k->n + c] = slides(w, c) ? b->values[j] - edge : 0.0;
        is_good = is_good && isfinite(F[k->n + c]); /* the others may have no value */
    }
    return known < 0 ? known : is_good ? RG_OK : (rg_status)RG_RETRY;
}

rg_status rg_slide_jacobian(const rg_system *s, rg_system_work *w, double t, const double *y,
                            const double *yp, double *Jy, double *Jyp)
{
    rg_slide *k = s->slide;
    const rg_system *base = k->base;
    const rg_pattern *p = &base->merge.pattern, *z = rg_assembly_pattern(base->equations);
    const rg_pattern *f = rg_assembly_pattern(base->switches.values);
    const int64_t entries = s->merge.pattern.start[s->merge.pattern.n_columns];
    const int64_t first = base->switches.first;
    rg_system_work *b = w->base;
    const double *J;

    memset(Jy, 0, (size_t)entries * sizeof *Jy);
    memset(Jyp, 0, (size_t)entries * sizeof *Jyp);
    set_base(s, w, y, yp);
    RG_TRY(rg_system_jacobian(base, b, t, b->z, b->z + k->n, k->Jy, k->Jyp));
    for (int64_t e = 0; e < p->start[p->n_columns]; e++) {
        Jy[k->of_base[e]] += k->Jy[e];
        Jyp[k->of_base[e]] += k->Jyp[e];
    }
    RG_TRY(rg_assembly_jacobian_kept(base->equations, b->equations, t, b->z, NULL, &J));
    for (int64_t j = 0; j < base->switches.n; j++)
        for (int64_t e = z->start[first + j]; e < z->start[first + j + 1]; e++)
            if (slides(w, k->branch[j]))
                Jy[k->of_branch[e - z->start[first]]] += k->factor[j] * J[e];
    const rg_status known =
        rg_assembly_jacobian(base->switches.values, b->switches, t, b->z, b->values, b->gradient);
    bool is_good = true;
    for (int64_t j = 0; j < f->n_columns; j++)
        for (int64_t e = f->start[j]; e < f->start[j + 1]; e++) {
            const int64_t to = k->of_function[e];
            if (to < 0 || !slides(w, k->state_of[f->row[e]])) continue;
            const bool is_branch = j >= first;
            if (is_branch && !slides(w, k->branch[j - first])) continue;
            const double factor = is_branch ? k->factor[j - first] : 1.0;
            (j >= k->n && j < 2 * k->n ? Jyp : Jy)[to] += factor * b->gradient[e];
            is_good = is_good && isfinite(b->gradient[e]);
        }
    for (int64_t c = 0; c < k->m; c++)
        if (!slides(w, c)) Jy[k->diagonal[c]] += 1.0;
    return known < 0 ? known : is_good ? RG_OK : (rg_status)RG_RETRY;
}
