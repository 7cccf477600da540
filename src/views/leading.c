/* Makes the system Jacobian out of the Jacobians of a view: which entry goes where. */
#include "views/leading.h"

#include "linalg/join.h"
#include "views/system_impl.h"

#include "base/vector.h"

#include <string.h>

typedef struct {
    int32_t row, column;
    int64_t from;
    int view;
    double factor;
    int64_t place; /* in the pattern */
} element;

typedef struct {
    const rg_analysis *a;         /* offsets */
    const rg_rows_places *places; /* of the equations in combinations; NULL: there are none */
    rg_aliases aliases;
    element *items;
    int64_t count;
} draft;

/* p' = u:  p shares the column of u where d_u = c_i; where u goes higher, delta p = 0 and the
 * column goes with the row. */
static void number_columns(const rg_analysis *a, int64_t n, draft *d, rg_leading *l)
{
    int32_t next = 0;

    for (int64_t j = 0; j < n; j++)
        if (d->aliases.of[j].unknown < 0) l->column_of[j] = next++;
    for (int64_t j = 0; j < n; j++) {
        int64_t root = j;
        bool is_same = true;
        while (is_same && d->aliases.of[root].unknown >= 0) { /* each time d falls: it ends */
            const rg_alias *s = &d->aliases.of[root];
            is_same = a->d[s->unknown] == s->count;
            root = s->unknown;
        }
        l->column_of[j] = is_same ? l->column_of[root] : -1;
    }
    l->n_plain = next;
    l->pattern.n_rows = l->pattern.n_columns = next + l->n_border;
}

static void number_rows(int64_t n, const draft *d, rg_leading *l)
{
    int32_t next = 0;

    for (int64_t i = 0; i < n; i++) {
        l->row_of[i] = d->aliases.is_alias[i] ? -1 : next;
        if (!d->aliases.is_alias[i]) l->equation[next++] = (int32_t)i;
    }
}

/* Is (unknown, order) a state of its own in the view?  In the stabilized one another name may
 * stand for it. */
static bool is_itself(const rg_system *s, const rg_aliases *aliases, int64_t unknown, int order)
{
    const int64_t j = unknown;
    const int r = order;

    if (s->kind == RG_VIEW_STABILIZED) rg_aliases_resolve(aliases, &unknown, &order);
    return unknown == j && order == r;
}

/* dF_i/dy_j^(o) in all combinations e with  o = d_j - c_e. */
static void combine(draft *d, int32_t i, int32_t j, int o, element x)
{
    for (int64_t k = d->places->start[i]; k < d->places->start[i + 1]; k++) {
        x.row = d->places->combination[k];
        x.column = j;
        x.factor = d->places->factor[k];
        if (o == d->a->d[j] - d->a->c[x.row]) d->items[d->count++] = x;
    }
}

/* The entries of one view:  F_i^(k) by y_j^(o),  o - k = d_j - c_i. */
static void collect(const rg_system *s, const rg_analysis *a, int view, const uint8_t *kinds,
                    const rg_leading *l, draft *d)
{
    const rg_pattern *p = &s->merge.pattern;

    for (int64_t j = 0; j < s->layout.n; j++)
        for (int o = 0; o <= s->layout.m[j] && l->column_of[j] >= 0; o++) {
            const int slope = o == s->layout.m[j];
            const int64_t state = s->layout.column[o - slope][j];
            if (!is_itself(s, &d->aliases, j, o - slope)) continue;
            for (int64_t e = p->start[state]; e < p->start[state + 1]; e++) {
                if (p->row[e] >= s->n_equations || !(kinds[e] & (1 << slope))) continue;
                const int32_t i =
                    s->kind == RG_VIEW_STABILIZED ? s->ggl.equation[p->row[e]] : p->row[e];
                if (d->places != NULL) {
                    combine(d, i, (int32_t)j, o, (element){0, 0, 2 * e + slope, view, 1.0, 0});
                    continue;
                }
                if (l->row_of[i] < 0 || o - s->row_level[i] != a->d[j] - a->c[i]) continue;
                d->items[d->count++] =
                    (element){l->row_of[i], l->column_of[j], 2 * e + slope, view, 1.0, 0};
            }
        }
}

