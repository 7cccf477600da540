/* Consistent start values of text models. */
#include "unit/newton/start_model.h"

#define PENDULUM(data)                                                                             \
    "param m = 1, l = 1, g = 9.81\n" data "\n"                                                     \
    "var lambda\n"                                                                                 \
    "p' = u\n"                                                                                     \
    "q' = v\n"                                                                                     \
    "m*u' = -p*lambda\n"                                                                           \
    "m*v' = -q*lambda - m*g\n"                                                                     \
    "0 = p^2 + q^2 - l^2\n"                                                                        \
    "over t = 0 .. 10\n"

static void test_pendulum(void)
{
    start_model m = open_model(PENDULUM("var p = 1, q = 0, u = 0, v = 0"));

    if (check_found(&m)) {
        CHECK_NEAR(value_of(&m, "lambda"), 0, 1e-15);
        CHECK_NEAR(value_of(&m, "v'"), -9.81, 1e-14);
        CHECK(value_of(&m, "p") == 1 && value_of(&m, "q") == 0);
        CHECK_INT(m.p->study->n_warnings, 0);
        CHECK(m.c->is_computed[0][4] && !m.c->is_computed[0][0] && m.c->is_computed[1][0]);
    }
    close_model(&m);
}

/* lambda = (m (u^2 + v^2) - m g q) / l^2 */
static void test_moving_pendulum(void)
{
    start_model m = open_model(PENDULUM("var p = 0.6, q ~ -1, u = 0.8*2, v = 0.6*2"));

    if (check_found(&m)) {
        CHECK_NEAR(value_of(&m, "q"), -0.8, 1e-15);
        CHECK_NEAR(value_of(&m, "lambda"), 4 + 9.81 * 0.8, 1e-13);
        CHECK(value_of(&m, "p") == 0.6 && value_of(&m, "u") == 0.8 * 2);
        CHECK_INT(m.p->study->n_warnings, 1);
        CHECK(warns_of(&m, "'q' from -1 to -0.8"));
    }
    close_model(&m);
}

/* The guess lies on the other side of the dead centre q = 0: the solution stays there. */
static void test_branch(void)
{
    start_model m = open_model(PENDULUM("var p = 0.6, q ~ 0.01, u, v = 0.3"));

    if (check_found(&m)) {
        CHECK_NEAR(value_of(&m, "q"), 0.8, 1e-15);
        CHECK_NEAR(value_of(&m, "u"), -0.8 * 0.3 / 0.6, 1e-15);
    }
    close_model(&m);
    m = open_model(PENDULUM("var p = 0.6, q ~ -0.01, u, v = 0.3"));
    if (check_found(&m)) CHECK_NEAR(value_of(&m, "q"), -0.8, 1e-15);
    close_model(&m);
}

/* Two guesses move to the nearest point of the circle; a velocity guess to the nearest tangent. */
static void test_least_change(void)
{
    start_model m = open_model(PENDULUM("var p ~ 3, q ~ 4, u ~ 1, v ~ 0"));

    if (check_found(&m)) {
        const double p = value_of(&m, "p"), q = value_of(&m, "q");
        const double u = value_of(&m, "u"), v = value_of(&m, "v");
        CHECK_NEAR(p * p + q * q, 1, 1e-15);
        CHECK_NEAR(p * u + q * v, 0, 1e-15);
        /* stationary: the change is a combination of the constraint gradients (2p,2q,0,0),
         * (u,v,p,q) */
        const double mu = ((u - 1) * p + v * q), nu_p = p - 3 - mu * u, nu_q = q - 4 - mu * v;
        CHECK_NEAR((u - 1) * q - v * p, 0, 1e-8);
        CHECK_NEAR(nu_p * q - nu_q * p, 0, 1e-8);
    }
    close_model(&m);
}

/* A guess that nothing else determines is kept, to the last bit. */
static void test_guess_kept(void)
{
    start_model m = open_model(PENDULUM("var p ~ 0.3, q, u, v ~ 0.7"));

    if (check_found(&m)) {
        CHECK(value_of(&m, "p") == 0.3);
        CHECK(value_of(&m, "v") == 0.7);
        CHECK_NEAR(fabs(value_of(&m, "q")), sqrt(1 - 0.09), 1e-15);
        CHECK_INT(m.p->study->n_warnings, 0);
    }
    close_model(&m);
}

