/* Implicit Runge-Kutta methods: the one home of their coefficients.
 *
 * A method is named by its kind and its number of stages s; nodes, weights, matrix and polynomials
 * are computed from the definition (zeros of orthogonal polynomials, simplifying assumptions) in
 * long double and rounded once.  HW96 section IV.5. */
#ifndef RG_LINALG_RULE_H
#define RG_LINALG_RULE_H

enum { RG_RULE_MOST = 8 }; /* stages: seven for the user, one more for an error estimate */

/* GAUSS: order 2s;  RADAU: Radau IIA, 2s - 1, c_s = 1;  LOBATTO: Lobatto IIIA, 2s - 2, c_1 = 0 and
 * c_s = 1, s at least 2.  These are collocation methods.  RADAU_IA: 2s - 1, c_1 = 0;
 * LOBATTO_IIIB, LOBATTO_IIIC: the nodes of IIIA, other matrices; these three up to seven stages.
 * SDIRK: s = 2, 3, 5 with the orders 2, 3, 4; lower triangular. */
typedef enum {
    RG_RULE_GAUSS,
    RG_RULE_RADAU,
    RG_RULE_LOBATTO,
    RG_RULE_RADAU_IA,
    RG_RULE_LOBATTO_IIIB,
    RG_RULE_LOBATTO_IIIC,
    RG_RULE_SDIRK
} rg_rule_kind;

typedef struct {
    rg_rule_kind kind;
    int s;
    double c[RG_RULE_MOST], b[RG_RULE_MOST];
    double A[RG_RULE_MOST][RG_RULE_MOST];
    double power[RG_RULE_MOST][RG_RULE_MOST + 1]; /* int_0^v l_j = sum_k power[j][k] v^k */
} rg_rule;

/* s points, 1 .. RG_RULE_MOST. */
void rg_rule_init(rg_rule_kind kind, int s, rg_rule *out);
/* The points alone, unrounded. */
void rg_rule_points(rg_rule_kind kind, int s, long double *c);
/* out[j] = l_j(v), and int_0^v l_j: Lagrange polynomials on the points. */
void rg_rule_lagrange(const rg_rule *r, double v, double *out);
void rg_rule_integral(const rg_rule *r, double v, double *out);
/* Both at once, cheaper. */
void rg_rule_both(const rg_rule *r, double v, double *value, double *integral);

/* What an implementation with stages Z_i = Y_i - y_n needs of a method with an odd number of stages
 * and c_1 > 0.
 *
 *     h Y'_i = sum_j (A^-1)_ij Z_j
 *     T^-1 A^-1 T = Lambda: gamma, then blocks [alpha_k -beta_k; beta_k alpha_k], beta_k rising
 *     p(0) = 0, p(c_i) = Z_i:  p(x) = sum_k a_k x^k,  a_k = sum_i P[k-1][i] Z_i
 *
 * Matrices are s x s by rows.  The first column of T has length 1; the last entries of the others
 * are 1, 0, 1, 0, ... HW96 section IV.8, and HW99 section 2 for more than three stages. */
enum { RG_RULE_MOST_ODD = 11, RG_RULE_PAIRS = 5 };

typedef struct {
    int s;
    double gamma, alpha[RG_RULE_PAIRS], beta[RG_RULE_PAIRS];
    double c[RG_RULE_MOST_ODD];
    double inverse[RG_RULE_MOST_ODD * RG_RULE_MOST_ODD]; /* A^-1 */
    double T[RG_RULE_MOST_ODD * RG_RULE_MOST_ODD];
    double T_inverse[RG_RULE_MOST_ODD * RG_RULE_MOST_ODD];
    double P[RG_RULE_MOST_ODD * RG_RULE_MOST_ODD];
} rg_rule_modes;

void rg_rule_modes_init(rg_rule_kind kind, int s, rg_rule_modes *out);
/* The same for RG_RULE_RADAU with 1, 3, 5 or 7 stages, without computing; NULL: of others. */
const rg_rule_modes *rg_rule_radau(int s);

/* The same blocks for the matrix of any method, or for the regular part that is left of it without
 * its first row and column (Lobatto IIIA).  m rows; gamma is there for odd m only, and first. */
typedef struct {
    int m;
    double gamma, alpha[RG_RULE_PAIRS], beta[RG_RULE_PAIRS];
    double inverse[RG_RULE_MOST_ODD * RG_RULE_MOST_ODD];
    double T[RG_RULE_MOST_ODD * RG_RULE_MOST_ODD];
    double T_inverse[RG_RULE_MOST_ODD * RG_RULE_MOST_ODD];
} rg_rule_blocks;

/* first: 0, or 1 to leave out the first stage.  The eigenvalues are simple, one at most is real
 * (not SDIRK: only the inverse is made). */
void rg_rule_blocks_init(const rg_rule *r, int first, rg_rule_blocks *out);

#endif
