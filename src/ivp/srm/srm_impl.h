/* What the files of the regularization engine share. */
#ifndef RG_IVP_SRM_IMPL_H
#define RG_IVP_SRM_IMPL_H

#include "ivp/srm/core.h"
#include "ivp/srm/schemes.h"
#include "ivp/srm/srm.h"
#include "ivp/srm/window.h"

enum { SRM_MAX_PASSAGES = 1000, SRM_MOST_DEGREE = 8, SRM_PAIR_STAGES = 7, SRM_MOST_POWERS = 16 };

typedef struct {
    double P, By; /* sizes */
} srm_trace;

typedef struct srm_inner srm_inner; /* stack_radau.c */

typedef struct {
    const srm_method *method;
    rg_srm_core *core;
    srm_scheme scheme;
    int m;                /* iterates */
    int passes;           /* of post-stabilization */
    double h;             /* the fixed step */
    double size_at_start; /* largest of z, at least 1 */
    double origin;        /* mesh: origin + count h */
    bool is_shifted;      /* ... less h/2 */
    int64_t count;
    /* n_x, n_y, n_y, so far: largest |x|, |g|, and what these |x| could make of g */
    double *reach, *miss, *room;
    double *arena;
    double *z, *z_new;             /* m x n_z */
    double *slope, *slope_new;     /* m x n_z: z' */
    double *carried, *carried_new; /* m x n_c: at g->t and at the end of the step */
    /* SRM_STAGES x n_c: carried values of the iterate before, and of this one, in the step */
    double *node, *node_new;
    double *stage, *K; /* SRM_STAGES x n_z */
    double *y_new;     /* n_y: multipliers of the last iterate */
    double *jacobian, *matrix, *update;
    int *pivots;
    /* the stacked form, N = m n_z numbers */
    double *K7, *trial, *samples; /* 7 N; N; (SRM_MOST_DEGREE + 1) n_y */
    double h_next, error_old;     /* of the pair; h_next = 0: chosen */
    srm_inner *inner;
    rg_srm_window *window; /* iterates restart after every step; NULL: they do not */
    /* singular places */
    srm_sample past[3];
    int n_past;
    double *old, old_start;           /* dense output of the step before the last one */
    int old_degree;                   /* 0: none */
    double *start, *moved;            /* n_x: x at the start; hypotheses.c */
    srm_trace trace[SRM_MOST_POWERS]; /* ... the last ones, by powers of ten of the pivot */
    int depth;                        /* ... that of the last sample; -1: none */
    rg_singular *passage;
    int64_t n_passages, passage_capacity;
    char choice[256], warning[320];
} rg_srm;

static inline rg_srm *rg_srm_of(const rg_integrator *g)
{
    return (rg_srm *)g->state;
}

/* parameters.c: atol/rtol of component i of all iterates. */
double rg_srm_unit(const rg_integrator *g, int i);
/* options.c: are windows of one step wanted, and possible for the variant? */
bool rg_srm_wants_windows(const rg_integrator *g);
/* options.c: scheme, iterates, passes from the options; the core has been made. */
rg_status rg_srm_choose_scheme(rg_integrator *g);
/* parameters.c: step, eps, gamma from the options and the start of the model. */
rg_status rg_srm_choose_parameters(rg_integrator *g);
void rg_srm_describe(rg_integrator *g); /* what was chosen, in words */
/* collocation.c: one iterate over a step by an implicit scheme. */
rg_status rg_srm_collocate(rg_integrator *g, int s, double h);
/* step.c */
rg_status rg_srm_start(rg_integrator *g);
rg_status rg_srm_step(rg_integrator *g);
/* stack.c: all iterates at a time, z one behind the other: z', the multipliers of the last one
 * (or NULL). */
rg_status rg_srm_stack_eval(rg_integrator *g, double t, const double *z, double *dz, double *y);
/* Hands an accepted step to the integrator: z(t + s h) = sum_k a_k s^k, a_k = a + k N, of degree
 * `degree`; z and z' at its end. */
typedef struct {
    double t_new;
    int degree,
        y_degree; /* y_degree: of the polynomial for the multipliers, from new evaluations */
    const double *a, *z, *dz;
} srm_stack_step;
rg_status rg_srm_stack_accept(rg_integrator *g, const srm_stack_step *step);
/* pair.c, stack_radau.c: one accepted step */
rg_status rg_srm_pair_step(rg_integrator *g);
rg_status rg_srm_radau_create(rg_integrator *g);
rg_status rg_srm_radau_step(rg_integrator *g);
rg_status rg_srm_radau_restart(rg_integrator *g, double h);
void rg_srm_radau_store(rg_integrator *g, rg_store *s, double h); /* for checkpoints */
void rg_srm_radau_destroy(rg_integrator *g);
/* enforced.c: after every step; at the end, whether the constraints have held at all. */
rg_status rg_srm_check_enforced(rg_integrator *g);
/* singular.c: the start, or a step has been accepted. */
rg_status rg_srm_watch(rg_integrator *g);
/* The pivots at t on the dense output of the last two steps; the point is in b->stage, the view's
 * values are in the core. */
rg_status rg_srm_sample_at(rg_integrator *g, double t, srm_sample *out);
/* hypotheses.c: a place on a mesh, looked at from t + side on: RG_ERR_CONVERGENCE where P or B
 * y is not bounded.  Chosen steps: a sample; which hypothesis does not hold where the run is
 * stuck (0: none is known); the end of such a run. */
rg_status rg_srm_check_bounded(rg_integrator *g, double t, double side);
void rg_srm_trace(rg_integrator *g, const srm_sample *now);
int rg_srm_broken(const rg_integrator *g);
rg_status rg_srm_fail_broken(rg_integrator *g, int which);
/* failure.c */
rg_status rg_srm_fail_step(rg_integrator *g, double h);
rg_status rg_srm_fail_singular(rg_integrator *g, double t);
rg_status rg_srm_fail_steps(rg_integrator *g);

/* create.c: before the first step; takes *y0.  RG_ERR_METHOD: a wrong number, or a value that is
 * not finite. */
rg_status rg_srm_set_y0(rg_integrator *g, rg_problem **y0);
/* create.c: windows for the run, where they are wanted and the form of the model has them. */
rg_status rg_srm_open_windows(rg_integrator *g, const rg_problem *p);
/* output.c: --y0; what was chosen, a warning, the forces; passages through places where G B lost
 * rank, in the order of the run. */
rg_status rg_srm_begin(rg_integrator *g, const rg_problem *p);
rg_status rg_srm_attach(rg_integrator *g, const rg_problem *p, rg_solution *solution);
void rg_srm_forces(rg_integrator *g, struct rg_forces *out);
int64_t rg_srm_passages(const rg_integrator *g, const rg_singular **out);

#endif