bool rg_leading_has_left(const rg_leading *l, const rg_analysis *a, int64_t row)
{
    int32_t most = 0;

    for (int k = 0; k < l->n_plain; k++)
        if (a->c[l->equation[k]] > most) most = a->c[l->equation[k]];
    return row < l->n_plain && most > 0 && a->c[l->equation[row]] == most;
}

bool rg_leading_has_right(const rg_leading *l, const rg_analysis *a, int64_t unknown)
{
    return l->column_of[unknown] >= 0 && a->d[unknown] == 0;
}

static void collect_border(const rg_leading *l, const rg_analysis *a, int64_t n, draft *d)
{
    const int32_t first = l->n_plain;

    for (int32_t k = 0; k < l->n_border; k++) {
        for (int32_t i = 0; i < first; i++)
            if (rg_leading_has_left(l, a, i))
                d->items[d->count++] = (element){i, first + k, k * first + i, 2, 1.0, 0};
        for (int64_t j = 0; j < n; j++)
            if (rg_leading_has_right(l, a, j))
                d->items[d->count++] =
                    (element){first + k,
                              l->column_of[j],
                              (int64_t)(l->n_border + k) * first + l->column_of[j],
                              2,
                              1.0,
                              0};
    }
}

/* The places of all elements; what shares one is added in the order of the list. */
static void place(const draft *d, rg_leading *l)
{
    for (int64_t k = 0; k < d->count; k++) {
        const element *e = &d->items[k];
        const int64_t at = l->view[e->view].count++;
        l->view[e->view].from[at] = e->from;
        l->view[e->view].to[at] = (int32_t)e->place;
        if (d->places != NULL) l->view[e->view].factor[at] = e->factor;
    }
}

static rg_status take_memory(rg_leading *l, const rg_system *const *views, draft *d)
{
    const size_t n = (size_t)views[0]->layout.n + 1;
    size_t room = 1, most = 1;

    for (int64_t i = 0; d->places != NULL && i < views[0]->layout.n; i++) {
        const size_t count = (size_t)(d->places->start[i + 1] - d->places->start[i]);
        if (count > most) most = count;
    }
    for (int v = 0; v < 2; v++) {
        const rg_pattern *p = &views[v]->merge.pattern;
        room += 2 * most * (size_t)p->start[p->n_columns];
    }
    room += 2 * n * (size_t)l->n_border;
    l->border = rg_alloc(l->ctx, 2 * n * (size_t)l->n_border + 1, sizeof *l->border);
    d->items = rg_alloc(l->ctx, room, sizeof *d->items);
    l->equation = rg_alloc(l->ctx, n, sizeof *l->equation);
    l->row_of = rg_alloc(l->ctx, n, sizeof *l->row_of);
    l->column_of = rg_alloc(l->ctx, n, sizeof *l->column_of);
    if (l->border == NULL || d->items == NULL || l->equation == NULL || l->row_of == NULL
        || l->column_of == NULL)
        return RG_ERR_MEMORY;
    RG_TRY(rg_aliases_init(views[1]->p, d->a, &d->aliases));
    for (int64_t i = 0; d->places != NULL && i < views[0]->layout.n;
         i++) { /* no combination is one */
        d->aliases.of[i].unknown = -1;
        d->aliases.is_alias[i] = 0;
    }
    return RG_OK;
}

static rg_status collect_all(rg_leading *l, const rg_system *const *views, draft *d)
{
    const rg_analysis *a = d->a;

    number_columns(a, views[0]->layout.n, d, l);
    number_rows(views[0]->layout.n, d, l);
    for (int v = 0; v < 2; v++) {
        const rg_pattern *p = &views[v]->merge.pattern;
        uint8_t *kinds = rg_alloc(l->ctx, (size_t)p->start[p->n_columns] + 1, 1);
        if (kinds == NULL) return RG_ERR_MEMORY;
        rg_system_entry_kinds(views[v], kinds);
        collect(views[v], a, v, kinds, l, d);
        rg_free(l->ctx, kinds);
    }
    collect_border(l, a, views[0]->layout.n, d);
    return RG_OK;
}

