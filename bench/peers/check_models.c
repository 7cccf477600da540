/* The Jacobians of models.c against central differences at perturbed start points; exit status 1 if
 * one is wrong. */
#include "models.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double worst_entry(const peer_model *m)
{
    const size_t n = (size_t)m->n;
    double *y = calloc(4 * n + n * n, sizeof *y), *yp = y + n, *f1 = yp + n, *f2 = f1 + n,
           *J = f2 + n;
    double worst = 0.0;

    if (y == NULL) return INFINITY;
    m->start(y, yp);
    for (int i = 0; i < m->n; i++)
        y[i] += 0.01 * sin(1.0 + 2.0 * i) * (fabs(y[i]) + 0.1 * (i % 3 == 0));
    m->J(0.1 * m->t_end, y, J);
    for (int j = 0; j < m->n; j++) {
        const double kept = y[j], d = 1e-6 * fmax(fabs(kept), 1e-3);
        y[j] = kept + d;
        m->f(0.1 * m->t_end, y, f1);
        y[j] = kept - d;
        m->f(0.1 * m->t_end, y, f2);
        y[j] = kept;
        for (int i = 0; i < m->n; i++) {
            const double rounding = 1e-10 * (fabs(f1[i]) + 1e-3) / d, entry = J[j * m->n + i];
            const double off = fabs((f1[i] - f2[i]) / (2 * d) - entry) - rounding;
            worst = fmax(worst, off / fmax(fabs(entry), 1e-12));
        }
    }
    free(y);
    return worst;
}

int main(void)
{
    int bad = 0;

    for (int k = 0; k < peer_model_count; k++) {
        const double worst = worst_entry(&peer_models[k]);
        if (!(worst < 1e-4)) {
            printf("%s %s: Jacobian is off by %g\n", peer_models[k].name, peer_models[k].form,
                   worst);
            bad = 1;
        }
    }
    return bad;
}
