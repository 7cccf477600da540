/* Switches: where abs, sign, min, max, mod, comparisons and if change branch.
 *
 * Every such place in an equation has a function s(t, y, y') whose mode, sign(s) or floor(s), tells the branch:
 *
 *     abs(a), sign(a), if(a, ..): a      min(a, b), max(a, b), a < b, a == b: a - b      mod(a, b): a/b
 *
 * The functions are bodies like those of the equations, and are evaluated as an assembly. */
#ifndef RG_VIEWS_SWITCHES_H
#define RG_VIEWS_SWITCHES_H

#include "views/states.h"

typedef struct {
    int64_t n;           /* functions; 0: the model has no kinks */
    rg_assembly *values; /* over z = (y, y') */
    uint8_t *is_floor;   /* per function */
    rg_problem *shell;   /* the functions as a problem of their own; borrows everything else */
    rg_span *spans;      /* per function: the equation it comes from */
} rg_switches;

rg_status rg_switches_init(const rg_problem *p, const rg_states *l, rg_switches *out);
void rg_switches_clear(rg_context *ctx, rg_switches *s);
/* The branch that a value stands for. */
double rg_switch_mode(const rg_switches *s, int64_t k, double value);

#endif
