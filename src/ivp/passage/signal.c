/* Where do the constraints lose rank, or nearly?  The signal (rank.h) on the polynomial of a
 * step. */
#include "ivp/passage/passage.h"
#include "ivp/passage/tuning.h"

#include <math.h>

double rg_passage_scale(const rg_passage *k, int constraint)
{
    const int32_t row = k->form->leading->row_of[k->form->constraints.equation[constraint]];

    return fmax(k->rank->row_largest[row], 1e-300);
}

double rg_passage_signal(rg_passage *k, double t, const double *w, const double *wp)
{
    if (rg_stable_system_matrix(k->form, t, w, wp, k->rank->A) != RG_OK) return -1.0;
    return rg_passage_rank_measure(k->rank);
}

static double signal_at(rg_passage *k, double t, double h, double s)
{
    rg_coupled_at(k->stages, h, s, k->point, k->slope);
    return rg_passage_signal(k, t + s * h, k->point, k->slope);
}

/* Golden section between a and b. */
static double smallest(rg_passage *k, double t, double h, double a, double b)
{
    const double g = 0.5 * (sqrt(5.0) - 1.0);
    double x = b - g * (b - a), y = a + g * (b - a);
    double fx = signal_at(k, t, h, x), fy = signal_at(k, t, h, y);

    for (int e = 0; e < RG_SIGNAL_REFINEMENTS && b - a > RG_SIGNAL_ACCURACY; e++) {
        if (fx < fy) {
            b = y;
            y = x;
            fy = fx;
            fx = signal_at(k, t, h, x = b - g * (b - a));
        } else {
            a = x;
            x = y;
            fx = fy;
            fy = signal_at(k, t, h, y = a + g * (b - a));
        }
    }
    return 0.5 * (a + b);
}

/* Is the minimum at c one of lost rank?  m = log2( s(c +- apart)/s(c +- apart/2) ) */
static bool is_singular(rg_passage *k, double t, double h, double apart, rg_passage_candidate *p)
{
    const double c = p->c, half = 0.5 * apart, s = signal_at(k, t, h, c);
    const double far = fmax(signal_at(k, t, h, c - apart), signal_at(k, t, h, c + apart));
    const double near = fmax(signal_at(k, t, h, c - half), signal_at(k, t, h, c + half));

    p->depth = far > 0.0 ? s / far : 0.0;
    p->multiplicity = near > 0.0 ? log2(far / near) : 0.0;
    return s >= 0.0 && s < RG_SIGNAL_DEPTH * far;
}

void rg_passage_locate(rg_passage *k, double t, double h, rg_passage_candidates *out)
{
    const double step = RG_SIGNAL_REACH / (PASSAGE_SAMPLES - 2);
    double sample[PASSAGE_SAMPLES], *s = sample + 1; /* from one before the step on */

    out->count = 0;
    for (int e = -1; e < PASSAGE_SAMPLES - 1; e++)
        s[e] = signal_at(k, t, h, e * step);
    for (int e = 0; e < PASSAGE_SAMPLES - 2 && out->count < PASSAGE_POINTS; e++) {
        if (s[e] < 0.0 || s[e] > s[e - 1] || s[e] > s[e + 1]) continue;
        const bool is_deep = s[e] <= RG_SIGNAL_SHALLOW * fmax(s[e - 1], s[e + 1]);
        rg_passage_candidate *p = &out->item[out->count];
        p->c = smallest(k, t, h, (e - 1) * step, (e + 1) * step);
        if (out->count > 0 && p->c - p[-1].c < RG_SIGNAL_SAME) continue;
        p->is_turn = !is_deep || !is_singular(k, t, h, RG_SIGNAL_APART, p);
        if (p->is_turn && s[e] > RG_PASSAGE_TRIGGER * k->s_ref) continue;
        if (p->c >= 0.0 || k->state == PASSAGE_REPEATED) out->count++;
    }
    out->starts_rising = s[1] > s[0];
    out->ends_falling = s[PASSAGE_END] < s[PASSAGE_END - 1];
}

static bool is_known(const rg_passage_candidates *known, double c)
{
    for (int e = 0; e < known->count; e++)
        if (fabs(known->item[e].c - c) < RG_SIGNAL_SAME) return true;
    return false;
}

/* Adds what lies within `width` of c. */
static void look_around(rg_passage *k, double t, double h, double c, double width,
                        rg_passage_candidates *io)
{
    const double step = 2.0 * width / (PASSAGE_SAMPLES - 1), from = c - width;
    double s[PASSAGE_SAMPLES];

    for (int e = 0; e < PASSAGE_SAMPLES; e++)
        s[e] = signal_at(k, t, h, from + e * step);
    for (int e = 1; e < PASSAGE_SAMPLES - 1 && io->count < PASSAGE_POINTS; e++) {
        if (s[e] < 0.0 || s[e] > s[e - 1] || s[e] > s[e + 1]) continue;
        if (s[e] > RG_SIGNAL_SHALLOW * fmax(s[e - 1], s[e + 1])) continue;
        rg_passage_candidate found = {
            .c = smallest(k, t, h, from + (e - 1) * step, from + (e + 1) * step)};
        if (found.c < 0.0 || is_known(io, found.c)) continue;
        if (!is_singular(k, t, h, 0.125 * width, &found)) continue;
        int at = io->count++;
        for (; at > 0 && io->item[at - 1].c > found.c; at--)
            io->item[at] = io->item[at - 1];
        io->item[at] = found;
    }
}

/* Two zeros between two samples look like one: around every point the samples are taken again, ever
 * closer together; what is found there may have more beside it.  The next width is three times
 * the distance of the samples, so that nothing falls between.  The first is four times that of the
 * samples of the step: a zero beside a steep one need not be a minimum of those. */
void rg_passage_look_closer(rg_passage *k, double t, double h, rg_passage_candidates *io)
{
    for (double width = 2.0 * RG_SIGNAL_APART; width > 2.0 * RG_SIGNAL_SAME;
         width *= RG_SIGNAL_NARROWER) {
        rg_passage_candidates known;
        do {
            known = *io;
            for (int e = 0; e < known.count && io->count < PASSAGE_POINTS; e++)
                if (!known.item[e].is_turn) look_around(k, t, h, known.item[e].c, width, io);
        } while (io->count > known.count);
    }
}