static void test_singular_guess(void)
{
    start_model m = open_model(PENDULUM("var p = 0.6, q ~ 0, u = 0, v = 0"));

    if (check_found(&m)) CHECK_NEAR(fabs(value_of(&m, "q")), 0.8, 1e-15);
    close_model(&m);
}

/* F = y^m is rounding where y is not yet: half or a third of the digits without the leap. */
static void test_multiple_roots(void)
{
    start_model m = open_model(PENDULUM("var p = 1, q ~ 0.3, u = 0, v"));

    if (check_found(&m)) CHECK_NEAR(value_of(&m, "q"), 0, 1e-13);
    close_model(&m);
    m = open_model(PENDULUM("var p = 1, q, u = 0, v"));
    if (check_found(&m)) CHECK_NEAR(value_of(&m, "q"), 0, 1e-13);
    close_model(&m);
    m = open_model("var x = 3e5, y ~ -2e5, f\nx'' = -f*x\ny'' = -f*y - 9.81\n"
                   "x^2 + y^2 = 9e10\nover t = 0 .. 1\n");
    if (check_found(&m)) CHECK_NEAR(value_of(&m, "y"), 0, 3e5 * 1e-13);
    close_model(&m);
    m = open_model("var x = 3, a ~ 0.4, b ~ 0.3\n2*cos(a) + cos(b) = x\n2*sin(a) = sin(b)\n"
                   "x'' = 1\nover t = 0 .. 1\n"); /* stretched crank: fourth powers remain */
    if (check_found(&m)) {
        CHECK_NEAR(value_of(&m, "a"), 0, 1e-10);
        CHECK_NEAR(value_of(&m, "b"), 0, 1e-10);
    }
    close_model(&m);
    m = open_model("var x = 0, y ~ 1\nx' = y\n(y - 0.3)^3 = x\nover t = 0 .. 1\n");
    if (check_found(&m)) CHECK_NEAR(value_of(&m, "y"), 0.3, 1e-13);
    close_model(&m);
}

static void test_nothing_known(void)
{
    start_model m = open_model(PENDULUM("var p, q, u, v"));

    if (check_found(&m)) {
        CHECK_NEAR(fabs(value_of(&m, "p")), 1, 1e-15);
        CHECK(value_of(&m, "q") == 0 && value_of(&m, "v") == 0);
        CHECK(warns_of(&m, "'q', 'v'"));
        CHECK_INT(m.p->study->n_warnings, 1);
    }
    close_model(&m);
    m = open_model("var a[i=1..8]\nfor i = 1..8 { a[i]' = i }\nover t = 0 .. 1\n");
    if (check_found(&m)) CHECK(warns_of(&m, "'a[5]' and 3 more"));
    close_model(&m);
}

/* Before data are refused, the unknowns without data have begun elsewhere: where guesses that are
 * no data have not led them, and where equations give them. */
static void test_other_starts(void)
{
    static const char acid[] = "h = 10^lh\noh = 1e-14/h\nh + na = oh + 1e-6/(1e-5 + h)\nna' = 0.1\n"
                               "over t = 0 .. 0.1\n";
    static const char *const guesses[] = {"lh ~ -4.4, h, oh", "lh ~ -1, h, oh", "lh, h, oh",
                                          "oh, h, lh"};
    char text[256];
    start_model m = open_model("var x = 1, x' = -2, y ~ 1\nx' = y\ny^2 = 4*x^2\nover t = 0 .. 1\n");

    if (check_found(&m)) CHECK(value_of(&m, "x'") == -2 && value_of(&m, "y") == -2);
    close_model(&m);
    for (size_t k = 0; k < sizeof guesses / sizeof *guesses; k++) {
        snprintf(text, sizeof text, "var %s, na = 0.02\n%s", guesses[k], acid);
        m = open_model(text);
        if (check_found(&m)) CHECK_NEAR(value_of(&m, "lh"), -4.399022227, 1e-9);
        close_model(&m);
    }
}

/* Among several solutions guesses of highest derivatives choose before those of other unknowns. */
static void test_rank_of_guesses(void)
{
    start_model m = open_model("var x = 1, x' ~ -1, y ~ 1\nx' = y\ny^2 = 4*x^2\nover t = 0 .. 1\n");

    if (check_found(&m)) CHECK_NEAR(value_of(&m, "y"), -2, 1e-15);
    close_model(&m);
    m = open_model("var y ~ -1, x = 1, x' ~ 1\ny^2 = 4*x^2\nx' = y\nover t = 0 .. 1\n");
    if (check_found(&m)) CHECK_NEAR(value_of(&m, "y"), 2, 1e-15);
    close_model(&m);
}

