/* Ranges of functions of time, and whether an interval resolves them; see resolved.h. */
#include "views/resolved.h"

#include "expr/ops.h"
#include "views/rate.h"
#include "views/tuning.h"

#include <float.h>
#include <math.h>

enum { NOT_TIME = RG_DEP_VAR | RG_DEP_SUM | RG_DEP_SEED };

typedef struct {
    double low, high;
} range;

typedef struct {
    const rg_body *body;
    bool is_known; /* no sum in it has terms with time */
    int32_t n;     /* nodes that the equations need and that depend on time, or on nothing at all */
    rg_node *node;
} part;

struct rg_resolved {
    rg_context *ctx;
    bool is_text; /* nothing is known about callbacks */
    int n_parts;
    part *parts;
    range *value;   /* per node of one body, of functions of time alone */
    bool *is_loose; /* ... whose values are not known, since a branch or a table is not */
};

/* ---- what the equations need ----------------------------------------------------------------- */

static bool is_mixed(const rg_graph_node *n)
{
    return (n->depends & RG_DEP_TIME) && (n->depends & NOT_TIME);
}

static rg_status collect(rg_resolved *r, const rg_body *body, part *out)
{
    const int32_t size = rg_graph_size(body->graph);
    uint8_t *used = rg_alloc(r->ctx, (size_t)size + 1, 1);

    *out = (part){.body = body, .is_known = true};
    out->node = rg_alloc(r->ctx, (size_t)size + 1, sizeof *out->node);
    if (used == NULL || out->node == NULL) {
        rg_free(r->ctx, used);
        return RG_ERR_MEMORY;
    }
    for (int k = 0; k < body->n_outputs; k++)
        used[body->outputs[k]] = 1;
    for (rg_node k = size - 1; k >= 0; k--) {
        const rg_graph_node *n = rg_graph_at(body->graph, k);
        if (!used[k] || n->op < RG_OP_ADD) continue;
        const rg_node arguments[] = {n->a, n->b, n->c};
        for (int i = 0; i < 3; i++)
            if (arguments[i] >= 0) used[arguments[i]] = 1;
    }
    for (rg_node k = 0; k < size; k++) {
        const int depends = rg_graph_at(body->graph, k)->depends;
        if (used[k] && ((depends & RG_DEP_TIME) || !(depends & NOT_TIME))) out->node[out->n++] = k;
    }
    rg_free(r->ctx, used);
    for (int32_t k = 0; k < body->n_sums; k++)
        for (int i = 0; i < body->sums[k].n_parts; i++)
            if (rg_rate_has_time(body->sums[k].parts[i])) out->is_known = false;
    return RG_OK;
}

rg_status rg_resolved_create(const rg_problem *p, rg_resolved **out)
{
    rg_resolved *r = *out = rg_alloc(p->ctx, 1, sizeof *r);
    rg_status status = RG_OK;
    size_t most = 0;

    if (r == NULL) return RG_ERR_MEMORY;
    r->ctx = p->ctx;
    r->is_text = p->n_blocks > 0;
    r->parts = rg_alloc(r->ctx, (size_t)p->n_blocks + 1, sizeof *r->parts);
    if (r->parts == NULL) status = RG_ERR_MEMORY;
    for (int k = 0; k < p->n_blocks && status == RG_OK; k++) {
        const rg_body *body = p->blocks[k].body;
        if (!rg_rate_has_time(body)) continue;
        const size_t size = (size_t)rg_graph_size(body->graph);
        if (size > most) most = size;
        status = collect(r, body, &r->parts[r->n_parts++]);
    }
    if (status == RG_OK) {
        r->value = rg_alloc(r->ctx, most + 1, sizeof *r->value);
        r->is_loose = rg_alloc(r->ctx, most + 1, sizeof *r->is_loose);
        if (r->value == NULL || r->is_loose == NULL) status = RG_ERR_MEMORY;
    }
    if (status != RG_OK) rg_resolved_destroy(out);
    return status;
}

