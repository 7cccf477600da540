/* What a run ended with, as the reports tell it. */
#ifndef RG_TESTS_SUPPORT_END_H
#define RG_TESTS_SUPPORT_END_H

#include "regula.h"

#include <stdbool.h>

/* The value of a column at the end; NaN if there is none of that name. */
double end_value(const rg_solution *s, const char *column);
/* All columns at the end of the interval of a model, with options "name", "value", .., NULL; false:
 * it failed, and the cause is printed. */
bool end_values(const char *text, const char *const *options, double *out);
/* How many singular places the JSON report names; -1: it could not be written. */
int places_of(const rg_problem *p, const rg_solution *s);

#endif