/* What depends on a value that nothing determines is determined by it. */
static void test_nothing_behind(void)
{
    static const struct {
        const char *text, *names;
    } models[] = {
        {"var x, z\nx' = -x\nz = x + 1\nover t = 0 .. 1\n",                     "'x'"     },
        {"var a, b, i\na' = i - a\nb' = -i\ni = (a - b)/10\nover t = 0 .. 1\n", "'a', 'b'"},
        {"var x[i=1..3], y\nfor i = 1..3 { x[i]' = -x[i] + y }\nstart x[1] = 1\nstart x[2] ~ 2\n"
         "y = x[1] + x[2] + x[3]\nover t = 0 .. 1\n",                  "'x[3]'"  },
        {"param R = 1e3, C = 1e-6\nvar u1 = 1, u2, i\nC*u1' = -i\nC*u2' = i\ni = (u1 - u2)/R\n"
         "over t = 0 .. 1e-3\n",                                       "'u2'"    },
    };
    char expected[128];

    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        start_model m = open_model(models[k].text);
        snprintf(expected, sizeof expected, "nothing determines the start value of %s: 0 is taken",
                 models[k].names);
        CHECK_INT(m.status, RG_OK);
        if (!CHECK(warns_of(&m, expected)) && m.p->study->n_warnings > 0)
            printf("    %s\n", m.p->study->warnings[0]);
        CHECK_INT(m.p->study->n_warnings, 1);
        close_model(&m);
    }
}

static void check_refused(const char *text, const char *message, const char *remedy, int line)
{
    start_model m = open_model(text);
    const rg_error *e = rg_last_error(m.ctx);

    CHECK_INT(m.status, RG_ERR_INCONSISTENT);
    if (!CHECK(strstr(e->message, message) != NULL)) printf("    %s\n", e->message);
    if (!CHECK(strstr(e->remedy, remedy) != NULL)) printf("    %s\n", e->remedy);
    CHECK_INT(e->line, line);
    CHECK(m.c == NULL);
    close_model(&m);
}

static void test_contradictions(void)
{
    check_refused(PENDULUM("var p = 1, q = 1, u = 0, v = 0"),
                  "contradict line 8, which has the residual 1", "write 'p ~ 1' instead of 'p = 1'",
                  8);
    check_refused(PENDULUM("var p = 1, q = 0, u = 1, v = 0"), "the first derivative of line 8",
                  "write 'u ~ 1' instead of 'u = 1'", 8);
    check_refused(PENDULUM("var p = 2, q ~ 0.5, u = 0, v = 0"), "contradict line 8",
                  "write 'p ~ 2' instead of 'p = 2'", 8);
    check_refused("var x = 1, x' = 3\nx' = -2*x\nover t = 0 .. 1\n", "line 2", "write 'x' ~ 3'", 2);
    check_refused("var y[i=1..3] = i\ny[1]' = y[2]\ny[2]' = 0\ny[3] = y[1] + 5\nover t = 0 .. 1\n",
                  "line 4", "line 1 gives a value to 'y[3]' too, which has no derivative", 4);
    check_refused(
        "var u[i=0..3]\nfor i = 1..2 {\n  u[i]' = u[i-1] - 2*u[i] + u[i+1]\n  start u[i] = i\n}\n"
        "u[0] = 0\nu[3] = u[2]\nover t = 0 .. 1\nstart u[0] = 1\n",
        "contradict line 6", "line 9 gives this value to 'u[0]'", 6);
    /* the derivative of an algebraic unknown is checked too, although no equation has it */
    check_refused("var x = 1, y = 2, y' = 5\nx' = 1\ny = 2*x\nover t = 0 .. 1\n",
                  "the first derivative of line 3", "write 'y' ~ 5'", 3);
}

