/* Jumps of velocities by impulses (impulse.c): what its parts share. */
#ifndef RG_NEWTON_IMPULSE_H
#define RG_NEWTON_IMPULSE_H

#include "newton/start.h"

typedef struct {
    rg_start_system *s;
    const rg_analysis *a;
    int n;
    /* the system Jacobian by columns, and by rows */
    int *start, *row;
    double *value;
    int *row_start, *row_column;
    double *row_value;
    int *partner;       /* per column: the row of its momentum, -1: none */
    int *column_of;     /* per row: the other way round */
    int *alias;         /* per column q of q' = v: v, otherwise itself; -1: no velocity */
    double *factor;     /* ... q' = factor v */
    int *position;      /* per column v: that q, -1: none */
    uint8_t *is_alias;  /* per row: q' = v */
    uint8_t *is_lifted; /* per row: that of the derivative */
    uint8_t *is_dead;   /* per column: no impulse, since equations of their own hold it */
    uint8_t *is_kept;   /* per column: assigned */
    double *scale;      /* per row: r_i, 0: not known yet */
    double *G, *B;      /* per velocity: of one constraint, of one multiplier */
    double *change;     /* from the solution to v0, per column */
    int *list, *number; /* rows or columns of the matrix of (1) */
    void *memory;
} rg_impulse;

enum { RG_IMPULSE_NONE = -1 };

/* The column of y_j^(d_j - 1), or -1. */
static inline int32_t rg_impulse_velocity(const rg_impulse *m, int j)
{
    return m->a->d[j] > 0 ? m->s->column[m->a->d[j] - 1][j] : RG_IMPULSE_NONE;
}

/* An equation with momenta, not one that is differentiated. */
static inline bool rg_impulse_is_dynamic(const rg_impulse *m, int i)
{
    return m->a->c[i] == 0 && !m->is_lifted[i];
}

/* Bounds the entries of the system Jacobian. */
int64_t rg_impulse_count_entries(const rg_impulse *m);

/* Sets is_lifted.  False: none. */
bool rg_impulse_find_lifted(rg_impulse *m);

void rg_impulse_take_jacobian(rg_impulse *m);

/* Momenta, positions and what no impulse acts on, from the Jacobian. */
rg_status rg_impulse_sort(rg_impulse *m);

/* Propagates r from row to row, by M and by multipliers, until all of them agree. */
bool rg_impulse_is_mechanics(rg_impulse *m);

#endif
