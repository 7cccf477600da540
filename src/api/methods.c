#include "api/methods.h"

#include "ivp/bdf/bdf.h"
#include "ivp/radau/radau.h"
#include "ivp/srm/srm.h"

#include <string.h>

/* (clang-format 14 crashes on this table.) */
/* clang-format off */
static const rg_method method_table[] = {
    {"radau",
     "initial values, F(t, y, y') = 0, any index (above 2: reduced, hidden constraints kept)", "tol rtol atol step h_first h_max stages max_steps max_newton formulation",
     "Radau IIA, orders 5, 9, 13 (1 with --stages 1); Hairer, Lubich, Roche (1989); Hairer, "
     "Wanner (1996), IV.8, (1999)",                                                                                                                                                                                                                     3, 1, 7, &rg_radau_method    },
    {"bdf",
     "initial values, F(t, y, y') = 0, any index (above 1: reduced, hidden constraints kept)", "tol rtol atol h_first h_max max_steps max_newton formulation",
     "backward differentiation formulas, orders 1 to 5: IDA of SUNDIALS, where regula was built "
     "with it",                                                                                                                                                                                                                                         1, 0, 0, &rg_bdf_method      },
    {"srm",
     "initial and boundary values, x' = f - B y, 0 = g (index 2); x'' = f - B y, 0 = g (index 3); initial values, "
     "x^(n) = f - B y (index n + 1); passes singular points",                                                                        "step tol rtol atol h_first h_max variant scheme eps iterations E y0 alpha1 alpha2 alpha3 delta layer guess max_steps max_newton",
     "sequential regularization; Ascher, Lin (1993, 1995)",                                                                                                                                                                                 9, 0, 0, &rg_srm_method      },
    {"baumgarte",          "the same models as srm, away from singular points",
     "step tol gamma scheme max_steps",                                                                                                                                            "Baumgarte (1972), in the form of Ascher, Lin (1995), (4.3)",        3, 0, 0, &rg_baumgarte_method},
    {"penalty",            "the same models as srm",                                           "step tol variant eps gamma E scheme max_steps",
     "the first iteration of srm from y = 0, and two regularizations; Lin's thesis, (2.26) to (2.28)",                                                                                                                                                                         3, 0, 0,
     &rg_penalty_method                                                                                                                                                                                                                                                              },
    {"augmented-lagrangian", "the same models as srm",
     "step tol eps gamma iterations delta scheme max_steps",
     "penalty with multipliers iterated at every evaluation; Lin's thesis, (2.13), (2.14)", 3, 0, 0, &rg_augmented_method},
    {"park-chiou", "the same models as srm, index 2, away from singular points",
     "step tol eps scheme max_steps",
     "penalty with a rate equation for y; Ascher, Lin (1993), (3.5a), (3.7)", 3, 0, 0, &rg_park_chiou_method},
    {"invariant",          "the same models as srm, away from singular points",
     "step tol gamma scheme max_steps",                                                                                                                                            "stabilized invariants; Ascher, Lin (1995), (4.10) with F of (5.2)", 3, 0, 0,
     &rg_invariant_method                                                                                                                                                                                                                                                            },
    {"post-stabilization", "the same models as srm, away from singular points",
     "step tol passes scheme max_steps",                                                                                                                                           "Ascher, Lin (1995), (5.2): corrections after every step",
     3,                                                                                                                                                                                                                                                    0, 0, &rg_post_method     },
    {"collocation",
     "boundary values, any index (above 1: reduced, hidden constraints kept), unknown constants",
     "tol rtol atol stages nodes step guess continue max_steps max_newton",
     "Gauss, Radau or Lobatto collocation on an adaptive mesh; Ascher, Mattheij, Russell (1995)",
     1, 1, 7, NULL},
    {"transfer",
     "boundary values of linear models, index 1, conditions at any points",
     "tol rtol atol step h_first h_max stages scheme variant initial newton guess max_steps",
     "Abramov transfer by normalised Gauss steps, Radau IIA or BDF; Abramov (1961), Balla, Maerz (1996), Petry",
     1, 1, 7, NULL},
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
    for (int k = 0; k < N_METHODS; k++)
        if (strcmp(method_table[k].name, name) == 0) return &method_table[k];
    return NULL;
}

const rg_method *rg_method_choose(const rg_problem *p)
{
    return p->is_boundary ? rg_method_find("collocation") : &method_table[0];
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
