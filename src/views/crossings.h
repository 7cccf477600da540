/* Where switches change along a solution: the one search for times between samples.
 *
 * The modes of all switches (views/switches.h) are looked at from sample to sample; between two
 * that differ the first change is found by halving, then the next one behind it: a short pulse has
 * two.  A switch on its edge, or not defined, has the mode that it had before.  Switches of time
 * alone are left out: their times are known (views/breaks.h). */
#ifndef RG_VIEWS_CROSSINGS_H
#define RG_VIEWS_CROSSINGS_H

#include "views/switches.h"

/* Is the change that is looked for before t? */
typedef rg_status rg_crossing_fn(void *user, double t, bool *is_before);
/* Halves [*left, *right], with the change between them, until they are neighbours: *right is the
 * first time behind it. */
rg_status rg_crossing_narrow(rg_crossing_fn *look, void *user, double *left, double *right);

/* The unknowns at t, as the switching functions want them.  RG_RETRY: not defined there. */
typedef rg_status rg_crossing_point_fn(void *user, double t, double *z);

typedef struct {
    rg_context *ctx;
    const rg_switches *switches;
    rg_crossing_point_fn *point;
    void *user;
    rg_assembly_work *work;
    double *z, *known, *mode; /* known: the modes before the next change */
    double t;                 /* the last sample */
    int64_t n, capacity;
    double *times; /* first times behind a change, in the order of the samples */
} rg_crossings;

/* Nothing is taken where there are no switches. */
rg_status rg_crossings_init(rg_context *ctx, const rg_switches *switches,
                            rg_crossing_point_fn *point, void *user, rg_crossings *out);
void rg_crossings_clear(rg_crossings *c);
/* Forgets all times and takes the first sample. */
rg_status rg_crossings_begin(rg_crossings *c, double t);
/* Adds all changes up to the next sample. */
rg_status rg_crossings_go_on(rg_crossings *c, double t);

#endif
