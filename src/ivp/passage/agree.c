/* Two runs with different tolerances: did both take the same way through singular positions?
 *
 * The margin of a decision is tau^2 where the motion passed, -tau^2 where it turned back (check.c),
 * a quantity like the energy beside the critical one.  With the margins m and m_2 that were least
 * in runs with the tolerances tol and q tol, q = 1/3, and errors that follow the tolerance, the
 * true one is within  m_2 -+ RG_AGREE_REST |m - m_2|  (src/solve/estimate.c: RG_AGREE_REST = q^a/(1
 * - q^a) = 0.5 .. 0.9, a = 1 .. 2/3). */
#include "ivp/passage/passage.h"
#include "ivp/passage/tuning.h"

#include <math.h>
#include <stdio.h>

bool rg_passage_is_doubtful(const rg_integrator *g)
{
    return rg_passage_of(g) != NULL && rg_passage_of(g)->state == PASSAGE_IN_DOUBT;
}

bool rg_passage_agree(const rg_integrator *first, const rg_integrator *second, double difference,
                      char *text, int size)
{
    const rg_passage *a = rg_passage_of(first), *b = rg_passage_of(second);

    if (a == NULL || b == NULL) return true;
    const double m = a->margin, m_2 = b->margin;
    if (m != 0.0 && m_2 != 0.0 && fabs(m_2) < RG_AGREE_CLOSE
        && fabs(m_2) <= RG_AGREE_REST * fabs(m - m_2)) {
        snprintf(text, (size_t)size,
                 "near t = %.8g the motion %s a singular position so closely that the error of the "
                 "run decides between passing and turning back",
                 b->t_margin, m_2 > 0.0 ? "passes" : "turns back before");
        return false;
    }
    if (difference > RG_AGREE_DIFFERENT && a->n_passed != b->n_passed) {
        snprintf(text, (size_t)size,
                 "%lld singular positions were passed, but %lld with a third of the tolerance, and "
                 "the ends of both runs are not the same motion",
                 (long long)a->n_passed, (long long)b->n_passed);
        return false;
    }
    return true;
}