void rg_resolved_destroy(rg_resolved **resolved)
{
    rg_resolved *r = *resolved;

    if (r == NULL) return;
    for (int k = 0; r->parts != NULL && k < r->n_parts; k++)
        rg_free(r->ctx, r->parts[k].node);
    rg_free(r->ctx, r->parts);
    rg_free(r->ctx, r->value);
    rg_free(r->ctx, r->is_loose);
    rg_free(r->ctx, r);
    *resolved = NULL;
}

/* ---- ranges ---------------------------------------------------------------------------------- */

static range span(double a, double b)
{
    return (range){fmin(a, b), fmax(a, b)};
}

static range product(range a, range b)
{
    const range low = span(a.low * b.low, a.low * b.high);
    const range high = span(a.high * b.low, a.high * b.high);

    return (range){fmin(low.low, high.low), fmax(low.high, high.high)};
}

/* What is beyond RG_RESOLVED_FAR is one value, and what moves by rounding is at rest. */
static bool settle(range *v)
{
    if (v->low > RG_RESOLVED_FAR) *v = (range){INFINITY, INFINITY};
    if (v->high < -RG_RESOLVED_FAR) *v = (range){-INFINITY, -INFINITY};
    if (fmax(fabs(v->low), fabs(v->high)) < 1.0 / RG_RESOLVED_FAR) *v = (range){0.0, 0.0};
    return v->low == v->high || v->high - v->low <= DBL_MAX;
}

static bool is_one_value(range v)
{
    settle(&v);
    return v.low == v.high;
}

/* Does v^p change little? */
static bool keeps_size(range v, double p)
{
    const double least = fmin(fabs(v.low), fabs(v.high)), most = fmax(fabs(v.low), fabs(v.high));

    return (v.low > 0.0 || v.high < 0.0)
           && (most == least || fabs(p) * log(most / least) <= RG_RESOLVED_CHANGE);
}

static bool is_low_degree(double p)
{
    return p >= 0.0 && p <= RG_RESOLVED_DEGREE && p == floor(p);
}

/* A smooth function that changes over lengths of 1; rises everywhere, or has slopes up to 1. */
static bool smooth(int op, range v, range *out)
{
    double (*f)(double) = NULL;
    const double half = 0.5 * (v.high - v.low), middle = v.low + half;

    switch (op) {
    case RG_OP_SIN:
    case RG_OP_COS: {
        const double at = op == RG_OP_SIN ? sin(middle) : cos(middle);
        *out = (range){fmax(at - half, -1.0), fmin(at + half, 1.0)};
        return 2.0 * half <= RG_RESOLVED_CHANGE;
    }
    case RG_OP_EXP:
        f = exp;
        break;
    case RG_OP_COSH:
        *out = span(cosh(v.low), cosh(v.high));
        if (v.low < 0.0 && v.high > 0.0) out->low = 1.0;
        return 2.0 * half <= RG_RESOLVED_CHANGE || is_one_value(*out);
    case RG_OP_SINH:
        f = sinh;
        break;
    case RG_OP_TANH:
        f = tanh;
        break;
    case RG_OP_ATAN:
        f = atan;
        break;
    case RG_OP_ERF:
        f = erf;
        break;
    default:
        return false;
    }
    *out = span(f(v.low), f(v.high));
    return 2.0 * half <= RG_RESOLVED_CHANGE || is_one_value(*out);
}

static bool power(range v, range p, range *out)
{
    if (p.low != p.high) { /* b^t = exp(t log b) */
        const double rate = log(v.low);
        return v.low == v.high && v.low > 0.0
               && smooth(RG_OP_EXP, span(rate * p.low, rate * p.high), out);
    }
    *out = span(rg_pow(v.low, p.low), rg_pow(v.high, p.low));
    if (!is_low_degree(p.low)) return keeps_size(v, p.low);
    if (v.low < 0.0 && v.high > 0.0) {
        out->low = fmin(out->low, 0.0);
        out->high = fmax(out->high, 0.0);
    }
    return true;
}

