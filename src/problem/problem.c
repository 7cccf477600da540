/* Life and names of a problem. */
#include "problem/problem.h"

#include "expr/table.h"
#include "problem/native.h"

#include <stdio.h>

static void clear_map(rg_context *ctx, rg_map *map)
{
    rg_free(ctx, map->list);
    map->list = NULL;
}

static void clear_sum(rg_context *ctx, rg_sum *sum)
{
    for (int k = 0; k < sum->n_parts; k++)
        rg_body_destroy(ctx, &sum->parts[k]);
    rg_free(ctx, sum->parts);
}

/* The nesting of sums is limited by the parser (RG_MODEL_DEPTH), and so is this recursion. */
void rg_body_destroy(rg_context *ctx, rg_body **body)
{
    rg_body *b = *body;

    if (b == NULL) return;
    for (int32_t k = 0; k < b->n_slots; k++)
        clear_map(ctx, &b->slots[k].map);
    for (int32_t k = 0; k < b->n_data; k++) {
        clear_map(ctx, &b->data[k].map);
        rg_free(ctx, b->data[k].values);
    }
    for (int32_t k = 0; k < b->n_sums; k++)
        clear_sum(ctx, &b->sums[k]);
    rg_graph *graph = (rg_graph *)(uintptr_t)b->graph;
    rg_graph_destroy(&graph);
    clear_map(ctx, &b->outer);
    rg_free(ctx, b->outputs);
    rg_free(ctx, b->slots);
    rg_free(ctx, b->data);
    rg_free(ctx, b->sums);
    rg_free(ctx, b);
    *body = NULL;
}

static void clear_blocks(rg_context *ctx, rg_block *blocks, int count)
{
    for (int k = 0; k < count; k++) {
        rg_body_destroy(ctx, &blocks[k].body);
        rg_free(ctx, blocks[k].spans);
    }
    rg_free(ctx, blocks);
}

static void clear_values(rg_context *ctx, rg_value *values, int count)
{
    for (int k = 0; k < count; k++) {
        rg_body_destroy(ctx, &values[k].body);
        clear_map(ctx, &values[k].target);
        rg_free(ctx, values[k].name);
    }
    rg_free(ctx, values);
}

void rg_events_clear(rg_context *ctx, rg_event *events, int n)
{
    for (int k = 0; k < n; k++) {
        rg_body_destroy(ctx, &events[k].body);
        rg_free(ctx, events[k].name);
        rg_free(ctx, events[k].stop);
        rg_free(ctx, events[k].assignments);
    }
    rg_free(ctx, events);
}

static void clear_texts(rg_problem *p)
{
    rg_context *ctx = p->ctx;

    for (int k = 0; k < p->n_families; k++)
        rg_free(ctx, p->families[k].name);
    for (int k = 0; k < p->n_parameters; k++)
        rg_free(ctx, p->parameters[k].name);
    rg_free(ctx, p->parameters);
    for (int k = 0; k < p->n_settings; k++) {
        rg_free(ctx, p->settings[k].name);
        rg_free(ctx, p->settings[k].text);
    }
    rg_free(ctx, p->families);
    rg_free(ctx, p->order);
    rg_free(ctx, p->lower);
    rg_free(ctx, p->settings);
    rg_free(ctx, p->title);
    rg_free(ctx, p->time_name);
}

static void clear_data(rg_problem *p)
{
    rg_context *ctx = p->ctx;

    rg_native_destroy(ctx, &p->native);
    clear_blocks(ctx, p->blocks, p->n_blocks);
    clear_blocks(ctx, p->conditions, p->n_conditions);
    clear_values(ctx, p->outputs, p->n_outputs);
    clear_values(ctx, p->exact, p->n_exact);
    clear_values(ctx, p->guesses, p->n_guesses);
    clear_values(ctx, p->drawn, p->n_drawn);
    for (int k = 0; k < p->n_shapes; k++)
        rg_free(ctx, p->shapes[k].text);
    rg_free(ctx, p->shapes);
    rg_events_clear(ctx, p->events, p->n_events);
    clear_texts(p);
    for (int k = 0; k <= RG_MAX_ORDER; k++) {
        rg_free(ctx, p->start[k].kind);
        rg_free(ctx, p->start[k].value);
        rg_free(ctx, p->start[k].place);
        rg_free(ctx, p->atol[k]);
    }
    for (int k = 0; k < p->n_tables; k++)
        rg_table_destroy(&p->tables[k]);
    rg_free(ctx, p->tables);
    rg_free(ctx, p->points);
    rg_free(ctx, p->mass);
    rg_free(ctx, p->pattern_start);
    rg_free(ctx, p->pattern_row);
    rg_free(ctx, p->given_index);
    if (p->form != NULL) p->form_destroy(ctx, &p->form);
    if (p->model_destroy != NULL)
        p->model_destroy(ctx, &p->model); /* owns the source */
    else
        rg_source_destroy(ctx, &p->source);
}