/* Of a constraint and its derivatives the first that is missed is named, with its own residual. */
static void test_first_violated(void)
{
    check_refused(PENDULUM("var p = 0.6000001, q = -0.8, u = 0.8, v = 0.6"),
                  "contradict line 8, which has the residual 1.2e-07", "'q ~ -0.8'", 8);
    check_refused("var p = 0.6, q = -0.8, u = 0.8, v = 0.6, lambda = 9\np' = u\nq' = v\n"
                  "u' = -p*lambda\nv' = -q*lambda - 9.81\n0 = p^2 + q^2 - 1\nover t = 0 .. 1\n",
                  "the second derivative of line 6, which has the residual 0.304", "lambda ~ 9", 6);
    start_model m = open_model(PENDULUM("var p = 0.600000001, q = -0.8, u = 0.8, v = 0.6"));
    CHECK_INT(m.status, RG_OK);
    CHECK(warns_of(&m, "because line 8 was missed by 6e-10"));
    close_model(&m);
    m = open_model("var p = 0.6, q ~ -0.8, u ~ 1, v, lambda = 16.848\np' = u\nq' = v\n"
                   "u' = -p*lambda\nv' = -q*lambda - 9.81\n0 = p^2 + q^2 - 1\nover t = 0 .. 1\n");
    CHECK_INT(m.status, RG_OK);
    CHECK(warns_of(&m, "to satisfy the second derivative of line 6: 'u' from 1 to 2.4"));
    close_model(&m);
}

static void test_repair(void)
{
    start_model m = open_model(PENDULUM("var p = 0.577350269, q = 0.816496581, u = 0, v = 0"));

    if (check_found(&m)) {
        CHECK_NEAR(value_of(&m, "p"), 0.577350269, 1e-9);
        CHECK_NEAR(hypot(value_of(&m, "p"), value_of(&m, "q")), 1, 1e-15);
        CHECK(value_of(&m, "u") == 0 && value_of(&m, "v") == 0);
        CHECK(warns_of(&m, "line 8") && warns_of(&m, "'p', 'q'"));
    }
    close_model(&m);
    m = open_model(PENDULUM("var p = cos(pi/2), q = 1, u = 3, v = sin(pi)")); /* rounding only */
    CHECK_INT(m.status, RG_OK);
    CHECK_INT(m.p->study->n_warnings, 0);
    CHECK(value_of(&m, "p") == cos(acos(-1) / 2) && value_of(&m, "q") == 1);
    close_model(&m);
}

/* Of the solutions u and pi - u, .. the guess takes its own; derivatives that begin at 0 led the
 * iteration to u = -18.5. */
static void test_nearer(void)
{
    start_model m = open_model("let X = 0.7*exp(-t), Y = 0.6 + 0.5*cos(t), U = 0.37 + 0.1*sin(t)\n"
                               "var x = 0.7, y = 1.1, u ~ 0.37\n"
                               "x' + 0.01*y = X' + 0.01*Y\n"
                               "y' + 0.3*sin(u) + x^2 = Y' + 0.3*sin(U) + X^2\n"
                               "x + 0.2*sin(x) = X + 0.2*sin(X)\n"
                               "over t = 0 .. 2\n");

    if (check_found(&m)) CHECK_NEAR(value_of(&m, "u"), 0.37, 1e-9);
    close_model(&m);
}

static void test_poor_guess(void)
{
    start_model m = open_model("var x ~ 10\nx^3 + x = 2\nover t = 0 .. 1\n");

    if (check_found(&m)) CHECK_NEAR(value_of(&m, "x"), 1, 1e-15);
    close_model(&m);
    m = open_model("var x ~ 100\natan(x) = 0.5\nover t = 0 .. 1\n"); /* plain Newton diverges */
    if (check_found(&m)) CHECK_NEAR(value_of(&m, "x"), tan(0.5), 1e-15);
    close_model(&m);
    m = open_model("var x ~ 50, y\nlog(x) + y = 3\nsqrt(y) = x/10\nover t = 0 .. 1\n");
    if (check_found(&m)) CHECK_NEAR(log(value_of(&m, "x")) + value_of(&m, "y"), 3, 1e-14);
    close_model(&m);
    m = open_model("var x, y\nx*y = 1\nx = 4*y\nover t = 0 .. 1\n"); /* singular at 0 */
    if (check_found(&m)) CHECK_NEAR(fabs(value_of(&m, "x")), 2, 1e-15);
    close_model(&m);
}

/* The slope of the root is infinite, but nothing depends on it. */
static void test_infinite_slope(void)
{
    start_model m = open_model("var x = 0, y\nx' = sqrt(x) + y\ny = 2 + x\nover t = 0 .. 1\n");

    if (check_found(&m)) CHECK(value_of(&m, "x'") == 2);
    close_model(&m);
}