static rg_status make_pattern(rg_leading *l, draft *d)
{
    const int64_t n = l->pattern.n_columns;
    const size_t room = (size_t)d->count + 1;
    rg_nonzero *list = rg_alloc(l->ctx, room, sizeof *list);
    bool is_there = list != NULL;

    l->pattern.start = rg_alloc(l->ctx, (size_t)n + 1, sizeof *l->pattern.start);
    l->pattern.row = rg_alloc(l->ctx, room, sizeof *l->pattern.row);
    is_there = is_there && l->pattern.start != NULL && l->pattern.row != NULL;
    for (int v = 0; v < 3; v++) {
        l->view[v].from = rg_alloc(l->ctx, room, sizeof *l->view[v].from);
        l->view[v].to = rg_alloc(l->ctx, room, sizeof *l->view[v].to);
        is_there = is_there && l->view[v].from != NULL && l->view[v].to != NULL;
        if (d->places == NULL) continue;
        l->view[v].factor = rg_alloc(l->ctx, room, sizeof *l->view[v].factor);
        is_there = is_there && l->view[v].factor != NULL;
    }
    for (int64_t k = 0; is_there && k < d->count; k++) {
        element *e = &d->items[k];
        list[k] = (rg_nonzero){e->row, e->column, &e->place};
    }
    const rg_status status =
        is_there ? rg_pattern_join(l->ctx, d->count, list, &l->pattern) : RG_ERR_MEMORY;
    if (status == RG_OK) place(d, l);
    rg_free(l->ctx, list);
    return status;
}

static rg_status create(const rg_system *const *views, draft *d, int n_border, rg_leading **out)
{
    rg_context *ctx = rg_system_context(views[0]);
    rg_leading *l = rg_alloc(ctx, 1, sizeof *l);

    *out = NULL;
    if (l == NULL) return RG_ERR_MEMORY;
    l->ctx = ctx;
    l->n_border = n_border;
    rg_status status = take_memory(l, views, d);
    if (status == RG_OK) status = collect_all(l, views, d);
    if (status == RG_OK) status = make_pattern(l, d);
    rg_aliases_clear(ctx, &d->aliases);
    rg_free(ctx, d->items);
    if (status == RG_OK)
        *out = l;
    else
        rg_leading_destroy(&l);
    return status;
}

rg_status rg_leading_create(const rg_system *first, const rg_system *second, int n_border,
                            rg_leading **out)
{
    const rg_system *const views[2] = {first, second};
    draft d = {.a = second->analysis};

    return create(views, &d, n_border, out);
}

rg_status rg_leading_create_combined(const rg_system *first, const rg_system *second,
                                     const rg_analysis *a, const rg_rows_places *places,
                                     rg_leading **out)
{
    const rg_system *const views[2] = {first, second};
    draft d = {.a = a, .places = places};

    return create(views, &d, 0, out);
}

void rg_leading_destroy(rg_leading **leading)
{
    rg_leading *l = *leading;

    if (l == NULL) return;
    void *const owned[] = {l->pattern.start,  l->pattern.row,    l->equation,      l->row_of,
                           l->column_of,      l->view[0].from,   l->view[1].from,  l->view[2].from,
                           l->view[0].to,     l->view[1].to,     l->view[2].to,    l->border,
                           l->view[0].factor, l->view[1].factor, l->view[2].factor};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        rg_free(l->ctx, owned[k]);
    rg_free(l->ctx, l);
    *leading = NULL;
}

void rg_leading_values(const rg_leading *l, int view, const double *Jy, const double *Jyp,
                       double *A)
{
    const int64_t *from = l->view[view].from;
    const int32_t *to = l->view[view].to;

    const double *factor = l->view[view].factor;

    rg_clear(A, l->pattern.start[l->pattern.n_columns]);
    for (int64_t k = 0; k < l->view[view].count && factor != NULL; k++)
        A[to[k]] += factor[k] * (from[k] & 1 ? Jyp : Jy)[from[k] >> 1];
    for (int64_t k = 0; k < l->view[view].count && factor == NULL; k++)
        A[to[k]] += (from[k] & 1 ? Jyp : Jy)[from[k] >> 1];
    rg_leading_border(l, A);
}

void rg_leading_border(const rg_leading *l, double *A)
{
    for (int64_t k = 0; k < l->view[2].count; k++)
        A[l->view[2].to[k]] = l->border[l->view[2].from[k]];
}
