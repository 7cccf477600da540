/* The table of one-step schemes for the iterates of sequential regularization. */
#ifndef RG_IVP_SRM_SCHEMES_H
#define RG_IVP_SRM_SCHEMES_H

#include "ivp/srm/tuning.h"
#include "problem/problem.h"

enum { SRM_STAGES = 4 };

/* How steps are chosen: a fixed mesh with one iterate after the other, or local error control
 * with all of them at once. */
typedef enum { SRM_MESH, SRM_PAIR, SRM_RADAU } srm_stepping;

typedef struct {
    const char *name;
    srm_stepping stepping;
    int order, stages;
    int iterations;             /* that suit it: about as many as its order */
    bool is_implicit, is_stiff; /* is_stiff: b is the last row of A, the last stage is the result */
    double limit;               /* of h |lambda| on the negative real axis; 0: none */
    double c[SRM_STAGES], A[SRM_STAGES][SRM_STAGES], b[SRM_STAGES];
} srm_scheme;

bool rg_srm_scheme_find(const char *name, srm_scheme *out); /* false: there is none */
rg_status rg_srm_scheme_fail(rg_context *ctx, const char *name);
/* The fixed step where none is given: RG_SRM_STEPS of them at the default tolerance, more or fewer
 * by the order. */
double rg_srm_scheme_step(const srm_scheme *s, const rg_options *o, double interval);

#endif
