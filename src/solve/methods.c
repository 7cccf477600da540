/* The table of methods.  A new method adds its row here; everything else of it is in its folder. */
#include "solve/methods.h"

#include "bvp/collocation/collocation.h"
#include "bvp/srm/srm.h"
#include "bvp/transfer/transfer.h"
#include "bvp/turning/turning.h"
#include "ivp/bdf/bdf.h"
#include "ivp/extrapolation/extrapolation.h"
#include "ivp/half_explicit/half_explicit.h"
#include "ivp/irk/irk.h"
#include "ivp/lobatto_pair/lobatto_pair.h"
#include "ivp/radau/radau.h"
#include "ivp/rosenbrock/rosenbrock.h"
#include "ivp/srm/srm.h"

#include <string.h>

/* In the order of `regula methods`.  (clang-format 14 crashes on this table.) */
/* clang-format off */
static const rg_method method_table[] = {
    {.name = "radau",
     .solves = "initial values, F(t, y, y') = 0, any index (above 2: reduced, hidden "
               "constraints kept)",
     .options = "tol rtol atol step h_first h_max stages max_steps max_newton formulation sliding",
     .source = "Radau IIA, orders 5, 9, 13 (1 with --stages 1); Hairer, Lubich, Roche (1989); "
               "Hairer, Wanner (1996), IV.8, (1999)",
     .max_direct_index = 3,
     .min_stages = 1,
     .max_stages = 7,
     .has_formulation = true,
     .can_be_watched = true,
     .is_general = true,
     .stages = 3,
     .theory = rg_order_radau,
     .ivp = &rg_radau_method,
     .ivp_even = &rg_radau2a_method},
    {.name = "gauss",
     .solves = "initial values, F(t, y, y') = 0, any index (reduced where a component does not "
               "converge)",
     .options = "step tol rtol atol h_first h_max stages max_steps max_newton formulation "
                "projected",
     .source = "Gauss, order 2s; Hairer, Wanner (1996), IV.5, VII.4",
     .max_direct_index = 3,
     .min_stages = 1,
     .max_stages = 7,
     .stages = 3,
     .has_formulation = true,
     .can_be_watched = true,
     .is_undamped = true,
     .can_project = true,
     .theory = rg_order_gauss,
     .ivp = &rg_gauss_method},
    {.name = "radau1a",
     .solves = "initial values, F(t, y, y') = 0, any index (reduced where a component does not "
               "converge)",
     .options = "step stages max_steps max_newton formulation projected",
     .source = "Radau IA, order 2s - 1, fixed steps; Hairer, Wanner (1996), IV.5, VII.4",
     .max_direct_index = 3,
     .min_stages = 1,
     .max_stages = 7,
     .stages = 3,
     .has_formulation = true,
     .can_be_watched = true,
     .can_project = true,
     .theory = rg_order_radau1a,
     .ivp = &rg_radau1a_method},
    {.name = "lobatto3a",
     .solves = "initial values, F(t, y, y') = 0, any index (reduced where a component does not "
               "converge)",
     .options = "step tol rtol atol h_first h_max stages max_steps max_newton formulation",
     .source = "Lobatto IIIA, order 2s - 2; Hairer, Wanner (1996), IV.5, VII.4",
     .max_direct_index = 3,
     .min_stages = 2,
     .max_stages = 7,
     .stages = 3,
     .has_formulation = true,
     .can_be_watched = true,
     .theory = rg_order_lobatto3a,
     .ivp = &rg_lobatto3a_method},
    {.name = "lobatto3c",
     .solves = "initial values, F(t, y, y') = 0, any index (reduced where a component does not "
               "converge)",
     .options = "step tol rtol atol h_first h_max stages max_steps max_newton formulation",
     .source = "Lobatto IIIC, order 2s - 2; Hairer, Wanner (1996), IV.5, VII.4",
     .max_direct_index = 3,
     .min_stages = 2,
     .max_stages = 7,
     .stages = 3,
     .has_formulation = true,
     .can_be_watched = true,
     .theory = rg_order_lobatto3c,
     .ivp = &rg_lobatto3c_method},
    {.name = "sdirk",
     .solves = "initial values, F(t, y, y') = 0, any index (reduced where a component does not "
               "converge)",
     .options = "step tol rtol atol h_first h_max order max_steps max_newton formulation",
     .source = "stiffly accurate SDIRK, orders 2, 3, 4; Alexander (1977), Hairer, Wanner (1996), "
               "(IV.6.16)",
     .max_direct_index = 3,
     .min_order = 2,
     .max_order = 4,
     .order = 4,
     .has_formulation = true,
     .can_be_watched = true,
     .theory = rg_order_sdirk,
     .ivp = &rg_sdirk_method},
    {.name = "rosenbrock",
     .solves = "initial values, F(t, y, y') = 0 of index 0 and 1 (above: reduced, hidden "
               "constraints kept)",
     .options = "tol rtol atol step h_first h_max scheme max_steps formulation",
     .source = "RODAS, order 4(3), linearly implicit; Hairer, Wanner (1996), VI.4",
     .max_direct_index = 1,
     .order = 4,
     .has_formulation = true,
     .can_be_watched = true,
     .is_linear_implicit = true,
     .theory = rg_order_rosenbrock,
     .ivp = &rg_rosenbrock_method},
    {.name = "half-explicit",
     .solves = "initial values, x' = f(x, y, t), 0 = g(x, t) (index 2); mechanics, x'' = f, with "
               "constraints on positions (index 3) and velocities; not stiff",
     .options = "tol rtol atol step h_first h_max order max_steps",
     .source = "orders 2 to 4: half-explicit midpoint rule, HEM3, HEM4, Brasey, Hairer (1993); 5: "
               "PHEM56, Murua (1997)",
     .max_direct_index = 3,
     .min_order = 2,
     .max_order = 5,
     .order = 5,
     .can_be_watched = true,
     .theory = rg_order_half_explicit,
     .ivp = &rg_half_explicit_method},
    {.name = "dopri",
     .solves = "initial values of index 0, not stiff: M(x) x' = f, M(x) x'' = f",
     .options = "tol rtol atol step h_first h_max max_steps",
     .source = "explicit pair of Dormand and Prince, order 5(4); Hairer, Norsett, Wanner (1993), "
               "II.5",
     .max_direct_index = 3, /* it says itself that there are constraints */
     .order = 5,
     .theory = rg_order_dopri,
     .ivp = &rg_dopri_method},
    {.name = "extrapolation",
     .solves = "initial values; --scheme midpoint: x' = f - B y, 0 = g(x, t) (index 2) and "
               "mechanics; euler3: mechanics of index 3; seulex: F(t, y, y') = 0 of index 0 and 1, "
               "reduced above",
     .options = "tol rtol atol step h_first h_max scheme order max_steps",
     .source = "extrapolated half-explicit midpoint rule and Euler method, linearly implicit Euler "
               "method; Lubich (1991), Hairer, Wanner (1996), VI.5, VII.6",
     .max_direct_index = 3,
     .min_order = 1,
     .max_order = 16,
     .can_be_watched = true,
     .direct_index = rg_extrapolation_direct_index,
     .is_linear_implicit = true,
     .theory = rg_order_extrapolation,
     .ivp = &rg_extrapolation_method},
    {.name = "lobatto-pair",
     .solves = "initial values, mechanics of index 3: x'' = f, 0 = g(x, t); fixed steps, symmetric",
     .options = "step stages max_steps",
     .source = "Lobatto IIIA-IIIB, order 2s - 2, both levels of constraints; Jay (1996)",
     .max_direct_index = 3,
     .min_stages = 2,
     .max_stages = 5,
     .stages = 3,
     .can_be_watched = true,
     .keeps_invariants = true,
     .theory = rg_order_lobatto_pair,
     .ivp = &rg_lobatto_pair_method},
    {.name = "bdf",
     .solves = "initial values, F(t, y, y') = 0, any index (above 1: reduced, hidden "
               "constraints kept)",
     .options = "tol rtol atol h_first h_max max_steps max_newton formulation",
     .source = "backward differentiation formulas, orders 1 to 5: IDA of SUNDIALS, where "
               "regula was built with it",
     .max_direct_index = 1,
     .has_formulation = true,
     .can_be_watched = true,
     .ivp = &rg_bdf_method},
    {.name = "srm",
     .solves = "initial and boundary values, x' = f - B y, 0 = g (index 2); x'' = f - B y, 0 = "
               "g (index 3); initial values, x^(n) = f - B y (index n + 1); passes singular "
               "points",
     .options = "step tol rtol atol h_first h_max variant scheme eps iterations E y0 alpha1 "
                "alpha2 alpha3 delta passes window mesh layer guess max_steps max_newton",
     .source = "sequential regularization; Ascher, Lin (1993, 1995)",
     .max_direct_index = 9,
     .passes_singular = true,
     .has_mesh = true,
     .continues = true,
     .variant_count = rg_srm_row_count,
     .variant_at = rg_srm_row_at,
     .steps_by_scheme = true,
     .ivp = &rg_srm_method,
     .bvp = rg_bvp_srm_boundary_solve},
    {.name = "baumgarte",
     .solves = "initial and boundary values of the same models as srm, away from singular points",
     .options = "step tol rtol atol gamma scheme mesh guess max_steps max_newton",
     .source = "Baumgarte (1972), in the form of Ascher, Lin (1995), (4.3)",
     .max_direct_index = 3,
     .has_mesh = true,
     .steps_by_scheme = true,
     .ivp = &rg_baumgarte_method,
     .bvp = rg_bvp_srm_boundary_solve},
    {.name = "penalty",
     .solves = "the same models as srm",
     .options = "step tol variant eps gamma E scheme mesh max_steps",
     .source = "the first iteration of srm from y = 0, and two regularizations; Lin's thesis, "
               "(2.26) to (2.28)",
     .max_direct_index = 3,
     .variant_count = rg_srm_row_count,
     .variant_at = rg_srm_row_at,
     .steps_by_scheme = true,
     .ivp = &rg_penalty_method},
    {.name = "augmented-lagrangian",
     .solves = "the same models as srm",
     .options = "step tol eps gamma iterations delta scheme mesh max_steps",
     .source = "penalty with multipliers iterated at every evaluation; Lin's thesis, (2.13), "
               "(2.14)",
     .max_direct_index = 3,
     .steps_by_scheme = true,
     .ivp = &rg_augmented_method},
    {.name = "park-chiou",
     .solves = "the same models as srm, index 2, away from singular points",
     .options = "step tol eps scheme mesh max_steps",
     .source = "penalty with a rate equation for y; Ascher, Lin (1993), (3.5a), (3.7)",
     .max_direct_index = 3,
     .steps_by_scheme = true,
     .ivp = &rg_park_chiou_method},
    {.name = "invariant",
     .solves = "the same models as srm, away from singular points",
     .options = "step tol variant gamma scheme mesh max_steps",
     .source = "stabilized invariants; Ascher, Lin (1995), (4.10)",
     .max_direct_index = 3,
     .variant_count = rg_srm_row_count,
     .variant_at = rg_srm_row_at,
     .steps_by_scheme = true,
     .ivp = &rg_invariant_method},
    {.name = "post-stabilization",
     .solves = "the same models as srm, away from singular points",
     .options = "step tol passes scheme mesh max_steps",
     .source = "Ascher, Lin (1995), (5.2): corrections after every step",
     .max_direct_index = 3,
     .steps_by_scheme = true,
     .ivp = &rg_post_method},
    {.name = "collocation",
     .solves = "boundary values, any index (above 1: reduced, hidden constraints kept), "
               "unknown constants",
     .options = "tol rtol atol stages nodes step guess continue max_steps max_newton",
     .source = "Gauss, Radau or Lobatto collocation on an adaptive mesh; Ascher, Mattheij, "
               "Russell (1995)",
     .max_direct_index = 1,
     .min_stages = 1,
     .max_stages = 7,
     .has_mesh = true,
     .continues = true,
     .is_general = true,
     .bvp = rg_collocation_solve},
    {.name = "transfer",
     .solves = "boundary values of linear models, index 1, conditions at any points",
     .options = "tol rtol atol step h_first h_max stages scheme variant initial newton guess "
                "max_steps",
     .source = "Abramov transfer by normalised Gauss steps, Radau IIA or BDF; Abramov (1961), "
               "Balla, Maerz (1996), Petry",
     .max_direct_index = 1,
     .min_stages = 1,
     .max_stages = 7,
     .bvp = rg_transfer_solve},
    {.name = "turning-point",
     .solves = "boundary values, -eps u'' - b(x,u) u' + c(x,u) = 0 with one zero of b, u given at "
               "both ends; error M (h + eps) whatever eps",
     .options = "intervals variant tol rtol atol",
     .source = "initial value method and conservation form; Lin's thesis, chapter 6.1",
     .max_direct_index = 1,
     .has_mesh = true,
     .has_given_mesh = true,
     .variant_count = rg_turning_variant_count,
     .variant_at = rg_turning_variant_at,
     .bvp = rg_turning_point_solve},
};
/* clang-format on */
enum { N_METHODS = sizeof method_table / sizeof *method_table };

