/* Built without SUNDIALS: the method says what is missing. */
#include "ivp/bdf/bdf.h"

bool rg_bdf_is_available(void)
{
    return false;
}

static rg_status create(rg_integrator *g)
{
    rg_fail(g->ctx, RG_ERR_METHOD, "this regula was built without SUNDIALS, which 'bdf' needs");
    return rg_remedy(g->ctx, "install the package libsundials-dev (SUNDIALS 6) and build regula "
                             "again with 'make', or take --method radau");
}

static rg_status step(rg_integrator *g)
{
    return create(g);
}

static void restart(rg_integrator *g, double h)
{
    (void)g, (void)h;
}

static void destroy(rg_integrator *g)
{
    (void)g;
}

const rg_ivp_method rg_bdf_method = {.name = "bdf",
                                     .degree = 5,
                                     .state_size = 1,
                                     .create = create,
                                     .step = step,
                                     .restart = restart,
                                     .destroy = destroy};
