/* Boundary lines as a problem of their own: bodies whose slots point at the unknowns of all
 * points. */
#include "bvp/auxiliary.h"

static void destroy_copy(rg_context *ctx, rg_body *b)
{
    if (b == NULL) return;
    for (int32_t k = 0; b->slots != NULL && k < b->n_slots; k++)
        rg_free(ctx, b->slots[k].map.list);
    for (int32_t k = 0; b->sums != NULL && k < b->n_sums; k++) {
        for (int i = 0; b->sums[k].parts != NULL && i < b->sums[k].n_parts; i++)
            destroy_copy(ctx, b->sums[k].parts[i]);
        rg_free(ctx, b->sums[k].parts);
    }
    rg_free(ctx, b->slots);
    rg_free(ctx, b->sums);
    rg_free(ctx, b);
}

/* Unknown j at point k is number k n + j of the auxiliary. */
static rg_status shift_slot(rg_context *ctx, const rg_slot *from, int64_t count, int64_t n,
                            const int *point, rg_slot *to)
{
    const int64_t shift = from->point >= 0 ? point[from->point] * n : 0;

    *to = *from;
    to->map.list = NULL;
    to->map.base += shift;
    if (from->map.list == NULL) return RG_OK;
    to->map.list = rg_alloc(ctx, (size_t)count + 1, sizeof *to->map.list);
    if (to->map.list == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < count; k++)
        to->map.list[k] = from->map.list[k] + (int32_t)shift;
    return RG_OK;
}

/* Everything but slots and sums is borrowed.  The nesting of sums is limited by the parser. */
static rg_status copy_body(rg_context *ctx, const rg_body *from, int64_t n, const int *point,
                           rg_body **out)
{
    rg_body *b = *out = rg_alloc(ctx, 1, sizeof *b);

    if (b == NULL) return RG_ERR_MEMORY;
    *b = *from;
    b->slots = rg_alloc(ctx, (size_t)from->n_slots + 1, sizeof *b->slots);
    b->sums = rg_alloc(ctx, (size_t)from->n_sums + 1, sizeof *b->sums);
    if (b->slots == NULL || b->sums == NULL) return RG_ERR_MEMORY;
    for (int32_t k = 0; k < from->n_slots; k++)
        RG_TRY(shift_slot(ctx, &from->slots[k], from->count, n, point, &b->slots[k]));
    for (int32_t k = 0; k < from->n_sums; k++) {
        b->sums[k].parts =
            rg_alloc(ctx, (size_t)from->sums[k].n_parts + 1, sizeof *b->sums[k].parts);
        if (b->sums[k].parts == NULL) return RG_ERR_MEMORY;
        b->sums[k].n_parts = from->sums[k].n_parts;
        for (int i = 0; i < from->sums[k].n_parts; i++)
            RG_TRY(copy_body(ctx, from->sums[k].parts[i], n, point, &b->sums[k].parts[i]));
    }
    return RG_OK;
}

rg_status rg_bvp_auxiliary_create(const rg_problem *p, int n_points, const int *point,
                                  rg_problem **out)
{
    rg_problem *auxiliary = *out = rg_alloc(p->ctx, 1, sizeof *auxiliary);

    if (auxiliary == NULL) return RG_ERR_MEMORY;
    auxiliary->ctx = p->ctx;
    auxiliary->source = p->source;
    auxiliary->n = p->n * n_points;
    auxiliary->n_families = p->n_families;
    auxiliary->families = p->families;
    auxiliary->blocks = rg_alloc(p->ctx, (size_t)p->n_conditions + 1, sizeof *auxiliary->blocks);
    if (auxiliary->blocks == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < p->n_conditions; k++) {
        const rg_block *from = &p->conditions[k];
        auxiliary->blocks[k] = (rg_block){NULL, auxiliary->n_rows, from->spans};
        auxiliary->n_blocks++;
        auxiliary->n_rows += from->body->count * from->body->n_outputs;
        RG_TRY(copy_body(p->ctx, from->body, p->n, point, &auxiliary->blocks[k].body));
    }
    return RG_OK;
}

void rg_bvp_auxiliary_destroy(rg_problem **auxiliary)
{
    if (*auxiliary == NULL) return;
    rg_context *ctx = (*auxiliary)->ctx;
    for (int k = 0; k < (*auxiliary)->n_blocks; k++)
        destroy_copy(ctx, (*auxiliary)->blocks[k].body);
    rg_free(ctx, (*auxiliary)->blocks);
    rg_free(ctx, *auxiliary);
    *auxiliary = NULL;
}
