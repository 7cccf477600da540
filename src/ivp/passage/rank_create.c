/* Life of the signal. */
#include "ivp/passage/rank.h"

#include "base/random.h"

#include <math.h>

static rg_status make_transposed(rg_passage_rank *r)
{
    const rg_pattern *p = &r->core.pattern;
    const size_t n = (size_t)r->n, entries = (size_t)p->start[r->n];
    rg_pattern t = {.n_rows = r->n, .n_columns = r->n};
    rg_status status = RG_ERR_MEMORY;

    t.start = rg_alloc(r->ctx, n + 2, sizeof *t.start);
    t.row = rg_alloc(r->ctx, entries + 1, sizeof *t.row);
    r->transposed_index = rg_alloc(r->ctx, entries + 1, sizeof *r->transposed_index);
    r->transposed_values = rg_alloc(r->ctx, entries + 1, sizeof *r->transposed_values);
    if (t.start != NULL && t.row != NULL && r->transposed_index != NULL
        && r->transposed_values != NULL) {
        for (int64_t e = 0; e < p->start[r->n]; e++)
            t.start[p->row[e] + 2]++;
        for (int64_t i = 0; i < r->n; i++)
            t.start[i + 1] += t.start[i]; /* start[i + 1]: next free place of column i */
        for (int64_t j = 0; j < r->n; j++)
            for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
                const int64_t at = t.start[p->row[e] + 1]++;
                t.row[at] = (int32_t)j;
                r->transposed_index[e] = at;
            }
        status = rg_matrix_create(r->ctx, &t, false, &r->transposed);
    }
    rg_free(r->ctx, t.start);
    rg_free(r->ctx, t.row);
    return status;
}

static rg_status take_memory(rg_passage_rank *r)
{
    const size_t n = (size_t)r->n, entries = (size_t)r->entries + 1;
    const bool is_small = r->n <= RANK_SMALL;
    struct {
        double **to;
        size_t count;
    } wanted[] = {
        {&r->A,            entries                 },
        {&r->before,       entries                 },
        {&r->scaled,       entries                 },
        {&r->inverse,      entries                 },
        {&r->largest,      entries                 },
        {&r->at_scales,    entries                 },
        {&r->row_largest,  (size_t)r->n_all + 1    },
        {&r->row_scale,    (size_t)r->n_all + 1    },
        {&r->column_scale, (size_t)r->n_all + 1    },
        {&r->squares,      2 * (size_t)r->n_all + 1},
        {&r->means,        2 * (size_t)r->n_all + 1},
        {&r->sum,          3 * (size_t)r->n_all + 1},
        {&r->dense,        is_small ? n * n + 1 : 1},
        {&r->x,            n + 1                   },
        {&r->generic,      n + 1                   },
        {&r->y,            n + 1                   },
        {&r->v,            n + 1                   }
    };

    for (size_t e = 0; e < sizeof wanted / sizeof *wanted; e++)
        if ((*wanted[e].to = rg_alloc(r->ctx, wanted[e].count, sizeof(double))) == NULL)
            return RG_ERR_MEMORY;
    if ((r->pivot = rg_alloc(r->ctx, n + 1, sizeof *r->pivot)) == NULL) return RG_ERR_MEMORY;
    for (size_t i = 0; i < n; i++)
        r->generic[i] = (1.0 + 0.6 * rg_random(0, i)) / sqrt((double)n);
    if (is_small) return RG_OK;
    RG_TRY(rg_matrix_create(r->ctx, &r->core.pattern, false, &r->direct));
    return make_transposed(r);
}

rg_status rg_passage_rank_create(rg_context *ctx, const rg_leading *leading, rg_passage_rank **out)
{
    rg_passage_rank *r = rg_alloc(ctx, 1, sizeof *r);

    *out = NULL;
    if (r == NULL) return RG_ERR_MEMORY;
    r->ctx = ctx;
    r->leading = leading;
    r->n_all = (int)leading->pattern.n_columns;
    r->entries = leading->pattern.start[r->n_all];
    rg_status status = rg_core_init(ctx, &leading->pattern, &r->core);
    r->n = (int)r->core.pattern.n_columns;
    if (status == RG_OK) status = take_memory(r);
    if (status == RG_OK)
        *out = r;
    else
        rg_passage_rank_destroy(&r);
    return status;
}

void rg_passage_rank_destroy(rg_passage_rank **rank)
{
    rg_passage_rank *r = *rank;

    if (r == NULL) return;
    void *const owned[] = {
        r->A,         r->before,      r->scaled,    r->inverse,          r->largest,
        r->at_scales, r->row_largest, r->row_scale, r->column_scale,     r->squares,
        r->means,     r->sum,         r->dense,     r->generic,          r->x,
        r->y,         r->v,           r->pivot,     r->transposed_index, r->transposed_values};
    rg_core_clear(r->ctx, &r->core);
    rg_matrix_destroy(&r->direct);
    rg_matrix_destroy(&r->transposed);
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        rg_free(r->ctx, owned[k]);
    rg_free(r->ctx, r);
    *rank = NULL;
}
