/* Which two equations are nearly the same?
 *
 * With the rows a_i of dF/dw, w the highest derivatives and algebraic unknowns, columns in units
 * of their largest entry and rows of length 1, the distance of two of them is
 *
 *     |a_i - (a_i . a_j) a_j|
 *
 * the sine of their angle.  Constraints are among the rows with the derivatives that the form
 * takes of them.  The smallest distance along the last solution, or the guess, counts. */
#include "bvp/collocation/run.h"
#include "bvp/collocation/tuning.h"

#include <math.h>

typedef struct {
    int n;
    double *x, *xp, *w, *F, *Fx, *Fw;
    int row[2];
    double least;
} search;

/* Columns, then rows; rows that are zero stay so. */
static void normalize(const search *s)
{
    const int n = s->n;

    for (int j = 0; j < n; j++) {
        double *column = s->Fw + j * n, most = 0.0;
        for (int i = 0; i < n; i++)
            most = fmax(most, fabs(column[i]));
        for (int i = 0; i < n && most > 0.0; i++)
            column[i] /= most;
    }
    for (int i = 0; i < n; i++) {
        double square = 0.0;
        for (int j = 0; j < n; j++)
            square += s->Fw[j * n + i] * s->Fw[j * n + i];
        for (int j = 0; j < n && square > 0.0; j++)
            s->Fw[j * n + i] /= sqrt(square);
    }
}

static double distance(const search *s, int a, int b)
{
    const int n = s->n;
    double dot = 0.0, square = 0.0;

    for (int j = 0; j < n; j++)
        dot += s->Fw[j * n + a] * s->Fw[j * n + b];
    for (int j = 0; j < n; j++) {
        const double part = s->Fw[j * n + a] - dot * s->Fw[j * n + b];
        square += part * part;
    }
    return sqrt(square);
}

static void look(search *s)
{
    normalize(s);
    for (int a = 0; a < s->n; a++)
        for (int b = 0; b < a; b++) {
            const double now = distance(s, a, b);
            if (!(now < s->least) || distance(s, b, a) > 2.0 * now) continue; /* a row of zeros */
            s->least = now;
            s->row[0] = b;
            s->row[1] = a;
        }
}

rg_status rg_run_find_nearest(const rg_bvp_run *r, int row[2])
{
    rg_bvp_form *f = r->f;
    const rg_profile now = {rg_profile_of_curve, r->now}, *from = r->now != NULL ? &now : r->guess;
    const size_t n = (size_t)f->n, nx = (size_t)f->nx;
    search s = {.n = f->n, .least = RG_NEARLY_THE_SAME};

    if (f->is_large || f->array != NULL || f->combinations != NULL) return RG_RETRY;
    s.x = rg_alloc(f->ctx, 2 * nx + 2 * n + n * nx + n * n + 1, sizeof *s.x);
    if (s.x == NULL) return RG_ERR_MEMORY;
    s.xp = s.x + nx;
    s.w = s.xp + nx;
    s.F = s.w + n;
    s.Fx = s.F + n;
    s.Fw = s.Fx + n * nx;
    for (int64_t i = 0; i < r->N; i++) {
        const double t = r->t[i] + 0.5 * (r->t[i + 1] - r->t[i]);
        if (from->eval(from->user, t, s.x, s.xp, s.w) == RG_OK
            && rg_bvp_form_jacobian(f, t, s.x, s.w, s.F, s.Fx, s.Fw) == RG_OK)
            look(&s);
    }
    rg_free(f->ctx, s.x);
    row[0] = s.row[0];
    row[1] = s.row[1];
    return s.least < RG_NEARLY_THE_SAME ? RG_OK : (rg_status)RG_RETRY;
}
