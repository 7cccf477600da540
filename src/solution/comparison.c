/* Life of a comparison, and what can be asked of it. */
#include "solution/comparison.h"

#include <math.h>
#include <stdio.h>

const char *const rg_compare_columns[RG_COMPARE_COLUMNS] = {
    "error", "By", "g", "g'", "iterations", "steps", "evaluations", "seconds"};

rg_status rg_comparison_create(const rg_problem *p, int n_wanted, rg_comparison **out)
{
    rg_comparison *c = rg_alloc(p->ctx, 1, sizeof *c);
    const size_t n_errors = (size_t)n_wanted * (size_t)p->n;

    *out = c;
    if (c == NULL) return RG_ERR_MEMORY;
    c->ctx = p->ctx;
    c->problem = p;
    c->n_wanted = n_wanted;
    snprintf(c->against, sizeof c->against, "nothing");
    c->row = rg_alloc(p->ctx, (size_t)n_wanted, sizeof *c->row);
    c->errors = rg_alloc(p->ctx, n_errors, sizeof *c->errors);
    if (c->row == NULL || c->errors == NULL) {
        rg_comparison_destroy(out);
        return RG_ERR_MEMORY;
    }
    for (size_t k = 0; k < n_errors; k++)
        c->errors[k] = NAN;
    return RG_OK;
}

void rg_comparison_destroy(rg_comparison **comparison)
{
    rg_comparison *c = comparison == NULL ? NULL : *comparison;

    if (c == NULL) return;
    rg_free(c->ctx, c->row);
    rg_free(c->ctx, c->errors);
    rg_free(c->ctx, c->points);
    rg_free(c->ctx, c);
    *comparison = NULL;
}

int rg_comparison_count(const rg_comparison *c)
{
    return c != NULL ? c->n_rows : 0;
}

rg_status rg_comparison_row(const rg_comparison *c, int k, rg_compare_row *out)
{
    if (c == NULL || out == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(c->ctx);
    if (k < 0 || k >= c->n_rows) {
        rg_fail(c->ctx, RG_ERR_ARGUMENT, "there is no row %d: there are %d", k, c->n_rows);
        return rg_remedy(c->ctx, "ask rg_comparison_count() how many there are");
    }
    *out = c->row[k];
    return RG_OK;
}

double rg_comparison_error(const rg_comparison *c, int k, int64_t variable)
{
    const bool is_there =
        c != NULL && k >= 0 && k < c->n_rows && variable >= 0 && variable < c->problem->n;

    return is_there ? c->errors[k * c->problem->n + variable] : NAN;
}

const char *rg_comparison_against(const rg_comparison *c)
{
    return c != NULL ? c->against : "";
}

int64_t rg_comparison_point_count(const rg_comparison *c)
{
    return c != NULL ? c->n_points : 0;
}

rg_status rg_comparison_point(const rg_comparison *c, int64_t k, rg_compare_point *out)
{
    if (c == NULL || out == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(c->ctx);
    if (k < 0 || k >= c->n_points) {
        rg_fail(c->ctx, RG_ERR_ARGUMENT, "there is no entry %lld: there are %lld", (long long)k,
                (long long)c->n_points);
        return rg_remedy(c->ctx, "ask rg_comparison_point_count() how many there are");
    }
    *out = c->points[k];
    return RG_OK;
}
