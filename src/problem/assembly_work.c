/* The workspace of an assembly: one per thread. */
#include "problem/assembly_impl.h"

#include <string.h>

static double *home_of(const rg_assembly_work *w, const rg_binding *at)
{
    return at->home == AT_POOL ? w->pool + at->offset : NULL;
}

static void bind_program(rg_assembly_work *w, const rg_program *p)
{
    if (p->tape == NULL) return;
    for (int k = 0; k < p->n_inputs; k++) {
        const rg_binding *from = &p->inputs[k];
        const double *values = from->home == AT_FIXED ? from->values : home_of(w, from);
        w->sources[p->first_source + k] = (rg_tape_source){values, from->map};
    }
    for (int k = 0; k < p->n_outputs; k++) {
        const rg_binding *to = &p->outputs[k];
        w->targets[p->first_target + k] = (rg_tape_target){home_of(w, to), to->map, to->accumulate};
    }
}

static void bind_unit(rg_assembly_work *w, const rg_unit *u)
{
    bind_program(w, &u->value);
    bind_program(w, &u->jacobian);
    for (int k = 0; k < u->n_children; k++)
        bind_unit(w, &u->children[k]);
}

rg_status rg_assembly_work_create(const rg_assembly *a, rg_assembly_work **out)
{
    rg_context *ctx = a->ctx;
    rg_assembly_work *w = rg_alloc(ctx, 1, sizeof *w);

    *out = NULL;
    if (w == NULL) return RG_ERR_MEMORY;
    w->ctx = ctx;
    w->pool = rg_alloc(ctx, (size_t)a->pool_size, sizeof *w->pool);
    w->tape = rg_alloc(ctx, a->tape_workspace, sizeof *w->tape);
    w->sources = rg_alloc(ctx, (size_t)a->n_sources, sizeof *w->sources);
    w->targets = rg_alloc(ctx, (size_t)a->n_targets, sizeof *w->targets);
    w->F = rg_alloc(ctx, (size_t)a->n_rows, sizeof *w->F);
    rg_status status =
        w->pool && w->tape && w->sources && w->targets && w->F ? RG_OK : RG_ERR_MEMORY;
    if (status == RG_OK && a->callback != NULL) status = rg_callback_work(a, w);
    if (status != RG_OK) {
        rg_assembly_work_destroy(&w);
        return status;
    }
    for (int k = 0; k < a->n_units; k++)
        bind_unit(w, &a->units[k]);
    rg_native_begin(a, w);
    *out = w;
    return RG_OK;
}

void rg_assembly_work_destroy(rg_assembly_work **w)
{
    if (*w == NULL) return;
    rg_context *ctx = (*w)->ctx;
    double *const arrays[] = {(*w)->pool,  (*w)->tape,      (*w)->F,        (*w)->kept,
                              (*w)->y,     (*w)->yp,        (*w)->other,    (*w)->column,
                              (*w)->saved, (*w)->values[0], (*w)->values[1]};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(ctx, arrays[k]);
    rg_free(ctx, (*w)->sources);
    rg_free(ctx, (*w)->targets);
    rg_free(ctx, *w);
    *w = NULL;
}

rg_status rg_assembly_work_keep(const rg_assembly *a, rg_assembly_work *w)
{
    const size_t nonzeros = (size_t)a->pattern.start[a->n_columns];

    if (w->kept != NULL) return RG_OK;
    w->kept = rg_alloc(w->ctx, nonzeros, sizeof *w->kept);
    if (w->kept == NULL) return RG_ERR_MEMORY;
    if (a->constant != NULL) memcpy(w->kept, a->constant, nonzeros * sizeof *w->kept);
    return RG_OK;
}
