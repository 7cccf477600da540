/* What the solvers of pdae/solve share: their table, the rows of the matrix in order. */
#ifndef RG_PDAE_SOLVE_ELLIPTIC_IMPL_H
#define RG_PDAE_SOLVE_ELLIPTIC_IMPL_H

#include "pdae/solve/elliptic.h"

/* The matrix in rows of the cells that are not solid: off-diagonal entries of row i are -value[k],
 * k = start[i] .. start[i + 1] - 1, first those with col < i. */
typedef struct {
    int64_t n;
    int64_t *start, *middle; /* middle[i]: the first entry with col > i */
    int32_t *col;
    double *value, *diagonal;
} rg_elliptic_rows;

typedef struct rg_elliptic_method {
    const char *name;
    /* Follows where this one was chosen and does not converge; NULL: none. */
    const struct rg_elliptic_method *next;
    rg_status (*create)(rg_elliptic *e, void **state);
    /* Numbers of the cells that are not solid, in order; x holds the guess. */
    rg_status (*solve)(rg_elliptic *e, void *state, const double *b, double *x);
    void (*destroy)(rg_elliptic *e, void *state);
    /* Other numbers in the matrix; NULL, or RG_RETRY: it is made anew. */
    rg_status (*renew)(rg_elliptic *e, void *state);
    bool is_padded; /* b and x are padded arrays; beside the cells x is filled, b is not read */
    bool needs_no_guess; /* x is written, never read */
    bool is_direct;      /* rounding alone limits it  */
    bool needs_level;    /* a shift that is next to nothing is taken apart (level.c) */
    bool renews_fully;   /* renew() makes what create() does, also where the constant is now fixed
                            and was not, or the other way round */
} rg_elliptic_method;

struct rg_elliptic {
    rg_context *ctx;
    rg_elliptic_matrix A;
    rg_elliptic_options options;
    const rg_elliptic_method *method;
    void *state;
    bool singular;
    int64_t n;             /* cells that are not solid              */
    int64_t *place;        /* place[row] in the padded box; NULL: not needed so far */
    double *b, *x;         /* n numbers each; the same                              */
    double *weight;        /* part of the volume of every row; the same             */
    double *padded;        /* b without its constant, where there is one            */
    const double *shift;   /* what was A.s, where it is taken apart; NULL   */
    double shift_sum;      /* of all cells                                  */
    double *defect, *part; /* padded                                        */
    int64_t iterations;
    double residual;
    bool has_converged; /* conjugate gradients of the last solve, in their own view */
};

extern const rg_elliptic_method rg_elliptic_transform, rg_elliptic_multigrid, rg_elliptic_direct,
    rg_elliptic_aggregation, rg_elliptic_saddle;

/* Can this matrix be diagonalized by transforms along all axes but one? */
bool rg_elliptic_can_transform(const rg_elliptic *e, const char **why);

/* No solids, and coefficients that differ little: geometric multigrid is the best choice. */
bool rg_elliptic_is_smooth(const rg_elliptic *e);

/* The unknowns one behind the other, for methods that are not padded (unknowns.c): makes what they
 * need; e->b without its constant; x from e->x, without its mean where nothing fixes it. */
rg_status rg_unknowns_create(rg_elliptic *e);
void rg_unknowns_collect(const rg_elliptic *e, const double *padded, double *rows);
void rg_unknowns_balance(rg_elliptic *e);
void rg_unknowns_spread(const rg_elliptic *e, double *x);

/* The neighbours beyond the ends: copies on periodic axes, 0 otherwise (residual.c). */
void rg_elliptic_fill_ends(const rg_grid *g, double *x);
/* |b - A x| over |b|, and over the rounding of A x that no solver can undercut. */
double rg_elliptic_true_residual(rg_elliptic *e, const double *b, double *x, double *floor);

/* Is there a face to the outside? */
bool rg_elliptic_has_open_side(const rg_elliptic *e);

/* Shifts that hardly fix the constant (level.c): split takes it out of a matrix that is not
 * singular for methods that need that, join puts it back; a solve by those of the singular one. */
typedef rg_status rg_level_once(rg_elliptic *e, const double *b, double *x, bool *is_good);
rg_status rg_level_split(rg_elliptic *e);
void rg_level_join(rg_elliptic *e);
rg_status rg_level_solve(rg_elliptic *e, rg_level_once *once, const double *b, double *x,
                         bool *is_good);

rg_status rg_elliptic_rows_create(rg_elliptic *e, rg_elliptic_rows *out);
void rg_elliptic_rows_free(rg_context *ctx, rg_elliptic_rows *rows);

#endif
