/* Checkpoints of a run: when, and what is in them. */
#include "solve/keeper.h"

#include "base/context.h"
#include "pdae/mesh/ranks.h"
#include "solve/run_name.h"
#include "solve/tuning.h"

#include <math.h>
#include <string.h>

struct rg_keeper {
    rg_context *ctx;
    rg_checkpoint *file;
    double every, written,
        cost; /* seconds: given; when the last one was written, how long it took */
    int64_t n_outcomes, replayed;
    rg_store outcomes, state[RG_STAGE_SECOND + 1], whole;
    rg_store found;  /* what a rank that is not the first one sees of the file */
    rg_stage stage;  /* of the stores */
    bool is_resumed; /* they come from the file, and nobody has taken them up yet */
    rg_journal journal;
    bool is_new; /* they are newer than the file */
};

/* ---- life ------------------------------------------------------------------------------------ */

static rg_status refuse_output(rg_context *ctx)
{
    rg_fail(ctx, RG_ERR_ARGUMENT,
            "rows on standard output are written when the run ends, and --checkpoint keeps those "
            "so far");
    return rg_remedy(ctx, "give --csv a file");
}

static rg_status check_request(rg_context *ctx, const rg_request *r)
{
    if (r->resume && r->checkpoint == NULL) {
        rg_fail(ctx, RG_ERR_ARGUMENT, "nothing to resume: no checkpoint is named");
        return rg_remedy(ctx, "give --checkpoint FILE, the file of the run that is to go on");
    }
    if (r->checkpoint == NULL) return RG_OK;
    if (!(r->checkpoint_every >= 0.0)) {
        rg_fail(ctx, RG_ERR_ARGUMENT, "checkpoints every %g seconds", r->checkpoint_every);
        return rg_remedy(ctx, "give a number from 0 on");
    }
    if (r->csv == NULL) return RG_OK;
    if (strcmp(r->csv, "-") == 0) return refuse_output(ctx);
    if (strcmp(r->csv, r->checkpoint) != 0) return RG_OK;
    rg_fail(ctx, RG_ERR_ARGUMENT, "'%s' cannot be both the checkpoint and the CSV file", r->csv);
    return rg_remedy(ctx, "give them two names");
}

/* All stores, written or read. */
static void store(rg_keeper *k, rg_store *s)
{
    RG_STORE(s, k->n_outcomes);
    rg_store_inner(s, &k->outcomes);
    RG_STORE(s, k->stage);
    for (int i = RG_STAGE_RUN; i <= (int)k->stage && i <= RG_STAGE_SECOND; i++)
        rg_store_inner(s, &k->state[i]);
}

/* What the first rank has found in its file, to be read by all. */
static rg_status share_file(rg_keeper *k, const char *path, rg_store **found)
{
    uint64_t place[2] = {0, 0}; /* of the state: where, how much */

    *found = k->file != NULL ? rg_checkpoint_state(k->file) : &k->found;
    if (!rg_ranks_are_several()) return RG_OK;
    if (k->file != NULL) {
        place[0] = rg_checkpoint_state_at(k->file);
        place[1] = (*found)->size;
    }
    rg_ranks->tell(place, sizeof place);
    rg_status status = RG_OK;
    if (k->file == NULL && place[1] > 0) {
        status = rg_checkpoint_look(k->ctx, path, place[0], place[1], &k->found);
        rg_store_open(&k->found);
    }
    return rg_ranks_agree(k->ctx, status);
}

static rg_status take_file(rg_keeper *k, const rg_problem *p, double t_end, const rg_options *o,
                           const rg_request *r)
{
    rg_run_name name = {.ctx = k->ctx};
    rg_status status = RG_OK;
    rg_store *found;

    rg_name_run(&name, p, t_end, o, r);
    if (rg_ranks_is_first()) /* which alone has the file */
        status = rg_checkpoint_open(k->ctx, r->checkpoint, r->resume != 0, &name, &k->file);
    rg_run_name_clear(&name);
    RG_TRY(rg_ranks_agree(k->ctx, status));
    RG_TRY(share_file(k, r->checkpoint, &found));
    if (found->size > 0) store(k, found);
    k->is_resumed = k->stage != RG_STAGE_NONE;
    return found->status;
}

rg_status rg_keeper_open(const rg_problem *p, double t_end, const rg_options *o,
                         const rg_request *r, rg_keeper **out)
{
    *out = NULL;
    RG_TRY(check_request(p->ctx, r));
    if (r->checkpoint == NULL) return RG_OK;
    rg_keeper *k = *out = rg_alloc(p->ctx, 1, sizeof *k);
    if (k == NULL) return RG_ERR_MEMORY;
    k->ctx = p->ctx;
    k->every = r->checkpoint_every;
    rg_store_init(k->ctx, &k->outcomes);
    rg_store_init(k->ctx, &k->whole);
    rg_store_init(k->ctx, &k->found);
    for (int i = 0; i <= RG_STAGE_SECOND; i++)
        rg_store_init(k->ctx, &k->state[i]);
    const rg_status status = take_file(k, p, t_end, o, r);
    k->written = rg_seconds();
    if (status != RG_OK) rg_keeper_close(out);
    return status;
}

void rg_keeper_close(rg_keeper **keeper)
{
    rg_keeper *k = *keeper;

    if (k == NULL) return;
    rg_checkpoint_close(&k->file);
    rg_store_clear(&k->outcomes);
    rg_store_clear(&k->whole);
    rg_store_clear(&k->found);
    for (int i = 0; i <= RG_STAGE_SECOND; i++)
        rg_store_clear(&k->state[i]);
    rg_free(k->ctx, k);
    *keeper = NULL;
}

