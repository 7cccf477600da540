/* Index, degrees of freedom, redundancy and singular starts of known models. */
#include "structure/analysis.h"
#include "support/test.h"
#include "unit/structure/models.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name, *text;
    int index, dof;
    bool is_structural, is_singular_start;
    int n_redundant;
    const char *variable_index; /* a digit per unknown, or NULL */
} known;

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
    {"index 1 chain",     index_1_chain,        1, 2,  true,  false, 0, NULL             },
    {"cancelling",        cancelling,           1, 1,  false, false, 0, "11"             },
    {"cancelling moving", cancelling_moving,    1, 1,  false, false, 0, "11"             },
    {"singular start",    singular_start,       1, 1,  true,  true,  0, "11"             },
    {"unknown root",      unknown_root,         1, 1,  true,  false, 0, "11"             },
    {"double constraint", double_constraint,    3, 2,  false, false, 1, NULL             },
    {"control chain",     control_chain,        5, 0,  true,  false, 0, "12345"          },
    {"second order",      second_order_ode,     0, 4,  true,  false, 0, "11"             }
};

static void print_log(int level, const char *text, void *user)
{
    (void)user;
    printf("  log %d: %s\n", level, text);
}

static void check_known(const known *k)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    const rg_analysis *a = NULL;
    CHECK(rg_context_create(&ctx) == RG_OK);
    if (getenv("RG_TEST_LOG") != NULL) rg_context_set_log(ctx, print_log, 3, NULL);
    const bool ok =
        rg_problem_from_text(ctx, k->text, &p) == RG_OK && rg_analysis_get(p, &a) == RG_OK;
    if (!CHECK(ok)) rg_error_print(rg_last_error(ctx), stdout);
    if (ok) {
        const bool same = CHECK_INT(a->index, k->index) & CHECK_INT(a->dof, k->dof)
                          & CHECK_INT(a->is_structural, k->is_structural)
                          & CHECK_INT(a->is_singular_start, k->is_singular_start)
                          & CHECK_INT(a->n_redundant, k->n_redundant);
        if (!same) printf("  in model: %s\n", k->name);
        for (size_t j = 0; k->variable_index != NULL && j < strlen(k->variable_index); j++)
            if (!CHECK_INT(a->variable_index[j], k->variable_index[j] - '0'))
                printf("  in model: %s, unknown %d\n", k->name, (int)j + 1);
    }
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

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

/* Bricard's mechanism in natural coordinates: points P1..P4 and unit axes e1..e4 of the joints, P0, e0, P5, e5 fixed.
 * Each rod: |P_k - P_{k-1}| = 1, both axes perpendicular to it and to each other.  24 constraints of rank 23. */
typedef struct {
    char text[60000];
    size_t used;
} writer;

static void put(writer *w, const char *format, ...) RG_PRINTF(2, 3);
static void put(writer *w, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    w->used += (size_t)vsnprintf(w->text + w->used, sizeof w->text - w->used, format, list);
    va_end(list);
}

static const double joint[6][3] = {
    {0, 0,  0},
    {1, 0,  0},
    {1, -1, 0},
    {1, -1, 1},
    {0, -1, 1},
    {0, 0,  1}
};
static const double axis[6][3] = {
    {0, 1, 0},
    {0, 0, 1},
    {1, 0, 0},
    {0, 1, 0},
    {0, 0, 1},
    {1, 0, 0}
};

/* Coordinate x of joint k (or of its axis) as text: a name, or a number for the fixed ones. */
static void coordinate(char out[16], char kind, int k, int x)
{
    if (k == 0 || k == 5)
        snprintf(out, 16, "%g", kind == 'P' ? joint[k][x] : axis[k][x]);
    else
        snprintf(out, 16, "%c%d%c", kind, k, "xyz"[x]);
}

/* The factors of constraint number c of a rod: u . v - constant, u and v each rod (r), e_{k-1} (a) or e_k (b). */
static const char pair[4][2] = {
    {'r', 'r'},
    {'r', 'a'},
    {'r', 'b'},
    {'a', 'b'}
};

static void factor(char out[48], char what, int rod, int x)
{
    char p[16], q[16];
    if (what == 'r') {
        coordinate(p, 'P', rod, x);
        coordinate(q, 'P', rod - 1, x);
        snprintf(out, 48, "(%s - (%s))", p, q);
    } else {
        coordinate(out, 'e', what == 'a' ? rod - 1 : rod, x);
    }
}

/* d(factor)/d(coordinate of joint k): 1, -1 or 0. */
static int derivative(char what, int rod, char kind, int k)
{
    if (what == 'r') return kind == 'P' ? (k == rod) - (k == rod - 1) : 0;
    return kind == 'e' && k == (what == 'a' ? rod - 1 : rod);
}

static void write_force(writer *w, char kind, int k, int x)
{
    char f[48];
    for (int rod = 1; rod <= 5; rod++)
        for (int c = 0; c < 4; c++)
            for (int side = 0; side < 2; side++) {
                const int s = derivative(pair[c][side], rod, kind, k);
                factor(f, pair[c][1 - side], rod, x);
                if (s != 0) put(w, " %c L%d%d*%s", s > 0 ? '-' : '+', rod, c, f);
            }
    if (kind == 'e') put(w, " - 2*N%d*e%d%c", k, k, "xyz"[x]);
}

static void write_bricard(writer *w)
{
    char f[48], g[48];
    for (int k = 1; k <= 4; k++)
        for (int x = 0; x < 3; x++) {
            const char n = "xyz"[x];
            put(w, "var P%d%c = %g, P%d%c' = 0, e%d%c = %g, e%d%c' = 0\n", k, n, joint[k][x], k, n,
                k, n, axis[k][x], k, n);
        }
    for (int rod = 1; rod <= 5; rod++)
        for (int c = 0; c < 4; c++)
            put(w, "var L%d%d\n", rod, c);
    for (int k = 1; k <= 4; k++)
        put(w, "var N%d\n", k);
    for (int k = 1; k <= 4; k++)
        for (int x = 0; x < 3; x++) {
            put(w, "P%d%c'' = %s", k, "xyz"[x], x == 1 ? "-9.81" : "0");
            write_force(w, 'P', k, x);
            put(w, "\n0.1*e%d%c'' = 0", k, "xyz"[x]);
            write_force(w, 'e', k, x);
            put(w, "\n");
        }
    for (int rod = 1; rod <= 5; rod++)
        for (int c = 0; c < 4; c++) {
            put(w, "0 = %s", c == 0 ? "-1" : "0");
            for (int x = 0; x < 3; x++) {
                factor(f, pair[c][0], rod, x);
                factor(g, pair[c][1], rod, x);
                put(w, " + %s*%s", f, g);
            }
            put(w, "\n");
        }
    for (int k = 1; k <= 4; k++)
        put(w, "0 = e%dx^2 + e%dy^2 + e%dz^2 - 1\n", k, k, k);
    put(w, "over t = 0 .. 1\n");
}

static void test_bricard(void)
{
    writer *w = calloc(1, sizeof *w);
    write_bricard(w);
    const known bricard = {"bricard", w->text, 3, 2, false, false, 1, NULL};
    check_known(&bricard);
    free(w);
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
    check_error(contradiction,
                "the equations contradict each other: line 3 cannot hold together with the others",
                3);
}

static const test_case cases[] = {
    {"models",           test_models          },
    {"transfer example", test_transfer_example},
    {"bricard",          test_bricard         },
    {"errors",           test_errors          }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
