/* Switches: where abs, sign, min, max, mod, comparisons and if change branch.
 *
 * Every such place in an equation has a function s(t, y, y') whose mode, sign(s) or floor(s), tells
 * the branch:
 *
 *     abs(a), sign(a), if(a, ..): a         mod(a, b): a/b
 *     min(a, b), max(a, b), a < b, a == b: a - b
 *
 * The functions are bodies like those of the equations, and are evaluated as an assembly. */
#ifndef RG_VIEWS_SWITCHES_H
#define RG_VIEWS_SWITCHES_H

#include "views/states.h"

/* What the mode is: sign(s), 0 on the edge; floor(s) + 1/2; the truth of s < 0 or s <= 0 as -1
 * (true) and 1. */
enum { RG_SWITCH_SIGN, RG_SWITCH_FLOOR, RG_SWITCH_LESS, RG_SWITCH_LESS_EQUAL };

typedef struct {
    int64_t n;           /* functions; 0: the model has no kinks */
    rg_assembly *values; /* over z = (y, y') */
    uint8_t *kind;       /* per function: RG_SWITCH_* */
    rg_problem *shell;   /* the functions as a problem of their own; borrows everything else */
} rg_switches;

rg_status rg_switches_init(const rg_problem *p, const rg_states *l, rg_switches *out);
void rg_switches_clear(rg_context *ctx, rg_switches *s);
/* The branch that a value stands for. */
double rg_switch_mode(const rg_switches *s, int64_t k, double value);

#endif
