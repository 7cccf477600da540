/* Sums are read as terms, and terms as monomials: a number times whole powers of nodes, below 0
 * those of denominators. */
#include "expr/factors.h"

#include "expr/simplify.h"

#include <math.h>
#include <stdlib.h>

enum { DEPTH = 4, MOST_POWER = 64 };

typedef struct {
    double number;
    int n;
    rg_node base[RG_FACTORS_MOST];
    int power[RG_FACTORS_MOST];
} monomial;

typedef struct {
    int n;
    monomial term[RG_FACTORS_MOST];
} sum;

/* ---- reading --------------------------------------------------------------------------------- */

static bool multiply(monomial *m, rg_node base, int power)
{
    for (int k = 0; k < m->n; k++)
        if (m->base[k] == base) {
            m->power[k] += power;
            return abs(m->power[k]) <= MOST_POWER;
        }
    if (m->n == RG_FACTORS_MOST) return false;
    m->base[m->n] = base;
    m->power[m->n++] = power;
    return true;
}

/* The whole exponent of a power; 0: none. */
static int exponent_of(const rg_graph *g, const rg_graph_node *n)
{
    if (n->op != RG_OP_POW || !is_number(g, n->b)) return 0;
    const double e = at(g, n->b)->value;
    return e >= 1.0 && e <= MOST_POWER && e == floor(e) ? (int)e : 0;
}

static bool read_monomial(const rg_graph *g, rg_node of, double number, monomial *m)
{
    rg_node stack[RG_FACTORS_MOST] = {of};
    int power[RG_FACTORS_MOST] = {1}, depth = 1;

    m->n = 0;
    m->number = number;
    while (depth > 0) {
        const rg_node node = stack[--depth];
        const int p = power[depth];
        const rg_graph_node *n = at(g, node);
        const int e = exponent_of(g, n);
        if (abs(p) * e > MOST_POWER || depth + 2 > RG_FACTORS_MOST) return false;
        if (n->op == RG_OP_CONST) {
            m->number *= pow(n->value, p);
        } else if (n->op == RG_OP_MUL || n->op == RG_OP_DIV) {
            power[depth] = n->op == RG_OP_DIV ? -p : p;
            stack[depth++] = n->b;
            power[depth] = p;
            stack[depth++] = n->a;
        } else if (n->op == RG_OP_NEG || e > 0) {
            if (e == 0 && p % 2 != 0) m->number = -m->number;
            power[depth] = e > 0 ? p * e : p;
            stack[depth++] = n->a;
        } else if (!multiply(m, node, p)) {
            return false;
        }
    }
    return isnormal(m->number);
}

static bool is_sum(const rg_graph *g, rg_node n)
{
    return is_op(g, n, RG_OP_ADD) || is_op(g, n, RG_OP_SUB);
}

/* false: more terms than there is room for. */
static bool read_sum(const rg_graph *g, rg_node of, sum *s)
{
    rg_node stack[RG_FACTORS_MOST] = {of};
    double factor[RG_FACTORS_MOST] = {1.0};
    int depth = 1;

    s->n = 0;
    while (depth > 0) {
        const double c = factor[--depth];
        const term t = term_of(g, stack[depth]);
        const rg_graph_node *n = at(g, t.base);
        if (!is_sum(g, t.base)) {
            if (s->n == RG_FACTORS_MOST
                || !read_monomial(g, t.base, c * t.factor, &s->term[s->n++]))
                return false;
            continue;
        }
        if (depth + 2 > RG_FACTORS_MOST) return false;
        factor[depth] = n->op == RG_OP_SUB ? -c * t.factor : c * t.factor;
        stack[depth++] = n->b;
        factor[depth] = c * t.factor;
        stack[depth++] = n->a;
    }
    return true;
}

/* ---- what terms have in common --------------------------------------------------------------- */

static int power_in(const monomial *m, rg_node base)
{
    for (int k = 0; k < m->n; k++)
        if (m->base[k] == base) return m->power[k];
    return 0;
}

