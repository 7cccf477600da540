/* Ctrl-C, a polite kill, the end of the terminal: the run ends in good order, and where it does
 * not answer (a factorization by a library takes its time) the program ends all the same.
 *
 * The handler asks the library to stop and wakes a thread.  When the library is still at work after
 * a moment, that thread leaves the files as an interrupt does, says so, and ends the program. */
#include "cli.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* How long the library has, in nanoseconds: where nothing has been computed yet that a result
 * could show, and where something has. */
static const long PATIENCE_BEFORE = 100000000, PATIENCE = 150000000;

enum { IDLE, BUSY, TAKEN };
static atomic_int state = IDLE;
static rg_context *running;
static const cli_progress *_Atomic progress;
static sem_t wake;
static bool is_json, has_thread;

static void interrupt(int signal_number)
{
    (void)signal_number;
    rg_context_interrupt(running);
    if (has_thread) sem_post(&wake);
}

/* ---- the thread ------------------------------------------------------------------------------ */

static bool has_results(const cli_progress *p)
{
    return p != NULL && (atomic_load(&p->steps) > 0 || atomic_load(&p->done) > 0);
}

/* What the library would have said. */
static void compose(const cli_progress *p, rg_error *error)
{
    const int64_t done = p != NULL ? atomic_load(&p->done) : 0;

    if (p == NULL || (!has_results(p) && !p->is_boundary)) {
        cli_mistake(error, "run it again", "interrupted before the run began");
    } else if (done > 0) {
        cli_mistake(error, "run again to go on", "interrupted after %lld of %lld runs",
                    (long long)done, (long long)atomic_load(&p->runs));
    } else if (p->is_boundary) {
        cli_mistake(error, "run it again, with a looser --tol if it takes too long",
                    "interrupted on the way to a solution");
    } else {
        cli_mistake(error, "run again, or shorten the interval with --to",
                    "interrupted at %s = %.10g", p->time_name, atomic_load(&p->t));
        error->t = atomic_load(&p->t);
    }
    error->code = RG_ERR_INTERRUPTED;
}

/* Standard output may belong to the thread at work: plain writing only. */
static void put(int to, const char *text)
{
    if (write(to, text, strlen(text)) < 0) _exit(EXIT_INTERRUPT);
}

static void put_json(const cli_progress *p, const rg_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);

    if (memory == NULL) return;
    rg_report_solution_json(p != NULL ? p->file : "", NULL, NULL, error, memory);
    if (fclose(memory) == 0) put(STDOUT_FILENO, text);
}

static void leave(void)
{
    const cli_progress *p = atomic_load(&progress);
    rg_error error;
    char note[sizeof error.remedy], text[sizeof error.message + sizeof error.remedy + 32];

    compose(p, &error);
    rg_context_abandon(running, note, sizeof note);
    strncat(error.remedy, note, sizeof error.remedy - strlen(error.remedy) - 1);
    if (is_json) put_json(p, &error);
    snprintf(text, sizeof text, "%serror: %s\n  remedy: %s\n",
             p != NULL && p->is_shown ? "\r\033[K" : "", error.message, error.remedy);
    put(STDERR_FILENO, text);
    _exit(EXIT_INTERRUPT);
}

static void *watch(void *user)
{
    int expected = BUSY;

    while (sem_wait(&wake) != 0)
        continue;
    const long patience = has_results(atomic_load(&progress)) ? PATIENCE : PATIENCE_BEFORE;
    nanosleep(&(struct timespec){0, patience}, NULL);
    while (!atomic_compare_exchange_strong(&state, &expected, TAKEN)) {
        nanosleep(&(struct timespec){0, 5000000}, NULL); /* it prints, or begins something else */
        expected = BUSY;
    }
    leave();
    return user;
}

/* Without it (no memory for a thread) only the polite way is left. */
static void start_thread(void)
{
    enum { STACK = 256 * 1024 };
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;

    if (sem_init(&wake, 0, 0) != 0 || pthread_attr_init(&attributes) != 0) return;
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    has_thread = pthread_create(&thread, &attributes, watch, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

/* ---- for the commands ------------------------------------------------------------------------ */

void cli_busy(const cli_progress *p)
{
    if (!has_thread && !cli_has_petsc) start_thread(); /* ranks end together, or not at all */
    atomic_store(&progress, p);
    atomic_store(&state, BUSY);
}

void cli_idle(void)
{
    int expected = BUSY;

    if (atomic_compare_exchange_strong(&state, &expected, IDLE) || expected == IDLE) return;
    for (;;)
        pause(); /* the program ends */
}

void cli_leave(const rg_error *error)
{
    if (error->code != RG_ERR_INTERRUPTED) return;
    fflush(NULL);
    rg_context_abandon(running, NULL, 0); /* compilers and their folders */
    _exit(EXIT_INTERRUPT);
}

static const int polite[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1}; /* the last one: from mpirun */
enum { N_POLITE = sizeof polite / sizeof *polite };

/* The first Ctrl-C, a polite kill or the end of the terminal ends the run with its partial results,
 * the second one the program.  Under nohup the end of the terminal stays ignored; a file that may
 * not grow is an error of writing, as a full disk is. */
void cli_catch_interrupt(rg_context *ctx, bool json)
{
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND}, before;

    running = ctx;
    is_json = json;
    sigemptyset(&action.sa_mask);
    for (int k = 0; k < N_POLITE; k++)
        if (polite[k] != SIGHUP || sigaction(SIGHUP, NULL, &before) != 0
            || before.sa_handler != SIG_IGN)
            sigaction(polite[k], &action, NULL);
    signal(SIGXFSZ, SIG_IGN);
}

/* From here on a signal ends the program at once, unless the caller ignores it. */
void cli_release_interrupt(void)
{
    struct sigaction now;

    for (int k = 0; k < N_POLITE; k++)
        if (sigaction(polite[k], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            signal(polite[k], SIG_DFL);
    running = NULL;
}
