/* Index, degrees of freedom, redundancy and singular starts of known models. */
#include "unit/structure/known.h"
#include "unit/structure/models.h"

#include <math.h>
#include <stdio.h>

/* More constraints than coordinates; as many forces. */
static const char triple_constraint[] = "var x = 1, y = 0, x' = 0, y' = 0, l, m, n\n"
                                        "x'' = -(l + m + n)*x\ny'' = -(l + m + n)*y - 9.81\n"
                                        "x^2 + y^2 = 1\n2*x^2 + 2*y^2 = 2\n3*x^2 + 3*y^2 = 3\n"
                                        "over t = 0 .. 1\n";

static const known models[] = {
    {"pendulum 3",        pendulum_3,           3, 2,  true,  false, 0, "11223"          },
    {"pendulum 2",        pendulum_2,           2, 3,  true,  false, 0, "11112"          },
    {"pendulum 1",        pendulum_1,           1, 4,  true,  false, 0, "11111"          },
    {"pendulum ggl",      pendulum_ggl,         2, 2,  true,  false, 0, "111122"         },
    {"pendulum second",   pendulum_second,      3, 2,  true,  false, 0, "113"            },
    {"amplifier",         transistor_amplifier, 1, 5,  false, false, 0, "11111111"       },
    {"ring modulator",    ring_modulator,       0, 15, true,  false, 0, NULL             },
    {"ring modulator 0",  ring_modulator_cs0,   2, 10, false, false, 0, "112222111111111"},
    {"car axis",          car_axis,             3, 4,  true,  false, 0, "1111222233"     },
    {"index 1 chain",     index_1_chain,        1, 2,  true,  false, 0, "11111"          },
    {"cancelling",        cancelling,           1, 1,  false, false, 0, "11"             },
    {"cancelling moving", cancelling_moving,    1, 1,  false, false, 0, "11"             },
    {"singular start",    singular_start,       1, 1,  true,  true,  0, "11"             },
    {"dead centre",       dead_centre,          3, 2,  true,  true,  0, NULL             },
    {"unknown root",      unknown_root,         1, 1,  true,  false, 0, "11"             },
    {"double constraint", double_constraint,    3, 2,  false, false, 1, NULL             },
    {"triple constraint", triple_constraint,    3, 2,  false, false, 2, NULL             },
    {"control chain",     control_chain,        5, 0,  true,  false, 0, "12345"          },
    {"second order",      second_order_ode,     0, 4,  true,  false, 0, "11"             }
};

static void test_models(void)
{
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        check_known(&models[k]);
}

/* A y' + B y = q with A = E diag(1,1,1,0,0) F^-1: dense, rank 3 (Abramov transfer, section 6.2). */
static void test_transfer_example(void)
{
    enum { N = 5 };
    double E[N][N], F[N][2 * N], A[N][N], B3[N][N];
    char text[8192];
    int used = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            static const double base[N] = {-1, -2, 1, 2, 3};
            E[i][j] = pow(j + 1, i + 1);
            F[i][j] = pow(base[j], i + 1);
            F[i][N + j] = i == j;
        }
    for (int k = 0; k < N; k++) { /* Gauss-Jordan with row exchange */
        int pivot = k;
        for (int i = k; i < N; i++)
            if (fabs(F[i][k]) > fabs(F[pivot][k])) pivot = i;
        for (int j = 0; j < 2 * N; j++) {
            const double f = F[k][j];
            F[k][j] = F[pivot][j];
            F[pivot][j] = f;
        }
        for (int i = 0; i < N; i++) {
            const double f = F[i][k] / F[k][k];
            for (int j = 0; j < 2 * N && i != k; j++)
                F[i][j] -= f * F[k][j];
        }
    }
    used += snprintf(text + used, sizeof text - (size_t)used, "var y1, y2, y3, y4, y5\n");
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            A[i][j] = B3[i][j] = 0;
            for (int k = 0; k < N; k++) {
                const double f = E[i][k] * F[k][N + j] / F[k][k];
                if (k < 3) A[i][j] += f;
                if (k >= 2) B3[i][j] += f; /* all three factors as t + 1, at t = 0 no matter */
            }
            used +=
                snprintf(text + used, sizeof text - (size_t)used,
                         "(%.17g)*y%d' + (%.17g)*(t + 1)*y%d + ", A[i][j], j + 1, B3[i][j], j + 1);
        }
        used += snprintf(text + used, sizeof text - (size_t)used, "0 = sin(%d*t)\n", i + 1);
    }
    snprintf(text + used, sizeof text - (size_t)used, "over t = 0 .. 1\n");
    const known example = {"transfer", text, 1, 3, false, false, 0, "11111"};
    check_known(&example);
}

static void check_error(const char *text, const char *message, int line)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    const rg_analysis *a = NULL;
    CHECK(rg_context_create(&ctx) == RG_OK);
    if (CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)) {
        CHECK_INT(rg_analysis_get(p, &a), RG_ERR_STRUCTURE);
        CHECK_TEXT(rg_last_error(ctx)->message, message);
        CHECK_INT(rg_last_error(ctx)->line, line);
        CHECK(rg_last_error(ctx)->remedy[0] != '\0');
        CHECK(a == NULL);
    }
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_errors(void)
{
    check_error("var x = 1\nvar y, z\nx' = y\ny = x\nover t = 0 .. 1\n",
                "nothing determines 'z': 2 equations, 3 unknowns", 2);
    check_error("var x = 1, y, z\nx' = y + z\ny + z = x\nover t = 0 .. 1\n",
                "2 equations cannot determine the 3 unknowns 'x', 'y' and 'z' (2 equations, 3 "
                "unknowns in all)",
                1);
    check_error("var x = 1, y\nx' = 1\nx = 2\ny = x\nover t = 0 .. 1\n",
                "2 equations compete for 1 unknown: line 2 and line 3 (3 equations, 2 unknowns in "
                "all)",
                3);
    check_error("var x = 1, y, z\nx' = y + z\nx = 1\nx = 1 + t^2\nover t = 0 .. 1\n",
                "the equations contradict each other: line 4 cannot hold together with the others",
                4);
    check_error(contradiction,
                "the equations contradict each other: line 3 cannot hold together with the others",
                3);
}

static const test_case cases[] = {
    {"models",           test_models          },
    {"transfer example", test_transfer_example},
    {"errors",           test_errors          }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
