/* Problems of the IVP test set for codes that want  M y' = f(t, y)  with df/dy, written by hand.
 *
 * Matrices are stored by columns.  The definitions are those of the models in examples/ivp and
 * bench/models; variables stand in the order of the test set. */
#ifndef BENCH_PEERS_MODELS_H
#define BENCH_PEERS_MODELS_H

typedef struct {
    const char *name, *form;
    int n;
    double t_end, atol_factor; /* atol = factor * rtol */
    int n_index1, n_index2, n_index3;
    void (*f)(double t, const double *y, double *f);
    void (*J)(double t, const double *y, double *J); /* zeroed before */
    void (*M)(double *M);                            /* zeroed before */
    void (*start)(double *y, double *yp);            /* both zeroed before */
} peer_model;

extern const peer_model peer_models[];
extern const int peer_model_count;
/* F <- M y' - f, with the entries of M that are not zero listed by peer_mass_list. */
typedef struct {
    int count, row[256], column[256];
    double value[256];
} peer_mass_list;
void peer_list_mass(const double *M, int n, peer_mass_list *list);
void peer_residual(const peer_model *m, const peer_mass_list *list, double t, const double *y,
                   const double *yp, double *F);
const peer_model *peer_model_find(const char *name, const char *form);

#endif
