/* Makes, restarts and destroys the BDF integrator, which is IDA of SUNDIALS. */
#include "ivp/bdf/bdf_impl.h"

static rg_status create(rg_integrator *g);
static void restart(rg_integrator *g, double h);
static void destroy(rg_integrator *g);

const rg_ivp_method rg_bdf_method = {.name = "bdf",
                                     .degree = BDF_MAX_ORDER,
                                     .is_dense = true,
                                     .state_size = sizeof(rg_bdf),
                                     .create = create,
                                     .step = rg_bdf_step,
                                     .restart = restart,
                                     .destroy = destroy,
                                     .is_slow_to_start = true,
                                     .holds_branches = true};

bool rg_bdf_is_available(void)
{
    return true;
}

static rg_status check_options(const rg_integrator *g)
{
    if (g->options.step == 0.0) return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD, "'bdf' chooses its steps itself; step = %g cannot be kept",
            g->options.step);
    return rg_remedy(g->ctx, "leave --step out, or take --method radau");
}

/* One arena for our arrays; IDA takes its own memory. */
static rg_status take_memory(rg_integrator *g, const rg_pattern *p)
{
    rg_bdf *b = rg_bdf_of(g);
    const int64_t n = g->n, entries = p->start[p->n_columns];
    double *arena = rg_alloc(g->ctx, (size_t)(3 * n + 3 * entries) + 1, sizeof *arena);

    b->arena = arena;
    b->n_pins = (int)rg_system_redundant(g->system);
    b->pins = rg_alloc(g->ctx, 4 * (size_t)b->n_pins + 1, sizeof *b->pins);
    if (arena == NULL || b->pins == NULL) return RG_ERR_MEMORY;
    b->Jy = arena;
    b->Jyp = b->Jy + entries;
    b->most = b->Jyp + entries;
    b->weight = b->most + entries;
    b->dky = b->weight + n;
    b->now = b->dky + n;
    return RG_OK;
}

static rg_status make_vectors(rg_integrator *g)
{
    rg_bdf *b = rg_bdf_of(g);

    b->y = N_VNew_Serial(g->n, b->sun);
    b->yp = N_VNew_Serial(g->n, b->sun);
    b->id = N_VNew_Serial(g->n, b->sun);
    b->dky_vector = N_VMake_Serial(g->n, b->dky, b->sun);
    if (b->y == NULL || b->yp == NULL || b->id == NULL || b->dky_vector == NULL)
        return rg_bdf_no_memory(g);
    return RG_OK;
}

/* Without equations there is nothing to hand to IDA; rg_bdf_step() knows. */
static rg_status create(rg_integrator *g)
{
    RG_TRY(check_options(g));
    rg_bdf *b = rg_bdf_of(g);
    RG_TRY(take_memory(g, rg_system_pattern(g->system)));
    if (SUNContext_Create(NULL, &b->sun) != 0) return rg_bdf_no_memory(g);
    RG_TRY(make_vectors(g));
    RG_TRY(rg_bdf_linear_create(g));
    if ((b->ida = IDACreate(b->sun)) == NULL) return rg_bdf_no_memory(g);
    b->is_restarted = true;
    b->h_first = g->options.h_first;
    return rg_bdf_settings(g);
}

static void restart(rg_integrator *g, double h)
{
    rg_bdf_of(g)->is_restarted = true;
    rg_bdf_of(g)->h_first = h;
}

static void destroy(rg_integrator *g)
{
    rg_bdf *b = rg_bdf_of(g);

    if (b->ida != NULL) IDAFree(&b->ida);
    if (b->linear != NULL) SUNLinSolFreeEmpty(b->linear);
    if (b->J != NULL) SUNMatFreeEmpty(b->J);
    N_Vector vectors[] = {b->y, b->yp, b->id, b->dky_vector};
    for (int k = 0; k < 4; k++)
        if (vectors[k] != NULL) N_VDestroy(vectors[k]);
    if (b->sun != NULL) SUNContext_Free(&b->sun);
    rg_matrix_destroy(&b->matrix);
    rg_free(g->ctx, b->arena);
    rg_free(g->ctx, b->pins);
}
