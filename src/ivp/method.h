/* What a step method sees of the integrator around it, and the table row by which it is called. */
#ifndef RG_IVP_METHOD_H
#define RG_IVP_METHOD_H

#include "base/store.h"
#include "ivp/grazed.h"
#include "ivp/integrator.h"
#include "ivp/tuning.h"
#include "views/pulses.h"
#include "views/recover.h"

#include <float.h>
#include <math.h>

/* What a method keeps from step to step: a struct of its own, behind this name. */
typedef struct rg_method_state rg_method_state;
typedef struct rg_degenerate rg_degenerate; /* ivp/degenerate.h */
typedef struct rg_aside rg_aside;           /* ivp/aside.h */

/* For whom a method makes rows.  What these leave behind (factors, pivots, projections) is seen in
 * the next ones, by rounding at least; so each has its own, and steps do not depend on rows. */
typedef enum { RG_ROWS_OUTPUT, RG_ROWS_STEPS, RG_ROWS_USERS } rg_rows_user;
struct rg_forces; /* solution/solution.h */

/* A Jacobian that a method has computed on its way: dF/dy and dF/dy' in the order of the
 * system's pattern. */
typedef struct {
    double t; /* where it was taken */
    const double *Jy, *Jyp;
} rg_ivp_jacobian;

typedef struct {
    const char *name;
    int degree;        /* of the polynomial for dense output, at first: rg_integrator_set_degree */
    bool is_dense;     /* dense output is as good as the steps: one may be ended inside */
    size_t state_size; /* of g->state */
    rg_status (*create)(rg_integrator *g); /* g->state is there, all zero */
    rg_status (*step)(
        rg_integrator *g); /* one accepted step: t, t_previous, y, yp, polynomial, stats */
    void (*restart)(rg_integrator *g, double h); /* forget the past; see rg_integrator_restart */
    /* what g->state owns; accepts what a failed create left behind */
    void (*destroy)(rg_integrator *g);
    void (*jacobian)(const rg_integrator *g, rg_ivp_jacobian *last); /* NULL: keeps none */
    /* behind create: options that are expressions of the model; NULL: none */
    rg_status (*begin)(rg_integrator *g, const rg_problem *p);
    /* before a run: what was chosen, and columns of its own, for the solution; NULL: nothing */
    rg_status (*attach)(rg_integrator *g, const rg_problem *p, rg_solution *s);
    void (*forces)(rg_integrator *g, struct rg_forces *out); /* those columns; NULL: none */
    /* behind it: singular places that the method passed by itself; NULL: none */
    int64_t (*passed)(const rg_integrator *g, const rg_singular **out);
    /* Rows in the last step: how many will be asked for; y and y' at t, in the order of the run.
     * NULL: dense output is all there is. */
    rg_status (*rows)(rg_integrator *g, int64_t count);
    rg_status (*row)(rg_integrator *g, double t, double *y, double *yp);
    bool (*has_rows)(const rg_integrator *g); /* at this time; NULL: it has if there is `row` */
    /* Behind a switch: y and y' with the branches that are held now, where what E holds is as in
     * `before`.  NULL: those of a trial step are as good as its own. */
    rg_status (*settle)(rg_integrator *g, const rg_state *before);
    /* How far the polynomial of the last step is off in the states that count, in units of the
     * tolerance, and in which of them.  NULL: not known. */
    rg_status (*between)(rg_integrator *g, const uint8_t *counts, double *d, int64_t *state);
    /* Does it damp growth that is faster than its steps now?  NULL: where it keeps a Jacobian. */
    bool (*damps)(const rg_integrator *g);
    bool has_multipliers; /* reduced views: those of its steps and rows are as good as states */
    bool passes;          /* singular positions (ivp/passage): the monitor's own, for a while */
    bool holds_branches;  /* of switches within a step (ivp/switching) */
    bool is_radau;        /* its state is an rg_radau */
    /* For checkpoints: what is to stay of its past, written, or put back behind restart(g, h).
     * NULL: nothing. */
    void (*store)(rg_integrator *g, rg_store *s, double h);
    bool is_slow_to_start; /* takes many small steps behind a restart */
} rg_ivp_method;

