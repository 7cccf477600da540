/* Zeros of b(x, u) in x that are the same for every u, their kinds, and the layers that follow:
 *
 *     at a zero x*:  b_x < 0 repulsive (no layer),  b_x > 0 attractive (width sqrt(eps/b_x))
 *     at an end:     the wind -b blows out of the interval: width eps/|b|
 *
 * The zeros are looked for on a grid along several u in the range of the boundary values; those of
 * one u must be those of all others, or they move with u. */
#include "views/turning/tuning.h"
#include "views/turning/turning_impl.h"

#include <float.h>
#include <math.h>

typedef struct {
    rg_turning *v;
    double u; /* along this */
    int n;
    double zero[RG_TURNING_MOST];
    double largest; /* |b| */
} scan;

static double at(const rg_turning *v, int k)
{
    return k == RG_TURNING_GRID ? v->high
                                : v->low + (v->high - v->low) * k / (double)RG_TURNING_GRID;
}

static void add_zero(scan *s, double x)
{
    const double same = RG_SAME * (s->v->high - s->v->low);

    if (s->n > 0 && fabs(s->zero[s->n - 1] - x) <= same) return;
    if (s->n < RG_TURNING_MOST) s->zero[s->n++] = x;
}

/* The change of sign between x and y to rounding, by halves. */
static double bisect(const scan *s, double x, double y)
{
    const double sign = rg_turning_b(s->v, x, s->u);

    for (;;) {
        const double m = 0.5 * (x + y);
        if (!(m > x && m < y)) return fabs(x) < fabs(y) ? x : y;
        const double b = rg_turning_b(s->v, m, s->u);
        if (b == 0.0) return m;
        if ((b > 0.0) == (sign > 0.0))
            x = m;
        else
            y = m;
    }
}

/* |b| has a minimum near 0 between x and z without a change of sign: a double zero? */
static bool touches(const scan *s, double x, double z, double *where)
{
    for (int k = 0; k < 200 && z - x > DBL_EPSILON * (fabs(x) + fabs(z)); k++) {
        const double l = x + (z - x) / 3.0, r = z - (z - x) / 3.0;
        if (fabs(rg_turning_b(s->v, l, s->u)) < fabs(rg_turning_b(s->v, r, s->u)))
            z = r;
        else
            x = l;
    }
    *where = 0.5 * (x + z);
    return fabs(rg_turning_b(s->v, *where, s->u)) <= RG_TURNING_TOUCH * s->largest;
}

static bool depends(const rg_turning *v, int on)
{
    return (rg_graph_at(v->graph, v->B)->depends & on) != 0;
}

/* A minimum of |b| without a change of sign; where b is constant, nowhere. */
static bool is_lowest(const double *b)
{
    const double before = fabs(b[-1]), now = fabs(b[0]), behind = fabs(b[1]);

    return now <= before && now <= behind && (now < before || now < behind)
           && (b[-1] > 0.0) == (b[1] > 0.0);
}

static bool find_zeros(scan *s)
{
    double b[RG_TURNING_GRID + 1], where;

    s->n = 0;
    s->largest = 0.0;
    for (int k = 0; k <= RG_TURNING_GRID; k++) {
        b[k] = k > 0 && !depends(s->v, RG_DEP_TIME) ? b[0] : rg_turning_b(s->v, at(s->v, k), s->u);
        if (isnan(b[k])) return false;
        s->largest = fmax(s->largest, fabs(b[k]));
    }
    const double zero = RG_TURNING_SAME * s->largest;
    for (int k = 0; k <= RG_TURNING_GRID; k++) {
        const bool is_end = k == 0 || k == RG_TURNING_GRID;
        if (fabs(b[k]) <= (is_end ? zero : 0.0)) {
            add_zero(s, at(s->v, k));
            continue;
        }
        if (k == 0) continue;
        if (fabs(b[k - 1]) > zero && (b[k - 1] > 0.0) != (b[k] > 0.0))
            add_zero(s, bisect(s, at(s->v, k - 1), at(s->v, k)));
        else if (!is_end && k > 1 && is_lowest(b + k)
                 && touches(s, at(s->v, k - 1), at(s->v, k + 1), &where))
            add_zero(s, where);
    }
    return true;
}

static bool is_same(const scan *a, const scan *b)
{
    const double same = RG_SAME * (a->v->high - a->v->low);

    if (a->n != b->n) return false;
    for (int k = 0; k < a->n; k++)
        if (fabs(a->zero[k] - b->zero[k]) > same) return false;
    return true;
}

/* b_x at a zero; b falls or rises through it, touches it, or is 0 at an end. */
static rg_status classify(rg_turning *v, double x, double u, double size, double *slope)
{
    rg_turning_values now;
    rg_turn_point *p = &v->facts.point[v->facts.n_points++];

    if (!rg_turning_eval(v, x, u, 1, &now)) now.b_x = NAN;
    *slope = now.b_x;
    *p = (rg_turn_point){x, now.b_x < 0.0 ? RG_TURN_REPULSIVE : RG_TURN_ATTRACTIVE};
    if (!(fabs(now.b_x) * (v->high - v->low) > RG_TURNING_FLAT * size)) p->kind = RG_TURN_DOUBLE;
    if (x == v->low || x == v->high) p->kind = RG_TURN_BOUNDARY;
    return RG_OK;
}

static void add_layer(rg_turning *v, double t, double width)
{
    if (isfinite(width)) v->facts.layer[v->facts.n_layers++] = (rg_turn_layer){t, width};
}

/* Where the wind -b blows out of the interval at an end. */
static void end_layer(rg_turning *v, int end)
{
    const double x = end == 0 ? v->low : v->high, b = rg_turning_b(v, x, v->value[end]);

    for (int k = 0; k < v->facts.n_points; k++)
        if (v->facts.point[k].t == x) return;
    if (end == 0 ? b > 0.0 : b < 0.0) add_layer(v, x, v->eps / fabs(b));
}

rg_status rg_turning_find_points(rg_turning *v)
{
    static const rg_span nowhere = {0, 0};
    const double U0 = v->value[0], U1 = v->value[1];
    /* the boundary values, and others nearby that have no reason to be special */
    const double size = fabs(U0) + fabs(U1) > 0.0 ? fabs(U0) + fabs(U1) : 1.0;
    const double along[] = {0.5 * (U0 + U1) + 0.0173 * size, U0 - 0.0317 * size,
                            U1 + 0.0411 * size};
    scan first = {.v = v, .u = along[0]};

    if (!find_zeros(&first) || first.largest == 0.0)
        return rg_turning_refuse(v, RG_TURNING_NO_WIND, nowhere,
                                 first.largest == 0.0 ? "the first derivative has no coefficient"
                                                      : "b cannot be evaluated everywhere");
    for (int k = 1; k < 3 && depends(v, RG_DEP_VAR) && !v->is_moving; k++) {
        scan other = {.v = v, .u = along[k]};
        v->is_moving = !find_zeros(&other) || !is_same(&first, &other);
    }
    if (v->is_moving) return RG_OK;
    for (int k = 0; k < first.n; k++) {
        double slope;
        RG_TRY(classify(v, first.zero[k], along[0], first.largest, &slope));
        const rg_turn_kind kind = v->facts.point[v->facts.n_points - 1].kind;
        if (kind == RG_TURN_ATTRACTIVE || kind == RG_TURN_BOUNDARY)
            add_layer(v, first.zero[k], sqrt(v->eps / fabs(slope)));
    }
    end_layer(v, 0);
    end_layer(v, 1);
    return RG_OK;
}
