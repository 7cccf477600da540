/* What the files of this folder share. */
#ifndef RG_IVP_EVENT_WATCH_H
#define RG_IVP_EVENT_WATCH_H

#include "ivp/event/event.h"
#include "ivp/method.h"
#include "views/conditions.h"
#include "views/reset.h"

typedef struct {      /* the branches at some time of the run */
    double *mode;     /* per function */
    uint8_t *pending; /* ... near its edge since the last event, and counted as `mode` until it has
                         left a band of the tolerance */
    uint8_t *visited; /* ... RG_VISITED_*: was it on the other side meanwhile?  Last at `seen` */
    double *seen;
    double *truth; /* per instance */
} rg_branches;

enum { RG_WATCH_POINTS = 6 }; /* so many places of a step are remembered */

/* On its way to the other side at first; or there, by more than rounding. */
enum { RG_VISITED_NOT, RG_VISITED_TOWARDS, RG_VISITED };

typedef struct rg_watch {
    rg_context *ctx;
    rg_integrator *g;
    const rg_problem *p;
    const rg_event_sinks *to;
    rg_event_log *log;
    rg_conditions *c;
    rg_reset *reset;
    int64_t n_functions, n_instances;
    void *memory;
    rg_branches now, start; /* at the last place looked at; at the start of the step */
    double *values, *band;  /* of the functions */
    double *along;          /* ... as polynomials over the last step, where they are linear in y */
    int64_t along_capacity;
    bool is_along;
    double *around[4];                                        /* ... at four samples in a row */
    double *point[RG_WATCH_POINTS], point_t[RG_WATCH_POINTS]; /* ... at the last places, a ring */
    int n_points, next_point;
    double looked;        /* ... the last of them */
    bool is_halved;       /* the last location: by halving */
    double *edge, *slope; /* of functions that are located: where they change; along the run */
    int64_t n_looks;      /* at places that only the location of events asks for */
    double *known;        /* times at which functions of time change, in the order of the run */
    int64_t n_known, known_capacity;
    uint8_t *algebraic;   /* per function: it asks for unknowns that no error test looks at */
    bool is_algebraic;    /* some do */
    uint8_t *has_rates;   /* per function: for slopes of the polynomial */
    bool is_rough;        /* the last step: its polynomial does not show what they do */
    double part;          /* ... this part of it would */
    int shorter;          /* how often the step was made shorter */
    double *origin;       /* their values at the last event */
    double *noise;        /* what is rounding in them */
    uint8_t *hit;         /* functions that change in the part of a step that is narrowed */
    double *before;       /* truth of the instances before a change */
    uint8_t *due;         /* instances to fire */
    uint8_t *kept;        /* per state: assigned */
    double *y, *yp;       /* on the way */
    double t0, *y0, *yp0; /* start of the step */
    double *largest;      /* per state of the system: the largest value so far */
    double *unit;         /* ... atol/rtol */
    double t_final;       /* end of the run */
    double target;        /* where the step is to end, at an event; NaN: nowhere */
    double found;         /* the event that was found in the last step */
    double step;          /* the length of the last one that was not shortened */
    bool is_first;        /* the next step begins at an event, or is the first */
    bool is_located;      /* the run stands at the event */
    bool is_given_up;     /* the last step, which an event lies inside of */
    int retakes;
    double *times; /* of the last events, a ring */
    int64_t n_times;
    int last_event;   /* that has fired */
    rg_event_log own; /* of a run step by step */
    rg_stepper *stepper;
} rg_watch;

/* watch.c: looks through the last step; true: an event at w->found, with its instances due. */
rg_status rg_watch_step(rg_watch *w, bool *is_event);
/* ... and shortly behind its end, up to `end`. */
rg_status rg_watch_beyond(rg_watch *w, double end, bool *is_event);
/* The last step ends at a known time with events.  Conditions that change so shortly behind it that
 * rounding, or a small part of the tolerance, decides, change there ... */
rg_status rg_watch_join(rg_watch *w);
/* ... and so do those that have been found as shortly before it. */
rg_status rg_watch_is_joined(rg_watch *w, bool *is_joined);
/* The functions at t of the last step; are they such that the change that is narrowed is before? */
rg_status rg_watch_look(rg_watch *w, double t);
bool rg_watch_is_beyond(const rg_watch *w, int64_t k);
/* locate.c: the first change between *left and *right, where the functions w->hit have changed and
 * w->values are those of *right.  *right becomes the first time behind it, up to `near`. */
rg_status rg_watch_locate(rg_watch *w, double near, double *left, double *right);
/* ... the same by what is known; NaN: that does not say it. */
double rg_watch_guess(rg_watch *w, double near, double left, double right);
/* ... what changes so shortly behind that that rounding decides, changes with it. */
double rg_watch_together(rg_watch *w, double near, double right);
/* known.c: times at which functions of time alone change, to the end of the run. */
rg_status rg_watch_find_known(rg_watch *w);
/* timed.c: the end of the steps to come: a known time, or that of the run. */
double rg_watch_next_end(const rg_watch *w);
/* Events at known times that are due at t; true: there are some. */
bool rg_watch_find_timed(rg_watch *w, double t);

/* step.c: the next step begins where the run stands. */
void rg_watch_keep_start(rg_watch *w);
/* A step in the order of the run: to the sink, and the next one begins. */
rg_status rg_watch_pass_on(rg_watch *w, bool is_at_event);
/* An rg_step_sink: looks at the last step and hands it on; RG_STOPPED: at an event, or given up. */
rg_status rg_watch_take(const rg_integrator *now, void *user);
/* The last step, whose polynomial does not show what events ask for, is taken again. */
rg_status rg_watch_take_shorter(rg_watch *w);
/* No step goes from one to the other. */
static inline bool rg_watch_is_near(double a, double b)
{
    return fabs(a - b) <= 16.0 * DBL_EPSILON * fmax(fabs(a), fabs(b));
}

/* watch.c: branches at w->y, w->yp where the run begins, or begins anew. */
rg_status rg_watch_begin(rg_watch *w, double t, bool is_start);
void rg_branches_copy(const rg_watch *w, const rg_branches *from, rg_branches *to);

/* failed.c: remembers the time of an event; fails where they accumulate. */
rg_status rg_watch_note_time(rg_watch *w, double t);
/* A failure of the run, or the reason for it where that is an event. */
rg_status rg_watch_failed(rg_watch *w, rg_status status);

/* store.c: for checkpoints, between two steps */
void rg_watch_store(rg_watch *w, rg_store *s);

/* fire.c: fires all that is due, and what follows from that; w->y and w->yp are the values before,
 * and those after it. */
rg_status rg_watch_fire(rg_watch *w, double t);

#endif
