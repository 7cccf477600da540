/* Steps of an initial value problem with switches: within a step every branch is held, so that the
 * equations are smooth; the end of a branch is located; behind it the next branches are found by
 * trial steps (doc/methods/switches.md).
 *
 * Switching functions that are proportional to each other are one switch with one branch. */
#ifndef RG_IVP_SWITCHING_SWITCHING_H
#define RG_IVP_SWITCHING_SWITCHING_H

#include "base/store.h"
#include "ivp/events.h"
#include "ivp/method.h"
#include "ivp/radau/radau.h"
#include "ivp/switching/tuning.h"

typedef struct {      /* a switch: all functions that are proportional to the first of them */
    int64_t function; /* the first */
    bool is_whole;    /* the branch is a whole number */
    bool jumps;       /* what is switched may jump */
    bool is_timed;    /* a function of time alone */
    int64_t slide;    /* its number among those that can slide, or -1 */
    double branch;    /* 1 where the function is positive, -1, 0 where it stays zero, or the whole
                       * number */
    double back;      /* the same, while others are tried */
    double next;      /* a switch of time: its branch behind a time that was looked at */
    bool slides;
    bool is_fresh;  /* zero where the run restarted: first step behind it */
    double largest; /* |s| seen so far */
    double recent;  /* ... since a switch was passed */
    double rate;    /* the largest change of its margin per time in the last step */
    double error;   /* of its value that the tolerance permits */
    double offset;  /* the branch ends here instead of at 0: where the domain of another ended */
} rg_switch;

typedef struct { /* a point on the way: what the active integrator had */
    double t;
    double *y, *yp;
} rg_switch_point;

typedef struct { /* how far the polynomial of a step is off, rg_radau_roughness() */
    const rg_integrator *taker;
    double t0, t1; /* the step */
    double d, off;
} rg_switch_rough;

typedef struct { /* trial steps of rows, and what they have looked at: see rg_rows_user */
    rg_integrator *trial;
    double *looked;
    uint8_t *is_open;
    int64_t n_looked;
} rg_switch_rows;

typedef struct rg_switching {
    rg_context *ctx;
    rg_integrator *g;          /* the run's */
    rg_integrator *trial;      /* with branches as states, for trial steps; NULL: not yet made */
    rg_integrator *slider;     /* the same, for steps along a switch */
    rg_system *sliding;        /* its view */
    int64_t n, m, n_slide;     /* functions, switches, those that can slide */
    rg_switch *switches, *old; /* of m; before the last one was passed */
    void *memory;              /* of all arrays but times */
    double *taken;             /* a row of the slider */
    double *row;               /* 4 n_row, for rg_switching_settle_row() */
    int64_t n_row;
    int32_t *class_of; /* per function */
    int8_t *sign;      /* per function: of its ratio to the first one of the class */
    uint8_t *slides;   /* per switch that can slide */
    double *branch;    /* per function: what is held */
    double *along;     /* ... at a point along a switch */
    double *values;    /* of the functions */
    double *sizes;     /* S per switch, at the last point that was asked for */
    double *span;      /* per function: its change where the states move by their units */
    double *margins;   /* per switch, along a step */
    double *samples;   /* margins of a step: (points + 3) per switch */
    rg_switch_point before, here, behind; /* before the step; anywhere; behind the switch */
    double *Y, *Yp;                       /* stages of a trial step */
    double *unit;                         /* per state: atol/rtol, or a part of its largest |y| */
    double step;                          /* the last step that was not cut by a switch */
    double *times;                        /* of the switches in time alone, in order */
    int64_t n_times, next_time, times_size;
    int64_t count;               /* switches passed */
    double last[RG_SWITCH_MANY]; /* times of the last ones */
    bool is_sliding;
    rg_switch_rough rough;
    bool is_timed; /* all switches are of time alone */
    bool is_exact; /* margins along a step are those of rows, not of its polynomial */
    int64_t last_switch[RG_SWITCH_MANY]; /* and which */
    double *passed;                      /* y at the last one */
    double nearest;                      /* the smallest of the last ones, by size */
    double faint;                        /* how far from zero they were when that had halved */
    int64_t chatter;                     /* ... and how many of them ago */
    double
        level[RG_SWITCH_MANY]; /* how far from zero switches were before the last ones, by size */
    double peak;               /* ... the largest of them, when it was looked at last */
    double t_stop;             /* where the run could not go on before; NaN: nowhere */
    double t_saved;            /* where another branch went on; NaN: nowhere */
    rg_progress progress;      /* of other methods than Radau IIA */
    int misses;                /* zeros on polynomials, in a row, that were none */
    int stops, rests;          /* how often there, but once; steps by Euler began */
    rg_integrator *joined;     /* steps that may lead behind the ends of branches; or NULL */
    bool has_no_branch;        /* none was found behind the last switch */
    double h_behind;           /* first step behind a switch that was handed out; 0: it began */
    rg_integrator *giver;      /* who took the last step that was handed out */
    double h_rest;             /* next step near rest, by implicit Euler; 0: none */
    struct rg_growth *growth;  /* hidden.c; NULL: not yet made */
    double *looked;            /* sets of branches that were looked at */
    uint8_t *is_open;          /* per set and state: what they leave to hidden constraints */
    int64_t n_looked;
    rg_switch_rows rows; /* instead of those, for rows that are put out */
    rg_events *events;   /* while steps go through a singular position; else NULL */
} rg_switching;

