/* Life and names of a problem. */
#include "problem/problem.h"

#include "problem/native.h"

#include <stdio.h>
#include <string.h>

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
    rg_free(ctx, b->written);
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
    for (int k = 0; k < p->n_warnings; k++)
        rg_free(ctx, p->warnings[k]);
    rg_free(ctx, p->families);
    rg_free(ctx, p->settings);
    rg_free(ctx, p->warnings);
    rg_free(ctx, p->title);
    rg_free(ctx, p->time_name);
}

void rg_problem_destroy(rg_problem **problem)
{
    rg_problem *p = problem == NULL ? NULL : *problem;

    if (p == NULL) return;
    rg_context *ctx = p->ctx;
    rg_native_destroy(ctx, &p->native);
    if (p->consistent_destroy != NULL) p->consistent_destroy(ctx, &p->consistent);
    if (p->analysis_destroy != NULL) p->analysis_destroy(ctx, &p->analysis);
    clear_blocks(ctx, p->blocks, p->n_blocks);
    clear_blocks(ctx, p->conditions, p->n_conditions);
    clear_values(ctx, p->outputs, p->n_outputs);
    clear_values(ctx, p->exact, p->n_exact);
    clear_values(ctx, p->guesses, p->n_guesses);
    clear_texts(p);
    for (int k = 0; k <= RG_MAX_ORDER; k++) {
        rg_free(ctx, p->start[k].kind);
        rg_free(ctx, p->start[k].value);
    }
    rg_free(ctx, p->points);
    rg_free(ctx, p->mass);
    rg_free(ctx, p->pattern_start);
    rg_free(ctx, p->pattern_row);
    rg_free(ctx, p->given_index);
    if (p->model_destroy != NULL)
        p->model_destroy(ctx, &p->model); /* owns the source */
    else
        rg_source_destroy(ctx, &p->source);
    rg_free(ctx, p);
    *problem = NULL;
}

rg_status rg_problem_warn(rg_problem *p, const char *format, ...)
{
    char text[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (int k = 0; k < p->n_warnings; k++) /* once is enough */
        if (strcmp(p->warnings[k], text) == 0) return RG_OK;
    char **grown = rg_resize(p->ctx, p->warnings, (size_t)p->n_warnings + 1, sizeof *p->warnings);
    if (grown == NULL) return RG_ERR_MEMORY;
    p->warnings = grown;
    p->warnings[p->n_warnings] = rg_copy_text(p->ctx, text, strlen(text));
    if (p->warnings[p->n_warnings] == NULL) return RG_ERR_MEMORY;
    p->n_warnings++;
    return RG_OK;
}