static void check_no_solution(const char *text)
{
    start_model m = open_model(text);

    CHECK_INT(m.status, RG_ERR_CONVERGENCE);
    CHECK(rg_last_error(m.ctx)->message[0] != 0 && rg_last_error(m.ctx)->remedy[0] != 0);
    close_model(&m);
}

static void test_no_solution(void)
{
    check_no_solution("var x ~ 1\nx^2 = -1\nover t = 0 .. 1\n");
    check_no_solution("var x ~ 1\nexp(x) = -1\nover t = 0 .. 1\n");
    check_no_solution("var x = -1, y\nx' = y\ny = log(x)\nover t = 0 .. 1\n");
    check_no_solution("var x\nexp(exp(exp(x^2 + 10))) = 1\nover t = 0 .. 1\n");
}

static void find_miss(int level, const char *text, void *user)
{
    double lambda, *miss = user;

    (void)level;
    sscanf(text, "start values: Levenberg-Marquardt, lambda %lf, miss %lf", &lambda, miss);
}

/* Damped Newton ends beside the solution; Levenberg-Marquardt gets there when it is damped more
 * after every step that failed. */
static void test_marquardt(void)
{
    start_model m = open_model("var x = 1\nx' = -x\nover t = 0 .. 1\n");
    rg_problem *p = NULL;
    double miss = INFINITY;

    rg_context_set_log(m.ctx, find_miss, 2, &miss);
    CHECK_INT(rg_problem_from_text(m.ctx,
                                   "var x ~ 3.1, y ~ 4.1\n"
                                   "0 = x + 0.2*y^3 + x^3 - 1.5*sin(2*y) - 1.6\n"
                                   "0 = 0.4*x^2 - 0.6*sqrt(y) + 1.1*y - 2.5\nover t = 0 .. 1\n",
                                   &p),
              RG_OK);
    CHECK_INT(rg_make_consistent(p, NULL), RG_OK);
    CHECK(miss < 1e-4);
    rg_problem_destroy(&p);
    close_model(&m);
}

static void count_marquardt(int level, const char *text, void *user)
{
    (void)level;
    if (strstr(text, "Levenberg-Marquardt") != NULL) ++*(int *)user;
}

/* Steps that shrink by little look like those to a root of high multiplicity: all of them at once
 * led to where exp(-y) has no slope, and another method had to come back from there. */
static void test_no_multiple_root(void)
{
    static const char *const texts[] = {"exp(-y) = 1e-3*x", "exp(-y) = 1e-8*x",
                                        "exp(-y)/(1 + y) = 1e-5*x"};
    char text[160];

    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        start_model m = {0};
        int n = 0;
        snprintf(text, sizeof text, "var x = 1, y ~ 0\nx' = -x\n%s\nover t = 0 .. 1\n", texts[k]);
        m.status = rg_context_create(&m.ctx);
        if (m.status == RG_OK) rg_context_set_log(m.ctx, count_marquardt, 2, &n);
        if (m.status == RG_OK) m.status = rg_problem_from_text(m.ctx, text, &m.p);
        if (m.status == RG_OK) m.status = rg_analysis_get(m.p, &m.a);
        if (m.status == RG_OK) m.status = rg_consistent_create(m.p, m.a, m.p->a, &m.c);
        if (check_found(&m)) CHECK_INT(n, 0);
        close_model(&m);
    }
}

static const test_case cases[] = {
    {"pendulum",         test_pendulum        },
    {"moving_pendulum",  test_moving_pendulum },
    {"branch",           test_branch          },
    {"least_change",     test_least_change    },
    {"guess_kept",       test_guess_kept      },
    {"singular_guess",   test_singular_guess  },
    {"multiple_roots",   test_multiple_roots  },
    {"no_multiple_root", test_no_multiple_root},
    {"nothing_known",    test_nothing_known   },
    {"other_starts",     test_other_starts    },
    {"rank_of_guesses",  test_rank_of_guesses },
    {"nothing_behind",   test_nothing_behind  },
    {"contradictions",   test_contradictions  },
    {"first_violated",   test_first_violated  },
    {"repair",           test_repair          },
    {"nearer",           test_nearer          },
    {"poor_guess",       test_poor_guess      },
    {"infinite_slope",   test_infinite_slope  },
    {"no_solution",      test_no_solution     },
    {"marquardt",        test_marquardt       },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
