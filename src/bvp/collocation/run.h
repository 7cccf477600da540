/* A run of collocation: meshes one after the other, for collocation.c (the mesh loop), remesh.c and
 * fail.c. */
#ifndef RG_BVP_COLLOCATION_RUN_H
#define RG_BVP_COLLOCATION_RUN_H

#include "bvp/collocation/collocation.h"
#include "bvp/collocation/kinks.h"
#include "bvp/collocation/newton.h"
#include "bvp/collocation/rough.h"
#include "bvp/pulses.h"
#include "solution/tuning.h"

typedef struct {
    rg_bvp_form *f;
    rg_bvp_conditions *c;
    const rg_collocation_control *control;
    const rg_profile *guess;
    rg_collocation_result *result;
    rg_newton_control newton;
    rg_rule low, high;
    rg_curve *now;  /* the last solution */
    rg_curve *best; /* the one with the smallest error so far; `now`, or owned */
    double best_error, best_t;
    double floor;         /* what rounding leaves open, relative, on the last mesh; ... */
    int n_floor, n_stuck; /* ... meshes in a row with one above the tolerance; without progress */
    struct {              /* derivatives: */
        double noise;     /* what rounding makes of them on the last mesh with layers, */
        double t;         /* where most, */
        int state;        /* of this one */
    } slopes;
    double layer_width, layer_t; /* the thinnest layer that the ends let be; 0: not known */
    double *t, *error;           /* the mesh; per interval, in units of the tolerance */
    rg_rough *rough;             /* per interval, */
    bool has_rough;              /* where the points are those of Gauss; */
    double rough_factor; /* errors there are so much larger than the differences of two orders */
    double rough_least;  /* rank of the intervals that are looked at */
    bool is_local;       /* errors come from a few intervals: the others are left alone */
    double *past;        /* nx: the largest values of states in guess and solutions so far */
    double *size;        /* 2 nz: sizes of the unknowns, beside which their errors are judged */
    int64_t N;
    bool is_graded; /* the first mesh had points where layers may be */
    int n_equal;    /* meshes since they were given up */
    struct {
        double worst;     /* error on the last mesh that was refined by it, */
        int64_t N;        /* its size, */
        double target;    /* what the next one aimed at, of the tolerance, */
        bool is_complete; /* and whether it has all points for that */
        int n_missed;     /* how often that was in vain */
    } plan;
    struct {          /* of the last iterate of a solve that failed: */
        double size;  /* its largest value, */
        int state, n; /* of this one; meshes in a row on which that grew with 1/h or so */
        bool is_high; /* beside the guess */
    } pole;
    struct {           /* small values at the ends: */
        bool is_on;    /* they count, since a solution was accepted without them: */
        double error;  /* the largest of theirs on the last mesh, in tolerances */
        double before; /* the least error so far, in tolerances */
        int n_stuck;   /* meshes in a row on which it fell little */
        int64_t most;  /* intervals to that end */
        rg_collocation_result accepted;
    } ends;
    double worst_t;       /* where the estimated error is largest */
    bool is_singular;     /* at the guess */
    bool keeps;           /* no interval is made longer */
    bool has_waves;       /* a mesh was refined for free oscillations; later ones keep to it */
    struct {              /* oscillations that no mesh can follow: */
        double count;     /* 0: there are none; */
        double intervals; /* what they would take */
    } waves;
    double conditioning[2]; /* with s and s + 1 stages, on the last mesh */
    double noise;           /* what rounding makes of the solution, relative */
    double rounding;  /* the same on the last mesh, where Newton's method ended there; 0: less */
    int rounded;      /* ... most of all of this component: of x, then of w */
    double doubt;     /* what rounding in the factors does, on the last mesh */
    int n_singular;   /* meshes in a row on which both were above the limit */
    int failures;     /* of Newton's method */
    rg_places places; /* singular places the mesh was made for */
    rg_kinks kinks;   /* changes of branch */
    rg_bvp_pulses pulses; /* which no mesh may pass over */
    double offset;        /* where in its interval such a place is */
} rg_bvp_run;

/* How much changes in the equations are amplified. */
static inline double rg_run_amplification(const rg_bvp_run *r)
{
    return r->noise / 0x1p-53;
}

static inline bool rg_run_is_above_limit(const rg_bvp_run *r)
{
    return r->conditioning[0] > RG_CONDITIONING_LIMIT && r->conditioning[1] > RG_CONDITIONING_LIMIT;
}

static inline double rg_run_weight(const rg_bvp_run *r, int k, double value)
{
    const double length = r->t[r->N] > r->t[0] ? r->t[r->N] - r->t[0] : r->t[0] - r->t[r->N];

    return rg_collocation_weight(r->f, r->control, length, k, value, r->size);
}

/* What the first mesh starts from: 0 where that solves a linear problem, or the guess.  zero.c */
rg_status rg_run_start_at_zero(const rg_bvp_run *r, rg_profile *out);

/* Meshes.  RG_RETRY: no finer mesh is possible.  remesh.c */
rg_status rg_run_first_mesh(rg_bvp_run *r, const rg_curve *first);
rg_status rg_run_first_equal(rg_bvp_run *r); /* the same without points in layers */
rg_status rg_run_spread(rg_bvp_run *r,
                        const double *wanted); /* every interval becomes wanted[i] ones */
