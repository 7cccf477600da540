/* The index does not depend on units: models in capital letters, each of which is a small one times
 * a unit, 1e-9 to 1e9 by chance, with units of two of them 1e9 to 1e12 apart. */
#include "base/random.h"
#include "structure/analysis.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { UNKNOWNS = 5, DRAWS = 250, TEXT = 4096 };

typedef struct {
    const char *names, *starts[UNKNOWNS]; /* one letter each; NULL: none is given */
    const char *equations;
    int index, dof;
} model;

static const model MODELS[] = {
    {"pquvl",
     {"1", "0", "0", "0", NULL},
     "P' = U\nQ' = V\nU' = -P*L\nV' = -Q*L - 9.81\nP^2 + Q^2 = 1\n",      3,
     2},
    {"qpvul",
     {"0", "1", "0", "0", NULL},
     "P' = U\nQ' = V\nU' = -P*L\nV' = -Q*L - 9.81\nP*P' + Q*V = 0\n",     2,
     3},
    {"xyzuw",
     {"1", "0", "0", NULL, NULL},
     "X' = Y + W\nY' = U - X\nZ' = X*Y\nX^2 + Y = 1\nW = X*Z\n",          2,
     2},
    {"xyzuw", /* the structure says 3: Y + Z has no highest derivative */
     {"1", "2", NULL, NULL, NULL},
     "X' + Y + Z = 0\nY' + Z' = W\nU = X*Y\nW = X - U\nZ = Y + sin(t)\n", 1,
     2},
};

static rg_context *ctx;

static double part(uint64_t draw, uint64_t k)
{
    return 2.0 * rg_random(draw, k) - 1.0;
}

static void write_model(const model *m, uint64_t draw, char *text)
{
    double unit[UNKNOWNS];
    size_t used = 0;

    for (uint64_t j = 0; j < UNKNOWNS; j++)
        unit[j] = pow(10.0, 9.0 * part(draw, j));
    const double apart = 9.0 + 3.0 * rg_random(draw, 20);
    unit[1] = unit[0] * pow(10.0, part(draw, 21) < 0.0 ? -apart : apart);
    for (int j = 0; j < UNKNOWNS; j++) {
        const char small = m->names[j], large = (char)(small - 'a' + 'A');
        used += (size_t)snprintf(text + used, TEXT - used, "param a%c = %.6g\nvar %c", small,
                                 unit[j], small);
        if (m->starts[j] != NULL)
            used += (size_t)snprintf(text + used, TEXT - used, " = %s/a%c", m->starts[j], small);
        used +=
            (size_t)snprintf(text + used, TEXT - used, "\nlet %c = a%c*%c\n", large, small, small);
    }
    snprintf(text + used, TEXT - used, "%sover t = 0 .. 2\n", m->equations);
}

static void test_index(void)
{
    for (size_t k = 0; k < sizeof MODELS / sizeof *MODELS; k++)
        for (int draw = 0; draw < DRAWS; draw++) {
            char text[TEXT];
            rg_problem *p = NULL;
            const rg_analysis *a = NULL;
            write_model(&MODELS[k], 1000 * (k + 1) + (uint64_t)draw, text);
            if (CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK)
                && CHECK_INT(rg_analysis_get(p, &a), RG_OK)
                && !(CHECK_INT(a->index, MODELS[k].index) && CHECK_INT(a->dof, MODELS[k].dof)))
                printf("%s\n", text);
            rg_problem_destroy(&p);
        }
}

/* Two coils and, at their node, a capacitor with a resistance that lead nowhere else: q' = C (v' -
 * w') determines w', and nothing but q' does q'. */
static const char *const COILS = "param L = %.3g, M = %.3g, C = %.3g, R = %.3g\n"
                                 "var v, w, i, q = 0, j = 0.01\nL*i' = v\nM*j' = 1 - v\n"
                                 "q = C*(w - v)\n0 = i - q' - j + (v - w)/R\n"
                                 "0 = q' - (v - w)/R\nover t = 0 .. %.3g\n";

static void test_coils(void)
{
    for (uint64_t draw = 1; draw <= DRAWS; draw++) {
        const double L = pow(10.0, 4.0 * part(draw, 0) - 4.0), M = L * pow(10.0, part(draw, 1));
        const double C = pow(10.0, 4.0 * part(draw, 2) - 7.0), R = pow(10.0, 2.0 * part(draw, 3));
        char text[TEXT];
        rg_problem *p = NULL;
        const rg_analysis *a = NULL;
        snprintf(text, sizeof text, COILS, L, M, C, R, 0.1 * L / R);
        if (CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK)
            && CHECK_INT(rg_analysis_get(p, &a), RG_OK)
            && !(CHECK_INT(a->index, 2) && CHECK_INT(a->dof, 2)))
            printf("%s\n", text);
        rg_problem_destroy(&p);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"index in any units", test_index},
        {"small capacitors",   test_coils}
    };

    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int failed = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return failed;
}