int rg_method_count(void)
{
    return N_METHODS;
}

rg_method_info rg_method_at(int k)
{
    if (k < 0 || k >= N_METHODS) return (rg_method_info){"", "", "", ""};
    const rg_method *m = &method_table[k];
    return (rg_method_info){m->name, m->solves, m->options, m->source};
}

const rg_method *rg_method_find(const char *name)
{
    if (name == NULL) return NULL;
    for (int k = 0; name != NULL && k < N_METHODS; k++)
        if (strcmp(method_table[k].name, name) == 0) return &method_table[k];
    return NULL;
}

int rg_variant_count(const char *method)
{
    const rg_method *m = rg_method_find(method);

    return m != NULL && m->variant_count != NULL ? m->variant_count(method) : 0;
}

rg_variant_info rg_variant_at(const char *method, int k)
{
    if (k < 0 || k >= rg_variant_count(method)) return (rg_variant_info){"", "", "", 0};
    return rg_method_find(method)->variant_at(method, k);
}

const rg_method *rg_method_choose(const rg_problem *p)
{
    const rg_method *m = method_table;

    while (!m->is_general || (p->is_boundary ? m->bvp == NULL : m->ivp == NULL))
        m++;
    return m;
}

const rg_method *rg_method_asked(const rg_problem *p, const char *name)
{
    return strcmp(name, "auto") == 0 ? rg_method_choose(p) : rg_method_find(name);
}

