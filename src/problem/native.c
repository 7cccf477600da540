/* When kernels are compiled, and how workspaces come by them. */
#include "problem/native.h"

#include "base/leaving.h"
#include "expr/native_build.h"
#include "problem/assembly_impl.h"
#include "problem/tuning.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum { MOST_ENTRIES = 32 };

typedef enum { FREE, COMPILING, READY, FAILED } entry_state;

struct rg_native_entry {
    atomic_int state; /* READY: the rest does not change any more */
    uint64_t hash[2];
    int64_t length;
    rg_build build;
    rg_native_fn *const *code;
};

struct rg_native {
    pthread_mutex_t lock; /* for all of the entries that are not READY or FAILED */
    rg_native_entry entries[MOST_ENTRIES];
    char failure[256];
    atomic_bool is_interrupted; /* nobody waits any more */
    rg_leaving leaving;
};

/* The lock, which starting a compiler holds for a moment, stays taken: none is started any more. */
static void leave(void *native, char *note, size_t size)
{
    enum { TRIES = 50 };
    rg_native *n = native;

    (void)note;
    (void)size;
    for (int k = 0; k < TRIES && pthread_mutex_trylock(&n->lock) != 0; k++)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    for (int k = 0; k < MOST_ENTRIES; k++)
        rg_build_leave(&n->entries[k].build);
}

rg_status rg_native_create(rg_context *ctx, rg_native **out)
{
    rg_native *n = rg_alloc(ctx, 1, sizeof *n);

    *out = NULL;
    if (n == NULL) return RG_ERR_MEMORY;
    if (pthread_mutex_init(&n->lock, NULL) != 0) {
        rg_free(ctx, n);
        rg_fail(ctx, RG_ERR_MEMORY, "out of memory: the system has no lock left");
        return rg_remedy(ctx, "give --native off");
    }
    rg_leaving_add(ctx, &n->leaving, leave, n);
    *out = n;
    return RG_OK;
}

void rg_native_destroy(rg_context *ctx, rg_native **native)
{
    rg_native *n = *native;

    if (n == NULL) return;
    rg_leaving_remove(ctx, &n->leaving);
    for (int k = 0; k < MOST_ENTRIES; k++)
        rg_build_stop(&n->entries[k].build);
    pthread_mutex_destroy(&n->lock);
    rg_free(ctx, n);
    *native = NULL;
}

bool rg_native_failed(rg_native *n, char *message, size_t size)
{
    pthread_mutex_lock(&n->lock);
    const bool is_failed = n->failure[0] != '\0';
    snprintf(message, size, "%s", n->failure);
    pthread_mutex_unlock(&n->lock);
    return is_failed;
}

/* ---- entries: all under the lock ------------------------------------------------------------- */

static void set_failed(rg_native *n, rg_native_entry *x, const char *why)
{
    if (n->failure[0] == '\0') snprintf(n->failure, sizeof n->failure, "%s", why);
    if (x != NULL) atomic_store(&x->state, FAILED);
}

static rg_native_entry *find_entry(rg_native *n, const rg_emitter *text)
{
    for (int k = 0; k < MOST_ENTRIES; k++) {
        rg_native_entry *x = &n->entries[k];
        if (atomic_load(&x->state) == FREE) {
            memcpy(x->hash, text->hash, sizeof x->hash);
            x->length = text->length;
            return x;
        }
        if (memcmp(x->hash, text->hash, sizeof x->hash) == 0 && x->length == text->length) return x;
    }
    return NULL;
}

static void start_entry(rg_native *n, rg_native_entry *x, const rg_assembly *a)
{
    rg_emitter e;

    bool is_good = rg_build_open(&x->build);
    if (is_good) {
        rg_emitter_init(&e, x->build.source);
        rg_assembly_emit(&e, a);
        is_good = rg_build_start(&x->build);
    }
    if (is_good)
        atomic_store(&x->state, COMPILING);
    else
        set_failed(n, x, x->build.why);
}

static void poll_entry(rg_native *n, rg_native_entry *x)
{
    void *address = NULL;

    if (atomic_load(&x->state) != COMPILING) return;
    const rg_build_state state = rg_build_poll(&x->build, "rg_kernels", &address);
    if (state == RG_BUILD_FAILED) set_failed(n, x, x->build.why);
    if (state != RG_BUILD_READY) return;
    x->code = address;
    atomic_store(&x->state, READY);
}

