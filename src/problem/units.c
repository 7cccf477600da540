/* Absolute tolerances of single unknowns: life, and what model and options say. */
#include "problem/units.h"

#include <math.h>
#include <string.h>

rg_status rg_units_create_empty(const rg_problem *p, rg_units **out)
{
    rg_units *u = *out = rg_alloc(p->ctx, 1, sizeof *u);

    if (u == NULL) return RG_ERR_MEMORY;
    u->families = p->families;
    u->n = p->n;
    return RG_OK;
}

void rg_units_destroy(rg_context *ctx, rg_units **units)
{
    rg_units *u = *units;

    if (u == NULL) return;
    for (int r = 0; r <= RG_MAX_ORDER; r++)
        rg_free(ctx, u->unit[r]);
    rg_free(ctx, u);
    *units = NULL;
}

rg_status rg_units_set(rg_context *ctx, rg_units *u, int64_t unknown, int order, double unit)
{
    if (u->unit[order] == NULL) {
        u->unit[order] = rg_alloc(ctx, (size_t)u->n + 1, sizeof *u->unit[order]);
        if (u->unit[order] == NULL) return RG_ERR_MEMORY;
        for (int64_t j = 0; j < u->n; j++)
            u->unit[order][j] = NAN;
    }
    u->unit[order][unknown] = unit;
    return RG_OK;
}

rg_status rg_units_copy(rg_context *ctx, const rg_units *u, rg_units **out)
{
    *out = rg_alloc(ctx, 1, sizeof **out);
    if (*out == NULL) return RG_ERR_MEMORY;
    (*out)->families = u->families;
    (*out)->n = u->n;
    for (int r = 0; r <= RG_MAX_ORDER; r++)
        for (int64_t j = 0; u->unit[r] != NULL && j < u->n; j++)
            if (rg_units_set(ctx, *out, j, r, u->unit[r][j]) != RG_OK) {
                rg_units_destroy(ctx, out);
                return RG_ERR_MEMORY;
            }
    return RG_OK;
}

double rg_units_at(const rg_units *u, int64_t unknown, int order)
{
    for (int r = order; r >= 0; r--)
        if (u->unit[r] != NULL && !isnan(u->unit[r][unknown])) return u->unit[r][unknown];
    return NAN;
}

/* ---- model and options ----------------------------------------------------------------------- */

static rg_status from_model(const rg_problem *p, const rg_options *o, rg_units *u)
{
    for (int r = 0; r <= RG_MAX_ORDER; r++)
        for (int64_t j = 0; p->atol[r] != NULL && j < p->n; j++)
            if (!isnan(p->atol[r][j]))
                RG_TRY(rg_units_set(p->ctx, u, j, r, p->atol[r][j] * o->atol_factor / o->rtol));
    return RG_OK;
}

static rg_status fail_name(const rg_problem *p, const char *name)
{
    const char **words = rg_alloc(p->ctx, (size_t)p->n_families + 1, sizeof *words);

    if (words == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < p->n_families; k++)
        words[k] = p->families[k].name;
    const char *near = rg_nearest_word(name, p->n_families, words);
    rg_free(p->ctx, words);
    rg_fail(p->ctx, RG_ERR_ARGUMENT, "atol names '%s', which is no unknown of the model", name);
    if (near != NULL) return rg_remedy(p->ctx, "did you mean '%s'?", near);
    return rg_remedy(p->ctx,
                     "write atol as NAME=VALUE with a name declared by 'var', as x or u[3]");
}

/* x' of an unknown that occurs with no higher derivative follows from the equations. */
static rg_status check_order(const rg_problem *p, const rg_family *f, const char *name, int order,
                             int highest)
{
    if (order == 0 || order < highest) return RG_OK;
    rg_fail(p->ctx, RG_ERR_ARGUMENT,
            "atol names '%s', but the model has no higher derivative of it: its error is not "
            "controlled",
            name);
    return rg_remedy(p->ctx, "give the tolerance of '%s'", f->name);
}

/* y[1], y[2], ... of a callback problem, as rg_problem_name() writes them; -1: another name. */
static int64_t callback_unknown(const rg_problem *p, const char *name)
{
    char own[32];

    for (int64_t j = 0; p->n_families == 0 && j < p->n; j++) {
        rg_problem_name(p, j, own, sizeof own);
        if (strcmp(own, name) == 0) return j;
    }
    return -1;
}

/* "x", "u" (all of an array), "u[3]", each with primes. */
static rg_status set_name(const rg_problem *p, const char *name, double unit, rg_units *u)
{
    char plain[256];
    size_t length = strlen(name);
    int order = 0;

    for (; length > 0 && name[length - 1] == '\''; length--)
        order++;
    snprintf(plain, sizeof plain, "%.*s", (int)length, name);
    const int64_t single = rg_problem_find(p, plain);
    for (int k = 0; k < p->n_families; k++) {
        const rg_family *f = &p->families[k];
        const bool is_here = single >= f->first && single < f->first + f->count;
        if (!is_here && strcmp(f->name, plain) != 0) continue;
        const int highest = is_here ? rg_variable_order(p, single) : f->order;
        RG_TRY(check_order(p, f, name, order, highest));
        for (int64_t j = 0; j < f->count; j++)
            if (!is_here || f->first + j == single)
                RG_TRY(rg_units_set(p->ctx, u, f->first + j, order, unit));
        return RG_OK;
    }
    const int64_t unknown = callback_unknown(p, name);
    return unknown >= 0 ? rg_units_set(p->ctx, u, unknown, 0, unit) : fail_name(p, name);
}

static rg_status from_options(const rg_problem *p, const rg_options *o, rg_units *u)
{
    const double factor = rg_options_has_model_atol(o) ? o->atol_factor : 1.0;
    const char *text = o->atol_names;
    char name[256];
    double value;

    while (rg_scales_next(&text, name, sizeof name, &value))
        RG_TRY(set_name(p, name, value * factor / o->rtol, u));
    return RG_OK;
}

rg_status rg_units_create(const rg_problem *p, const rg_options *o, rg_units **out)
{
    bool is_needed = o->atol_names[0] != '\0';

    *out = NULL;
    for (int r = 0; r <= RG_MAX_ORDER; r++)
        is_needed = is_needed || p->atol[r] != NULL;
    if (!is_needed) return RG_OK;
    RG_TRY(rg_units_create_empty(p, out));
    rg_status status = from_model(p, o, *out);
    if (status == RG_OK) status = from_options(p, o, *out);
    if (status != RG_OK) rg_units_destroy(p->ctx, out);
    return status;
}
