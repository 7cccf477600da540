/* Steps through isolated points where constraints lose rank: three-stage Radau IIA on the
 * stabilized form, full Newton, step-over.
 *
 * An integrator with a passage attached monitors the rank of its constraints.  Where it falls
 * (rg_passage_guard), the steps are taken by rg_passage_step() on the stabilized form until it
 * is safe again.  See doc/methods/passage.md. */
#ifndef RG_IVP_PASSAGE_PASSAGE_H
#define RG_IVP_PASSAGE_PASSAGE_H

#include "base/store.h"
#include "ivp/method.h"
#include "ivp/passage/form.h"
#include "ivp/passage/rank.h"
#include "ivp/radau/coupled.h"

enum { PASSAGE_SAMPLES = 28, PASSAGE_END = 20, PASSAGE_POINTS = 8 };

typedef enum { PASSAGE_NEWTON, PASSAGE_ERROR, PASSAGE_VALUES } rg_passage_cause;

/* The states of a run, and the events that move it from one to another (state.c):
 *
 *     AWAY --STAYS--> STAYING
 *     AWAY --FALLS--> NEAR --SAFE----> LEAVING --RESUMES--> AWAY
 *                     NEAR --USELESS-> ENDING  --RESUMES--> OFF
 *                     NEAR --POINT---> REPEATING --ARRIVES--> REPEATED --PASSES--> STAYING
 *                                      REPEATING --REWINDS------------------------> STAYING
 *                     NEAR <--FAILS--- REPEATING, REPEATED
 *     every state --DOUBT--> IN_DOUBT
 *
 * Steps are taken by the main method in AWAY and OFF, else by this folder. */
typedef enum {
    PASSAGE_AWAY,      /* the rank is monitored */
    PASSAGE_NEAR,      /* a loss of rank */
    PASSAGE_LEAVING,   /* it is behind: the next step is the main method's */
    PASSAGE_ENDING,    /* the same, for good: the monitor is of no use in this model */
    PASSAGE_OFF,       /* the rank is not monitored any more */
    PASSAGE_REPEATING, /* the run up to the first point once more, from its start */
    PASSAGE_REPEATED,  /* that is done; the point may now be behind, it may be undone */
    PASSAGE_STAYING,   /* steps of this folder up to the end of the run */
    PASSAGE_IN_DOUBT   /* a branch or a near miss has ended the run */
} rg_passage_state;

typedef enum {
    EVENT_STAYS,   /* all steps are to be those of this folder, with an iteration */
    EVENT_FALLS,   /* the signal; or the main method fails where it is small */
    EVENT_SAFE,    /* the signal is large again */
    EVENT_USELESS, /* many steps without a point */
    EVENT_RESUMES, /* the main method */
    EVENT_POINT,   /* the first one, and the run may be repeated */
    EVENT_ARRIVES, /* the repeated run, where it was before */
    EVENT_REWINDS, /* the same, and the output can be taken back: it begins again */
    EVENT_FAILS,   /* the repeated run, or the step behind it */
    EVENT_PASSES,  /* the points of a step have been checked */
    EVENT_DOUBT
} rg_passage_event;

typedef struct { /* a point of lost rank, or a turn, on the polynomial of a step */
    double c;    /* where in the step: (t - t_n)/h */
    double multiplicity;
    double depth; /* the signal, beside that a tenth of a step away */
    bool is_turn; /* the motion only comes near, and turns back */
} rg_passage_candidate;

typedef struct { /* all of a step */
    int count;
    rg_passage_candidate item[PASSAGE_POINTS];
    bool starts_rising, ends_falling; /* the signal */
} rg_passage_candidates;

typedef enum {
    VERDICT_PASSED,
    VERDICT_AWAY,      /* the motion turned back before the point */
    VERDICT_FOLLOW,    /* not exactly singular, and the tolerance tells how the motion goes on */
    VERDICT_SLOW,      /* doubt: it arrives too slowly */
    VERDICT_TURN,      /* doubt: it turned back too close to the point */
    VERDICT_NO_EFFECT, /* doubt: the same, where multipliers lose their effect on constraints */
    VERDICT_MISS       /* doubt: not exactly singular, and the tolerance does not tell */
} rg_verdict_kind;

typedef struct {
    rg_verdict_kind kind;
    rg_singular point;
    double tau, rho, distance; /* check.c; exact.c; from the turn to the singular position */
} rg_verdict;

typedef struct { /* a configuration: all unknowns of the form */
    double t, *w;
} rg_nearest;

/* Stages that are not those of the form, but of an iteration on other equations that lead there
 * (ivp/srm/window.c); its own struct begins with this one, and whoever made it ends it. */