/* ---- workspaces ------------------------------------------------------------------------------ */

static double program_cost(const rg_program *p, int64_t count)
{
    if (p->tape == NULL) return 0.0;
    const double n = (double)rg_tape_length(p->tape), places = p->n_inputs + p->n_outputs;
    if (p->single != NULL) return RG_NATIVE_PER_SINGLE * (n + 0.5 * places + 8);
    return (double)count * (RG_NATIVE_PER_BATCH * n + RG_NATIVE_PER_PLACE * places);
}

static void add_cost(const rg_unit *u, double cost[2])
{
    const bool is_top = u->sum < 0;
    const double value = program_cost(&u->value, u->count);
    const double jacobian = program_cost(&u->jacobian, u->count);

    cost[RG_COST_RESIDUAL] += value;
    cost[RG_COST_JACOBIAN] += u->jacobian.tape == NULL || !is_top ? value + jacobian : jacobian;
    for (int k = 0; k < u->n_children; k++)
        add_cost(&u->children[k], cost);
}

static void launch(const rg_assembly *a, rg_assembly_work *w)
{
    rg_native *n = w->watch.native;
    const int64_t length = rg_assembly_length(a);
    rg_emitter text;

    if ((w->watch.entry = atomic_load(&a->known->entry)) != NULL) return;
    rg_log(w->ctx, 2, "native: wanted for %lld instructions", (long long)length);
    pthread_mutex_lock(&n->lock);
    if (length > RG_NATIVE_LONGEST) {
        set_failed(n, NULL, "the model is too long for a compiler");
    } else {
        rg_emitter_init(&text, NULL);
        rg_assembly_emit(&text, a);
        w->watch.entry = find_entry(n, &text);
        if (w->watch.entry == NULL)
            set_failed(n, NULL, "too many different kernels");
        else if (atomic_load(&w->watch.entry->state) == FREE)
            start_entry(n, w->watch.entry, a);
        atomic_store(&a->known->entry, w->watch.entry);
    }
    pthread_mutex_unlock(&n->lock);
}

/* Takes the code if it is there; false: look again. */
static bool is_settled(rg_assembly_work *w)
{
    rg_native *n = w->watch.native;
    rg_native_entry *x = w->watch.entry;

    if (x != NULL && atomic_load(&x->state) == COMPILING && pthread_mutex_trylock(&n->lock) == 0) {
        poll_entry(n, x);
        pthread_mutex_unlock(&n->lock);
    }
    const int state = x != NULL ? atomic_load(&x->state) : FAILED;
    if (state == COMPILING) return false;
    char why[sizeof n->failure] = "";
    if (state == READY)
        w->code = x->code;
    else
        rg_native_failed(n, why, sizeof why);
    rg_log(w->ctx, 2, "native: %s%s",
           state == READY ? "compiled kernels are in use" : "not used: ", why);
    w->watch.native = NULL;
    return true;
}

void rg_native_look(const rg_assembly *a, rg_assembly_work *w)
{
    if (w->watch.entry == NULL) launch(a, w);
    if (!is_settled(w)) w->watch.next = w->watch.spent + RG_NATIVE_LOOK_EVERY;
}

void rg_native_begin(const rg_assembly *a, rg_assembly_work *w)
{
    const rg_problem *p = a->p;

    if (p->native == NULL || p->native_mode == RG_NATIVE_OFF || a->n_programs == 0) return;
    w->watch.native = p->native;
    w->watch.next = fmax(RG_NATIVE_START_AFTER, RG_NATIVE_PER_LINE * (double)rg_assembly_length(a));
    for (int k = 0; k < a->n_units; k++)
        add_cost(&a->units[k], w->watch.cost);
    if (p->native_mode != RG_NATIVE_ON) return;
    launch(a, w);
    while (!is_settled(w) && !atomic_load(&p->native->is_interrupted)) {
        nanosleep(&(struct timespec){0, 1000000}, NULL);
        if (rg_interrupted(w->ctx)) atomic_store(&p->native->is_interrupted, true);
    }
}
