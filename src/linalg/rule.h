/* Collocation points on [0, 1] and the Runge-Kutta coefficients of collocation there. */
#ifndef RG_LINALG_RULE_H
#define RG_LINALG_RULE_H

enum { RG_RULE_MOST = 8 }; /* stages: seven for the user, one more for the error estimate */

typedef enum { RG_RULE_GAUSS, RG_RULE_RADAU, RG_RULE_LOBATTO } rg_rule_kind;

typedef struct {
    rg_rule_kind kind;
    int s;
    double c[RG_RULE_MOST], b[RG_RULE_MOST];
    double A[RG_RULE_MOST][RG_RULE_MOST];
    double power[RG_RULE_MOST][RG_RULE_MOST + 1]; /* int_0^v l_j = sum_k power[j][k] v^k */
} rg_rule;

/* s points, 1 .. RG_RULE_MOST (Lobatto: at least 2). */
void rg_rule_init(rg_rule_kind kind, int s, rg_rule *out);
/* out[j] = l_j(v), and int_0^v l_j: Lagrange polynomials on the points. */
void rg_rule_lagrange(const rg_rule *r, double v, double *out);
void rg_rule_integral(const rg_rule *r, double v, double *out);
/* Both at once, cheaper. */
void rg_rule_both(const rg_rule *r, double v, double *value, double *integral);

#endif
