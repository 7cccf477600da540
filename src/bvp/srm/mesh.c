/* Moves mesh points of sequential regularization for boundary values away from singular points. */
#include "bvp/srm/srm.h"
#include "bvp/srm/tuning.h"

#include <math.h>

/* L section 5: t_i is moved slightly away from the singular time.  Here the whole neighbourhood
 * moves, smoothly: point k by RG_BVP_SRM_SHIFT h cos^2, up to REACH intervals away; points of
 * conditions stay. */
bool rg_bvp_srm_mesh_displace(int64_t N, double *t, int n_nodes, const double *node, double hit)
{
    static const double PI = 3.14159265358979323846;
    enum { REACH = 10 };
    int64_t i = 0, low = 0, high = N;
    const double sign = t[N] > t[0] ? 1.0 : -1.0;

    while (i + 1 < N && sign * t[i + 1] <= sign * hit)
        i++;
    for (int k = 0; k < n_nodes; k++) /* the conditions around it */
        for (int64_t q = 0; q <= N; q++) {
            if (t[q] != node[k]) continue;
            if (q <= i && q > low) low = q;
            if (q > i && q < high) high = q;
        }
    if (high - low < 2) return false;
    const double h = t[i + 1] - t[i];
    for (int64_t q = low + 1; q < high; q++) {
        const double away = fabs((double)q - (double)i - 0.5) / REACH;
        if (away >= 1.0) continue;
        const double c = cos(0.5 * PI * away);
        double limit = fmin(fabs(t[q] - t[q - 1]), fabs(t[q + 1] - t[q]));
        t[q] += sign * fmin(RG_BVP_SRM_SHIFT * fabs(h) * c * c, 0.4 * limit);
    }
    return true;
}
