/* Profiles along a ray of the ring flow (src/pdae/annulus): the solution, upwind differences, and
 * the closed form of their limit, as CSV for `make figures`. */
#include "pdae/annulus/annulus.h"

#include <math.h>
#include <stdio.h>

enum { N = 256 };

int main(void)
{
    const rg_annulus p = {1e-8, 1, 2, 0, 1};
    const double h = 4.0 / N;
    rg_annulus_errors e;
    double ray[N / 2 + 1];
    rg_context *ctx = NULL;

    if (rg_context_create(&ctx) != RG_OK || rg_annulus_cartesian(ctx, &p, N, &e, ray) != RG_OK)
        return 1;
    printf("r,solution,upwind,limit\n");
    for (int i = 0; i <= N / 2; i++)
        if (!isnan(ray[i]))
            printf("%.6f,%.6f,%.6f,%.6f\n", i * h, rg_annulus_exact(&p, i * h), ray[i],
                   rg_annulus_spurious(&p, h, i * h));
    rg_context_destroy(&ctx);
    return 0;
}
