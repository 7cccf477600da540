/* A keeper knows the checkpoints of a run (base/checkpoint.h): when they are written, and what a
 * run that is resumed has to go on from.
 *
 * A solve may be several runs one after the other: for the sizes of unknowns, with other absolute
 * tolerances, the second run of the estimate.  The file has the outcomes of those that are over,
 * the state of the run under way, and that of its second run. */
#ifndef RG_SOLVE_KEEPER_H
#define RG_SOLVE_KEEPER_H

#include "base/checkpoint.h"
#include "base/journal.h"
#include "problem/units.h"
#include "solution/solution.h"

typedef struct rg_keeper rg_keeper;

typedef enum {
    RG_STAGE_NONE,  /* a run is to begin */
    RG_STAGE_RUN,   /* rg_keeper_store(k, RG_STAGE_RUN) has its state */
    RG_STAGE_SECOND /* that of the run at its end; and RG_STAGE_SECOND that of the second run */
} rg_stage;

/* *out stays NULL where no checkpoints are asked for. */
rg_status rg_keeper_open(const rg_problem *p, double t_end, const rg_options *o,
                         const rg_request *r, rg_keeper **out);
void rg_keeper_close(rg_keeper **k);

/* What a resumed run has to go on from: true once, for the run that was under way. */
rg_stage rg_keeper_resumes(rg_keeper *k);
rg_store *rg_keeper_store(rg_keeper *k, rg_stage stage);
/* The stores hold a new state up to this stage: written where it is time for it, or must be. */
rg_status rg_keeper_offer(rg_keeper *k, rg_stage stage, bool must_write);
/* The rows of the run under way are taken back: it will begin again. */
rg_status rg_keeper_forget(rg_keeper *k);
/* The run has been interrupted: the last state is written, and the remedy says how to go on. */
void rg_keeper_interrupt(rg_keeper *k);

/* A journal (base/journal.h) in place of states, while it lasts: of a solve whose parts can be
 * repeated. */
void rg_keeper_begin_journal(rg_keeper *k);
void rg_keeper_end_journal(rg_keeper *k);

typedef struct { /* a run that is over, and followed by another one */
    rg_status status;
    bool has_solution, can_repeat;
    bool is_early;    /* it has failed in its first steps */
    bool is_noise;    /* ... perhaps by noise */
    bool passes_zero; /* ... perhaps because large values pass 0 */
    bool has_grown;   /* an unknown, by itself, from values of few digits */
    double estimate;
    int64_t steps;
    rg_units *next; /* that it asks for, NULL: none */
    char names[256];
} rg_outcome;
/* The next one of a solve that is resumed; false: there is none, the run is to be made.  Belongs to
 * the caller. */
bool rg_keeper_replay(rg_keeper *k, const rg_problem *p, rg_outcome *out, rg_status *status);
rg_status rg_keeper_note(rg_keeper *k, const rg_problem *p, rg_outcome *outcome);

#endif
