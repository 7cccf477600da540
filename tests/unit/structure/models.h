/* Models whose index and degrees of freedom are known. */
#ifndef RG_TESTS_STRUCTURE_MODELS_H
#define RG_TESTS_STRUCTURE_MODELS_H

#define PENDULUM_HEAD                                                                              \
    "param m = 1, l = 1, g = 9.81\n"                                                               \
    "var p = 1, q = 0, u = 0, v = 0\n"                                                             \
    "var lambda\n"                                                                                 \
    "m*u' = -p*lambda\n"                                                                           \
    "m*v' = -q*lambda - m*g\n"                                                                     \
    "over t = 0 .. 10\n"
static const char pendulum_3[] = PENDULUM_HEAD "p' = u\nq' = v\n0 = p^2 + q^2 - l^2\n";
static const char pendulum_2[] = PENDULUM_HEAD "p' = u\nq' = v\n0 = p*u + q*v\n";
static const char pendulum_1[] =
    PENDULUM_HEAD "p' = u\nq' = v\n0 = m*(u^2 + v^2) - g*q*m - l^2*lambda\n";
static const char pendulum_ggl[] =
    PENDULUM_HEAD "var mu\np' = u - 2*p*mu\nq' = v - 2*q*mu\n0 = p^2 + q^2 - l^2\n0 = p*u + q*v\n";
static const char pendulum_second[] = "var p = 1, q = 0, p' = 0, q' = 0, lambda\n"
                                      "p'' = -p*lambda\nq'' = -q*lambda - 9.81\n"
                                      "0 = p^2 + q^2 - 1\nover t = 0 .. 1\n";

/* Refs ivp-testset, section 2. */
static const char transistor_amplifier[] =
    "param Ub = 6, UF = 0.026, alpha = 0.99, beta = 1e-6, R0 = 1000, R = 9000\n"
    "param C1 = 1e-6, C2 = 2e-6, C3 = 3e-6, C4 = 4e-6, C5 = 5e-6\n"
    "var y1 = 0, y2 = 3, y3 = 3, y4 = 6, y5 = 3, y6 = 3, y7 = 6, y8 = 0\n"
    "let g23 = beta*(exp((y2 - y3)/UF) - 1)\n"
    "let g56 = beta*(exp((y5 - y6)/UF) - 1)\n"
    "-C1*y1' + C1*y2' = (y1 - 0.1*sin(200*pi*t))/R0\n"
    "C1*y1' - C1*y2' = y2/R + (y2 - Ub)/R + (1 - alpha)*g23\n"
    "-C2*y3' = y3/R - g23\n"
    "-C3*y4' + C3*y5' = (y4 - Ub)/R + alpha*g23\n"
    "C3*y4' - C3*y5' = y5/R + (y5 - Ub)/R + (1 - alpha)*g56\n"
    "-C4*y6' = y6/R - g56\n"
    "-C5*y7' + C5*y8' = (y7 - Ub)/R + alpha*g56\n"
    "C5*y7' - C5*y8' = y8/R\n"
    "over t = 0 .. 0.2\n";

/* Refs ivp-testset, section 9; Cs comes first. */
#define RING_MODULATOR                                                                             \
    "param C = 1.6e-8, Cp = 1e-8, R = 25000, Rp = 50, Lh = 4.45, Ls1 = 2e-3, Ls2 = 5e-4\n"         \
    "param Rg1 = 36.3, Rg2 = 17.3, Ri = 50, Rc = 600, gam = 40.67286402e-9, del = 17.7493332\n"    \
    "var y1 = 0, y2 = 0, y3 = 0, y4 = 0, y5 = 0, y6 = 0, y7 = 0, y8 = 0, y9 = 0, y10 = 0\n"        \
    "var y11 = 0, y12 = 0, y13 = 0, y14 = 0, y15 = 0\n"                                            \
    "let U1 = 0.5*sin(2e3*pi*t)\n"                                                                 \
    "let U2 = 2*sin(2e4*pi*t)\n"                                                                   \
    "let Q1 = gam*(exp(del*(y3 - y5 - y7 - U2)) - 1)\n"                                            \
    "let Q2 = gam*(exp(del*(-y4 + y6 - y7 - U2)) - 1)\n"                                           \
    "let Q3 = gam*(exp(del*(y4 + y5 + y7 + U2)) - 1)\n"                                            \
    "let Q4 = gam*(exp(del*(-y3 - y6 + y7 + U2)) - 1)\n"                                           \
    "C*y1' = y8 - y10/2 + y11/2 + y14 - y1/R\n"                                                    \
    "C*y2' = y9 - y12/2 + y13/2 + y15 - y2/R\n"                                                    \
    "Cs*y3' = y10 - Q1 + Q4\n"                                                                     \
    "Cs*y4' = -y11 + Q2 - Q3\n"                                                                    \
    "Cs*y5' = y12 + Q1 - Q3\n"                                                                     \
    "Cs*y6' = -y13 - Q2 + Q4\n"                                                                    \
    "Cp*y7' = -y7/Rp + Q1 + Q2 - Q3 - Q4\n"                                                        \
    "Lh*y8' = -y1\n"                                                                               \
    "Lh*y9' = -y2\n"                                                                               \
    "Ls2*y10' = y1/2 - y3 - Rg2*y10\n"                                                             \
    "Ls2*y11' = -y1/2 + y4 - Rg2*y11\n"                                                            \
    "Ls2*y12' = y2/2 - y5 - Rg2*y12\n"                                                             \
    "Ls2*y13' = -y2/2 + y6 - Rg2*y13\n"                                                            \
    "Ls1*y14' = -y1 + U1 - (Ri + Rg1)*y14\n"                                                       \
    "Ls1*y15' = -y2 - (Rc + Rg1)*y15\n"                                                            \
    "over t = 0 .. 1e-3\n"
