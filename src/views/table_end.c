/* The message of a run that has come to the end of a table. */
#include "views/system_impl.h"

#include "problem/table_ends.h"

#include <math.h>

typedef struct {
    const rg_states *layout;
    const double *y, *yp;
} point;

static double value_of(void *user, int64_t unknown, int order)
{
    const point *at = user;
    const int32_t column = order < at->layout->n_orders ? at->layout->column[order][unknown] : -1;
    const int64_t n = at->layout->n_states;

    if (column < 0) return NAN;
    return column < n ? at->y[column] : column < 2 * n ? at->yp[column - n] : NAN;
}

bool rg_system_fail_table(const rg_system *s, double t, const double *y, const double *yp)
{
    const rg_problem *p = s->p;
    point at = {&s->layout, y, yp};
    rg_table_end end;

    if (rg_problem_table_end(p, t, value_of, &at, &end) != RG_OK || end.table == NULL) return false;
    const rg_table_data *d = &end.table->data;
    rg_fail(p->ctx, RG_ERR_CONVERGENCE,
            "stopped at %s = %.10g: the argument of the table '%s' is %.10g, and the table, from "
            "%.10g to %.10g, ends there",
            p->time_name != NULL ? p->time_name : "t", t, end.table->name, end.argument, d->low,
            d->high);
    if (p->source != NULL) rg_fail_at(p->ctx, p->source, rg_row_span(p, end.row));
    rg_fail_time(p->ctx, t);
    rg_remedy(p->ctx, "give the table more points, or write 'hold' or 'repeat' behind it");
    return true;
}
