/* Collocation inside a step that was taken: what rows.c is made of. */
#ifndef RG_IVP_RADAU_PIECE_H
#define RG_IVP_RADAU_PIECE_H

#include "ivp/radau/radau.h"
#include "ivp/radau/response.h"

typedef enum { ROWS_POLYNOMIAL, ROWS_SIDE, ROWS_PIECES } rg_rows_way;

typedef struct { /* a part of the step that has its own collocation */
    bool has_values;
    double t, h;
} rg_piece;

struct rg_radau_rows {
    rg_integrator *side; /* the same method on the same system; y: start of the piece */
    rg_system_work *own; /* its workspace, for projections; evaluations use the run's */
    double *own_Jy, *own_Jyp;
    double *y0, *y, *scale; /* start of the step; of a piece; 1/(atol + rtol |y|) */
    double t0, t1;          /* the step that it belongs to */
    int64_t step;           /* its number */
    int stages;
    bool is_thrifty;     /* a factorization costs as much as several iterations */
    double t_jacobian;   /* of the factors */
    int factored_stages; /* of factors that are there though not for the present stages; 0: none */
    double h_factored;
    rg_rows_way way;
    double count;  /* rows inside the step; infinite: no side steps */
    double length; /* of the next piece */
    int splits;
    double d_step; /* (1) of rows.c of the step's polynomial */
    double d;      /* what (1) of rows.c was for a longer piece; infinite: there was none */
    rg_piece piece;
    double left;   /* of it: the last update of Newton's method beside the first */
    rg_piece kept; /* a collocation that may be used again: rg_piece_keep() */
    int kept_stages;
    double *kept_Z;
    int64_t worst;         /* the state that d is of */
    const uint8_t *counts; /* per state: d is of these only; NULL: of all */
    int64_t first;         /* rg_radau_roughness(): of the states from here on, ... */
    double off;            /* ... how far the polynomial is off */
    rg_stats counted;      /* of the side's work */
    rg_response *response[RADAU_MOST / 2][RG_RESPONSE_KINDS]; /* correct.c; NULL: not yet used */
    uint8_t *has_slope;    /* per state: its slope is in an equation; with the Jacobian */
    uint8_t *is_recovered; /* per state: rows get it from the hidden constraints, not from here, */
    double gain;           /* ... where errors of the other states are so many times larger */
};

rg_status rg_side_create(rg_integrator *g, rg_radau_rows **rows);
void rg_side_destroy(rg_integrator *g, rg_radau_rows **rows);
/* For those who ask now: the last step of g, from now on.  Is it still? */
rg_status rg_side_start(rg_integrator *g, rg_radau_rows *w);
bool rg_side_belong(const rg_integrator *g, const rg_radau_rows *w);
/* What the side has done counts as work of the run, but not for its choice of the order. */
void rg_side_count(rg_integrator *g, rg_radau_rows *w);

/* Stages whose factors are there for a piece of this length; 0: none. */
int rg_piece_factored(const rg_radau_rows *w, double h);
/* Collocation over t .. t + h from y; RG_RETRY: Newton's method does not converge. */
rg_status rg_piece_take(rg_integrator *g, rg_radau_rows *w, double t, const double *y, int stages,
                        double h);
/* The whole step, for so many stages, without values; then Z from its polynomial.  Nothing is
 * factored. */
rg_status rg_piece_start(rg_radau_rows *w, int stages);
void rg_piece_predict(rg_integrator *g, rg_radau_rows *w);
/* correct.c: the polynomial of the step corrected with the factors of the step, where that may do,
 * to a piece with values; without them it is good enough as it is.  *d: (1) of rows.c of the
 * polynomial.  RG_RETRY: it does not do. */
bool rg_piece_may_correct(const rg_integrator *g, const rg_radau_rows *w);
rg_status rg_piece_correct(rg_integrator *g, rg_radau_rows *w, double *d);
/* The piece, which starts at y0, is remembered; and made the present one again. */
void rg_piece_keep(rg_radau_rows *w);
rg_status rg_piece_restore(rg_radau_rows *w);
void rg_piece_end(const rg_radau_rows *w, double *y);
void rg_piece_eval(const rg_integrator *g, const rg_radau_rows *w, double t, double *y, double *yp);
/* (1) of rows.c, for the polynomial of the step and for the piece.  RG_RETRY: F cannot be
 * evaluated, *d is infinite. */
rg_status rg_step_indicator(rg_integrator *g, rg_radau_rows *w, double *d);
rg_status rg_piece_indicator(rg_integrator *g, rg_radau_rows *w, double *d);
/* A row onto the hidden constraints, in reduced views. */
rg_status rg_piece_project(rg_integrator *g, rg_radau_rows *w, double t, double *y, double *yp);

#endif
