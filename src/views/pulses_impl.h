/* The search for pulses, in parts: functions of time and their values (pulse_functions.c), flanks
 * of one of them (pulse_flanks.c), the whole interval and windows of it (pulses.c). */
#ifndef RG_VIEWS_PULSES_IMPL_H
#define RG_VIEWS_PULSES_IMPL_H

#include "expr/tape.h"
#include "views/driven.h"
#include "views/narrow.h"
#include "views/pulses.h"
#include "views/tuning.h"

typedef struct {
    rg_context *ctx;
    double a, b; /* the interval, or a window of it */
    bool is_window;
    int cells; /* so many are enough for all functions */
    rg_resolved *resolved;
    const rg_driven *driven;
    rg_narrow *narrow; /* features that are shorter than a cell */
    int64_t n_narrow;
    rg_pulse *list;
    int64_t n, capacity;
} rg_pulse_finder;

typedef struct { /* the functions of one body */
    const rg_body *body;
    int block;    /* its number */
    bool is_part; /* a part of one of the sums there */
    rg_node node[RG_PULSE_FUNCTIONS];
    bool has_kinks[RG_PULSE_FUNCTIONS];
    bool is_inside[RG_PULSE_FUNCTIONS]; /* of a function of unknowns, too */
    int n_nodes;
    int32_t iteration[RG_PULSE_FUNCTIONS];
    int n_iterations;
    rg_tape *tape;
    rg_tape_source *inputs;
    rg_tape_target *outputs;
    double *workspace;
    double *time;
    double *f;     /* (RG_PULSE_CELLS + 1) values of every function, one behind the other */
    double *fine;  /* the same of a closer look */
    double *range; /* of every function in the interval */
} rg_pulse_sampler;

/* The functions of time in s->body, with memory for their values; none: n_nodes or n_iterations is
 * 0. */
rg_status rg_pulse_functions(const rg_pulse_finder *w, rg_pulse_sampler *s);
void rg_pulse_sampler_clear(rg_context *ctx, rg_pulse_sampler *s);
/* All functions at cells + 1 times; what is not finite becomes what was before it. */
void rg_pulse_sample(rg_pulse_sampler *s, double a, double b, int cells, double *f);
/* Adds the pulses of function i, whose values are in s->f. */
rg_status rg_pulse_look_at(rg_pulse_finder *w, rg_pulse_sampler *s, int i);

#endif
