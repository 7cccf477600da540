/* A model with loops, sums and nested sums, put together by hand. */
#ifndef RG_TESTS_HAND_MODEL_H
#define RG_TESTS_HAND_MODEL_H

#include "problem/assembly.h"

#include <stdlib.h>

/* ---- a model made by hand ----------------------------------------------------------------------
 *
 * Unknowns u[i], v[i], i = 0..N-1, and w.  With c_i, d_k numbers, all indices modulo N:
 *
 *     u_i' - c_i (u_{i-1} - u_i) w + v_i^2 sin(t) = 0
 *     v_i' (1 + u_i^2) - (i+1) w S_i - cos(S_i) = 0
 *     w - T = 0
 *     S_i = sum_{j<M} d_k u_j^2 v_i + sum_{j<M} exp(-Q_k) u_j,    k = i M + j
 *     Q_k = sum_{l<2} v_{j+l} u_i,    T = sum_j 3 u_j v_j' */
enum { N = 7, M = 3, UNKNOWNS = 2 * N + 1, LEVELS = 4, ORDERS = LEVELS + 1 };

static bool is_out; /* the hand-made model ran out of memory */

static void *take(rg_context *ctx, size_t count, size_t size)
{
    void *p = rg_alloc(ctx, count, size);
    if (p == NULL) is_out = true;
    return p;
}

static rg_graph *graph_of(const rg_body *b) /* the graph under construction */
{
    return (rg_graph *)(uintptr_t)b->graph;
}

static rg_body *new_body(rg_context *ctx, int64_t count, int outputs, int slots, int data, int sums)
{
    rg_body *b = take(ctx, 1, sizeof *b);
    if (b == NULL) return NULL;
    b->count = count;
    b->outputs = take(ctx, (size_t)outputs, sizeof *b->outputs);
    b->slots = take(ctx, (size_t)slots + 1, sizeof *b->slots);
    b->data = take(ctx, (size_t)data + 1, sizeof *b->data);
    b->sums = take(ctx, (size_t)sums + 1, sizeof *b->sums);
    rg_graph *graph = NULL;
    if (rg_graph_create(ctx, &graph) != RG_OK) is_out = true;
    b->graph = graph;
    if (is_out) {
        rg_body_destroy(ctx, &b);
        return NULL;
    }
    b->n_outputs = outputs;
    b->n_slots = slots;
    b->n_data = data;
    b->n_sums = sums;
    for (int k = 0; k < slots; k++)
        b->slots[k].point = -1;
    return b;
}

static rg_map list_map(rg_context *ctx, int64_t n, int64_t (*at)(int64_t))
{
    rg_map map = {0, 0, take(ctx, (size_t)n, sizeof(int32_t))};
    for (int64_t k = 0; k < n && map.list != NULL; k++)
        map.list[k] = (int32_t)at(k);
    return map;
}

static void add_part(rg_context *ctx, rg_body *b, int s, rg_body *part)
{
    rg_sum *sum = &b->sums[s];
    if (sum->parts == NULL) sum->parts = take(ctx, 4, sizeof(rg_body *));
    if (sum->parts == NULL)
        rg_body_destroy(ctx, &part);
    else
        sum->parts[sum->n_parts++] = part;
}

static int64_t left_of(int64_t i)
{
    return (i + N - 1) % N;
}
static int64_t by_m(int64_t k)
{
    return k / M;
}
static int64_t u_of_j(int64_t k)
{
    return k % M;
}
static int64_t v_of_i(int64_t k)
{
    return N + k / M;
}
static int64_t u_of_i2(int64_t q)
{
    return q / 2 / M;
}
static int64_t v_shifted(int64_t q)
{
    return N + (q / 2 % M + q % 2) % N;
}
static int64_t by_2(int64_t q)
{
    return q / 2;
}

static rg_graph *g;
static rg_node mul(rg_node a, rg_node b)
{
    return rg_graph_binary(g, RG_OP_MUL, a, b);
}
static rg_node add(rg_node a, rg_node b)
{
    return rg_graph_binary(g, RG_OP_ADD, a, b);
}
static rg_node sub(rg_node a, rg_node b)
{
    return rg_graph_binary(g, RG_OP_SUB, a, b);
}
static rg_node fn(rg_op op, rg_node a)
{
    return rg_graph_unary(g, op, a);
}
static rg_node var(int slot, int order)
{
    return rg_graph_var(g, slot, order);
}
static rg_node num(double x)
{
    return rg_graph_const(g, x);
}

static double coefficient(int64_t k)
{
    return 0.3 + 0.1 * (double)(k % 5);
}

static void set_data(rg_context *ctx, rg_body *b, int slot, int64_t n)
{
    b->data[slot].values = take(ctx, (size_t)n, sizeof(double));
    b->data[slot].map = (rg_map){0, 1, NULL};
    for (int64_t k = 0; k < n && b->data[slot].values; k++)
        b->data[slot].values[k] = coefficient(k);
}