/* *out stays NULL for a system without switches, one whose branches cannot be held, or a method
 * that does not hold them. */
rg_status rg_switching_create(rg_integrator *g, rg_switching **out);
/* For a run that goes on: rg_switching_store() follows. */
rg_status rg_switching_create_again(rg_integrator *g, rg_switching **out);
void rg_switching_destroy(rg_switching **s);
/* For checkpoints: may the run pause here?  The branches, and what has been seen of them. */
bool rg_switching_is_calm(const rg_switching *s);
void rg_switching_store(rg_switching *s, rg_store *to);
/* start.c: rg_start_get(); where no branch of the equations has start values, on a switch. */
rg_status rg_switching_start(const rg_problem *p, const rg_analysis *a, const rg_consistent **out);
/* Branches and values at the start of an integrator whose y need not solve the equations.
 * *is_found: y and y' do now. */
rg_status rg_switching_open(rg_integrator *g, bool *is_found);
/* One accepted step, or one up to a switch and the restart behind it. */
rg_status rg_switching_step(rg_switching *s, rg_step_sink *sink, void *user);

/* The run goes on to another end. */
rg_status rg_switching_set_end(rg_switching *s);
/* rg_integrator_row() in the last step, behind which the sink stopped. */
rg_status rg_switching_row(rg_switching *s, double t, double *y, double *yp);

/* A row of a step along a switch: what its states do not hold, and all slopes, from a trial step
 * there. */
rg_status rg_switching_settle_row(rg_switching *s, double t, double *y, double *yp);
/* hidden.c: a point of a step whose branches have hidden constraints: what these determine; the
 * same for a row that is put out.  The next row is as the first one would be. */
rg_status rg_switching_recover(rg_switching *s, double t, double *y, double *yp);
rg_status rg_switching_recover_row(rg_switching *s, double t, double *y, double *yp);
void rg_switching_forget_rows(rg_switching *s);

/* ---- inside ---------------------------------------------------------------------------------- */

/* classes.c: joins the functions, looks for the zeros of functions of time */
rg_status rg_switching_join(rg_switching *s);
rg_status rg_switching_find_times(rg_switching *s);
/* The first step behind a switch in the second run of an estimate. */
double rg_switching_second_step(const rg_switching *s);
/* cross.c: the time that the last RG_SWITCH_MANY switches took. */
double rg_switching_many(const rg_switching *s);
/* The branches of the switches of time from t on, up to the next time of any of them. */
void rg_switching_look_ahead(rg_switching *s, double t);

/* margins.c: the integrator that takes the steps now; its branches are held as the switches say */
rg_integrator *rg_switching_active(const rg_switching *s);
void rg_switching_hold(rg_switching *s);
/* Margins g_c of all switches at (t, y, y'), valid while >= 0; y has the states of the active
 * integrator.  RG_RETRY: not defined there. */
rg_status rg_switching_margins(rg_switching *s, double t, const double *y, const double *yp,
                               double *margins);
rg_status rg_switching_margins_before(rg_switching *s, double t, const double *y, const double *yp,
                                      double *margins);      /* ... before the last step */
double rg_switching_value(const rg_switching *s, int64_t c); /* of the last margins */
/* Sizes S of the switches at a point. */
rg_status rg_switching_sizes(rg_switching *s, double t, const double *y, const double *yp);

/* locate.c: the first end of a branch in the last step, from s->before: *t and the switch, or
 * *which = -1 */
rg_status rg_switching_find(rg_switching *s, double *t, int64_t *which);
/* How far from zero the switches were in the step that rg_switching_find() looked at last: the run
 * has taken it.  What trial steps and steps that were taken back saw does not count. */
rg_status rg_switching_note_levels(rg_switching *s);
/* The part of the last step on whose polynomial ends of branches are seen; from 1 on: its own. */
rg_status rg_switching_resolve(rg_switching *s, double *part);

typedef struct { /* g[1] + tilt v + bend v^2 */
    double tilt, bend;
} rg_parabola;