typedef struct rg_passage_iteration rg_passage_iteration;
struct rg_passage_iteration {
    bool is_inside; /* the step to come lies inside the last one, from whose start it begins */
    /* before the first step: *e, the equations of the form, become its own */
    rg_status (*prepare)(rg_passage_iteration *q, const rg_stable *form, rg_coupled_equations *e);
    /* the stages of a step, from the predicted ones.  RG_RETRY: no convergence */
    rg_status (*stages)(rg_passage_iteration *q, rg_coupled *c, double t, double h,
                        int64_t *evaluations);
    /* the step has been accepted.  May improve algebraic unknowns of the polynomial. */
    rg_status (*accept)(rg_passage_iteration *q, rg_coupled *c, double t, double h,
                        int64_t *evaluations);
    /* the rank that is lost at a point of the form, where the constraints have lost some */
    int (*lost)(rg_passage_iteration *q, double t, const double *w);
};

typedef struct {
    rg_supervisor supervisor;        /* first: see method.h */
    rg_passage_iteration *iteration; /* NULL: none */
    rg_context *ctx;
    bool is_unexamined; /* a point was too large for the exactness test */
    rg_passage_state state;
    double t_off; /* from here on it is OFF */
    int in_vain;  /* steps here since the last point */
    rg_stable *form;
    const rg_ivp_method *main; /* the method away from singular points */
    int main_degree;

    /* the rank monitor */
    rg_passage_rank *rank;
    double s_ref, s_max; /* largest signal since the scales have grown; ever */
    double s_now, t_now; /* the last signal and its time */
    double apart;        /* time between the last two samples; 0: there are no two */
    double rate, growth; /* of the relative change of A between them */
    bool has_sample;     /* rank->before and s_now hold one */
    int64_t jacobians;   /* of the run, at the last look */
    double *branches;    /* of switches, in the last step; room for those of the next one */
    bool has_branches;   /* they were held */
    bool is_told, is_of_branches; /* it is known whether A depends on them; it does */
    double *Jy, *Jyp;             /* of the view of the run; NULL until they are needed */
    double *y0, *yp0;             /* before a step of the main method; then a sample of it */
    double *y_start, *yp_start;
    int n_speeds;
    int32_t *speed;    /* states of the run whose slopes are speeds */
    double v_max;      /* largest speed so far */
    double *unit;      /* atol/rtol per state of the form; NULL: that of the options */
    double q_max;      /* largest |q| so far */
    double w_start;    /* |y| at the start */
    int64_t since;     /* steps since the last singular point */
    double pace;       /* time between the last two points, twice that after a step without; or 0 */
    bool has_repeated; /* the run up to the first point: once at most */

    /* the steps; memory is taken before the first one */
    int N;                 /* unknowns of the form */
    rg_coupled *stages;    /* radau by full Newton: the last step, w, w' at t_n */
    double *point, *slope; /* w, w' on its polynomial */
    double *kept;          /* w while a row is made */
    double *gap;           /* g and G of the constraints */
    double margin,
        t_margin;      /* tau^2 where it was least, and the time; turned back: -tau^2; 0: none */
    bool was_falling;  /* the signal, at the end of the step before */
    double h_repeated; /* REPEATED: the step before which it was */
    double h;          /* to be tried */

    int64_t n_accepted;  /* doubts, by accept_doubt */
    rg_verdict accepted; /* the first one */
    int64_t n_passed, passed_capacity;
    rg_singular *passed;
} rg_passage;

/* The passage of an integrator; NULL: it has none. */
static inline rg_passage *rg_passage_of(const rg_integrator *g)
{
    return (rg_passage *)g->supervisor;
}

/* Monitors the rank from now on; takes the form, unless it is NULL: then nothing is monitored. */
rg_status rg_passage_attach(rg_integrator *g, rg_stable **form);
/* The same, with all steps of the run by this folder and their stages by an iteration, which must
 * live as long.  *form is taken. */
rg_status rg_passage_attach_iteration(rg_integrator *g, rg_stable **form,
                                      rg_passage_iteration *iteration);
rg_status rg_passage_restart(rg_integrator *g, double h); /* of such a run, from g->y */
void rg_passage_detach(rg_integrator *g);
/* One accepted step of g, by the main method or by the steps of this folder. */
rg_status rg_passage_guard(rg_integrator *g);

/* Do two runs of one model agree on their ways through singular positions?  `second` has the
 * smaller tolerance; difference: of their ends, relative to the solution.  If not, what speaks
 * against it is in `text`. */
bool rg_passage_agree(const rg_integrator *first, const rg_integrator *second, double difference,
                      char *text, int size);
/* Did a doubt end the run? */
bool rg_passage_is_doubtful(const rg_integrator *g);

/* Was a point too large for the exactness test? */
bool rg_passage_is_unexamined(const rg_integrator *g);
/* Was the monitor given up on the way? */
bool rg_passage_is_off(const rg_integrator *g, double *t);
/* For rg_aside_row(), where the last step was one of this folder. */
rg_status rg_passage_side_step(rg_integrator *g, double t, double *y, double *yp);
/* Points that were passed; returns how many. */
int64_t rg_passage_passed(const rg_integrator *g, const rg_singular **out);
/* Doubts that were accepted, the first one in words; returns how many. */
enum { RG_DOUBT_LENGTH = 400 };
int64_t rg_passage_accepted(const rg_integrator *g, char *text, int size);

