/* Signature matrix of a problem given by callbacks: nothing is known about F but what its Jacobians
 * show.
 *
 * Order 1: dF_i/dy_j' is not 0 at one of the sampled points; order 0: dF_i/dy_j is not 0, or the
 * pattern says so. */
#include "structure/build.h"
#include "structure/sampler.h"
#include "structure/tuning.h"

static rg_status mark_entries(rg_sampler *s, uint8_t *is_entry)
{
    const int64_t n_values = s->pattern->start[s->n_columns];
    const int64_t n_zero = s->pattern->start[s->p->n]; /* entries of dF/dy come first */
    int n_done = 0;

    for (int k = 0; k < RG_PROBES; k++) {
        const rg_status status =
            rg_sampler_visit(s, k == 0 ? RG_MOVE_NONE : RG_MOVE_ALL, RG_SAMPLE_SIZE, k);
        if (status == (rg_status)RG_RETRY) continue;
        if (status != RG_OK) return status;
        n_done++;
        for (int64_t e = 0; e < n_values; e++)
            if (s->J[e] != 0.0) is_entry[e] = 1;
    }
    if (n_done == 0) {
        rg_fail(s->p->ctx, RG_ERR_STRUCTURE,
                "the equations cannot be evaluated at the start values or near them");
        return rg_remedy(s->p->ctx, "give start values where all equations are defined");
    }
    if (s->p->pattern_start != NULL)
        for (int64_t e = 0; e < n_zero; e++)
            is_entry[e] = 1;
    return RG_OK;
}

/* Marked entries of the columns y, y' row by row; returns how many there are. */
static rg_status gather_rows(const rg_sampler *s, const uint8_t *is_entry, rg_signature *sig,
                             int64_t *n_entries)
{
    rg_context *ctx = s->p->ctx;
    const rg_pattern *a = s->pattern;

    for (int64_t e = 0; e < a->start[s->n_columns]; e++)
        if (is_entry[e]) sig->start[a->row[e] + 1]++;
    for (int64_t i = 0; i < sig->n_rows; i++)
        sig->start[i + 1] += sig->start[i];
    *n_entries = sig->start[sig->n_rows];
    sig->column = rg_alloc(ctx, (size_t)*n_entries + 1, sizeof *sig->column);
    sig->order = rg_alloc(ctx, (size_t)*n_entries + 1, sizeof *sig->order);
    if (sig->column == NULL || sig->order == NULL) return RG_ERR_MEMORY;
    for (int64_t k = s->n_columns - 1; k >= 0; k--)
        for (int64_t e = a->start[k]; e < a->start[k + 1]; e++) {
            if (!is_entry[e]) continue;
            const int64_t at = --sig->start[a->row[e] + 1];
            sig->column[at] = (int32_t)(k % s->p->n);
            sig->order[at] = (int8_t)(k / s->p->n);
        }
    for (int64_t i = 0; i < sig->n_rows; i++) /* start[i+1] is now where row i begins */
        sig->start[i] = sig->start[i + 1];
    return RG_OK;
}

rg_status rg_signature_probe(const rg_problem *p, rg_signature *sig)
{
    rg_sampler *s = NULL;
    uint8_t *is_entry = NULL;
    int64_t n_entries = 0;
    rg_status status = rg_sampler_create(p, 1, 2, &s);

    if (status != RG_OK) goto done;
    sig->n_rows = p->n_rows;
    sig->n_columns = p->n;
    sig->start = rg_alloc(p->ctx, (size_t)p->n_rows + 2, sizeof *sig->start);
    is_entry = rg_alloc(p->ctx, (size_t)s->pattern->start[s->n_columns] + 1, sizeof *is_entry);
    if (sig->start == NULL || is_entry == NULL) {
        status = RG_ERR_MEMORY;
        goto done;
    }
    if ((status = mark_entries(s, is_entry)) != RG_OK) goto done;
    if ((status = gather_rows(s, is_entry, sig, &n_entries)) != RG_OK) goto done;
    status = rg_signature_tidy(p->ctx, sig, n_entries);
done:
    rg_free(p->ctx, is_entry);
    rg_sampler_destroy(&s);
    return status;
}