rg_status rg_run_halve(rg_bvp_run *r);
/* Takes *t, N + 1 points; those of singular places and kinks are added. */
rg_status rg_run_take_mesh(rg_bvp_run *r, int64_t N, double **t);
/* r->error holds what the error wants; the oscillations may want more. */
rg_status rg_run_add_waves(rg_bvp_run *r);
/* After a mesh without progress: sets r->waves. */
rg_status rg_run_look_for_waves(rg_bvp_run *r);
/* From r->error.  refine.c */
rg_status rg_run_refine(rg_bvp_run *r);
rg_status rg_run_start_again(rg_bvp_run *r); /* without points in layers */
/* Adds points to a mesh where the equations, linearized along a profile, let layers be.
 * *is_coarse: some interval of the mesh was longer than a layer in it would be wide.  first.c */
rg_status rg_run_grade(const rg_bvp_run *r, const rg_profile *along, int64_t *N, double **t,
                       bool *is_coarse);
/* The thinnest layer at an end, by the guess.  first.c */
rg_status rg_run_find_layer(rg_bvp_run *r);
bool rg_run_is_thin(const rg_bvp_run *r); /* numbers are too far apart for it */
/* A solution within the tolerance: may it be accepted?  RG_RETRY: the mesh is another one now. */
rg_status rg_run_accept(rg_bvp_run *r);

/* Errors of small values at the ends count where atol is given or a solution was accepted without
 * them; the worst is noted.  ends.c */
rg_status rg_run_judge_ends(rg_bvp_run *r, const rg_curve *low, const rg_curve *high);
/* Of an accepted solution.  RG_RETRY: they are to count, on another mesh. */
rg_status rg_run_look_at_ends(rg_bvp_run *r);
bool rg_run_gives_up_ends(rg_bvp_run *r, double worst); /* no progress, or too many intervals */
void rg_run_leave_ends(rg_bvp_run *r);                  /* the solution that was accepted before */

/* After a comparison: where more stages hardly help.  rough.c */
void rg_run_look_rough(rg_bvp_run *r, const rg_curve *high);
/* Does the error there keep to the tolerance?  RG_RETRY: no, and the mesh is another one now. */
rg_status rg_run_check_rough(rg_bvp_run *r);

/* Do the equations determine the solution?  RG_ERR_CONVERGENCE: no, with the message.  proof.c */
rg_status rg_run_prove(rg_bvp_run *r);
/* Rounding in the equations changes more than the tolerance. */
bool rg_run_is_undetermined(const rg_bvp_run *r);

/* Does rounding make the error on the last mesh, though the conditions determine a solution?  No
 * other mesh will make it smaller then.  proof.c */
bool rg_run_is_rounding(const rg_bvp_run *r);

/* stop.c: after a solution with an error (in units of the tolerance) and noise; */
void rg_run_note(rg_bvp_run *r, double worst, const rg_newton_outcome *outcome);
void rg_run_drop(rg_bvp_run *r);           /* `now` makes room for the next one, */
bool rg_run_is_floor(const rg_bvp_run *r); /* no finer mesh will be better, */
bool rg_run_is_noise(const rg_bvp_run *r); /* ... since rounding makes that of derivatives, */
bool rg_run_is_steep(
    const rg_bvp_run *r); /* likewise, for the sake of derivatives or thin layers */
void rg_run_note_failure(rg_bvp_run *r, const rg_curve *it); /* an iterate that did not converge */
bool rg_run_is_pole(const rg_bvp_run *r);
/* at the end: `now` becomes the best one where the tolerance is not met. */
void rg_run_settle(rg_bvp_run *r, bool is_solved);

/* Failures, with message and remedy.  fail.c */
rg_status rg_run_fail(const rg_bvp_run *r, double worst);
rg_status rg_run_fail_everywhere(const rg_bvp_run *r);
/* Fails where switches of time are more than a mesh may have points. */
rg_status rg_run_check_kinks(const rg_bvp_run *r);
/* ... or pulses take more intervals than that. */
rg_status rg_run_check_pulses(const rg_bvp_run *r);
rg_status rg_run_fail_proof(const rg_bvp_run *r);
int rg_run_digits(const rg_bvp_run *r); /* that rounding leaves */
/* Rounding makes an error above the tolerance. */
rg_status rg_run_fail_floor(const rg_bvp_run *r);
/* The two equations that are nearest to each other.  RG_RETRY: no two are nearly the same.
 * nearest.c */
rg_status rg_run_find_nearest(const rg_bvp_run *r, int row[2]);
/* Names what the conditions leave free, where the smallest singular value is below `limit`.
 * RG_RETRY: it is not, or not known.  free.c */
rg_status rg_run_fail_free(const rg_bvp_run *r, double limit);
/* Likewise for what lies on one side of a singular place. */
rg_status rg_run_fail_side(const rg_bvp_run *r);
/* The same of a solution that is about to be accepted; RG_OK: all of it is determined. */
rg_status rg_run_check_sides(const rg_bvp_run *r);
rg_status rg_run_fail_place(const rg_bvp_run *r, double t);

#endif