/* Q_k: v_{j+l} u_i */
static rg_body *nested_part(rg_context *ctx)
{
    rg_body *b = new_body(ctx, (int64_t)N * M * 2, 1, 2, 0, 0);
    if (b == NULL) return NULL;
    g = graph_of(b);
    b->slots[0].map = list_map(ctx, b->count, v_shifted);
    b->slots[1].map = list_map(ctx, b->count, u_of_i2);
    b->outer = list_map(ctx, b->count, by_2);
    b->outputs[0] = mul(var(0, 0), var(1, 0));
    return b;
}

static rg_body *first_part(rg_context *ctx)
{
    rg_body *b = new_body(ctx, (int64_t)N * M, 1, 2, 1, 0);
    if (b == NULL) return NULL;
    g = graph_of(b);
    b->slots[0].map = list_map(ctx, b->count, u_of_j);
    b->slots[1].map = list_map(ctx, b->count, v_of_i);
    b->outer = list_map(ctx, b->count, by_m);
    set_data(ctx, b, 0, b->count);
    b->outputs[0] = mul(rg_graph_data(g, 0), mul(mul(var(0, 0), var(0, 0)), var(1, 0)));
    return b;
}

static rg_body *second_part(rg_context *ctx)
{
    rg_body *b = new_body(ctx, (int64_t)N * M, 1, 1, 0, 1);
    if (b == NULL) return NULL;
    rg_body *nested = nested_part(ctx);
    if (nested != NULL) add_part(ctx, b, 0, nested);
    g = graph_of(b);
    b->slots[0].map = list_map(ctx, b->count, u_of_j);
    b->outer = list_map(ctx, b->count, by_m);
    b->outputs[0] = mul(fn(RG_OP_EXP, fn(RG_OP_NEG, rg_graph_sum(g, 0, 0))), var(0, 0));
    return b;
}

static rg_body *loop_body(rg_context *ctx)
{
    rg_body *b = new_body(ctx, N, 2, 4, 2, 1);
    if (b == NULL) return NULL;
    rg_body *parts[2] = {first_part(ctx), second_part(ctx)};
    for (int k = 0; k < 2; k++)
        if (parts[k] != NULL) add_part(ctx, b, 0, parts[k]);
    g = graph_of(b);
    b->slots[0].map = (rg_map){0, 1, NULL};
    b->slots[1].map = list_map(ctx, N, left_of);
    b->slots[2].map = (rg_map){N, 1, NULL};
    b->slots[3].map = (rg_map){2 * N, 0, NULL};
    b->data[0].map = (rg_map){1, 1, NULL}; /* the number i+1 */
    b->n_loops = 1;
    set_data(ctx, b, 1, N);
    const rg_node flux = mul(rg_graph_data(g, 1), sub(var(1, 0), var(0, 0)));
    const rg_node source = mul(mul(var(2, 0), var(2, 0)), fn(RG_OP_SIN, rg_graph_time(g)));
    const rg_node S = rg_graph_sum(g, 0, 0);
    b->outputs[0] = add(sub(var(0, 1), mul(flux, var(3, 0))), source);
    b->outputs[1] = sub(sub(mul(var(2, 1), add(num(1), mul(var(0, 0), var(0, 0)))),
                            mul(mul(rg_graph_data(g, 0), var(3, 0)), S)),
                        fn(RG_OP_COS, S));
    return b;
}

static rg_body *scalar_body(rg_context *ctx)
{
    rg_body *b = new_body(ctx, 1, 1, 1, 0, 1);
    if (b == NULL) return NULL;
    rg_body *part = new_body(ctx, N, 1, 2, 0, 0);
    if (part != NULL) {
        g = graph_of(part);
        part->slots[0].map = (rg_map){0, 1, NULL};
        part->slots[1].map = (rg_map){N, 1, NULL};
        part->outputs[0] = mul(num(3), mul(var(0, 0), var(1, 1)));
        add_part(ctx, b, 0, part);
    }
    g = graph_of(b);
    b->slots[0].map = (rg_map){2 * N, 0, NULL};
    b->outputs[0] = sub(var(0, 0), rg_graph_sum(g, 0, 0));
    return b;
}

static rg_problem *make_problem(rg_context *ctx)
{
    is_out = false;
    rg_problem *p = take(ctx, 1, sizeof *p);
    if (p == NULL) return NULL;
    p->ctx = ctx;
    p->n = p->n_rows = UNKNOWNS;
    p->blocks = take(ctx, 2, sizeof *p->blocks);
    if (p->blocks != NULL) {
        p->n_blocks = 2;
        p->blocks[0].body = loop_body(ctx);
        p->blocks[1].body = scalar_body(ctx);
        p->blocks[1].first_row = 2 * N;
    }
    for (int k = 0; k < p->n_blocks; k++)
        if (p->blocks[k].body == NULL) is_out = true;
    return p;
}

#endif
