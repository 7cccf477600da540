/* Coefficients that do not follow from simplifying assumptions alone: explicit and half-explicit
 * Runge-Kutta methods, and Rosenbrock methods.  tests/unit/linalg/test_tableau.c checks their
 * order conditions. */
#ifndef RG_LINALG_TABLEAU_H
#define RG_LINALG_TABLEAU_H

enum { RG_TABLEAU_MOST = 7 };

/* An explicit method,  Y_i = y_n + h sum_{j<i} a_ij f(Y_j),  y_{n+1} = y_n + h sum b_i f(Y_i).
 * Half-explicit on  y' = f(y, z), 0 = g(y):  Z_i such that g = 0 at the next stage, or where the
 * constraint has points of its own (cbar), at  y_n + h sum_{j<=i} abar_ij f(Y_j, Z_j);  their last
 * row is b, and Z_1 = z_n.  embedded: weights of another method of one order less, with f(y_{n+1})
 * as the last stage; zero: there is none. */
typedef struct {
    int s, order;
    double c[RG_TABLEAU_MOST], b[RG_TABLEAU_MOST];
    double A[RG_TABLEAU_MOST][RG_TABLEAU_MOST];
    double cbar[RG_TABLEAU_MOST], Abar[RG_TABLEAU_MOST][RG_TABLEAU_MOST];
    double embedded[RG_TABLEAU_MOST + 1];
} rg_tableau;

/* Orders 2: midpoint rule; 3: HEM3; 4: HEM4 (Brasey, Hairer 1993); 5: PHEM56 (Murua 1997), without
 * constraint the pair of Dormand and Prince 5(4). */
enum { RG_TABLEAU_LEAST_ORDER = 2, RG_TABLEAU_MOST_ORDER = 5 };
const rg_tableau *rg_tableau_explicit(int order);
/* Continuous weights of the method of order 5 with its last stage f(y_{n+1}): y_n + h sum_i
 * b_i(s) f_i, of order 4 for 0 <= s <= 1;  b_i(s) = sum_k power[i][k] s^(k+1), k = 0 .. 3;
 * HNW93 (II.6.10), written out. */
void rg_tableau_dense(double power[RG_TABLEAU_MOST][4]);

/* A Rosenbrock method in the variables u = Gamma k, HW96 (IV.7.25):
 *
 *     (M/(h gamma) - f_y) u_i = f(t_n + alpha_i h, y_n + sum_{j<i} a_ij u_j)
 *                               + M sum_{j<i} (c_ij/h) u_j + gamma_i h f_t
 *     y_{n+1} = y_n + sum m_i u_i,     error: sum e_i u_i
 *     y(s) = y_n (1 - s) + s (y_{n+1} + (1 - s) sum (d_0i + s d_1i) u_i)                       */
enum { RG_ROSENBROCK_MOST = 6 };
typedef struct {
    int s, order;
    double gamma, alpha[RG_ROSENBROCK_MOST], rate[RG_ROSENBROCK_MOST];
    double A[RG_ROSENBROCK_MOST][RG_ROSENBROCK_MOST], C[RG_ROSENBROCK_MOST][RG_ROSENBROCK_MOST];
    double m[RG_ROSENBROCK_MOST], e[RG_ROSENBROCK_MOST];
    double d[2][RG_ROSENBROCK_MOST];
} rg_rosenbrock_tableau;

/* RODAS of order 4(3), stiffly accurate: HW96 section VI.4. */
const rg_rosenbrock_tableau *rg_tableau_rodas(void);

#endif
