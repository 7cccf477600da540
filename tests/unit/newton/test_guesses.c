/* Guesses of states outrank all others: they stay where the equations allow it, move as little as
 * they can where they do not, and then it is told. */
#include "random/models.h"
#include "unit/newton/start_model.h"

#include <float.h>

#define PENDULUM(data)                                                                             \
    "param m = 1, l = 1, g = 9.81\n" data "\n"                                                     \
    "p' = u\n"                                                                                     \
    "q' = v\n"                                                                                     \
    "m*u' = -p*lam\n"                                                                              \
    "m*v' = -q*lam - m*g\n"                                                                        \
    "0 = p^2 + q^2 - l^2\n"                                                                        \
    "over t = 0 .. 10\n"

enum { SEEDS = 20 };

static void test_pendulum(void)
{
    start_model m = open_model(PENDULUM("var p ~ 0.8, q ~ -0.6, u ~ 0, v ~ 0, lam ~ 0"));

    if (check_found(&m)) {
        CHECK(value_of(&m, "p") == 0.8 && value_of(&m, "q") == -0.6);
        CHECK_NEAR(value_of(&m, "lam"), 5.886, 1e-14);
        CHECK_INT(m.p->study->n_warnings, 0);
    }
    close_model(&m);
    m = open_model(PENDULUM("var p ~ 1, q ~ -1, u ~ 0, v ~ 0, lam ~ 0"));
    if (check_found(&m)) {
        CHECK_NEAR(value_of(&m, "p"), sqrt(0.5), 1e-12);
        CHECK_NEAR(value_of(&m, "q"), -sqrt(0.5), 1e-12);
        CHECK(warns_of(&m, "moved to satisfy line 7: 'p' from 1 to 0.7071068, 'q' from -1 to"));
    }
    close_model(&m);
}

/* A change below a thousandth is not told. */
static void test_small_change(void)
{
    start_model m = open_model(PENDULUM("var p ~ 0.8004, q ~ -0.6, u ~ 0, v ~ 0, lam ~ 0"));

    if (check_found(&m)) {
        CHECK(value_of(&m, "p") != 0.8004);
        CHECK_INT(m.p->study->n_warnings, 0);
    }
    close_model(&m);
}

/* Far algebraic guesses do not pull states. */
static void test_steep_equation(void)
{
    start_model m = open_model("var p ~ 0, v ~ 1, w ~ 0\n"
                               "p' = v\n"
                               "v' = w\n"
                               "w = -100*p - 1e3*v\n"
                               "over t = 0 .. 1\n");

    if (check_found(&m)) {
        CHECK(value_of(&m, "p") == 0 && value_of(&m, "v") == 1);
        CHECK_NEAR(value_of(&m, "w"), -1000, 1e-12);
    }
    close_model(&m);
}

/* Elements of one array: the interior is differentiated, the edges are algebraic.  Small and
 * large systems. */
static void test_mixed_array(void)
{
    char text[1024];

    for (int n = 8; n <= 32; n += 24) {
        snprintf(text, sizeof text,
                 "param N = %d, h = 1/(N-1)\n"
                 "var u[i=1..N, j=1..N] ~ 1\n"
                 "for i = 2..N-1, j = 2..N-1 {\n"
                 "  u[i,j]' = (u[i-1,j] + u[i+1,j] + u[i,j-1] + u[i,j+1] - 4*u[i,j])/h^2\n"
                 "}\n"
                 "for i = 1..N, k = 0..1 {\n"
                 "  u[i,1+k*(N-1)]*(1 + h) = u[i,2+k*(N-3)]\n"
                 "}\n"
                 "for j = 2..N-1, k = 0..1 {\n"
                 "  u[1+k*(N-1),j]*(1 + h) = u[2+k*(N-3),j]\n"
                 "}\n"
                 "over t = 0 .. 1\n",
                 n);
        start_model m = open_model(text);
        if (check_found(&m)) {
            for (int64_t k = 0; k < m.p->n; k++) {
                const int64_t i = k / n, j = k % n;
                const bool is_inside = i > 0 && i < n - 1 && j > 0 && j < n - 1;
                if (is_inside) CHECK(m.c->value[0][k] == 1);
            }
            CHECK_NEAR(value_of(&m, "u[1,3]"), 1 / (1 + 1.0 / (n - 1)), 1e-14);
            CHECK_INT(m.p->study->n_warnings, 0);
        }
        close_model(&m);
    }
}

/* 1.5 cos(pi/2) is a rounding error of 0, not a value with a scale of its own. */
static void test_tiny_guess(void)
{
    const char *const data[] = {"y1' ~ 1, y2' ~ 1.5*cos(pi/2)", "y2' ~ 1.5*cos(pi/2)"};
    char text[256];

    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text,
                 "var y1 = 0, y2 = 1, %s\ny1' + y2' = 1\ny1' - y2' = -y1\nover t = 0 .. 1\n",
                 data[k]);
        start_model m = open_model(text);
        if (check_found(&m)) CHECK_NEAR(value_of(&m, "y2'"), 0.5, 1e-15);
        close_model(&m);
    }
}

