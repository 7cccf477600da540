/* The functions of CHOLMOD under names of our own: each looks for the real one
 * when it is first called.  Where the library cannot be loaded, they fail as
 * CHOLMOD does. */
#include "linalg/lazy_cholmod.h"

#include "linalg/lazy.h"

int rg_cholmod_l_start(cholmod_common *c)
{
    static void *_Atomic known;
    int (*real)(cholmod_common *);

    return rg_library_find(RG_LIBRARY_CHOLMOD, "cholmod_l_start", &known, &real) ? real(c) : 0;
}

int rg_cholmod_l_finish(cholmod_common *c)
{
    static void *_Atomic known;
    int (*real)(cholmod_common *);

    return rg_library_find(RG_LIBRARY_CHOLMOD, "cholmod_l_finish", &known, &real) ? real(c) : 0;
}

cholmod_sparse *rg_cholmod_l_allocate_sparse(size_t rows, size_t columns, size_t most, int sorted,
                                             int packed, int type, int kind, cholmod_common *c)
{
    static void *_Atomic known;
    cholmod_sparse *(*real)(size_t, size_t, size_t, int, int, int, int, cholmod_common *);

    return rg_library_find(RG_LIBRARY_CHOLMOD, "cholmod_l_allocate_sparse", &known, &real)
               ? real(rows, columns, most, sorted, packed, type, kind, c)
               : NULL;
}

int rg_cholmod_l_free_sparse(cholmod_sparse **A, cholmod_common *c)
{
    static void *_Atomic known;
    int (*real)(cholmod_sparse **, cholmod_common *);

    return rg_library_find(RG_LIBRARY_CHOLMOD, "cholmod_l_free_sparse", &known, &real) ? real(A, c)
                                                                                       : 0;
}

cholmod_dense *rg_cholmod_l_allocate_dense(size_t rows, size_t columns, size_t stride, int kind,
                                           cholmod_common *c)
{
    static void *_Atomic known;
    cholmod_dense *(*real)(size_t, size_t, size_t, int, cholmod_common *);

    return rg_library_find(RG_LIBRARY_CHOLMOD, "cholmod_l_allocate_dense", &known, &real)
               ? real(rows, columns, stride, kind, c)
               : NULL;
}

int rg_cholmod_l_free_dense(cholmod_dense **x, cholmod_common *c)
{
    static void *_Atomic known;
    int (*real)(cholmod_dense **, cholmod_common *);

    return rg_library_find(RG_LIBRARY_CHOLMOD, "cholmod_l_free_dense", &known, &real) ? real(x, c)
                                                                                      : 0;
}

int rg_cholmod_l_free_factor(cholmod_factor **f, cholmod_common *c)
{
    static void *_Atomic known;
    int (*real)(cholmod_factor **, cholmod_common *);

    return rg_library_find(RG_LIBRARY_CHOLMOD, "cholmod_l_free_factor", &known, &real) ? real(f, c)
                                                                                       : 0;
}

cholmod_factor *rg_cholmod_l_analyze(cholmod_sparse *A, cholmod_common *c)
{
    static void *_Atomic known;
    cholmod_factor *(*real)(cholmod_sparse *, cholmod_common *);

    return rg_library_find(RG_LIBRARY_CHOLMOD, "cholmod_l_analyze", &known, &real) ? real(A, c)
                                                                                   : NULL;
}

/* CHOLMOD asks OpenMP for four threads around every small loop of a factorization, which costs more
 * than it gains; OpenMP is the caller's, so its levels come back.  Returns what they were. */
static int set_levels(int levels)
{
    static void *_Atomic known_get, *_Atomic known_set;
    int (*get)(void);
    void (*set)(int);

    if (!rg_library_find(RG_LIBRARY_CHOLMOD, "omp_get_max_active_levels", &known_get, &get)
        || !rg_library_find(RG_LIBRARY_CHOLMOD, "omp_set_max_active_levels", &known_set, &set))
        return levels;
    const int before = get();
    set(levels);
    return before;
}

int rg_cholmod_l_factorize(cholmod_sparse *A, cholmod_factor *f, cholmod_common *c)
{
    static void *_Atomic known;
    int (*real)(cholmod_sparse *, cholmod_factor *, cholmod_common *);

    if (!rg_library_find(RG_LIBRARY_CHOLMOD, "cholmod_l_factorize", &known, &real)) return 0;
    const int levels = set_levels(0);
    const int done = real(A, f, c);
    set_levels(levels);
    return done;
}

int rg_cholmod_l_solve2(int system, cholmod_factor *f, cholmod_dense *b, cholmod_sparse *rows,
                        cholmod_dense **x, cholmod_sparse **pattern, cholmod_dense **y,
                        cholmod_dense **work, cholmod_common *c)
{
    static void *_Atomic known;
    int (*real)(int, cholmod_factor *, cholmod_dense *, cholmod_sparse *, cholmod_dense **,
                cholmod_sparse **, cholmod_dense **, cholmod_dense **, cholmod_common *);

    return rg_library_find(RG_LIBRARY_CHOLMOD, "cholmod_l_solve2", &known, &real)
               ? real(system, f, b, rows, x, pattern, y, work, c)
               : 0;
}
