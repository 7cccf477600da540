/* Orders of convergence per method, stages, index and kind of component.
 *
 * Index 1: HW96 VI.1.  Index 2: HW96 table VII.4.1.  Index 3 (positions, velocities, multipliers):
 * measured on the models of doc/methods/orders.md; Radau IIA also in HLR89 section 6.  There two
 * rows are needed: with q' = v (mechanics), and for y' = f(y, z), where an error of the
 * multipliers that does not vanish stays in positions and velocities too.  That takes small
 * steps to show (Lobatto IIIA, 3 stages: q falls with order 2.2 to 2.6 down to h = 0.03, and stays
 * at 2e-8 from h = 0.01 on; Radau IA, 3 stages: q 3, then 2; Gauss, 3 and 4 stages: q 4 down to
 * h = 0.02, then 2, in 113 bits).  0: does not converge. */
#include "ivp/irk/theory.h"

static int positive(int order)
{
    return order > 0 ? order : 0;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* y, z: index 1, differential and algebraic; y2, z2: index 2; q, v, u: index 3. */
typedef struct {
    int y, z, y2, z2, q, v, u;
} orders;

static int pick(const rg_order_question *a, orders o)
{
    const int first = a->index <= 1 ? o.y : a->index == 2 ? o.y2 : o.q;

    if (a->kind <= 1) return positive(a->is_algebraic ? least(o.z, first) : first);
    if (a->kind == 2) return positive(a->index == 2 ? o.z2 : o.v);
    return positive(a->kind == 3 ? o.u : 0);
}

/* Of two rows for index 3 the one that fits: mechanics, or no structure. */
static int pick_of(const rg_order_question *a, orders mechanics, orders general)
{
    return pick(a, a->has_velocities ? mechanics : general);
}

int rg_order_gauss(const rg_order_question *a)
{
    const int s = a->stages, even = s % 2 == 0 ? s : s + 1; /* s, or s + 1 */

    if (a->is_projected) return 2 * s; /* Ascher, Petzold (1991): all components */
    if (s < 3)
        return pick_of(a, (orders){2 * s, even, even, even - 2, 2, 0, 0},
                       (orders){2 * s, even, even, even - 2, 0, 0, 0});
    /* 3, 4 stages: multipliers that do not converge leave h^2 in positions without q' = v */
    return pick_of(a, (orders){2 * s, even, even, even - 2, even, even - 2, even - 4},
                   (orders){2 * s, even, even, even - 2, even > 4 ? even : 2, even - 2, even - 4});
}

int rg_order_radau1a(const rg_order_question *a)
{
    const int s = a->stages, z2 = s > 1 ? s - 1 : 1;

    if (a->is_projected) return s > 1 ? 2 * s - 2 : 1;
    return pick_of(a, (orders){2 * s - 1, s, s, z2, s, z2, s - 2},
                   s < 3 ? (orders){2 * s - 1, s, s, z2, 0, 0, 0}
                         : (orders){2 * s - 1, s, s, z2, s - 1, s - 1, s - 2});
}

int rg_order_radau(const rg_order_question *a)
{
    const int s = a->stages;

    if (s == 1) return pick(a, (orders){1, 1, 1, 1, 1, 1, 1});
    return pick(a, (orders){2 * s - 1, 2 * s - 1, 2 * s - 1, s, 2 * s - 2, s, s - 1});
}

int rg_order_lobatto3a(const rg_order_question *a)
{
    const int s = a->stages, p = 2 * s - 2, even = s % 2 == 0 ? s : s - 1;
    const int q = s % 2 == 0 ? p : p - 2;

    if (s < 4)
        return pick_of(a, (orders){p, p, p, even, 2, 2, 0}, (orders){p, p, p, even, 0, 0, 0});
    return pick(a, (orders){p, p, p, even, q, even, even - 2});
}

int rg_order_lobatto3c(const rg_order_question *a)
{
    const int s = a->stages, p = 2 * s - 2;

    return pick_of(a, (orders){p, p, p, s - 1, p, s - 1, s - 2},
                   s == 2 ? (orders){p, p, p, 1, 0, 0, 0}
                          : (orders){p, p, p, s - 1, p - 2, s - 1, s - 2});
}

int rg_order_sdirk(const rg_order_question *a)
{
    return pick_of(a, (orders){a->order, a->order, 2, 1, 1, 1, 0},
                   (orders){a->order, a->order, 2, 1, 0, 0, 0});
}
