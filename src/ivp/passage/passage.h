/* Steps through isolated points where constraints lose rank: three-stage Radau IIA on the stabilized form, full Newton, step-over.
 *
 * An integrator with a passage attached watches the rank of its constraints.  Where it falls (rg_passage_guard), the
 * steps are taken by rg_passage_step() on the stabilized form until it is safe again.  See doc/methods/passage.md. */
#ifndef RG_IVP_PASSAGE_PASSAGE_H
#define RG_IVP_PASSAGE_PASSAGE_H

#include "ivp/method.h"
#include "ivp/passage/coupled.h"
#include "ivp/passage/rank.h"

#define PASSAGE_TRIGGER 0.25 /* of the largest signal: below, the steps of this folder take over */
#define PASSAGE_GROWN   1e3  /* values of a pole, beside those at the start */
enum { PASSAGE_STAGES = 3, PASSAGE_SAMPLES = 27, PASSAGE_POINTS = 4 };

typedef enum { PASSAGE_NEWTON, PASSAGE_ERROR, PASSAGE_VALUES } rg_passage_cause;

typedef struct { /* a place of lost rank on the polynomial of a step */
    double c;    /* where in the step: (t - t_n)/h */
    double multiplicity;
} rg_passage_place;

typedef struct { /* a place that was passed */
    double t;
    int lost;              /* ranks */
    char constraints[128]; /* which ones: "line 24" */
} rg_passed;

struct rg_passage {
    rg_context *ctx;
    rg_stable *form;
    const rg_ivp_method *main; /* the method away from singular points */
    int main_degree;
    bool is_on, stays; /* stepping here; to the end of the run */
    bool left_behind;  /* the next step is the main method's again */

    /* the watch */
    rg_rank *rank;
    double s_ref, s_max; /* largest signal since the scales have grown; ever */
    double s_now, t_now; /* the last signal and its time */
    double apart;        /* time between the last two places; 0: there are no two */
    double rate, growth; /* of the relative change of A between them */
    bool has_place;      /* rank->before and s_now hold a place */
    int64_t jacobians;   /* of the run, at the last look */
    double *Jy, *Jyp;    /* of the view of the run; NULL until they are needed */
    double *y0, *yp0;    /* before a step of the main method; then a place on it */
    double *y_start, *yp_start;
    int n_speeds;
    int32_t *speed;    /* states of the run whose slopes are speeds */
    double v_max;      /* largest speed so far */
    double q_max;      /* largest |q| so far */
    double w_start;    /* |y| at the start */
    int64_t since;     /* steps since the last singular point */
    bool is_in_doubt;  /* a branch or a near miss ended the run */
    bool has_repeated; /* the run up to the first point */

    /* the steps; memory is taken before the first one */
    int N;                                                       /* unknowns of the form */
    double c[PASSAGE_STAGES], D[PASSAGE_STAGES][PASSAGE_STAGES]; /* nodes, inverse of A */
    double gamma0, DD[PASSAGE_STAGES];                           /* error estimate of RADAU5 */
    double *w, *wp;                                              /* at t_n */
    double *W[PASSAGE_STAGES];                                   /* stage values */
    double *Wp, *F;                                   /* stage derivative; residuals 3 N */
    double *Jw[PASSAGE_STAGES], *Jwp[PASSAGE_STAGES]; /* per stage, in pattern order */
    double *weight;            /* 1/(atol + rtol |w|), 0 for algebraic unknowns */
    double *polynomial, *last; /* a_0 .. a_3 in s = (t - t_n)/h; of the step before */
    double h, h_last;          /* to be tried; of the step before, 0: none */
    rg_coupled *coupled;
    rg_matrix *error_matrix;
    double *point, *slope; /* a place on the polynomial */
    double *gap;           /* g and G of the constraints */

    int64_t n_passed, passed_capacity;
    rg_passed *passed;
};

/* Watches g from now on; takes the form, unless it is NULL: then nobody watches. */
rg_status rg_passage_attach(rg_integrator *g, rg_stable **form);
void rg_passage_detach(rg_integrator *g);
/* One accepted step of g, by the main method or by the steps of this folder. */
rg_status rg_passage_guard(rg_integrator *g);

/* Places that were passed; returns how many. */
int64_t rg_passage_passed(const rg_integrator *g, const rg_passed **out);

/* ---- between the files of this folder */
extern const rg_ivp_method rg_passage_method;
rg_status rg_passage_begin(rg_integrator *g, double h); /* w from g->y, projected */
rg_status rg_passage_step(rg_integrator *g);
/* From (t, y0, y'0) on by steps of this folder; RG_RETRY: not possible.  Is the point far enough behind? */
rg_status rg_passage_enter(rg_integrator *g, double t, double h);
rg_status rg_passage_after_step(rg_integrator *g);
/* The main method cannot leave the start: on a point of lost rank this does, else its failure stays. */
rg_status rg_passage_depart(rg_integrator *g);
rg_status rg_passage_repeat(rg_integrator *g, double h); /* RG_RETRY: take the step again */
/* The smallest signal over the last step of the main method, which began at t0; infinity: large enough. */
rg_status rg_passage_watch(rg_integrator *g, double t0, double *least);
/* The signal at a time of the last step; infinity: cannot be evaluated. */
rg_status rg_passage_look(rg_integrator *g, double t, double *signal);
rg_status rg_passage_take_memory(rg_integrator *g); /* of the steps; once */
rg_status rg_passage_fixed_step(rg_integrator *g);  /* with options.step */
void rg_passage_set_weights(rg_integrator *g);
rg_status rg_passage_advance(rg_integrator *g, double h, double end); /* to t + end h */
/* Stage values, Newton.  RG_RETRY: no convergence. */
rg_status rg_passage_newton(rg_passage *k, double t, double h, int64_t *evaluations);
void rg_passage_predict(rg_passage *k, double h);
double rg_passage_error(rg_passage *k, double h);
void rg_passage_interpolate(rg_passage *k);
/* w and w' at s on the polynomial of the step now. */
void rg_passage_at(const rg_passage *k, double h, double s, double *w, double *wp);
/* The largest entry so far in the row of a constraint. */
double rg_passage_scale(const rg_passage *k, int constraint);
/* The signal (rank.h) at a place of the form; negative: cannot be evaluated. */
double rg_passage_signal(rg_passage *k, double t, const double *w, const double *wp);
/* Places of lost rank in [0, 1.3] of the step now; returns how many. */
int rg_passage_locate(rg_passage *k, double t, double h, rg_passage_place *places);
/* May the branch be trusted?  RG_OK: *lost constraints lose rank at the place, named in `names`; a failure says why not. */
rg_status rg_passage_check(rg_integrator *g, double t, double h, const rg_passage_place *place,
                           rg_passed *out);
rg_status rg_passage_record(rg_passage *k, const rg_passed *point);
double rg_passage_gap(rg_passage *k, double t, double h, double c, double *size);
rg_status rg_passage_exactness(rg_passage *k, double t, const double *w, int lost, const double *U,
                               double *rho);
rg_status rg_passage_give_up(rg_integrator *g, rg_passage_cause cause);

#endif
