/* Switches of a run that jump and may have been passed, or missed, within the error
 * (ivp/switching/graze.c). */
#ifndef RG_IVP_GRAZED_H
#define RG_IVP_GRAZED_H

#include <stdbool.h>
#include <stdint.h>

typedef struct { /* at t the value of a switch is `near`, less than the error that is permitted */
    double t, near, error;
    int64_t function;
} rg_graze;

typedef struct {
    int64_t count;
    rg_graze worst;
    double most;     /* what the worst might change, by size */
    double sum;      /* what all of them might change in what is integrated, */
    double row;      /* ... in other values in a row */
    rg_graze now;    /* the last one: */
    double from, to; /* when its other branch might be valid, */
    double jump;     /* how far other values are away on it; 0: they are not, or it counts */
    double t_last;   /* the last one that was looked at, and its number + 1 */
    int64_t last;
} rg_grazed;

/* The other branch, valid for the time `stay`, changes most[0] in what is integrated and most[1] in
 * the rest, by size. */
void rg_grazed_note(rg_grazed *all, const rg_graze *one, const double most[2], double stay);
/* A row is put out at t. */
void rg_grazed_row(rg_grazed *all, double t);

#endif
