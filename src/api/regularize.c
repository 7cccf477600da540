#include "api/regularize.h"

#include "ivp/srm/srm.h"

#include <string.h>

int rg_variant_count(const char *method)
{
    if (method == NULL) return 0;
    if (strcmp(method, "penalty") == 0) return rg_penalty_row_count();
    return strcmp(method, "srm") == 0 ? rg_srm_row_count() : 0;
}

rg_variant_info rg_variant_at(const char *method, int k)
{
    if (k < 0 || k >= rg_variant_count(method)) return (rg_variant_info){"", "", "", 0};
    const rg_srm_row row = strcmp(method, "penalty") == 0 ? rg_penalty_row_at(k) : rg_srm_row_at(k);
    return (rg_variant_info){row.name, row.equations, row.text, row.index};
}

static int force_name(void *user, int64_t k, char *buffer, int size)
{
    const rg_solver *s = user;

    return rg_system_state_name(s->system, rg_srm_force_state(s->integrator, k), buffer, size);
}

static rg_status force_values(void *user, double t, const double *z, double *out)
{
    const rg_solver *s = user;

    return rg_srm_force(s->integrator, t, z, out);
}

rg_status rg_regularize_attach(rg_solver *s, rg_solution *solution)
{
    const rg_forces forces = {rg_srm_forces(s->integrator), s, force_name, force_values};

    if (forces.n == 0) return RG_OK;
    snprintf(solution->detail, sizeof solution->detail, "%s", rg_srm_choice(s->integrator));
    if (rg_srm_warning(s->integrator)[0] != '\0')
        RG_TRY(rg_problem_warn(s->problem, "%s", rg_srm_warning(s->integrator)));
    return rg_solution_set_forces(solution, &forces);
}

rg_status rg_regularize_finish(const rg_solver *s, rg_solution *solution)
{
    const rg_srm_passage *passage;
    const int64_t n = rg_srm_passages(s->integrator, &passage);

    for (int64_t k = 0; k < n; k++)
        RG_TRY(rg_solution_add_singular(solution, passage[k].t, passage[k].lost));
    return RG_OK;
}