static const char ring_modulator[] = "param Cs = 2e-12\n" RING_MODULATOR;
static const char ring_modulator_cs0[] = "param Cs = 0\n" RING_MODULATOR;

/* Refs ivp-testset, section 7. */
static const char car_axis[] =
    "param eps = 1e-2, M = 10, L = 1, L0 = 0.5, r = 0.1, w = 10, g = 1, k = 5e-4\n"
    "var xl = 0, yl = 0.5, xr = 1, yr = 0.5, a = -0.5, b = 0, c = -0.5, d = 0\n"
    "var lam1 = 0, lam2 = 0\n"
    "let yb = r*sin(w*t)\n"
    "let xb = sqrt(L^2 - yb^2)\n"
    "let Ll = sqrt(xl^2 + yl^2)\n"
    "let Lr = sqrt((xr - xb)^2 + (yr - yb)^2)\n"
    "xl' = a\nyl' = b\nxr' = c\nyr' = d\n"
    "k*a' = (L0 - Ll)*xl/Ll + lam1*xb + 2*lam2*(xl - xr)\n"
    "k*b' = (L0 - Ll)*yl/Ll + lam1*yb + 2*lam2*(yl - yr) - k*g\n"
    "k*c' = (L0 - Lr)*(xr - xb)/Lr - 2*lam2*(xl - xr)\n"
    "k*d' = (L0 - Lr)*(yr - yb)/Lr - 2*lam2*(yl - yr) - k*g\n"
    "0 = xl*xb + yl*yb\n"
    "0 = (xl - xr)^2 + (yl - yr)^2 - L^2\n"
    "over t = 0 .. 3\n";

/* Index 1, structural index 3 (after Reissig, Martinson and Barton). */
static const char index_1_chain[] = "var x1, x2, x3, x4, x5\n"
                                    "x2' + x3' + x1 = sin(t)\n"
                                    "x2' + x3' + x2 = cos(t)\n"
                                    "x4' + x5' + x3 = t\n"
                                    "x4' + x5' + x4 = t^2\n"
                                    "x5 = exp(t)\n"
                                    "over t = 0 .. 1\n";
/* The derivatives cancel: 2 x - y = sin t is hidden. */
static const char cancelling[] = "var x = 1, y ~ 2\nx' + y' - x = 0\nx' + y' + x - y = sin(t)\n"
                                 "over t = 0 .. 1\n";
/* The same with coefficients that move: x' + t y' and x' + t y' + ... */
static const char cancelling_moving[] = "var x ~ 1, y\nx' + cos(t)*y' = x*y\n"
                                        "2*x' + 2*cos(t)*y' + x^3 + y = sin(t)\nover t = 0 .. 1\n";
/* x z: only the start x = 0 is singular. */
static const char singular_start[] = "var x = 0, z ~ 1\nx' = 1\nx*z = x*cos(t)\nover t = 0 .. 1\n";
/* Two arms at their dead centre: cos(pi/2) is 6e-17 in floating point. */
static const char dead_centre[] = "var a = pi/2, b = pi/2, a' = 0.5, b' = -0.5, lam\n"
                                  "a'' = -cos(a)*lam\nb'' = cos(b)*lam - 1\n"
                                  "0 = sin(a) - sin(b)\nover t = 0 .. 1\n";
/* Nothing is known of z, so that 0 is no start value of it. */
static const char unknown_root[] = "var x = 1, z\nx' = -z\nz^2 = x\nover t = 0 .. 1\n";
/* The same constraint twice, with two multipliers. */
static const char double_constraint[] = "var p = 1, q = 0, u = 0, v = 0, k1, k2\n"
                                        "p' = u\nq' = v\n"
                                        "u' = -p*(k1 + k2)\nv' = -q*(k1 + k2) - 9.81\n"
                                        "0 = p^2 + q^2 - 1\n"
                                        "0 = (p^2 + q^2 - 1)*(p + 3)\n"
                                        "over t = 0 .. 1\n";
static const char contradiction[] =
    "var x, y\nx + y = sin(t)\n2*x + 2*y = cos(t)\nover t = 0 .. 1\n";
/* Input u so that x1 follows a path: index 5 with four integrators in between. */
static const char control_chain[] = "var x1, x2, x3, x4, u\n"
                                    "x1' = x2 + x1\nx2' = x3 + x1*x2\nx3' = x4\nx4' = u - x4\n"
                                    "x1 = sin(t)\nover t = 0 .. 1\n";
/* Two masses, a second-order spring, a prescribed distance. */
static const char second_order_ode[] = "var x = 1, x' = 0, y = 2, y' = 0\n"
                                       "x'' + y'' = -x\nx'' - y'' = -y\nover t = 0 .. 1\n";
#endif
