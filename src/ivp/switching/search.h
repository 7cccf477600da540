/* The search for the branches behind a switch: what its parts share. */
#ifndef RG_IVP_SWITCHING_SEARCH_H
#define RG_IVP_SWITCHING_SEARCH_H

#include "ivp/switching/switching.h"

typedef struct {
    rg_switching *s;
    bool is_start, is_end, is_together, is_forced, is_decay;
    bool is_settled; /* forced or a decay: the states may be moved onto the switches */
    bool is_fine;    /* what is rounding is told by the values of the trial step */
    double h;
    double *noise;  /* per switch: no objection */
    double *zero;   /* values at the switch; NaN: not zero there */
    double *value;  /* the same of all */
    double *side;   /* branches of a trial step before those that rest on zero are told */
    uint8_t *past;  /* objections, and who took part (search.c) */
    rg_switch *old; /* before */
    rg_switch *first;
    uint8_t *objects;
    double *seen; /* branches that were tried */
    int n_seen;
} rg_switch_search;

/* trial.c: a trial step of length h from s->here with the branches of the switches, into s->Y and
 * s->Yp; relaxed: both branches of a kink, nearly one.  RG_RETRY: it has no solution. */
rg_status rg_switching_try(rg_switching *s, double h, bool is_relaxed);

/* An integrator of the view with branches as states, at a point. */
rg_status rg_switching_make_integrator(rg_switching *s, const rg_switch_point *at,
                                       rg_integrator **out);

/* behind.c: the branch beyond the edge that value v of the switch is near. */
void rg_switch_turn(rg_switch *w, double v);

/* search.c: a switch that slides goes to the side of mu. */
void rg_switch_end_slide(rg_switch *w, double mu);
/* A trial step and who objects to it; *n of them. */
rg_status rg_switch_judge(rg_switch_search *f, int64_t *n, bool *is_solved);
/* Changes branches until nobody objects. */
rg_status rg_switch_rounds(rg_switch_search *f, bool is_last, bool *is_found);
/* The same by all combinations of those that took part. */
rg_status rg_switch_enumerate(rg_switch_search *f, bool *is_found);

/* accept.c: s->behind from the trial step */
void rg_switch_take_point(rg_switching *s);
bool rg_switch_is_held(const rg_switching *s, int64_t j); /* by E, in the last trial step */
/* What did not move stays as it was, to the last digit. */
void rg_switch_keep_states(rg_switching *s);
void rg_switch_note_move(rg_switching *s);
/* The slopes there, of methods that need them, where values jumped; all, where a spiral rests. */
rg_status rg_switch_renew(rg_switch_search *f);
/* What is differentiated may not jump, and the constraints of the new branches must be met. */
rg_status rg_switch_check_jump(rg_switch_search *f, const uint8_t *crossing);
rg_status rg_switch_check_constraints(rg_switch_search *f, const uint8_t *crossing);
rg_status rg_switch_fail_no_branch(rg_switching *s, const uint8_t *crossing);

#endif
