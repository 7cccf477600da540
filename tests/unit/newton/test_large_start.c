/* Start values of systems above RG_DENSE_COLUMNS: square choice, LDL^T, and the same answers as the
 * small ones. */
#include "newton/ldl.h"
#include "newton/step.h"
#include "unit/newton/start_model.h"

#define CHAIN(data)                                                                                \
    "param N = 70, a = 0.6, b = -0.8\n" data "\n"                                                  \
    "var u[i=1..N] = 0, v[i=1..N] = 0, lam[i=1..N]\n"                                              \
    "let dx[i=1..N] = x[i] - if(i == 1, 0, x[i-1])\n"                                              \
    "let dy[i=1..N] = y[i] - if(i == 1, 0, y[i-1])\n"                                              \
    "for i = 1..N {\n"                                                                             \
    "  x[i]' = u[i]\n"                                                                             \
    "  y[i]' = v[i]\n"                                                                             \
    "  u[i]' = -lam[i]*dx[i] + if(i == N, 0, lam[i+1]*dx[i+1])\n"                                  \
    "  v[i]' = -9.81 - lam[i]*dy[i] + if(i == N, 0, lam[i+1]*dy[i+1])\n"                           \
    "  0 = dx[i]^2 + dy[i]^2 - 1\n"                                                                \
    "}\n"                                                                                          \
    "over t = 0 .. 1\n"

static double link_length(const start_model *m, int i)
{
    char name[32];
    double d[2];

    for (int c = 0; c < 2; c++) {
        snprintf(name, sizeof name, "%c[%d]", "xy"[c], i);
        d[c] = value_of(m, name);
        snprintf(name, sizeof name, "%c[%d]", "xy"[c], i - 1);
        if (i > 1) d[c] -= value_of(m, name);
    }
    return hypot(d[0], d[1]);
}

static void test_kept_chain(void)
{
    start_model m = open_model(CHAIN("var x[i=1..N] = a*i, y[i=1..N] = b*i"));

    if (check_found(&m)) {
        CHECK(value_of(&m, "x[70]") == 0.6 * 70);
        CHECK_NEAR(value_of(&m, "lam[70]"), 9.81 * 0.8, 1e-10); /* the last link carries one mass */
        CHECK_INT(m.p->study->n_warnings, 0);
    }
    close_model(&m);
}

static void test_guessed_chain(void)
{
    start_model m = open_model(CHAIN("var x[i=1..N] ~ 0.7*i, y[i=1..N] ~ b*i"));

    if (check_found(&m)) {
        for (int i = 1; i <= 70; i += 23)
            CHECK_NEAR(link_length(&m, i), 1, 1e-13);
        CHECK(value_of(&m, "x[30]") > 0 && value_of(&m, "y[30]") < 0); /* same side */
    }
    close_model(&m);
}

static void test_repaired_chain(void)
{
    start_model m = open_model(CHAIN("var x[i=1..N] = 0.577350269*i, y[i=1..N] = 0.816496581*i"));

    if (check_found(&m)) {
        CHECK(warns_of(&m, "more"));
        CHECK_NEAR(link_length(&m, 50), 1, 1e-14);
        CHECK_NEAR(value_of(&m, "x[50]"), 0.577350269 * 50, 1e-7);
    }
    close_model(&m);
}

static void test_contradictory_chain(void)
{
    start_model m = open_model(CHAIN("var x[i=1..N] = a*i + if(i == 50, 0.1, 0), y[i=1..N] = b*i"));

    CHECK_INT(m.status, RG_ERR_INCONSISTENT);
    CHECK(strstr(rg_last_error(m.ctx)->message, "line 11") != NULL);
    CHECK(strstr(rg_last_error(m.ctx)->remedy, "[50]") != NULL);
    close_model(&m);
}

/* One value for all, also where equations determine it; as many contradictions as edges or
 * pendulums, each with its own value. */