int rg_method_theory(const rg_method *m, const rg_options *o, rg_order_question q)
{
    q.stages = o->stages > 0 ? o->stages : m->stages;
    q.order = o->order > 0 ? o->order : m->order;
    q.scheme = o->scheme;
    q.is_projected = strcmp(o->projected, "on") == 0;
    return m->theory != NULL ? m->theory(&q) : -1;
}

void rg_method_sign(const rg_method *m, const rg_options *o, rg_solution *s)
{
    const char *why = strcmp(o->method, "auto") != 0 ? "asked for by name"
                      : s->problem->is_boundary
                          ? "chosen: takes boundary values of any index"
                          : "chosen: takes any index, stiff or not, and most digits per step";

    snprintf(s->why, sizeof s->why, "%s", why);
    snprintf(s->method, sizeof s->method, "%s", m->name);
    s->has_mesh = m->has_mesh && s->problem->is_boundary;
}

rg_status rg_method_check(rg_context *ctx, const char *name)
{
    const char *names[N_METHODS + 1] = {"auto"};

    if (strcmp(name, "auto") == 0 || rg_method_find(name) != NULL) return RG_OK;
    for (int k = 0; k < N_METHODS; k++)
        names[k + 1] = method_table[k].name;
    const char *nearest = rg_nearest_word(name, N_METHODS + 1, names);
    rg_fail(ctx, RG_ERR_ARGUMENT, "unknown method '%s'", name);
    if (nearest != NULL) return rg_remedy(ctx, "did you mean '%s'?", nearest);
    return rg_remedy(ctx, "'regula methods' lists the methods; 'auto' chooses one");
}
