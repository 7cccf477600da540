/* Runs of a tape over rows.  An instruction moves along and across what its arguments move.  What
 * does not change from row to row is computed in the first row and stays: in an array of its own
 * where others that change read it, and there the operand points in the rows that follow.  What
 * does not change along a row is computed once in it and spread.  What moves in neither way, as the
 * cosine of the time, is computed once in every batch, rows or not. */
#include "base/vector.h"
#include "expr/graph_impl.h"
#include "expr/ops.h"
#include "expr/tape_impl.h"

enum { BOTH_WAYS = RG_MOVES_ALONG | RG_MOVES_ACROSS };

typedef struct {
    uint8_t *moves;  /* of every operand at this place of the tape */
    int32_t *writer; /* the instruction that has written it; -1: an input */
} state;

/* An array for an instruction whose values are read after its register was given away. */
static void keep(rg_tape *tape, int32_t q)
{
    if (tape->kept[q] < 0) tape->kept[q] = tape->n_kept++;
}

/* Arguments of a moving instruction that do not move, and outputs that do not move both ways. */
static void keep_arguments(rg_tape *tape, const state *now, int32_t q, int n,
                           const int32_t *operand)
{
    const uint8_t moves = tape->moves[q];

    tape->kept[q] = -1;
    for (int k = 0; k < n && moves & RG_MOVES_ACROSS; k++) {
        const int32_t w = now->writer[operand[k]];
        if (w >= 0 && !(tape->moves[w] & RG_MOVES_ACROSS)) keep(tape, w);
    }
    if (tape->code[q].target >= tape->first_output && moves != BOTH_WAYS) keep(tape, q);
}

static void follow(rg_tape *tape, const state *now)
{
    for (int32_t q = 0; q < (int32_t)tape->length; q++) {
        const rg_instruction *i = &tape->code[q];
        const int n = rg_instruction_args(i->op);
        const int32_t operand[3] = {i->a, i->b, n > 2 ? i->c : 0};
        uint8_t moves = 0;
        for (int k = 0; k < n; k++)
            moves |= now->moves[operand[k]];
        tape->moves[q] = moves;
        if (tape->kept != NULL) keep_arguments(tape, now, q, n, operand);
        if (i->target >= tape->first_output) continue;
        now->moves[i->target] = moves;
        now->writer[i->target] = q;
    }
}

/* From what the inputs move; NULL: both ways. */
static rg_status find_moves(rg_tape *tape, const uint8_t *moves)
{
    const size_t operands = (size_t)tape->first_output + 1;
    state now = {.moves = rg_alloc(tape->ctx, operands, sizeof *now.moves),
                 .writer = rg_alloc(tape->ctx, operands, sizeof *now.writer)};
    const bool has_memory = now.moves != NULL && now.writer != NULL;

    for (int32_t k = 0; k < tape->first_output && has_memory; k++) {
        now.moves[k] = k >= tape->n_inputs ? 0 : moves != NULL ? moves[k] : BOTH_WAYS;
        now.writer[k] = -1;
    }
    if (has_memory) follow(tape, &now);
    rg_free(tape->ctx, now.moves);
    rg_free(tape->ctx, now.writer);
    return has_memory ? RG_OK : RG_ERR_MEMORY;
}

rg_status rg_tape_find_moves(rg_tape *tape)
{
    tape->moves = rg_alloc(tape->ctx, (size_t)tape->length + 1, sizeof *tape->moves);
    return tape->moves != NULL ? find_moves(tape, NULL) : RG_ERR_MEMORY;
}

rg_status rg_tape_split(rg_tape *tape, const uint8_t *moves)
{
    tape->kept = rg_alloc(tape->ctx, (size_t)tape->length + 1, sizeof *tape->kept);
    return tape->kept != NULL ? find_moves(tape, moves) : RG_ERR_MEMORY;
}

int rg_tape_width(const rg_tape *tape)
{
    return tape->width;
}

typedef struct { /* count iterations of a row from `first` on */
    const rg_tape *tape;
    double t;
    int64_t first;
    int count;
    bool is_first;
    const rg_tape_target *outputs;
    double *workspace;
} part;

/* Instruction q into an array where its values stay, or from there; returns the carry. */
static uint64_t run_kept(const part *p, int64_t q, double *x)
{
    const rg_tape *tape = p->tape;
    const int32_t target = tape->code[q].target;
    const int n = tape->moves[q] & RG_MOVES_ALONG ? p->count : 1;
    uint64_t carry = 0;

    if (p->is_first || tape->moves[q] & RG_MOVES_ACROSS) {
        carry = rg_batch_run(tape, q, q + 1, p->t, p->first, n, p->outputs, p->workspace, x);
        rg_spread(n, p->count, x);
    }
    rg_batch_point(p->workspace, target, x); /* an argument may have been there */
    if (target >= tape->first_output)
        rg_batch_store(&p->outputs[target - tape->first_output], p->first, p->count, x);
    return carry;
}

/* One that moves both ways goes where the batch puts it. */
static uint64_t run_instruction(const part *p, int64_t q)
{
    const rg_tape *tape = p->tape;
    const int32_t target = tape->code[q].target, kept = tape->kept[q];

    if (kept >= 0)
        return run_kept(p, q, rg_batch_array(tape, p->workspace, tape->first_output + 1 + kept));
    if (target < tape->first_output)
        return run_kept(p, q, rg_batch_array(tape, p->workspace, target));
    return rg_batch_run(tape, q, q + 1, p->t, p->first, p->count, p->outputs, p->workspace, NULL);
}

bool rg_tape_run_row(const rg_tape *tape, double t, int64_t first, int count, bool is_first,
                     const rg_tape_source *inputs, const rg_tape_target *outputs, double *workspace)
{
    const part p = {tape, t, first, count, is_first, outputs, workspace};
    uint64_t carry = 0;

    rg_batch_load(tape, first, count, NULL, inputs, workspace);
    rg_batch_aim(tape, first, outputs, workspace);
    for (int64_t q = 0; q < tape->length; q++)
        carry |= run_instruction(&p, q);
    return rg_is_all_finite(carry);
}
