/* Index maps of slots: kept, composed, and recognized where they are affine. */
#include "problem/assembly_impl.h"

#include <string.h>

rg_status rg_builder_scratch(rg_builder *b, int64_t n)
{
    if (n <= b->scratch_size) return RG_OK;
    int32_t *scratch = rg_resize(b->ctx, b->scratch, (size_t)n, sizeof *scratch);
    if (scratch == NULL) return RG_ERR_MEMORY;
    b->scratch = scratch;
    b->scratch_size = n;
    return RG_OK;
}

void rg_kept_map_clear(rg_context *ctx, rg_kept_map *map)
{
    if (map->is_owned) rg_free(ctx, map->map.list);
    *map = (rg_kept_map){
        {0, 0, NULL},
        false
    };
}

static bool is_affine(int64_t n, const int32_t *values, rg_map *out)
{
    const int64_t base = n > 0 ? values[0] : 0, stride = n > 1 ? (int64_t)values[1] - base : 0;

    for (int64_t k = 2; k < n; k++)
        if (values[k] != base + stride * k) return false;
    *out = (rg_map){base, stride, NULL};
    return true;
}

rg_status rg_map_keep(rg_builder *b, int64_t n, rg_map *out)
{
    if (is_affine(n, b->scratch, out)) return RG_OK;
    *out = (rg_map){0, 0, rg_alloc(b->ctx, (size_t)n, sizeof *out->list)};
    if (out->list == NULL) return RG_ERR_MEMORY;
    memcpy(out->list, b->scratch, (size_t)n * sizeof *out->list);
    return RG_OK;
}

static int64_t first_negative(int64_t n, const int32_t *values)
{
    for (int64_t k = 0; k < n; k++)
        if (values[k] < 0) return k;
    return -1;
}

rg_status rg_map_compose(rg_builder *b, int64_t n, const rg_map *outer, const rg_map *inner,
                         const int32_t *iterations, rg_kept_map *out, int64_t *bad)
{
    *out = (rg_kept_map){
        {0, 0, NULL},
        false
    };
    *bad = -1;
    if (outer->list == NULL && inner->list == NULL && iterations == NULL) {
        out->map.base = outer->base + outer->stride * inner->base;
        out->map.stride = outer->stride * inner->stride;
        return RG_OK;
    }
    RG_TRY(rg_builder_scratch(b, n));
    for (int64_t k = 0; k < n; k++)
        b->scratch[k] = (int32_t)rg_map_at(outer, rg_map_at(inner, rg_iteration(iterations, k)));
    *bad = first_negative(n, b->scratch);
    const size_t bytes = (size_t)n * sizeof *b->scratch;
    if (iterations == NULL && inner->list != NULL && !is_affine(n, b->scratch, &out->map)
        && memcmp(b->scratch, inner->list, bytes) == 0) {
        out->map = *inner; /* the outer map changes nothing: borrow the list */
        return RG_OK;
    }
    out->is_owned = true;
    return rg_map_keep(b, n, &out->map);
}