/* A function that has its feature at 0. */
static bool beside_zero(int op, range v, range *out)
{
    switch (op) {
    case RG_OP_ABS:
        *out = span(fabs(v.low), fabs(v.high));
        return v.low >= 0.0 || v.high <= 0.0;
    case RG_OP_SIGN:
        *out = v.low > 0.0 ? (range){1.0, 1.0} : (range){-1.0, -1.0};
        return v.low > 0.0 || v.high < 0.0;
    case RG_OP_SQRT:
        *out = span(sqrt(v.low), sqrt(v.high));
        break;
    case RG_OP_LOG:
        *out = span(log(v.low), log(v.high));
        break;
    case RG_OP_LOG10:
        *out = span(log10(v.low), log10(v.high));
        break;
    default:
        return false;
    }
    return out->low == out->high || (v.low > 0.0 && keeps_size(v, 1.0));
}

/* A comparison or a choice that the ranges decide. */
static bool decide(const rg_graph_node *n, const range *v, range *out)
{
    const range a = v[0], b = v[1];
    const bool is_below = a.high<b.low, is_above = a.low> b.high;

    switch (n->op) {
    case RG_OP_LT:
    case RG_OP_LE:
        *out = is_below ? (range){1.0, 1.0} : (range){0.0, 0.0};
        return is_below || is_above;
    case RG_OP_MIN:
        *out = is_below ? a : b;
        return is_below || is_above;
    case RG_OP_MAX:
        *out = is_below ? b : a;
        return is_below || is_above;
    case RG_OP_MOD: {
        const double whole = floor(a.low / b.low);
        *out = (range){a.low - whole * b.low, a.high - whole * b.low};
        return b.low == b.high && whole == floor(a.high / b.low);
    }
    case RG_OP_IF:
        *out = a.low != 0.0 ? b : v[2];
        return a.low == a.high;
    default:
        return false;
    }
}

/* The range of a function of time, from those of its arguments. */
static bool of_time(const rg_graph_node *n, const range *v, range *out)
{
    switch (n->op) {
    case RG_OP_ADD:
        *out = (range){v[0].low + v[1].low, v[0].high + v[1].high};
        return true;
    case RG_OP_SUB:
        *out = (range){v[0].low - v[1].high, v[0].high - v[1].low};
        return true;
    case RG_OP_NEG:
        *out = (range){-v[0].high, -v[0].low};
        return true;
    case RG_OP_MUL:
        if (n->a == n->b) return power(v[0], (range){2.0, 2.0}, out);
        *out = product(v[0], v[1]);
        return true;
    case RG_OP_DIV:
        *out = product(v[0], span(1.0 / v[1].low, 1.0 / v[1].high));
        return keeps_size(v[1], 1.0);
    case RG_OP_POW:
        return power(v[0], v[1], out);
    default:
        return n->b >= 0 ? decide(n, v, out)
                         : smooth(n->op, v[0], out) || beside_zero(n->op, v[0], out);
    }
}

/* A function of time and unknowns: of sums and products the terms count. */
static bool of_both(const rg_resolved *r, const rg_graph *g, const rg_graph_node *n)
{
    const rg_graph_node *b = n->b >= 0 ? rg_graph_at(g, n->b) : NULL;

    switch (n->op) {
    case RG_OP_ADD:
    case RG_OP_SUB:
    case RG_OP_NEG:
    case RG_OP_MUL:
        return true;
    case RG_OP_DIV:
        return !(b->depends & RG_DEP_TIME) || (!is_mixed(b) && keeps_size(r->value[n->b], 1.0));
    case RG_OP_POW:
        return b->op == RG_OP_CONST && is_low_degree(b->value);
    default:
        return false;
    }
}

enum {
    WHOLE,
    ALONE,
    LOOSE
}; /* functions of unknowns, too; of time alone; with branches not known */

