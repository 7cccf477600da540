/* The user's guess as a function of time: '~' expressions, start values, or the columns of a CSV
 * file; for unknowns without one, what the conditions say. */
#ifndef RG_BVP_GUESS_H
#define RG_BVP_GUESS_H

#include "bvp/collocation/profile.h"
#include "bvp/conditions.h"
#include "solution/values.h"

typedef struct
{ /* columns of a file: values of unknowns and derivatives at ascending or descending times */
    int n_columns;
    int64_t n_rows;
    int *unknown, *order; /* per column; unknown -1: not one of the model's */
    double *time, *value; /* value: row after row */
} rg_guess_table;

typedef struct { /* values that conditions give to unknowns */
    /* per unknown: its values are start[j] .. start[j+1]-1, along the interval; NULL: none */
    int *start;
    double *t, *value;
} rg_guess_hints;

typedef struct {
    rg_bvp_form *f;
    double delta; /* of difference quotients */
    rg_layout *layout;
    rg_values *values;     /* the '~' expressions; NULL: none */
    double *list;          /* their values */
    double *at[3];         /* [order][unknown] at t - delta, t, t + delta; NaN: not given */
    double *start;         /* likewise what start values give, at all times */
    rg_guess_table *table; /* NULL: no file */
    rg_guess_hints hints;
    bool is_own;      /* guesses of the user are left out, but those of unknown constants */
    double *w, *work; /* algebraic unknowns from the guesses of the others */
    int *pivot;
} rg_guess;

/* path: "" for none.  RG_ERR_IO, RG_ERR_ARGUMENT for files that cannot be read. */
rg_status rg_guess_create(rg_bvp_form *f, double a, double b, const char *path, rg_guess **out);
void rg_guess_destroy(rg_guess **guess);
/* Unknowns without a guess pass through the values that conditions give them.  guess_hints.c */
rg_status rg_guess_use_conditions(rg_guess *g, rg_bvp_conditions *c);
bool rg_guess_hint(const rg_guess_hints *h, int j, double t, double *value);
void rg_guess_hints_clear(rg_context *ctx, rg_guess_hints *h);
/* With or without the user's guesses from now on. */
rg_status rg_guess_ignore(rg_guess *g, rg_bvp_conditions *c, bool is_own);
/* Does the user give any guess? */
bool rg_guess_is_given(const rg_guess *g);
/* For rg_profile. */
rg_status rg_guess_profile(void *user, double t, double *x, double *xp, double *w);

rg_status rg_guess_table_read(const rg_problem *p, const char *path, rg_guess_table **out);
void rg_guess_table_destroy(rg_context *ctx, rg_guess_table **table);
/* Piecewise linear; *slope may be NULL. */
double rg_guess_table_value(const rg_guess_table *g, int column, double t);

#endif