/* A supervisor of every step of an integrator, one at most; its own struct begins with this one. */
typedef struct {
    rg_status (*step)(rg_integrator *g); /* instead of the method's: one accepted step */
    void (*detach)(rg_integrator *g);    /* ends it; the integrator goes on without */
    /* For checkpoints: may the run pause here?  Whose steps they are, before the integrator
     * restarts with step size h; all else, behind that. */
    bool (*is_calm)(const rg_integrator *g);
    void (*store_method)(rg_integrator *g, rg_store *s);
    void (*store)(rg_integrator *g, rg_store *s, double h);
} rg_supervisor;

struct rg_integrator {
    rg_context *ctx;
    const rg_system *system;
    rg_system_work *work;
    rg_options options;
    const rg_ivp_method *method;
    int64_t n;
    double t, t_previous, t_start, t_end;
    double direction;        /* +1 or -1 */
    double first_part;       /* of the first step that would be chosen; 0: all of it */
    bool is_combined;        /* some equations are combinations, whose factors may vanish */
    double *y, *yp;          /* at t */
    double *unit;            /* atol/rtol per state; NULL: that of the options for all */
    double *polynomial;      /* (degree + 1) n of the last step */
    int degree, most_degree; /* of the last step; there is room for */
    rg_stats stats;
    rg_method_state *state;
    rg_supervisor *supervisor; /* NULL: there is none */
    /* who took the last step in place of this one, with more states behind the n, and room for all
     * of them and their derivatives; NULL: nobody */
    rg_integrator *taker;
    double *taken;
    bool is_line;     /* the last step has nothing better than its polynomial */
    rg_pulse *pulses; /* of functions of time, ascending; NULL: none */
    int64_t n_pulses;
    bool has_pulses;            /* they are its own */
    double t_pulse;             /* where it went into the last one; NaN: nowhere */
    double t_meet;              /* a step ends here, the other run has a row there; NaN: nowhere */
    rg_degenerate *degenerate;  /* watches leading coefficients; NULL: nothing to watch */
    struct rg_used_up *used_up; /* ivp/used_up.h; NULL: nothing to watch */
    struct rg_branch *branch;   /* ivp/branch.h; NULL: nothing to watch */
    rg_recovery *recovery;      /* multipliers of what is put out; NULL: as the steps have them */
    double *result;             /* 2 n, for rg_integrator_result() */
    bool has_result;            /* ... the run has ended, and this is its end */
    double *row;                /* 3 n, for rows that are projected; NULL: none yet */
    rg_aside *aside;            /* side steps inside the last step; NULL: none yet */
    rg_rows_user rows_for;      /* who asks for rows now */
    rg_system_work *row_work[RG_ROWS_USERS]; /* of side steps and rows that are projected */
    bool is_at_event;   /* an event follows at the end of the step that is handed over */
    bool is_at_switch;  /* ... as y stands, which belongs to other branches than the step */
    rg_stats recovered; /* its work: the steps are not to depend on it */
    struct rg_switching *switching; /* holds the branches; NULL: none are held */
    struct rg_switching *along;     /* the steps are along a switch; NULL: they are not */
    int64_t n_sliding; /* how often motion along a switch began, and when for the first time */
    double t_sliding;
    rg_grazed grazed;
    double rested;      /* how far, by size, states were moved at most for a spiral to be at rest */
    double rounded;     /* what the rounding of t makes of values in rows, by size, at most */
    int64_t n_switches; /* ends of branches so far, and the last of them */
    double t_switch;
    double t_switches[RG_SWITCH_CROWD]; /* the last ones, number k at k modulo their count */
    rg_pause *pause;                    /* ivp/pause.h; NULL: runs without a pause */
    /* the run begins again from its start, and what was put out is forgotten; NULL: it stays */
    rg_rewind_fn *rewind;
    void *rewind_user;
};

