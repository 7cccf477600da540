/* Every value of a result has one name: what is listed twice, in parts or inside a loop, too. */
#include "model/compiler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One iteration of a value: the unknown, or the indices of its own name. */
typedef struct {
    int64_t index[RG_MAX_DIMS];
    const rg_value *value;
} element;

static const char *name_of(const rg_problem *p, const rg_value *v)
{
    return v->name != NULL ? v->name : p->families[v->family].name;
}

static int compare_elements(const void *a, const void *b)
{
    const element *x = a, *y = b;

    for (int k = 0; k < RG_MAX_DIMS; k++)
        if (x->index[k] != y->index[k]) return x->index[k] < y->index[k] ? -1 : 1;
    return x->value->span.start < y->value->span.start ? -1 : x->value != y->value;
}

static element element_of(const rg_value *v, bool is_exact, int64_t k)
{
    element e = {.value = v};

    if (is_exact || v->family >= 0)
        e.index[0] = rg_map_at(is_exact ? &v->target : &v->body->slots[0].map, k);
    for (int i = 0; i < v->n_index; i++) {
        const rg_data *d = &v->body->data[v->index[i]];
        e.index[i] = llround(d->values[rg_map_at(&d->map, k)]);
    }
    return e;
}

/* One value alone has a name for every iteration where its map says so. */
static bool is_plainly_distinct(const rg_value *v, bool is_exact)
{
    const rg_map *map = is_exact ? &v->target : v->family >= 0 ? &v->body->slots[0].map : NULL;

    return v->body->count <= 1 || (map != NULL && map->list == NULL && map->stride != 0);
}

static rg_status refuse(compiler *c, const rg_value *v, bool is_exact)
{
    rg_bad(c, v->span,
           is_exact ? "the exact solution of '%s' is given twice"
                    : "the output '%s' is listed twice",
           name_of(c->p, v));
    rg_bad_remedy(c, is_exact ? "keep one of them"
                              : "keep one of them, or give the other one a new name: NAME = ...");
    return RG_OK;
}

/* Values first .. first + n - 1 of the list have one name. */
static rg_status check_group(compiler *c, int64_t n, const rg_value *const *list, bool is_exact)
{
    int64_t count = 0, used = 0;

    for (int64_t k = 0; k < n; k++)
        count += list[k]->body->count;
    element *all = rg_alloc(c->ctx, (size_t)count + 1, sizeof *all);
    if (all == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < n; k++)
        for (int64_t i = 0; i < list[k]->body->count; i++)
            all[used++] = element_of(list[k], is_exact, i);
    qsort(all, (size_t)count, sizeof *all, compare_elements);
    const rg_value *twice = NULL;
    for (int64_t k = 1; k < count && twice == NULL; k++)
        if (memcmp(all[k - 1].index, all[k].index, sizeof all[k].index) == 0) twice = all[k].value;
    rg_free(c->ctx, all);
    return twice != NULL ? refuse(c, twice, is_exact) : RG_OK;
}

typedef struct { /* a value where it is sorted */
    const char *name;
    const rg_value *value;
} named;

static int compare_names(const void *a, const void *b)
{
    const named *x = a, *y = b;
    const int order = strcmp(x->name, y->name);

    return order != 0 ? order : x->value->order - y->value->order;
}

rg_status rg_check_distinct(compiler *c, int64_t n, const rg_value *values, bool is_exact)
{
    named *sorted = rg_alloc(c->ctx, (size_t)n + 1, sizeof *sorted);
    const rg_value **list = rg_alloc(c->ctx, (size_t)n + 1, sizeof *list);
    rg_status status = sorted == NULL || list == NULL ? RG_ERR_MEMORY : RG_OK;

    for (int64_t k = 0; k < n && status == RG_OK; k++)
        sorted[k] = (named){name_of(c->p, &values[k]), &values[k]};
    if (status == RG_OK && n > 1) qsort(sorted, (size_t)n, sizeof *sorted, compare_names);
    for (int64_t first = 0, k; first < n && status == RG_OK; first = k) {
        for (k = first; k < n && compare_names(&sorted[first], &sorted[k]) == 0; k++)
            list[k - first] = sorted[k].value;
        if (k - first > 1 || !is_plainly_distinct(list[0], is_exact))
            status = check_group(c, k - first, list, is_exact);
    }
    rg_free(c->ctx, sorted);
    rg_free(c->ctx, list);
    return status;
}
