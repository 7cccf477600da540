/* Names of unknowns, equations and outputs, written on demand. */
#include "problem/problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { /* text that may not fit; length counts what it would have */
    char *buffer;
    int size, length;
} writer;

static void write_text(writer *w, const char *format, ...) RG_PRINTF(2, 3);
static void write_text(writer *w, const char *format, ...)
{
    const int room = w->length < w->size ? w->size - w->length : 0;
    va_list arguments;

    va_start(arguments, format);
    const int more =
        vsnprintf(room > 0 ? w->buffer + w->length : NULL, (size_t)room, format, arguments);
    va_end(arguments);
    if (more > 0) w->length += more;
}

static const rg_family *family_of(const rg_problem *p, int64_t variable)
{
    int low = 0, high = p->n_families - 1;

    while (low < high) { /* last family with first <= variable; empty ones never win */
        const int middle = (low + high + 1) / 2;
        if (p->families[middle].first <= variable)
            low = middle;
        else
            high = middle - 1;
    }
    while (p->families[low].count == 0 && low > 0)
        low--;
    return &p->families[low];
}

int rg_variable_name(const rg_problem *p, int64_t variable, int order, char *buffer, int size)
{
    writer w = {buffer, size, 0};

    if (size > 0) buffer[0] = '\0';
    if (p->n_families == 0) {
        write_text(&w, "y[%lld]", (long long)variable + 1);
    } else {
        const rg_family *f = family_of(p, variable);
        int64_t rest = variable - f->first, index[RG_MAX_DIMS];
        for (int m = 0; m < f->n_dims; m++) {
            const int k = f->first_fastest ? m : f->n_dims - 1 - m;
            index[k] = f->low[k] + rest % f->extent[k];
            rest /= f->extent[k];
        }
        write_text(&w, "%s", f->name);
        for (int k = 0; k < f->n_dims; k++)
            write_text(&w, "%s%lld", k == 0 ? "[" : ",", (long long)index[k]);
        if (f->n_dims > 0) write_text(&w, "]");
    }
    for (int k = 0; k < order; k++)
        write_text(&w, "'");
    return w.length;
}

int rg_problem_name(const rg_problem *p, int64_t variable, char *buffer, int size)
{
    if (p == NULL || variable < 0 || variable >= p->n || (buffer == NULL && size > 0))
        return RG_ERR_ARGUMENT;
    return rg_variable_name(p, variable, 0, buffer, size);
}

int64_t rg_problem_size(const rg_problem *p)
{
    return p != NULL ? p->n : 0;
}

/* Index list behind '[': returns the flat number inside the family or -1. */
static int64_t find_element(const rg_family *f, const char *text)
{
    int64_t flat = 0, stride = 1;

    for (int k = 0; k < f->n_dims; k++) {
        char *end;
        const long long value = strtoll(text, &end, 10);
        const char expected = k + 1 < f->n_dims ? ',' : ']';
        if (end == text || *end != expected) return -1;
        if (value < f->low[k] || value >= f->low[k] + f->extent[k]) return -1;
        if (f->first_fastest)
            flat += stride * (value - f->low[k]);
        else
            flat = flat * f->extent[k] + (value - f->low[k]);
        stride *= f->extent[k];
        text = end + 1;
    }
    return *text == '\0' ? flat : -1;
}

/* Callback problems: y[1] .. y[n]. */
static int64_t find_number(const rg_problem *p, const char *name)
{
    char *end;

    if (strncmp(name, "y[", 2) != 0) return -1;
    const long long value = strtoll(name + 2, &end, 10);
    return strcmp(end, "]") == 0 && value >= 1 && value <= p->n ? value - 1 : -1;
}

int64_t rg_problem_find(const rg_problem *p, const char *name)
{
    const char *bracket = strchr(name, '[');

    if (p->n_families == 0) return find_number(p, name);
    const size_t length = bracket != NULL ? (size_t)(bracket - name) : strlen(name);

    for (int k = 0; k < p->n_families; k++) {
        const rg_family *f = &p->families[k];
        if (strlen(f->name) != length || strncmp(f->name, name, length) != 0) continue;
        if ((bracket != NULL) != (f->n_dims > 0)) return -1;
        const int64_t inside = bracket != NULL ? find_element(f, bracket + 1) : 0;
        return inside < 0 ? -1 : f->first + inside;
    }
    return -1;
}

void rg_row_place(const rg_problem *p, int64_t row, int *block, int *output, int64_t *iteration)
{
    int low = 0, high = p->n_blocks - 1;

    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (p->blocks[middle].first_row <= row)
            low = middle;
        else
            high = middle - 1;
    }
    while (low > 0 && p->blocks[low].body->count == 0)
        low--;
    const int64_t inside = row - p->blocks[low].first_row;
    *block = low;
    *output = (int)(inside / p->blocks[low].body->count);
    *iteration = inside % p->blocks[low].body->count;
}

rg_span rg_row_span(const rg_problem *p, int64_t row)
{
    int block, output;
    int64_t iteration;

    if (p->n_blocks == 0) return (rg_span){0, 0};
    rg_row_place(p, row, &block, &output, &iteration);
    return p->blocks[block].spans[output];
}

static const char *ordinal(int order)
{
    static const char *const words[] = {"", "first", "second", "third", "fourth", "fifth"};

    return order < (int)(sizeof words / sizeof *words) ? words[order] : NULL;
}

int rg_row_name(const rg_problem *p, int64_t row, int order, char *buffer, int size)
{
    writer w = {buffer, size, 0};
    int block, output, line, column;
    int64_t iteration;

    if (size > 0) buffer[0] = '\0';
    if (order > 0 && ordinal(order) != NULL)
        write_text(&w, "the %s derivative of ", ordinal(order));
    else if (order > 0)
        write_text(&w, "the %d-th derivative of ", order);
    if (p->n_blocks == 0) {
        write_text(&w, "equation %lld", (long long)row + 1);
        return w.length;
    }
    rg_row_place(p, row, &block, &output, &iteration);
    const rg_body *body = p->blocks[block].body;
    rg_source_place(p->source, p->blocks[block].spans[output].start, &line, &column);
    write_text(&w, "line %d", line);
    for (int k = 0; k < body->n_loops; k++) {
        const rg_data *d = &body->data[k];
        write_text(&w, "%s%lld", k == 0 ? " [" : ",",
                   llround(d->values[rg_map_at(&d->map, iteration)]));
    }
    if (body->n_loops > 0) write_text(&w, "]");
    return w.length;
}

int rg_output_name(const rg_problem *p, int64_t column, char *buffer, int size)
{
    writer w = {buffer, size, 0};
    int which = p->n_outputs - 1;

    if (size > 0) buffer[0] = '\0';
    while (which > 0 && p->outputs[which].first > column)
        which--;
    const rg_value *v = &p->outputs[which];
    const int64_t k = column - v->first;
    if (v->family >= 0)
        return rg_variable_name(p, rg_map_at(&v->body->slots[0].map, k), v->order, buffer, size);
    write_text(&w, "%s", v->name);
    for (int i = 0; i < v->n_index; i++) {
        const rg_data *d = &v->body->data[v->index[i]];
        write_text(&w, "%s%lld", i == 0 ? "[" : ",", llround(d->values[rg_map_at(&d->map, k)]));
    }
    if (v->n_index > 0) write_text(&w, "]");
    for (int prime = 0; prime < v->order; prime++) /* of a let */
        write_text(&w, "'");
    return w.length;
}
