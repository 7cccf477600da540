/* In place of transform.c in a build without FFTW (make GPL=no): the other solvers do all. */
#include "pdae/solve/elliptic_impl.h"

bool rg_elliptic_can_transform(const rg_elliptic *e, const char **why)
{
    (void)e;
    *why = "this build has no FFTW";
    return false;
}

static rg_status create(rg_elliptic *e, void **state)
{
    (void)state;
    return rg_fail(e->ctx, RG_ERR_METHOD, "this build has no FFTW");
}

static rg_status solve(rg_elliptic *e, void *state, const double *b, double *x)
{
    (void)b;
    (void)x;
    return create(e, &state);
}

static void destroy(rg_elliptic *e, void *state)
{
    (void)e;
    (void)state;
}

const rg_elliptic_method rg_elliptic_transform = {.name = "transform",
                                                  .create = create,
                                                  .solve = solve,
                                                  .destroy = destroy,
                                                  .needs_no_guess = true,
                                                  .is_direct = true};