/* ---- states ---------------------------------------------------------------------------------- */

rg_stage rg_keeper_resumes(rg_keeper *k)
{
    const bool is_now = k->is_resumed && k->replayed == k->n_outcomes;

    if (!is_now) return RG_STAGE_NONE;
    k->is_resumed = false;
    return k->stage;
}

rg_store *rg_keeper_store(rg_keeper *k, rg_stage stage)
{
    return &k->state[stage];
}

static rg_status write_file(rg_keeper *k)
{
    const char *path = NULL;
    uint64_t at = 0, sum = 0;
    rg_status status = RG_OK;

    if (!rg_ranks_are_several()) return rg_checkpoint_write(k->file, &k->whole);
    if (k->file != NULL)
        status = rg_checkpoint_begin(k->file, rg_store_whole_size(&k->whole), &path, &at);
    RG_TRY(rg_ranks_agree(k->ctx, status));
    const int code = rg_ranks->write(path, at, &k->whole, &sum);
    if (k->file != NULL) status = rg_checkpoint_end(k->file, sum, code);
    return rg_ranks_agree(k->ctx, status);
}

static rg_status write_now(rg_keeper *k)
{
    const double begin = rg_seconds();

    rg_store_empty(&k->whole);
    store(k, &k->whole);
    RG_TRY(rg_ranks_agree(k->ctx, k->whole.status));
    RG_TRY(write_file(k));
    k->is_new = false;
    k->written = rg_seconds();
    k->cost = k->written - begin;
    return RG_OK;
}

/* Without a given time, writing takes a small part of it all. */
static bool is_time(const rg_keeper *k)
{
    const double wait =
        k->every > 0.0 ? k->every : fmax(RG_KEEPER_SECONDS, k->cost / RG_KEEPER_PART);

    return rg_seconds() - k->written >= wait;
}

rg_status rg_keeper_offer(rg_keeper *k, rg_stage stage, bool must_write)
{
    k->stage = stage;
    k->is_new = true;
    return must_write || rg_ranks_decide(is_time(k)) ? write_now(k) : RG_OK;
}

rg_status rg_keeper_forget(rg_keeper *k)
{
    return rg_keeper_offer(k, RG_STAGE_NONE, true);
}

void rg_keeper_interrupt(rg_keeper *k)
{
    const rg_error error = *rg_last_error(k->ctx);

    if (k->is_new && write_now(k) < 0) return; /* which is told instead */
    rg_clear_error(k->ctx);
    rg_fail_again(k->ctx, &error);
    if (k->file != NULL)
        rg_remedy(k->ctx, "the same command with --resume goes on from '%s'",
                  rg_checkpoint_path(k->file));
}

/* ---- journal --------------------------------------------------------------------------------- */

static rg_status offer(void *keeper)
{
    return rg_keeper_offer(keeper, RG_STAGE_RUN, false);
}

void rg_keeper_begin_journal(rg_keeper *k)
{
    rg_store *s = rg_keeper_store(k, RG_STAGE_RUN);

    if (rg_keeper_resumes(k) == RG_STAGE_NONE) rg_store_empty(s);
    rg_store_open(s);
    k->journal = (rg_journal){s, offer, k};
    k->ctx->journal = &k->journal;
}

void rg_keeper_end_journal(rg_keeper *k)
{
    k->ctx->journal = NULL;
}

/* ---- runs that are over ---------------------------------------------------------------------- */

static void store_units(rg_store *s, const rg_problem *p, rg_units **u)
{
    bool is_there = *u != NULL;

    RG_STORE(s, is_there);
    if (!is_there || s->status != RG_OK) return;
    if (s->is_reading) s->status = rg_units_create_empty(p, u);
    for (int r = 0; r <= RG_MAX_ORDER && s->status == RG_OK; r++) {
        bool has_order = (*u)->unit[r] != NULL;
        RG_STORE(s, has_order);
        if (!has_order) continue;
        if (s->is_reading && (*u)->unit[r] == NULL)
            (*u)->unit[r] = rg_alloc(s->ctx, (size_t)(*u)->n + 1, sizeof(double));
        if ((*u)->unit[r] == NULL)
            s->status = RG_ERR_MEMORY;
        else
            rg_store_reals(s, (*u)->unit[r], (*u)->n);
    }
}

static void store_outcome(rg_store *s, const rg_problem *p, rg_outcome *x)
{
    RG_STORE(s, x->status);
    RG_STORE(s, x->has_solution);
    RG_STORE(s, x->can_repeat);
    RG_STORE(s, x->is_early);
    RG_STORE(s, x->passes_zero);
    RG_STORE(s, x->is_noise);
    RG_STORE(s, x->has_grown);
    RG_STORE(s, x->estimate);
    RG_STORE(s, x->steps);
    RG_STORE(s, x->names);
    store_units(s, p, &x->next);
}

bool rg_keeper_replay(rg_keeper *k, const rg_problem *p, rg_outcome *out, rg_status *status)
{
    *status = RG_OK;
    if (k == NULL || k->replayed == k->n_outcomes) return false;
    *out = (rg_outcome){0};
    if (k->replayed++ == 0) rg_store_open(&k->outcomes);
    store_outcome(&k->outcomes, p, out);
    *status = k->outcomes.status;
    return true;
}

rg_status rg_keeper_note(rg_keeper *k, const rg_problem *p, rg_outcome *outcome)
{
    if (k == NULL) return RG_OK;
    k->outcomes.is_reading = false; /* behind those before */
    store_outcome(&k->outcomes, p, outcome);
    RG_TRY(k->outcomes.status);
    k->n_outcomes++;
    k->replayed++;
    return rg_keeper_forget(k);
}