/* For checkpoints: see rg_supervisor. */
bool rg_passage_is_calm(const rg_integrator *g);
void rg_passage_store_method(rg_integrator *g, rg_store *s);
void rg_passage_store(rg_integrator *g, rg_store *s, double h);

/* ---- between the files of this folder */
extern const rg_ivp_method rg_passage_method;
void rg_passage_happens(rg_passage *k, rg_passage_event event); /* moves k->state */
rg_status rg_passage_begin(rg_integrator *g, double h);         /* w from g->y, projected */
rg_status rg_passage_step(rg_integrator *g);
/* From (t, y0, y'0) on by steps of this folder; RG_RETRY: not possible.  Is the point far enough
 * behind? */
rg_status rg_passage_enter(rg_integrator *g, double t, double h);
rg_status rg_passage_after_step(rg_integrator *g);
/* The main method cannot leave the start: on a point of lost rank this does, else its failure
 * stays. */
rg_status rg_passage_depart(rg_integrator *g);
rg_status rg_passage_repeat(rg_integrator *g, double h); /* RG_RETRY: take the step again */
/* The repeated run has ended too close to the point: back to what was before it.  RG_OK: there
 * is nothing to undo. */
rg_status rg_passage_undo_repeat(rg_integrator *g);
/* The smallest signal over the last step of the main method, which began at t0; infinity: large
 * enough. */
rg_status rg_passage_monitor(rg_integrator *g, double t0, double *least);
/* Before a step of the main method: other branches of switches may have another matrix. */
rg_status rg_passage_note_branches(rg_integrator *g);
/* The signal at a time of the last step; infinity: cannot be evaluated. */
rg_status rg_passage_look(rg_integrator *g, double t, double *signal);
rg_status rg_passage_take_memory(rg_integrator *g); /* of the steps; once */
rg_status rg_passage_fixed_step(rg_integrator *g);  /* with options.step */
void rg_passage_weights(rg_integrator *g);          /* of the stages */
/* Weights, stages and polynomial of a step of size h.  RG_RETRY: no convergence. */
rg_status rg_passage_stages(rg_integrator *g, double h);
rg_status rg_passage_advance(rg_integrator *g, double h, double end); /* to t + end h */
/* The largest entry so far in the row of a constraint. */
double rg_passage_scale(const rg_passage *k, int constraint);
/* exact.c: the distance of central differences about `here` where positions are of this size. */
double rg_passage_difference(double size, double here);
/* The signal (rank.h) at (t, w, w'); negative: cannot be evaluated. */
double rg_passage_signal(rg_passage *k, double t, const double *w, const double *wp);
/* Points of lost rank, and turns, in [0, 1.3] of the step now. */
void rg_passage_locate(rg_passage *k, double t, double h, rg_passage_candidates *out);
/* Adds further points of lost rank that are very near to these. */
void rg_passage_look_closer(rg_passage *k, double t, double h, rg_passage_candidates *io);
/* What became of the motion there. */
rg_status rg_passage_judge(rg_integrator *g, double t, double h,
                           const rg_passage_candidate *candidate, rg_verdict *out);
/* RG_OK: passed, or so accepted; RG_STOPPED: nothing was passed; a failure says what is in
 * doubt. */
rg_status rg_passage_conclude(rg_integrator *g, const rg_verdict *v, rg_singular *out);
rg_status rg_passage_doubt(rg_integrator *g, const rg_verdict *v); /* the failure */
/* Does the run stand nearly still beside a singular position, or beside one that is not exact?
 * For a run that cannot go on: k->polynomial is overwritten. */
bool rg_passage_is_doubtful_here(rg_integrator *g, rg_verdict *out);
/* Judge, then conclude. */
rg_status rg_passage_check(rg_integrator *g, double t, double h,
                           const rg_passage_candidate *candidate, rg_singular *out);
rg_status rg_passage_record(rg_integrator *g, const rg_singular *point);
/* Between the stages (points.c): candidates behind the step, RG_RETRY: again with k->h; smoothness;
 * a part of the error test. */
rg_status rg_passage_check_candidates(rg_integrator *g, double h, double end,
                                      rg_passage_candidates *candidates);
bool rg_passage_is_known(const rg_integrator *g, double h,
                         double c); /* was the point seen before? */
bool rg_passage_is_smooth(const rg_integrator *g, double h,
                          const rg_passage_candidates *candidates);
double rg_passage_error_between(const rg_integrator *g, double h);
/* From `at` to the singular configuration next to it; *rho: what remains of the equations. */
bool rg_passage_is_joint(const rg_passage *k, int lost); /* is it small enough? */
rg_status rg_passage_exactness_joint(rg_passage *k, rg_nearest *at, int lost, double *rho);
rg_status rg_passage_exactness(rg_passage *k, rg_nearest *at, int lost, const double *U,
                               double *rho);
rg_status rg_passage_give_up(rg_integrator *g, rg_passage_cause cause);

#endif