static monomial common_factors(const sum *s)
{
    monomial common = {.number = 1.0};

    for (int k = 0; k < s->term[0].n; k++) {
        int least = s->term[0].power[k];
        for (int i = 1; i < s->n; i++) {
            const int power = power_in(&s->term[i], s->term[0].base[k]);
            if (power < least) least = power;
        }
        if (least > 0) multiply(&common, s->term[0].base[k], least);
    }
    return common;
}

/* The largest odd n of which all powers in a sum of two terms are multiples. */
static int odd_root(const sum *s)
{
    int n = 0;

    if (s->n != 2 || s->term[0].n == 0 || s->term[1].n == 0) return 1;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < s->term[i].n; k++)
            for (int a = abs(s->term[i].power[k]); a > 0;) { /* Euclid */
                const int rest = n % a;
                n = a;
                a = rest;
            }
    while (n > 0 && n % 2 == 0)
        n /= 2;
    return n;
}

/* A product, or a power, without denominators. */
static bool is_product(const monomial *m)
{
    for (int k = 0; k < m->n; k++)
        if (m->power[k] <= 0) return false;
    return m->n > 1 || (m->n == 1 && m->power[0] > 1);
}

bool rg_graph_may_factor(const rg_graph *g, rg_node of)
{
    sum s;

    if (!read_sum(g, of, &s)) return false;
    return s.n == 1 ? is_product(&s.term[0]) : common_factors(&s).n > 0 || odd_root(&s) > 1;
}

/* ---- writing --------------------------------------------------------------------------------- */

static rg_node write_monomial(rg_graph *g, const monomial *m)
{
    rg_node all = rg_graph_const(g, 1.0);

    for (int k = 0; k < m->n; k++) {
        const rg_node exponent = rg_graph_const(g, fabs((double)m->power[k]));
        all = rg_graph_binary(g, m->power[k] < 0 ? RG_OP_DIV : RG_OP_MUL, all,
                              rg_graph_binary(g, RG_OP_POW, m->base[k], exponent));
    }
    return all;
}

static rg_node write_sum(rg_graph *g, const sum *s)
{
    rg_node all = rg_graph_const(g, 0.0);

    for (int i = 0; i < s->n; i++) {
        const double c = s->term[i].number;
        const rg_node one = scaled(g, fabs(c), write_monomial(g, &s->term[i]));
        all = rg_graph_binary(g, c < 0.0 ? RG_OP_SUB : RG_OP_ADD, all, one);
    }
    return all;
}

static void divide(sum *s, const monomial *by)
{
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < s->term[i].n; k++)
            s->term[i].power[k] -= power_in(by, s->term[i].base[k]);
}

static void take_root(sum *s, int n)
{
    const double c = s->term[1].number / s->term[0].number;

    s->term[0].number = 1.0;
    s->term[1].number = copysign(pow(fabs(c), 1.0 / n), c);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < s->term[i].n; k++)
            s->term[i].power[k] /= n;
}

static void add(rg_node node, int *n, rg_node *factors)
{
    for (int k = 0; k < *n; k++)
        if (factors[k] == node) return;
    if (*n < RG_FACTORS_MOST) factors[(*n)++] = node;
}

static void collect(rg_graph *g, rg_node of, int depth, int *n, rg_node *factors)
{
    sum s;

    if (of < 0 || depth == 0 || !rg_graph_may_factor(g, of) || !read_sum(g, of, &s)) {
        add(of, n, factors);
        return;
    }
    const monomial common = common_factors(&s);
    for (int k = 0; k < common.n; k++)
        collect(g, common.base[k], depth - 1, n, factors);
    if (s.n == 1) return;
    divide(&s, &common);
    const int root = odd_root(&s);
    if (root > 1) take_root(&s, root);
    collect(g, write_sum(g, &s), depth - 1, n, factors);
}

int rg_graph_factors(rg_graph *g, rg_node of, rg_node *factors)
{
    int n = 0;

    collect(g, of, DEPTH, &n, factors);
    return n;
}