/* Through a, b and d at x < 0, 0 and y > 0. */
static inline rg_parabola rg_parabola_through(double x, double a, double b, double y, double d)
{
    const double p = (a - b) / x, q = (d - b) / y, bend = (q - p) / (y - x);

    return (rg_parabola){p - bend * x, bend};
}

typedef struct { /* the lowest point of a margin on a step: where, as a part of it, how low */
    double x, g, bend;
} rg_low;
/* Is it within `near` of zero in the step that rg_switching_find() looked at?  is_passed: its
 * branch ends there, and the lowest point may lie behind the step. */
bool rg_switching_lowest(rg_switching *s, int64_t c, bool is_passed, double near, rg_low *low);

/* graze.c: switches that jump and come as near to zero in that step, before t if `which` ends
 * there, as the error permits, or pass it so shallowly: what they might change is noted. */
rg_status rg_switching_graze(rg_switching *s, double t, int64_t which);

/* behind.c: branches and values behind (t, y, y') = s->here where the switches in `crossing` end;
 * s->behind has the values, the branches are set.  START: no branch is known yet.  STOP: the
 * switches are near zero, and the run cannot go on.  TOGETHER: they follow each other without end:
 * all of them slide from here on; RG_RETRY: they are too far from zero yet.  DECAY: the same, if
 * the states are there within the tolerance.  FORCED: the same where nothing else is left. */
typedef enum {
    RG_SWITCH_CROSS,
    RG_SWITCH_START,
    RG_SWITCH_STOP,
    RG_SWITCH_TOGETHER,
    RG_SWITCH_DECAY,
    RG_SWITCH_FORCED
} rg_switch_case;
rg_status rg_switching_pass(rg_switching *s, const uint8_t *crossing, rg_switch_case why);
/* trial.c */
rg_status rg_switching_make_trial(rg_switching *s); /* at s->here */
void rg_switching_exchange_rows(rg_switching *s);   /* what rows have, and what the steps have */
void rg_switching_place_trial(rg_switching *s);     /* moved to s->here */

/* rest.c: the run cannot go on, near the end of the domain of an equation: another branch, if
 * these were not tried before, or steps by implicit Euler.  *is_saved: it goes on; else the error
 * is as before. */
rg_status rg_switching_rescue(rg_switching *s, bool with_branches, bool *is_saved);
/* Such a step, up to `goal` at most, copied to the run's. */
rg_status rg_switching_rest(rg_switching *s, double goal, bool *is_taken);
/* create.c */
void rg_switching_save(rg_switch_point *to, const rg_integrator *a);
rg_status rg_switching_restart(rg_switching *s, double h); /* at s->behind */
/* The branches where the run stands; is_open: its values need not solve the equations. */
rg_status rg_switching_begin(rg_switching *s, bool is_open);
bool rg_switching_has_jumped(const rg_switching *s); /* from s->here to s->behind */

/* approach.c: true steps up to the zero of margin *c, at *t by the polynomial: the integrator
 * stands there in the end.  *is_there false: it stopped before, or another branch ends first. */
rg_status rg_switching_approach(rg_switching *s, rg_integrator *a, double *t, int64_t *c,
                                double t_limit, bool *is_there);

/* cross.c: the run stands at the end of branches: others from here on; then at its own end */
rg_status rg_switching_cross(rg_switching *s, int64_t which, bool is_timed, double t_end,
                             rg_step_sink *sink, void *user);
rg_status rg_switching_end_branches(rg_switching *s, rg_step_sink *sink, void *user);
rg_status rg_switching_go_on(rg_switching *s); /* steps behind it begin */

/* step.c: the last step goes out, and one that ends before a switch; what another integrator
 * counted */
rg_status rg_switching_hand_out(rg_switching *s, rg_integrator *taker, rg_step_sink *sink,
                                void *user);
rg_status rg_switching_hand_out_before(rg_switching *s, rg_integrator *taker, rg_step_sink *sink,
                                       void *user);
void rg_switching_take_stats(rg_stats *to, const rg_stats *now, const rg_stats *old);

/* jump.c: the time within which the place of a switch is known, because t is rounded */
double rg_switching_moment(const rg_switching *s);
/* Is the change from s->here to s->behind possible? */
rg_status rg_switching_check(rg_switching *s, double h, bool *is_legal, int64_t *row,
                             int64_t *state, double *ratio);
/* Reduced views: what the states would have to move for the constraints of the branches that are
 * held, at s->here. */
rg_status rg_switching_check_constraints(rg_switching *s, double *ratio, int64_t *row,
                                         int64_t *state);
/* redundant.c: the equations that were found redundant hold at the end of the last step of a. */
rg_status rg_switching_check_redundant(rg_switching *s, const rg_integrator *a);

#endif
