/* The structured elimination against a known solution: random blocks, and modes that grow and decay
 * by 1e30. */
#include "support/test.h"

#include "bvp/collocation/chain.h"

#include <math.h>
#include <string.h>

enum { M = 3, N = 12, NODES = 3 };

static double stir(int k)
{
    const uint32_t bits = ((uint32_t)k + 1u) * 2654435761u;

    return (double)((bits ^ (bits >> 15)) * 2246822519u) / 2147483648.0 - 1.0;
}

static void check_chain(const double *Gamma, int64_t n, const int64_t *node, const double *B,
                        double tol)
{
    rg_context *ctx = NULL;
    rg_chain *c = NULL;
    double exact[(200 + 1) * M], gamma[200 * M], beta[M] = {0}, u[(200 + 1) * M];

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    if (CHECK(rg_chain_create(ctx, M, n, NODES, node, &c) == RG_OK)) {
        for (int k = 0; k < (n + 1) * M; k++)
            exact[k] = stir(7 * k + 3);
        memcpy(c->Gamma, Gamma, sizeof(double) * (size_t)(n * M * M));
        memcpy(c->B, B, sizeof(double) * NODES * M * M);
        for (int64_t i = 0; i < n; i++)
            for (int r = 0; r < M; r++) {
                gamma[i * M + r] = exact[(i + 1) * M + r];
                for (int j = 0; j < M; j++)
                    gamma[i * M + r] -= Gamma[i * M * M + j * M + r] * exact[i * M + j];
            }
        for (int k = 0; k < NODES; k++)
            for (int j = 0; j < M; j++)
                for (int r = 0; r < M; r++)
                    beta[r] += B[(k * M + j) * M + r] * exact[node[k] * M + j];
        CHECK(rg_chain_factor(c) == RG_OK);
        rg_chain_solve(c, gamma, beta, u);
        for (int k = 0; k < (n + 1) * M; k++)
            CHECK_NEAR(u[k], exact[k], tol);
    }
    rg_chain_destroy(&c);
    rg_context_destroy(&ctx);
}

/* Conditions that read all three nodes. */
static void test_random(void)
{
    const int64_t node[NODES] = {0, 5, N};
    double Gamma[N * M * M], B[NODES * M * M];

    for (int k = 0; k < N * M * M; k++)
        Gamma[k] = stir(k);
    for (int k = 0; k < NODES * M * M; k++)
        B[k] = stir(5 * k + 11);
    check_chain(Gamma, N, node, B, 1e-10);
}

/* Gamma = diag(2, 1/2, 1) turned by a fixed reflection, 100 times: shooting would lose 2^100.  The
 * decaying mode is given on the left, the growing one on the right. */
static void test_dichotomy(void)
{
    enum { LONG = 200 };
    const int64_t node[NODES] = {0, LONG / 2, LONG};
    const double mode[M] = {2.0, 0.5, 1.0}, v[M] = {1 / sqrt(3), 1 / sqrt(3), 1 / sqrt(3)};
    static double Gamma[LONG * M * M];
    double Q[M][M], B[NODES * M * M] = {0};

    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            Q[i][j] = (i == j) - 2 * v[i] * v[j];
    for (int64_t s = 0; s < LONG; s++)
        for (int i = 0; i < M; i++)
            for (int j = 0; j < M; j++)
                for (int k = 0; k < M; k++)
                    Gamma[s * M * M + j * M + i] += Q[i][k] * mode[k] * Q[j][k];
    for (int j = 0; j < M; j++) {
        B[((NODES - 1) * M + j) * M + 0] = Q[j][0]; /* the growing mode at the end */
        B[j * M + 1] = Q[j][1];                     /* the decaying one at the start */
        B[(M + j) * M + 2] = Q[j][2];               /* the neutral one in the middle */
    }
    check_chain(Gamma, LONG, node, B, 1e-12);
}

static const test_case cases[] = {
    {"random",    test_random   },
    {"dichotomy", test_dichotomy}
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
