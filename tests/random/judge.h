/* Runs of random models, judged by their known solutions. */
#ifndef RG_TESTS_RANDOM_JUDGE_H
#define RG_TESTS_RANDOM_JUDGE_H

#include "random/models.h"
#include "regula.h"

enum { JUDGE_POINTS = 101 };

/* Errors are |e|/(1 + |y|) in units of the tolerance, the largest of all unknowns. */
typedef struct {
    rg_status status;             /* of the first run that failed */
    double end, steps, points;    /* at the end, over all steps, over JUDGE_POINTS times */
    double of_steps, of_points;   /* true error / estimate: run with steps, with chosen times */
    double at_end;                /* the same at the end of the run with steps */
    double states;                /* as points, of what is differentiated alone */
    int64_t taken, plain, chosen; /* steps; evaluations without and with chosen times */
} judgement;

/* The model of a seed: kinds and forms alternate. */
random_request judge_request(random_kind kind, uint64_t seed);
/* formulation: "auto", "direct", "projected", .. */
void judge_run(const random_model *m, double tol, const char *formulation, judgement *out);
/* method: "gauss", "half-explicit:order=2" */
void judge_method(const random_model *m, double tol, const char *method, const char *formulation,
                  judgement *out);
const char *judge_kind(random_kind kind);

#endif
