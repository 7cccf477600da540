/* A study has what has been learnt about a problem: its analysis, consistent start values,
 * conditioning, and the warnings on the way.  The problem itself is constant; a study belongs to
 * one context, and so to one thread.
 *
 * The parts are made and destroyed by the folders that know them; a part without a destroy function
 * belongs to another study. */
#ifndef RG_PROBLEM_STUDY_H
#define RG_PROBLEM_STUDY_H

#include "base/store.h"

typedef struct rg_analysis rg_analysis;     /* structure/analysis.h */
typedef struct rg_consistent rg_consistent; /* newton/consistent.h */
struct rg_turning_facts;                    /* problem/turning.h */

typedef struct rg_study {
    rg_context *ctx;
    int n_warnings;
    char **warnings;
    rg_analysis *analysis; /* NULL: not made yet */
    void (*analysis_destroy)(rg_context *ctx, rg_analysis **analysis);
    rg_consistent *consistent; /* start values once they have been made consistent */
    void (*consistent_destroy)(rg_context *ctx, rg_consistent **consistent);
    double conditioning;          /* of a boundary value problem; 0: not asked for */
    char conditioning_fault[512]; /* why it is not known (NaN) */
    rg_problem *stand_in; /* owned: what is solved instead, with a factor in place of a product or
                             with another value of a parameter; NULL: the problem itself */
    struct rg_turning_facts *turning; /* owned: turning points and layers; NULL: none, or not
                                         looked for */
    rg_problem *combined; /* owned: combinations in place of equations (structure/cancel.h) */
    bool may_vanish;      /* ... the factor of an equation that was replaced is no constant */
    char dependent[512];  /* ... the equations of the first one, where they could not be made */
} rg_study;

rg_status rg_study_create(rg_context *ctx, rg_study **out);
/* Begins with what another study of the same problem knows; its analysis and start values must live
 * longer. */
rg_status rg_study_create_from(rg_context *ctx, const rg_study *from, rg_study **out);
/* The problem is another one from now on: drops all but the warnings. */
void rg_study_forget(rg_study *s);
void rg_study_clear(rg_study *s); /* all that it owns */
void rg_study_destroy(rg_study **s);
/* Takes *p (may be NULL) in place of the stand-in that it had. */
void rg_study_take_stand_in(rg_study *s, rg_problem **p);
/* A warning; one with the same text is kept once. */
rg_status rg_study_warn(rg_study *s, const char *text);
void rg_study_keep_warnings(rg_study *s, int count);        /* the first ones */
void rg_study_store_warnings(rg_study *study, rg_store *s); /* for checkpoints: these alone */
/* The warnings of another study behind its own. */
rg_status rg_study_take_warnings(rg_study *s, const rg_study *from);

#endif