/* Rounding errors that move are not told, nor those that follow from them; small values are. */
static void test_tiny_move(void)
{
    static const char *const texts[] = {
        "var x ~ 1e-17, y ~ cos(pi/2), u ~ 1, v ~ 0, l\nx'' = u*l\ny' = v\nx + y = 0\nu = 1 + x\n"
        "v = l\nover t = 0 .. 1\n",
        "var x ~ 1e-17, y ~ cos(pi/2), u ~ 1, v ~ 0, l, z\nx'' = u*l\ny' = v\nx + y = 0\nu = 1 + "
        "x\n"
        "v = l\nz = 1e17*x\nover t = 0 .. 1\n",
        "var x ~ 1e-17, y ~ 2e-17, l\nx' = l\ny' = x - l\nx + y = 5e-17\nover t = 0 .. 1\n"};

    for (int k = 0; k < 3; k++) {
        start_model m = open_model(texts[k]);
        if (check_found(&m)) CHECK_INT(warns_of(&m, "guesses of states moved"), k > 0);
        close_model(&m);
    }
}

/* Far below any scale: the forces of a rope with weights of 1e-290, and squares that underflow. */
static void test_smallest_numbers(void)
{
    static const double sizes[] = {1e-100, 1e-215, 1e-223, 1e-290, 1e-305, 5e-322};
    char text[256];

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const double f = sizes[k];
        snprintf(text, sizeof text,
                 "param f = %g\nvar x = 0, x' = 0, y = 0, y' = 0\nvar l\nx'' = f + l\ny'' = -l\n"
                 "x = y\nover t = 0 .. 10\n",
                 f);
        start_model m = open_model(text);
        if (check_found(&m)) CHECK_NEAR(value_of(&m, "l"), -f / 2, fmax(1e-12 * f, DBL_MIN));
        CHECK_INT(m.p->study->n_warnings, 0);
        close_model(&m);
        snprintf(text, sizeof text, "var x = 0\nvar z\nx' = z\nz = %g*(1 + t)\nover t = 0 .. 10\n",
                 f);
        m = open_model(text);
        if (check_found(&m)) CHECK_NEAR(value_of(&m, "z"), f, fmax(1e-12 * f, DBL_MIN));
        CHECK_INT(m.p->study->n_warnings, 0);
        close_model(&m);
    }
}

/* Highest derivatives come before guesses of algebraic unknowns. */
static void test_order_of_guesses(void)
{
    start_model m = open_model("var x, x' ~ 2, y ~ 5\nx' = y - 1\ny = x^3 + x\nover t = 0 .. 1\n");

    if (check_found(&m)) {
        CHECK_NEAR(value_of(&m, "x'"), 2, 1e-15);
        CHECK_NEAR(value_of(&m, "y"), 3, 1e-15);
    }
    close_model(&m);
}

/* Picofarads beside farads. */
static void test_small_capacitance(void)
{
    start_model m = open_model("param C1 = 1e-12, C2 = 1, R = 1\n"
                               "var u1 ~ 0, u2 ~ 0, i1 ~ 0, i2 ~ 0, us ~ 0\n"
                               "C1*u1' = i1\n"
                               "C2*u2' = i2\n"
                               "us = 1 + sin(t)\n"
                               "us - u1 = R*(i1 + i2)\n"
                               "us - u2 = R*(i1 + 2*i2)\n"
                               "over t = 0 .. 1\n");

    if (check_found(&m)) {
        CHECK(value_of(&m, "u1") == 0 && value_of(&m, "u2") == 0);
        CHECK_NEAR(value_of(&m, "u1'"), 1e12, 1e-3);
    }
    close_model(&m);
    m = open_model("param C1 = 1e-12, C2 = 1, R = 1\n" /* C2 floats, C1 goes to the ground */
                   "var u1 = 0, u2 = 0\n"
                   "C2*(u1' - u2') = (1 + sin(t) - u1)/R\n"
                   "C2*(u2' - u1') + C1*u2' = -u2/R\n"
                   "over t = 0 .. 1\n");
    if (CHECK_INT(m.status, RG_OK)) CHECK_NEAR(value_of(&m, "u2'") / 1e12, 1, 1e-3);
    close_model(&m);
}

/* Multiplies the guesses of the states by up to 1 +- part. */
static double disturb(rg_problem *p, int n_states, uint64_t seed, double part)
{
    double sum = 0;

    for (int r = 0; r < p->start_orders; r++) {
        for (int j = 0; j < n_states && p->start[r].kind != NULL; j++) {
            const int step = (int)((seed * 7 + (uint64_t)(j * 13 + r * 5)) % 21);
            const double change = p->start[r].value[j] * part * (step / 10.0 - 1);
            if (p->start[r].kind[j] == RG_START_NONE) continue;
            p->start[r].value[j] += change;
            sum += change * change;
        }
    }
    return sqrt(sum);
}

