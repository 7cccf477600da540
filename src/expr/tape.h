/* Tape: a list of expressions compiled once, run over an index range in batches.
 *
 * The interpreter has two loops over the same instructions: one value at a time (count 1) and
 * batches of RG_BATCH iterations.  The interface lets natively compiled code replace it. */
#ifndef RG_EXPR_TAPE_H
#define RG_EXPR_TAPE_H

#include "expr/graph.h"

/* Where something lies for iteration k: base + stride k, or list[k]. */
typedef struct {
    int64_t base, stride;
    int32_t *list; /* NULL: affine */
} rg_map;

static inline int64_t rg_map_at(const rg_map *map, int64_t k)
{
    return map->list != NULL ? map->list[k] : map->base + map->stride * k;
}

typedef struct rg_tape rg_tape;

/* What the tape reads.  Every distinct VAR / SUM / DATA leaf of the expressions becomes one
 * input. */
typedef struct {
    rg_op op;     /* RG_OP_VAR, RG_OP_SUM, RG_OP_DATA or RG_OP_SEED */
    int32_t slot; /* slot or sum number */
    int order;    /* VAR, SUM */
} rg_tape_input;

/* Compiles n expressions of one graph; shared parts are computed once. */
rg_status rg_tape_create(rg_context *ctx, rg_graph *g, int n_outputs, const rg_node *outputs,
                         rg_tape **out);
void rg_tape_destroy(rg_tape **tape);
int rg_tape_input_count(const rg_tape *tape);
rg_tape_input rg_tape_input_at(const rg_tape *tape, int k);
/* Input k becomes input place[k] (a permutation). */
rg_status rg_tape_permute_inputs(rg_tape *tape, const int32_t *place);
int rg_tape_output_count(const rg_tape *tape);
int64_t rg_tape_length(const rg_tape *tape);   /* instructions */
size_t rg_tape_workspace(const rg_tape *tape); /* doubles needed by rg_tape_run, per thread */
size_t rg_tape_workspace_for(const rg_tape *tape, int64_t most); /* ... of so many iterations */

/* One input or output of a run: element k is at values[map(k)].
 * Input with values NULL: map(k) itself is the number. */
typedef struct {
    const double *values;
    rg_map map;
} rg_tape_source;
typedef struct {
    double *values;
    rg_map map;
    bool accumulate; /* += instead of = */
} rg_tape_target;

/* Runs iterations first .. first+count-1, or iterations[first ..] when a list is given: inputs are
 * then read at map(iterations[k]) while outputs are written at map(k).  Workspace:
 * rg_tape_workspace() doubles.  False: one of the numbers written (or added) is not finite. */
bool rg_tape_run(const rg_tape *tape, double t, int64_t first, int64_t count,
                 const int32_t *iterations, const rg_tape_source *inputs,
                 const rg_tape_target *outputs, double *workspace);
/* Rows of iterations, in which few inputs change: what moves along a row only is computed in the
 * first one, what moves from row to row only once in each.  The numbers are those of rg_tape_run().
 * Before, and before the size of the workspace is asked for: along and across what every input
 * moves. */
enum { RG_MOVES_ALONG = 1, RG_MOVES_ACROSS = 2 };
rg_status rg_tape_split(rg_tape *tape, const uint8_t *moves);
int rg_tape_width(const rg_tape *tape); /* iterations at most of one call of the next function */
/* Iterations first .. first+count-1 of a row; `is_first`: not the same ones of another row
 * before. */
bool rg_tape_run_row(const rg_tape *tape, double t, int64_t first, int count, bool is_first,
                     const rg_tape_source *inputs, const rg_tape_target *outputs,
                     double *workspace);
/* One iteration, without maps: the caller puts the inputs in workspace[0 ..] and finds the outputs
 * in workspace[rg_tape_results() ..]. */
void rg_tape_run_one(const rg_tape *tape, double t, double *workspace);
int64_t rg_tape_results(const rg_tape *tape);

#endif
