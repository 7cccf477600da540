/* Iteration spaces: which index values a body runs over. */
#include "model/compiler.h"
#include "model/tuning.h"

#include <string.h>

void rg_clear_space(rg_context *ctx, space *s)
{
    for (int k = 0; k < s->n_loops; k++)
        rg_free(ctx, s->value[k]);
    rg_free(ctx, s->parent);
    memset(s, 0, sizeof *s);
}

static rg_status allocate_space(rg_context *ctx, int64_t count, int n_loops, space *out)
{
    memset(out, 0, sizeof *out);
    out->count = count;
    out->n_loops = n_loops;
    const size_t room = (size_t)(count > 0 ? count : 1);
    for (int k = 0; k < n_loops; k++)
        if ((out->value[k] = rg_alloc(ctx, room, sizeof(double))) == NULL) return RG_ERR_MEMORY;
    out->parent = rg_alloc(ctx, room, sizeof *out->parent);
    return out->parent == NULL ? RG_ERR_MEMORY : RG_OK;
}

/* What indices of a loop will take, refused before it is taken. */
static rg_status check_memory(rg_context *ctx, double total, int n_loops)
{
    const double size = (double)sizeof(double) * n_loops + (double)sizeof(int32_t);
    const double needed = RG_RANGE_COPIES * total * size, there = rg_machine_memory();

    if (!(needed > there)) return RG_OK;
    rg_fail(ctx, RG_ERR_MEMORY,
            "out of memory: a loop over %.3g indices needs about %.2g GB, and there are %.2g GB",
            total, 1e-9 * needed, 1e-9 * there);
    return rg_remedy(ctx, "choose smaller bounds");
}

rg_status rg_fail_loading(rg_context *ctx)
{
    rg_fail(ctx, RG_ERR_INTERRUPTED, "interrupted while the model was read");
    return rg_remedy(ctx, "run it again");
}

rg_status rg_extend_space(rg_context *ctx, const space *s, const double *low, const double *high,
                          space *out)
{
    double total = 0.0;
    int64_t next = 0;

    for (int64_t k = 0; k < s->count; k++)
        if (high[k] >= low[k]) total += high[k] - low[k] + 1.0;
    memset(out, 0, sizeof *out);
    if (total > RG_MAX_ITERATIONS) return RG_ERR_ARGUMENT; /* the caller knows the place */
    RG_TRY(check_memory(ctx, total, s->n_loops + 1));
    rg_status status = allocate_space(ctx, (int64_t)total, s->n_loops + 1, out);
    if (status != RG_OK) {
        rg_clear_space(ctx, out);
        return status;
    }
    for (int64_t k = 0; k < s->count; k++)
        for (double i = low[k]; i <= high[k]; i += 1.0, next++) {
            if (next % (1 << 20) == 0 && rg_interrupted(ctx)) {
                rg_clear_space(ctx, out);
                return rg_fail_loading(ctx);
            }
            for (int loop = 0; loop < s->n_loops; loop++)
                out->value[loop][next] = s->value[loop][k];
            out->value[s->n_loops][next] = i;
            out->parent[next] = (int32_t)k;
        }
    return RG_OK;
}

rg_status rg_filter_space(rg_context *ctx, const space *s, const double *keep, bool wanted,
                          space *out)
{
    int64_t count = 0, next = 0;

    for (int64_t k = 0; k < s->count; k++)
        count += (keep[k] != 0.0) == wanted;
    rg_status status = allocate_space(ctx, count, s->n_loops, out);
    if (status != RG_OK) {
        rg_clear_space(ctx, out);
        return status;
    }
    for (int64_t k = 0; k < s->count; k++) {
        if ((keep[k] != 0.0) != wanted) continue;
        for (int loop = 0; loop < s->n_loops; loop++)
            out->value[loop][next] = s->value[loop][k];
        out->parent[next] = s->parent != NULL ? s->parent[k] : (int32_t)k;
        next++;
    }
    return RG_OK;
}

/* base + stride k where the numbers are like that, otherwise a list. */
rg_status rg_make_map(rg_context *ctx, int64_t count, const double *numbers, rg_map *out)
{
    int64_t k = 2;

    *out = (rg_map){0, 0, NULL};
    if (count == 0) return RG_OK;
    out->base = (int64_t)numbers[0];
    out->stride = count > 1 ? (int64_t)numbers[1] - out->base : 0;
    while (k < count && (int64_t)numbers[k] == out->base + out->stride * k)
        k++;
    if (k >= count) return RG_OK;
    out->list = rg_alloc(ctx, (size_t)count, sizeof *out->list);
    if (out->list == NULL) return RG_ERR_MEMORY;
    for (k = 0; k < count; k++)
        out->list[k] = (int32_t)numbers[k];
    return RG_OK;
}

rg_status rg_copy_space(rg_context *ctx, const space *s, space *out)
{
    const rg_status status = allocate_space(ctx, s->count, s->n_loops, out);

    if (status != RG_OK) {
        rg_clear_space(ctx, out);
        return status;
    }
    for (int loop = 0; loop < s->n_loops; loop++)
        memcpy(out->value[loop], s->value[loop], (size_t)s->count * sizeof(double));
    for (int64_t k = 0; k < s->count; k++)
        out->parent[k] = s->parent != NULL ? s->parent[k] : (int32_t)k;
    return RG_OK;
}