static double distance(const start_model *m, int n_states)
{
    double sum = 0;

    for (int r = 0; r < m->p->start_orders; r++) {
        for (int j = 0; j < n_states && m->p->start[r].kind != NULL; j++) {
            const double change = m->c->value[r][j] - m->p->start[r].value[j];
            if (m->p->start[r].kind[j] != RG_START_NONE) sum += change * change;
        }
    }
    return sqrt(sum);
}

/* Guesses that are right stay to the last bit.  Off by part, they are not farther from the result
 * than from the values that they were made from. */
static void check_random(const random_request *r, double part)
{
    static random_model model;
    start_model m = {0};

    random_model_make(r, &model);
    m.status = rg_context_create(&m.ctx);
    if (m.status == RG_OK) m.status = rg_problem_from_text(m.ctx, model.text, &m.p);
    if (m.status == RG_OK) m.status = rg_analysis_get(m.p, &m.a);
    const double limit = m.status == RG_OK ? disturb(m.p, model.n_states, r->seed, part) : 0;
    if (m.status == RG_OK) m.status = rg_consistent_create(m.p, m.a, m.p->a, &m.c);
    if (!CHECK_INT(m.status, RG_OK)) {
        printf("    kind %d, seed %d\n", (int)r->kind, (int)r->seed);
    } else {
        CHECK(distance(&m, model.n_states) <= 1.000001 * limit);
        for (int j = model.n_states; j < model.n_states + model.n_rest && part == 0; j++)
            CHECK_NEAR(m.c->value[0][j], random_model_exact(&model, j, 0, m.p->a), 1e-11);
    }
    close_model(&m);
}

static void test_random(void)
{
    for (int kind = 0; kind < RANDOM_KINDS; kind++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            if (!test_takes((int)seed + kind)) continue;
            random_request r = {.kind = (random_kind)kind,
                                .seed = seed,
                                .scale = 1,
                                .length = 2,
                                .units = 1,
                                .start = RANDOM_GUESS,
                                .is_array = seed % 2 == 0};
            check_random(&r, 0);
            check_random(&r, 0.1);
        }
    }
}

/* `param p ~ 3` is found from the data or refused: its guess is no answer.  Guesses of algebraic
 * unknowns are no data, those of states are.  400 cells: above the size of full matrices. */
static void test_unknown_constants(void)
{
    static const struct {
        const char *text;
        double p; /* NaN: nothing determines it */
    } MODELS[] = {
        {"param p ~ 3\nvar x ~ 1\nx' = -p*x\nover t = 0 .. 1\nboundary x(0) = 1\n",   NAN},
        {"param p ~ 3\nvar x = 1\nx' = -p*x\nover t = 0 .. 1\n",                      NAN},
        {"param p ~ 3\nvar x = 1, x' ~ -2\nx' = -p*x\nover t = 0 .. 1\n",             NAN},
        {"param p ~ 3\nvar x = 1, x' = -2\nx' = -p*x\nover t = 0 .. 1\n",             2.0},
        {"param p ~ 3\nvar x = 1\nx' = -p*x\nover t = 0 .. 1\nboundary x'(0) = -2\n", 2.0},
        {"param p ~ 3\nvar x ~ 1, y ~ 2\nx' = -p*x + y\n0 = x - 1 - t\nover t = 0 .. 1\n"
         "boundary x(0) = 1\n",                                              NAN},
        {"param p ~ 3\nvar x ~ 1, y ~ 2\nx' = -p*x + y\n0 = x - 1 - t\nover t = 0 .. 1\n"
         "boundary y(0) = 4\n",                                              3.0},
        {"param p ~ 3\nvar x[i=1..400] = 1\nfor i = 1..400 {\nx[i]' = -p*x[i]\n}\n"
         "over t = 0 .. 1\n",                                                NAN},
        {"param p ~ 3\nvar x[i=1..400] = 1\nfor i = 1..400 {\nx[i]' = -p*x[i]\n}\n"
         "over t = 0 .. 1\nboundary x[7]'(0) = -2\n",                        2.0},
    };

    for (size_t k = 0; k < sizeof MODELS / sizeof *MODELS; k++) {
        start_model m = open_model(MODELS[k].text);
        if (isnan(MODELS[k].p)) {
            if (CHECK_INT(m.status, RG_ERR_STRUCTURE))
                CHECK(strstr(rg_last_error(m.ctx)->message, "unknown constant 'p'") != NULL);
        } else if (check_found(&m)) {
            CHECK_NEAR(value_of(&m, "p"), MODELS[k].p, 1e-12);
        }
        close_model(&m);
    }
}

static const test_case cases[] = {
    {"pendulum",          test_pendulum         },
    {"small_change",      test_small_change     },
    {"steep_equation",    test_steep_equation   },
    {"mixed_array",       test_mixed_array      },
    {"tiny_guess",        test_tiny_guess       },
    {"tiny_move",         test_tiny_move        },
    {"smallest_numbers",  test_smallest_numbers },
    {"order_of_guesses",  test_order_of_guesses },
    {"small_capacitance", test_small_capacitance},
    {"unknown_constants", test_unknown_constants},
    {"random",            test_random           },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
