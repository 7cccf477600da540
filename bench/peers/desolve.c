/* The models for R's deSolve (RADAU5 as `radau`, DASPK as `daspk`), compiled: one shared library, a
 * model chosen by name. Signatures: vignette "Writing Code in Compiled Languages" of deSolve. */
#include "models.h"

#include <stdlib.h>
#include <string.h>

static const peer_model *model;
static double *mass;
static peer_mass_list list;
static long n_f, n_J;

void peer_select(char **name, char **form, int *n, double *setting, int *index)
{
    model = peer_model_find(*name, *form);
    *n = model != NULL ? model->n : 0;
    if (model == NULL) return;
    free(mass);
    mass = calloc((size_t)(model->n * model->n), sizeof *mass);
    model->M(mass);
    peer_list_mass(mass, model->n, &list);
    setting[0] = model->t_end;
    setting[1] = model->atol_factor;
    index[0] = model->n_index1;
    index[1] = model->n_index2;
    index[2] = model->n_index3;
}

void peer_start(double *y, double *yp)
{
    model->start(y, yp);
}

void peer_mass(double *M)
{
    memcpy(M, mass, sizeof *M * (size_t)(model->n * model->n));
}

/* Calls since the last question. */
void peer_counts(double *counts)
{
    counts[0] = (double)n_f;
    counts[1] = (double)n_J;
    n_f = n_J = 0;
}

void peer_derivs(int *n, double *t, double *y, double *f, double *out, int *ip)
{
    (void)n, (void)out, (void)ip;
    n_f++;
    model->f(*t, y, f);
}

void peer_jac(int *n, double *t, double *y, int *ml, int *mu, double *J, int *rows, double *out,
              int *ip)
{
    (void)n, (void)ml, (void)mu, (void)rows, (void)out, (void)ip;
    n_J++;
    memset(J, 0, sizeof *J * (size_t)(model->n * model->n));
    model->J(*t, y, J);
}

void peer_res(double *t, double *y, double *yp, double *cj, double *F, int *ires, double *out,
              int *ip)
{
    (void)cj, (void)ires, (void)out, (void)ip;
    n_f++;
    peer_residual(model, &list, *t, y, yp, F);
}

void peer_jacres(double *t, double *y, double *yp, double *J, double *cj, double *out, int *ip)
{
    const int n = model->n;

    (void)yp, (void)out, (void)ip;
    n_J++;
    memset(J, 0, sizeof *J * (size_t)(n * n));
    model->J(*t, y, J);
    for (int k = 0; k < n * n; k++)
        J[k] = *cj * mass[k] - J[k];
}
