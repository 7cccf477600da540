/* Loads libraries on first use; see lazy.h.  Wrappers with the names of their
 * functions are in lapack.c, lazy_cholmod.c and lazy_umfpack.c. */
#include "linalg/lazy.h"
#include "linalg/tuning.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[RG_LIBRARY_COUNT] = {RG_SONAME_LAPACK, RG_SONAME_CHOLMOD,
                                                    RG_SONAME_UMFPACK};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *handle[RG_LIBRARY_COUNT];
static bool is_tried[RG_LIBRARY_COUNT];

/* OpenBLAS takes 128 MB for its buffers, and asks again and again where there
 * are none. */
static bool has_room(void)
{
    void *room = malloc((size_t)RG_BLAS_ROOM << 20);

    free(room);
    return room != NULL;
}

/* A factorization of one row makes OpenBLAS take its memory now. */
static void warm_up(void *lapack)
{
    void (*dgetrf)(const int *, const int *, double *, const int *, int *, int *);
    const int one = 1;
    double a = 1.0;
    int pivot, info;

    void *found = dlsym(lapack, "dgetrf_");
    if (found == NULL) return;
    memcpy(&dgetrf, &found, sizeof found);
    dgetrf(&one, &one, &a, &one, &pivot, &info);
}

/* Our matrices are small: a thread pool costs more than it saves.  OpenBLAS
 * reads the variable while it is loaded; afterwards it is as it was. */
static void *load(rg_library which)
{
    static const char variable[] = "OPENBLAS_NUM_THREADS";
    const bool is_set = getenv(variable) != NULL;

    if (!has_room()) return NULL;
    if (!is_set) setenv(variable, "1", 1);
    void *loaded = dlopen(names[which], RTLD_NOW | RTLD_LOCAL);
    if (!is_set) unsetenv(variable);
    if (loaded != NULL && which == RG_LIBRARY_LAPACK) warm_up(loaded);
    return loaded;
}

/* ---- calls at the same time: OpenBLAS takes 128 MB for each of them, once -------------------- */

static pthread_cond_t is_left = PTHREAD_COND_INITIALIZER;
static int n_inside, n_buffers = 1; /* one since it was loaded */

/* A caller that has loaded OpenBLAS before us has its own number of threads, which changes the last
 * digits: ours is 1, and theirs comes back. */
static int (*get_threads)(void);
static void (*set_threads)(int);
static int their_threads;

static void find_threads(void *lapack)
{
    void *get = dlsym(lapack, "openblas_get_num_threads");
    void *set = dlsym(lapack, "openblas_set_num_threads");

    if (get == NULL || set == NULL) return;
    memcpy(&get_threads, &get, sizeof get);
    memcpy(&set_threads, &set, sizeof set);
}

void rg_lapack_enter(void)
{
    pthread_mutex_lock(&lock);
    if (n_inside >= n_buffers && has_room()) n_buffers++;
    while (n_inside >= n_buffers)
        pthread_cond_wait(&is_left, &lock);
    if (n_inside++ == 0 && get_threads != NULL) {
        their_threads = get_threads();
        if (their_threads > 1) set_threads(1);
    }
    pthread_mutex_unlock(&lock);
}

void rg_lapack_leave(void)
{
    pthread_mutex_lock(&lock);
    if (--n_inside == 0 && their_threads > 1) set_threads(their_threads);
    pthread_cond_signal(&is_left);
    pthread_mutex_unlock(&lock);
}

/* ---- finding -------------------------------------------------------------------------------- */

static void *library(rg_library which)
{
    pthread_mutex_lock(&lock);
    if (!is_tried[which]) {
        handle[which] = load(which);
        if (handle[which] != NULL && which == RG_LIBRARY_LAPACK) find_threads(handle[which]);
    }
    is_tried[which] = true;
    pthread_mutex_unlock(&lock);
    return handle[which];
}

rg_status rg_library_load(rg_context *ctx, rg_library which)
{
    if (library(which) != NULL) return RG_OK;
    rg_fail(ctx, RG_ERR_MEMORY, "out of memory: '%s' cannot be loaded", names[which]);
    return rg_remedy(ctx, "allow the program 300 MB more, or install that library");
}

bool rg_library_find(rg_library which, const char *name, void *_Atomic *known, void *function)
{
    void *found = *known;

    if (found == NULL) {
        void *loaded = library(which);
        found = loaded != NULL ? dlsym(loaded, name) : NULL;
        *known = found;
    }
    memcpy(function, &found, sizeof found); /* POSIX: pointers to functions are of this size */
    return found != NULL;
}
