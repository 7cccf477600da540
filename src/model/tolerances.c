/* Absolute tolerances of unknowns: var x = 1 atol 1e-12, var u[i=1..N]' ~ 0 atol expr(i). */
#include "model/compiler.h"

#include <math.h>

static rg_status room_for_order(compiler *c, int order)
{
    double **atol = &c->p->atol[order];

    if (*atol != NULL) return RG_OK;
    *atol = rg_alloc(c->ctx, (size_t)c->p->n + 1, sizeof **atol);
    if (*atol == NULL) return RG_ERR_MEMORY;
    for (int64_t j = 0; j < c->p->n; j++)
        (*atol)[j] = NAN;
    return RG_OK;
}

static rg_status not_accepted(compiler *c, const start_item *item, int64_t variable, double value)
{
    char name[128];

    rg_variable_name(c->p, variable, item->primes, name, sizeof name);
    rg_bad(c, item->st->atol->span, "the tolerance of '%s' is %g", name, value);
    rg_bad_remedy(c, "give a finite number of 0 or more, as in: atol 1e-12");
    return RG_ERR_SYNTAX;
}

/* x' of an unknown that occurs with no higher derivative follows from the equations. */
static rg_status check_order(compiler *c, const start_item *item)
{
    const rg_family *f = &c->p->families[item->sym->family];

    if (item->primes == 0 || item->primes < f->order) return RG_OK;
    rg_bad(c, item->st->atol->span,
           "a tolerance of a derivative of '%s' that follows from the equations: no equation has a "
           "higher one",
           f->name);
    rg_bad_remedy(c, "give the tolerance of '%s'", f->name);
    return RG_ERR_SYNTAX;
}

static rg_status make_tolerance(compiler *c, builder *b, const binding *loops, void *user)
{
    const start_item *item = user;
    const scope s = {b, loops, INT32_MAX, 0, "a tolerance"};
    rg_map map;

    const rg_node node = rg_elaborate(&s, item->st->atol);
    if (node == RG_SPLIT) return RG_RETRY;
    if (node < 0) return RG_ERR_SYNTAX;
    RG_TRY(check_order(c, item));
    RG_TRY(rg_start_targets(c, b, loops, item, &map));
    RG_TRY(room_for_order(c, item->primes));
    double *values = rg_alloc(c->ctx, (size_t)b->body->count + 1, sizeof *values);
    if (values == NULL) return RG_ERR_MEMORY;
    rg_status status = rg_start_evaluate(c, b, node, values);
    for (int64_t k = 0; k < b->body->count && status == RG_OK; k++) {
        const int64_t variable = rg_map_at(&map, k);
        if (!(values[k] >= 0.0 && isfinite(values[k])))
            status = not_accepted(c, item, variable, values[k]);
        c->p->atol[item->primes][variable] = values[k];
    }
    rg_free(c->ctx, values);
    return status;
}

rg_status rg_compile_tolerances(compiler *c)
{
    for (int k = 0; k < c->model->n_statements; k++) {
        const rg_statement *st = c->model->statements[k];
        if (st->kind != RG_STATEMENT_VAR || st->atol == NULL) continue;
        if (c->p->atol_span.end == 0) c->p->atol_span = st->span;
        const rg_status status = rg_start_each(c, st, make_tolerance);
        if (status == RG_ERR_MEMORY) return status;
    }
    return RG_OK;
}
