/* Switches: where abs, sign, min, max, mod, comparisons and if change branch.
 *
 * Every such place in an equation has a function s(t, y, y') whose sign or whole part tells the
 * branch:
 *
 *     abs(a), sign(a): a         min(a, b), max(a, b), a < b: a - b         mod(a, b): a/b
 *     table f(a): the position of a among the nodes
 *
 * The equations are written anew with the branch mu of every place as one more unknown, so that
 * they are smooth as long as mu is held:
 *
 *     abs(a) = mu a,  sign(a) = mu,  c = (1 + mu)/2,  max(a, b) = c a + (1 - c) b,  min(a, b) =
 *     (1 - c) a + c b,  (a < b) = 1 - c,  if(c, a, b) = c a + (1 - c) b,  mod(a, b) = a - mu b,
 *     f(a) = polynomial mu of the table at a, or between two of them,
 *
 * where for c = 1 and c = 0 the other branch is not looked at; `and` is a product.  a == b is true
 * at single points only and has no branch. */
#ifndef RG_VIEWS_SWITCHES_H
#define RG_VIEWS_SWITCHES_H

#include "views/states.h"

/* What the mode is: sign(s), 0 on the edge; floor(s); the truth of s < 0 or s <= 0 as -1 (true)
 * and 1. */
enum { RG_SWITCH_SIGN, RG_SWITCH_FLOOR, RG_SWITCH_LESS, RG_SWITCH_LESS_EQUAL };

typedef struct {
    int64_t n;           /* functions; 0: the model has no kinks */
    rg_assembly *values; /* over z = (y, y'), room, mu, 0; with Jacobian */
    uint8_t *kind;       /* per function: RG_SWITCH_* */
    uint8_t *jumps;      /* per function: what is switched need not be continuous */
    rg_switch_nodes *nodes;
    uint8_t *moves;        /* per function: it depends on y or y', not on time alone */
    rg_problem *auxiliary; /* the functions as a problem of their own; borrows everything else */
    rg_problem *held;      /* the equations with mu; borrows everything else */
    int64_t first;         /* place of mu in z */
    int64_t n_columns;     /* of z */
    int32_t **column;      /* [order][unknown]: of the layout, and of mu */
    int n_orders;
    uint8_t *nests; /* per function: it depends on the branch of another one */
    bool is_nested; /* some function depends on the branch of another one */
} rg_switches;

rg_status rg_switches_init(const rg_problem *p, const rg_states *l, rg_switches *out);
void rg_switches_clear(rg_context *ctx, rg_switches *s);
/* The name of the equation that function k stands in: of several the one that is differentiated
 * most, with c[i] times that equation i is; NULL: not known.  The length, as snprintf() has it. */
int rg_switches_name(const rg_switches *s, const rg_problem *p, const int32_t *c, int64_t k,
                     char *buffer, int size);
/* The branch that a value stands for. */
double rg_switch_mode(const rg_switches *s, int64_t k, double value);
/* All values at z, which has n_columns places; the branches in it become those that the values
 * stand for, as long as one changes: values of others may depend on it. */
rg_status rg_switches_follow(const rg_switches *s, rg_assembly_work *w, double t, double *z,
                             double *values);
/* The same with the functions over columns of another view, mu from `first` on. */
typedef struct {
    const rg_assembly *values;
    rg_assembly_work *work;
    double *z;
    int64_t first;
} rg_switches_in;
rg_status rg_switches_follow_in(const rg_switches *s, const rg_switches_in *in, double t,
                                double *values);

#endif