/* The next polynomial has this degree; keeps the old coefficients.  Allocates when there was
 * never such a high one. */
rg_status rg_integrator_set_degree(rg_integrator *g, int degree);
/* rg_integrator_create() with a method of choice. */
rg_status rg_integrator_create_with(const rg_ivp_method *method, const rg_system *system,
                                    const rg_options *o, const rg_state *start, double t_end,
                                    rg_integrator **out);

/* What rounding makes of the time: steps below it are none.  The way counts as well as t itself, so
 * that a pole at t = 0 ends a run as one at t = 1 does. */
static inline double rg_integrator_time_rounding(const rg_integrator *g)
{
    return DBL_EPSILON * fmax(fabs(g->t), fabs(g->t - g->t_start));
}

/* Does t begin so far from 0 that it has few digits of the time since the start? */
bool rg_integrator_is_far(const rg_integrator *g);

/* atol/rtol of a state; atol where rtol is that of the options. */
static inline double rg_integrator_unit(const rg_integrator *g, int64_t state)
{
    return g->unit != NULL ? g->unit[state] : g->options.atol / g->options.rtol;
}

static inline double rg_integrator_atol(const rg_integrator *g, int64_t state)
{
    return g->unit != NULL ? g->unit[state] * g->options.rtol : g->options.atol;
}

/* RG_ERR_INTERRUPTED, with its message, when the run is to end; else RG_OK. */
rg_status rg_integrator_go_on(const rg_integrator *g);

/* Does its method make rows of its own, better than the polynomial? */
static inline bool rg_integrator_has_rows(const rg_integrator *g)
{
    return g->method->row != NULL && (g->method->has_rows == NULL || g->method->has_rows(g));
}

/* integrator.c: a method has led elsewhere than to t. */
rg_status rg_integrator_fail_astray(const rg_integrator *g, const char *what, double t);

/* F at (t, y, y'), counted. */
rg_status rg_integrator_residual(rg_integrator *g, double t, const double *y, const double *yp,
                                 double *F);

/* Ends the last step at t, inside it: dense output there is the new point. */
void rg_integrator_cut(rg_integrator *g, double t);

/* rows.c: rows for those who choose the steps, how many and one of them: multipliers are as the
 * steps have them, the branches are held, and nothing depends on the rows that are put out. */
rg_status rg_integrator_step_rows(rg_integrator *g, int64_t count);
rg_status rg_integrator_step_row(rg_integrator *g, double t, double *y, double *yp);
/* The work of side steps and projected rows, for those who ask now. */
rg_status rg_integrator_row_work(rg_integrator *g, rg_system_work **work);
/* integrator.c: y and y' of a row moved onto the hidden constraints, in reduced views and as far as
 * that can be done; the row with the largest residual, or the first that is not finite */
rg_status rg_integrator_project_row(rg_integrator *g, double t, double *y, double *yp);
int64_t rg_integrator_worst(const rg_integrator *g, const double *F, double *residual);
/* What to do where steps have become as short as h: the text; but where t is so far from 0 that h
 * is its rounding, that is the cause, whatever the symptom. */
rg_status rg_integrator_remedy(const rg_integrator *g, double h, const char *text);
/* Values that are not finite because a state has grown until its square is none; true: told. */
bool rg_integrator_fail_huge(const rg_integrator *g);

/* The pulse that t is in, or the next one; NULL: none. */
const rg_pulse *rg_integrator_next_pulse(const rg_integrator *g);
/* Where the step on the way to it has to end: where it begins.  The second run also ends one
 * between it and the pulse before: steps that only pulses end would have the errors of the first
 * run. */
double rg_integrator_pulse_begin(const rg_integrator *g, const rg_pulse *p);
/* Does it go on from one that a turn has ended, and not from a wider one around it?  *end becomes
 * the end of this one, if it is a turn, where a step ends. */
bool rg_integrator_pulse_goes_on(const rg_integrator *g, const rg_pulse *p, double *end);

#endif