static void test_many_contradictions(void)
{
    static const char plate[] =
        "var u[i=0..N,j=0..N] = 1\n"
        "for i = 1..N-1, j = 1..N-1 {\n"
        "  u[i,j]' = u[i-1,j] + u[i+1,j] + u[i,j-1] + u[i,j+1] - 4*u[i,j]\n"
        "}\n"
        "for i = 0..N { u[i,0] = 0; u[i,N] = 0 }\n"
        "for j = 1..N-1 { u[0,j] = 0; u[N,j] = u[N-1,j] }\nover t = 0 .. 1\n";
    static const char pendulums[] =
        "var p[i=1..N] = 0.6, q[i=1..N] = 0.8000001, u[i=1..N], v[i=1..N], l[i=1..N]\n"
        "for i = 1..N {\n  p[i]' = u[i]\n  q[i]' = v[i]\n  u[i]' = -p[i]*l[i]\n"
        "  v[i]' = -q[i]*l[i] - 9.81\n  p[i]^2 + q[i]^2 = 1\n}\nover t = 0 .. 1\n";
    static const struct {
        int n;
        const char *rest, *message, *remedy;
    } models[] = {
        {8,   plate,     "contradict line 6 [0]", "'for i = ..., j = ... { start u[i,j] = ... }'"},
        {40,  plate,     "contradict line 6 [0]", "line 2 gives a value to 'u[0,0]' too"         },
        {30,  pendulums, "contradict line 8 [1]", "'q[1]' (now 0.8000001)"                       },
        {200, pendulums, "contradict line 8 [1]", "'q[1]' (now 0.8000001)"                       },
    };
    char text[640];

    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        snprintf(text, sizeof text, "param N = %d\n%s", models[k].n, models[k].rest);
        start_model m = open_model(text);
        const rg_error *e = rg_last_error(m.ctx);
        CHECK_INT(m.status, RG_ERR_INCONSISTENT);
        if (!CHECK(strstr(e->message, models[k].message) != NULL)) printf("    %s\n", e->message);
        if (!CHECK(strstr(e->remedy, models[k].remedy) != NULL)) printf("    %s\n", e->remedy);
        close_model(&m);
    }
}

/* Derivatives and fluxes one by one; what has no data is named. */
static void test_heat(void)
{
    const char rest[] = "for i = 1..N { u[i]' = (q[i-1] - q[i])*N }\n"
                        "for i = 1..N-1 { q[i] = -(u[i+1] - u[i])*N }\n"
                        "q[0] = 0\n"
                        "q[N] = 0\n"
                        "over t = 0 .. 1\n";
    char text[512];

    snprintf(text, sizeof text, "param N = 1000\nvar u[i=1..N] = i^2/N, q[i=0..N]\n%s", rest);
    start_model m = open_model(text);
    if (check_found(&m)) CHECK_NEAR(value_of(&m, "q[500]"), -1001, 1e-9);
    close_model(&m);
    snprintf(text, sizeof text, "param N = 1000\nvar u[i=1..N], q[i=0..N]\n%s", rest);
    m = open_model(text);
    if (check_found(&m)) CHECK(warns_of(&m, "'u[5]' and 995 more: 0 is taken"));
    close_model(&m);
}

/* K = [ 1 . 1 ; . 4 2 ; 1 2 -1 ]: solved against a product. */
static void test_ldl(void)
{
    int64_t start[] = {0, 2, 4, 7};
    int32_t row[] = {0, 2, 1, 2, 0, 1, 2};
    const double values[] = {1, 1, 4, 2, 1, 2, -1}, x[] = {1, -2, 3};
    const rg_pattern K = {3, 3, start, row};
    double b[3] = {x[0] + x[2], 4 * x[1] + 2 * x[2], x[0] + 2 * x[1] - x[2]};
    rg_context *ctx = NULL;
    rg_ldl *ldl = NULL;

    CHECK_INT(rg_context_create(&ctx), RG_OK);
    CHECK_INT(rg_ldl_create(ctx, &K, &ldl), RG_OK);
    CHECK_INT(rg_ldl_factor(ldl, values), RG_OK);
    rg_ldl_solve(ldl, b);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(b[k], x[k], 1e-14);
    rg_ldl_destroy(&ldl);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"kept_chain",          test_kept_chain         },
    {"guessed_chain",       test_guessed_chain      },
    {"repaired_chain",      test_repaired_chain     },
    {"contradictory_chain", test_contradictory_chain},
    {"many_contradictions", test_many_contradictions},
    {"heat",                test_heat               },
    {"ldl",                 test_ldl                },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
