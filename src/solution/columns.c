/* The columns of a solution: their number, their names, and their values at a point. */
#include "solution/columns.h"

#include <math.h>

struct rg_columns {
    const rg_problem *problem;
    const rg_layout *layout;
    rg_values *values; /* NULL: plain columns */
};

int64_t rg_plain_column_count(const rg_problem *p)
{
    int64_t count = p->n;

    for (int k = 0; k < p->n_families; k++)
        if (p->families[k].order > 1) count += (p->families[k].order - 1) * p->families[k].count;
    return count;
}

void rg_plain_column(const rg_problem *p, int64_t column, int64_t *variable, int *order)
{
    *variable = column;
    *order = 0;
    if (column < p->n) return;
    column -= p->n;
    for (int r = 1; r < RG_MAX_ORDER; r++)
        for (int k = 0; k < p->n_families; k++) {
            if (p->families[k].order <= r) continue;
            if (column < p->families[k].count) {
                *variable = p->families[k].first + column;
                *order = r;
                return;
            }
            column -= p->families[k].count;
        }
}

int64_t rg_column_count(const rg_problem *p)
{
    return p->n_outputs > 0 ? p->n_columns : rg_plain_column_count(p);
}

int rg_column_name(const rg_problem *p, int64_t column, char *buffer, int size)
{
    int64_t variable;
    int order;

    if (p->n_outputs > 0) return rg_output_name(p, column, buffer, size);
    rg_plain_column(p, column, &variable, &order);
    return rg_variable_name(p, variable, order, buffer, size);
}

rg_status rg_columns_create(const rg_problem *p, const rg_layout *layout, rg_columns **out)
{
    rg_columns *c = rg_alloc(p->ctx, 1, sizeof *c);
    rg_status status = RG_OK;

    *out = NULL;
    if (c == NULL) return RG_ERR_MEMORY;
    c->problem = p;
    c->layout = layout;
    if (p->n_outputs > 0)
        status = rg_values_create(p, p->n_outputs, p->outputs, layout, &c->values);
    if (status != RG_OK) {
        rg_columns_destroy(&c);
        return status;
    }
    *out = c;
    return RG_OK;
}

void rg_columns_destroy(rg_columns **columns)
{
    if (*columns == NULL) return;
    rg_values_destroy(&(*columns)->values);
    rg_free((*columns)->problem->ctx, *columns);
    *columns = NULL;
}

/* The plain columns: entries of z. */
static void copy_plain(const rg_columns *c, const double *z, double *out)
{
    const rg_problem *p = c->problem;
    int64_t column = p->n;

    for (int64_t j = 0; j < p->n; j++)
        out[j] = z[j];
    for (int r = 1; r < RG_MAX_ORDER; r++)
        for (int k = 0; k < p->n_families; k++) {
            if (p->families[k].order <= r) continue;
            for (int64_t i = 0; i < p->families[k].count; i++) {
                const int64_t place = rg_layout_at(c->layout, p->families[k].first + i, r);
                out[column++] = place >= 0 ? z[place] : NAN;
            }
        }
}

rg_status rg_columns_eval(const rg_columns *columns, double t, const double *z, double *out)
{
    if (columns->values != NULL) return rg_values_eval(columns->values, t, z, out);
    copy_plain(columns, z, out);
    return RG_OK;
}