/* Blocks with a factor in place of a product. */
static void clear_factors(rg_problem *p)
{
    for (int k = 0; k < p->n_blocks; k++) {
        rg_body *body = p->blocks[k].body;
        if (body == p->written->blocks[k].body) continue;
        if (body->graph != p->written->blocks[k].body->graph) {
            rg_graph *graph = (rg_graph *)body->graph; /* made here */
            rg_graph_destroy(&graph);
        }
        rg_free(p->ctx, body->outputs);
        rg_free(p->ctx, body);
    }
    rg_free(p->ctx, p->blocks);
}

void rg_problem_destroy(rg_problem **problem)
{
    rg_problem *p = problem == NULL ? NULL : *problem;

    if (p == NULL) return;
    rg_study_destroy(&p->study);
    if (p->written != NULL) clear_factors(p);
    if (!p->is_shared) clear_data(p);
    rg_free(p->ctx, p);
    *problem = NULL;
}

rg_status rg_problem_handle(rg_context *ctx, const rg_problem *p, const rg_study *known,
                            rg_problem **out)
{
    rg_problem *handle = *out = rg_alloc(ctx, 1, sizeof *handle);

    if (handle == NULL) return RG_ERR_MEMORY;
    *handle = *p;
    handle->ctx = ctx;
    handle->is_shared = true;
    handle->written = NULL;
    const rg_status status = known != NULL ? rg_study_create_from(ctx, known, &handle->study)
                                           : rg_study_create(ctx, &handle->study);
    if (status != RG_OK) rg_problem_destroy(out);
    return status;
}

rg_status rg_problem_warn(const rg_problem *p, const char *format, ...)
{
    char text[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return p->study != NULL ? rg_study_warn(p->study, text) : RG_OK;
}

static bool body_has(const rg_body *body, unsigned mask)
{
    bool is_found = false;

    for (int o = 0; o < body->n_outputs && !is_found; o++)
        is_found = rg_graph_at(body->graph, body->outputs[o])->depends & mask;
    for (int32_t k = 0; k < body->n_sums && !is_found; k++)
        for (int i = 0; i < body->sums[k].n_parts && !is_found; i++)
            is_found = body_has(body->sums[k].parts[i], mask);
    return is_found;
}

bool rg_body_has_switches(const rg_body *body)
{
    return body_has(body, RG_DEP_KINK);
}

unsigned rg_problem_switched(const rg_problem *p)
{
    return RG_DEP_KINK | (p->holds_nodes ? RG_DEP_NODES : 0u);
}

bool rg_problem_has_switches(const rg_problem *p)
{
    bool is_found = false;

    for (int k = 0; k < p->n_blocks && !is_found; k++)
        is_found = body_has(p->blocks[k].body, rg_problem_switched(p));
    return is_found;
}

void rg_problem_forget(rg_problem *p)
{
    rg_study_forget(p->study);
}

void rg_problem_move(rg_problem *p, double a, double b)
{
    p->a = a;
    p->b = b;
    if (p->start_point > 0) p->points[p->start_point - 1] = a; /* `start` and `end` move along */
    if (p->end_point > 0) p->points[p->end_point - 1] = b;
}

int64_t rg_problem_states(const rg_problem *p)
{
    int64_t n = 0;

    for (int f = 0; f < p->n_families; f++)
        if (p->families[f].is_state) n += p->families[f].count;
    return n;
}

int rg_variable_order(const rg_problem *p, int64_t variable)
{
    return p->order == NULL ? 0 : p->order[variable];
}

bool rg_variable_is_state(const rg_problem *p, int64_t variable)
{
    for (int f = 0; f < p->n_families; f++) {
        const rg_family *k = &p->families[f];
        if (variable >= k->first && variable < k->first + k->count) return k->is_state;
    }
    return false;
}