/* Continuous ones have a range on both branches. */
static bool on_both(const rg_graph_node *n, const range *v, range *out)
{
    switch (n->op) {
    case RG_OP_ABS:
        *out = (range){0.0, fmax(fabs(v->low), fabs(v->high))};
        return true;
    case RG_OP_MIN:
        *out = (range){fmin(v[0].low, v[1].low), fmin(v[0].high, v[1].high)};
        return true;
    case RG_OP_MAX:
        *out = (range){fmax(v[0].low, v[1].low), fmax(v[0].high, v[1].high)};
        return true;
    default:
        return false;
    }
}

/* Node k of time alone, from its arguments. */
static bool follow_node(rg_resolved *r, const rg_graph_node *n, rg_node k, bool may_be_loose)
{
    const rg_node arguments[] = {n->a, n->b, n->c};
    range *out = &r->value[k], v[3] = {0};

    r->is_loose[k] = may_be_loose && rg_op_is_table(n->op);
    for (int i = 0; i < 3; i++) {
        if (arguments[i] < 0) continue;
        v[i] = r->value[arguments[i]];
        r->is_loose[k] = r->is_loose[k] || r->is_loose[arguments[i]];
    }
    if (r->is_loose[k]) return true;
    if (!rg_op_is_table(n->op) && of_time(n, v, out)) return true;
    if (!may_be_loose || rg_op_kink((rg_op)n->op) == RG_KINK_NONE) return false;
    r->is_loose[k] = !on_both(n, v, out);
    return true;
}

static rg_resolved_kind follow(rg_resolved *r, const part *p, int64_t iteration, range time,
                               int how)
{
    const rg_graph *g = p->body->graph;
    bool is_known = true;

    for (int32_t k = 0; k < p->n; k++) {
        const rg_node node = p->node[k];
        const rg_graph_node *n = rg_graph_at(g, node);
        range *out = &r->value[node];
        if (is_mixed(n)) {
            if (how == WHOLE && !of_both(r, g, n)) return RG_RESOLVED_NOT;
            continue;
        }
        r->is_loose[node] = false;
        if (n->op == RG_OP_CONST) {
            *out = (range){n->value, n->value};
        } else if (n->op == RG_OP_TIME) {
            *out = time;
        } else if (n->op == RG_OP_DATA) {
            const rg_data *data = &p->body->data[n->a];
            out->low = out->high = data->values[rg_map_at(&data->map, iteration)];
        } else if (!follow_node(r, n, node, how == LOOSE)) {
            return RG_RESOLVED_NOT;
        }
        is_known = is_known && !r->is_loose[node];
        if (!r->is_loose[node] && !settle(out)) return RG_RESOLVED_NOT;
    }
    return is_known ? RG_RESOLVED : RG_RESOLVED_UNKNOWN;
}

static rg_resolved_kind follow_all(rg_resolved *r, range time, int how)
{
    rg_resolved_kind worst = r->is_text ? RG_RESOLVED : RG_RESOLVED_NOT;

    for (int k = 0; k < r->n_parts && worst != RG_RESOLVED_NOT; k++) {
        if (!r->parts[k].is_known) return RG_RESOLVED_NOT;
        for (int64_t i = 0; i < r->parts[k].body->count && worst != RG_RESOLVED_NOT; i++) {
            const rg_resolved_kind now = follow(r, &r->parts[k], i, time, how);
            if (now != RG_RESOLVED) worst = now;
        }
    }
    return worst;
}

bool rg_resolved_between(rg_resolved *r, double a, double b)
{
    return follow_all(r, span(a, b), WHOLE) == RG_RESOLVED;
}

bool rg_resolved_alone_between(rg_resolved *r, double a, double b)
{
    return follow_all(r, span(a, b), ALONE) == RG_RESOLVED;
}

rg_resolved_kind rg_resolved_look(rg_resolved *r, double a, double b)
{
    return follow_all(r, span(a, b), LOOSE);
}

int64_t rg_resolved_count(const rg_resolved *r)
{
    int64_t count = 0;

    for (int k = 0; k < r->n_parts; k++)
        count += r->parts[k].body->count;
    return count;
}
