/* The options of a run on a grid, from the option table. */
#include "pdae/mesh/ranks.h"
#include "pdae/tuning.h"
#include "solve/grid.h"
#include "solve/grid_impl.h"
#include "solve/tuning.h"

#include <string.h>

static const struct {
    const char *name;
    rg_fluid_method method;
    bool is_mixed; /* velocity and pressure by one system */
} methods[] = {
    {"auto",                       RG_FLUID_SRM,             false},
    {"srm",                        RG_FLUID_SRM,             false},
    {"projection",                 RG_FLUID_PROJECTION,      false},
    {"artificial-compressibility", RG_FLUID_COMPRESSIBILITY, false},
    {"penalty",                    RG_FLUID_PENALTY,         false},
    {"baumgarte",                  RG_FLUID_BAUMGARTE,       false},
    {"mixed",                      RG_FLUID_SRM,             true }
};

/* The row of a method; -1: none. */
static int row_of(const char *method)
{
    for (int k = 0; k < (int)(sizeof methods / sizeof *methods); k++)
        if (strcmp(method, methods[k].name) == 0) return k;
    return -1;
}

bool rg_grid_has_method(const char *method)
{
    return row_of(method) >= 0;
}

const char *rg_grid_method(const rg_options *o)
{
    return strcmp(o->method, "auto") == 0 ? "srm" : o->method;
}

/* The place of a word in a list; -1: none. */
static int word_of(const char *word, const char *const *words)
{
    for (int k = 0; words[k] != NULL; k++)
        if (strcmp(word, words[k]) == 0) return k;
    return -1;
}

static rg_status bad_word(rg_context *ctx, const char *option, const char *value, const char *list)
{
    rg_fail(ctx, RG_ERR_ARGUMENT, "there is no %s '%s' for grids", option, value);
    return rg_remedy(ctx, "take one of %s", list);
}

/* Words for PETSc are for a solve with it, as all are on several ranks. */
static rg_status read_petsc(rg_context *ctx, const rg_options *o, rg_elliptic_kind solver)
{
    const bool is_used = solver == RG_ELLIPTIC_PETSC || (rg_ranks != NULL && rg_ranks->count > 1);

    if (!is_used && o->petsc[0] != '\0') {
        rg_fail(ctx, RG_ERR_ARGUMENT, "--petsc goes with --solver petsc or --ranks only");
        return rg_remedy(ctx, "add --solver petsc, or leave --petsc away");
    }
    if (!is_used) return RG_OK;
    if (rg_ranks == NULL) return rg_ranks_missing(ctx, "--solver petsc");
    return o->petsc[0] != '\0' ? rg_ranks->set_options(ctx, o->petsc) : RG_OK;
}

enum { IMPLICIT = 4 }; /* the scheme that is for transport: momentum has cn */

rg_status rg_grid_read_options(rg_context *ctx, const rg_options *o, rg_run_options *out)
{
    static const char *const schemes[] = {"cn", "euler", "heun", "ssprk3", "implicit", NULL};
    static const char *const carries[] = {"central", "upwind", "tvd", NULL};
    static const char *const solvers[] = {"auto",   "transform", "multigrid", "aggregation",
                                          "direct", "petsc",     NULL};
    static const char *const variants[] = {"incremental", "chorin", NULL};
    const bool has_scheme = strcmp(o->scheme, "auto") != 0;
    const int scheme = has_scheme ? word_of(o->scheme, schemes) : 0;
    const int row = row_of(o->method), solver = word_of(o->solver, solvers);
    const int variant = strcmp(o->variant, "auto") == 0 ? 0 : word_of(o->variant, variants);

    if (scheme < 0) return bad_word(ctx, "scheme", o->scheme, "cn, euler, heun, ssprk3, implicit");
    if (solver < 0)
        return bad_word(ctx, "solver", o->solver,
                        "auto, transform, multigrid, aggregation, direct, petsc");
    RG_TRY(read_petsc(ctx, o, (rg_elliptic_kind)solver));
    if (variant < 0) return bad_word(ctx, "variant", o->variant, "incremental, chorin");
    *out = (rg_run_options){.scheme = scheme == IMPLICIT ? RG_FLUID_CN : (rg_fluid_scheme)scheme,
                            .implicit = scheme == IMPLICIT,
                            .eps = o->eps > 0.0 ? o->eps : 0.0,
                            .alpha1 = o->alpha1 >= 0.0 ? o->alpha1 : 1.0,
                            .alpha2 = o->alpha2 >= 0.0 ? o->alpha2 : 1.0,
                            .gamma = o->gamma > 0.0 ? o->gamma : 1.0,
                            .iterations = o->iterations > 0 ? o->iterations : 0,
                            .chorin = variant == 1,
                            .convection = strcmp(o->convection, "auto") == 0
                                              ? RG_CARRY_CENTRAL
                                              : (rg_carry)word_of(o->convection, carries),
                            .transport = strcmp(o->transport, "auto") == 0
                                             ? RG_CARRY_RESOLVED
                                             : (rg_carry)word_of(o->transport, carries),
                            .solver = (rg_elliptic_kind)solver,
                            .solver_tol = o->solver_tol > 0.0 ? o->solver_tol : RG_GRID_SOLVER_TOL,
                            .threads = o->threads,
                            .cfl = o->cfl,
                            .tol = o->rtol_is_given ? o->rtol : RG_GRID_TOL,
                            .step = o->step,
                            .h_max = o->h_max,
                            .max_steps = o->max_steps,
                            .step_scale = 1.0,
                            .steady = o->steady};
    if (row >= 0) {
        out->method = methods[row].method;
        out->mixed = methods[row].is_mixed;
    }
    return RG_OK;
}
