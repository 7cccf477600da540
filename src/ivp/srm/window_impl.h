/* What the files of a window share: its parts (formulas: window_equations.c). */
#ifndef RG_IVP_SRM_WINDOW_IMPL_H
#define RG_IVP_SRM_WINDOW_IMPL_H

#include "ivp/srm/window.h"

struct rg_srm_window {
    rg_passage_iteration iteration; /* first */
    rg_context *ctx;
    rg_srm_core *core;
    rg_stable *form;
    double eps_given, rtol;
    int m_given;
    int N, n_x, n_y, n_c, levels; /* levels: of constraints, the order */
    bool carries_y, is_identity, accepts_doubt;
    double *unit; /* levels n_y, E = I: diagonals of G G^T, and of sign G B, at the start */
    bool has_unit;
    int32_t *x, *y;     /* order n_x, n_y: unknowns of the form */
    int32_t *row, *mu;  /* levels n_y: rows of d^r g/dt^r; of all levels but the last, mu */
    rg_pattern pattern; /* of the form, and the blocks G B, G G^T */
    int64_t *index;     /* in it, per entry of the form's */
    int64_t *block;     /* levels n_y n_y, column-major: places of these blocks */
    uint8_t *kinds;
    double *Jw, *Jwp;     /* of the form */
    double eps;           /* of the window now */
    double *before, *now; /* 3 n_c: what the iterates s - 1 and s carry at the stages */
    double *last;         /* ... the last iterate of the step before; has_last: there is one */
    bool has_last;
    double *y_hidden; /* 4 n_y: y from the hidden constraint at the start and the stages */
    bool has_hidden;  /* ... at the start of the next step */
    double *W;        /* 3 N: stages of the iterate before */
    double *point, *ys, *u, *GB, *values;
    int32_t *numbers;
};

/* window_equations.c: x, x', .. and y of the core at a point of the form. */
void rg_srm_window_take_point(rg_srm_window *q, const double *w);
/* f, B, G at that point; B = -f_y at y_{s-1} where f is not linear in y. */
rg_status rg_srm_window_look(rg_srm_window *q, double t, const double *before);
/* E = I: the units of the constraints, once, at the start. */
rg_status rg_srm_window_take_units(rg_srm_window *q, double t, const double *w);
/* Equations of a stage; has the type of rg_coupled_equations. */
rg_status rg_srm_window_evaluate(void *user, int stage, double t, const double *w, const double *wp,
                                 double *F, double *Jw, double *Jwp);

/* window_iterate.c: what ivp/passage calls. */
rg_status rg_srm_window_stages(rg_passage_iteration *iteration, rg_coupled *c, double t, double h,
                               int64_t *evaluations);
rg_status rg_srm_window_accept(rg_passage_iteration *iteration, rg_coupled *c, double t, double h,
                               int64_t *evaluations);
int rg_srm_window_lost(rg_passage_iteration *iteration, double t, const double *w);

#endif
