/* Help topics with a fixed text. */
#include "cli.h"

static const char language[] =
    "title \"text\"                     shown in reports\n"
    "param a = 2, b = a^2             constants; --set a=3 overrides; ~: unknown\n"
    "param A[i=1..2, j=1..2] = (1, 2, 3, 4)\n"
    "let r = expr                     a name for an expression of unknowns\n"
    "fun f(x, y) = expr               a function\n"
    "table f(x) = (0, 1, 2, 5) linear hold   a function through points\n"
    "var x = 1, y ~ 2, z              unknowns: start value kept, guessed, computed\n"
    "var u[i=1..N] = expr(i)          an array; var x = 1, x' = 0: a derivative too\n"
    "start u[2] = 1, x' ~ 0           start values of single elements; also in a for\n"
    "over t = 0 .. 10                 independent variable and interval\n"
    "x' = y                           an equation; x', x'', (expr)': derivatives\n"
    "for i = 2..N-1 { ... }           equations for every index\n"
    "boundary x(0) = 1                condition at a point; x(start), x(end)\n"
    "exact x = expr                   a known solution; errors are then reported\n"
    "output x, e = expr               what to write; default: all unknowns\n"
    "draw line(0, 0, x, y), circle(x, y, .1), point(x, y), text(x, y, \"A\"), line3(...)\n"
    "solve tol = 1e-8                 default options of this model\n"
    "\n"
    "or and not   < <= > >= == !=   + -   * /   -x   ^      # starts a comment\n"
    "sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 sqrt abs sign\n"
    "min max erf mod floor ceil heaviside pi\n"
    "if(cond, a, b)   sum(i=1..N, expr)   max(i=1..N, expr)   min(i=1..N, expr)\n"
    "A line goes on after a comma, '=' or an operator, and inside brackets.\n";

static const char grids[] =
    "domain x = 0..1 cells 32, y = 0..1 cells 32 periodic    one to three axes\n"
    "field p, c = 0              scalars, one value per cell; start values of the axes\n"
    "vector u = (0, 0)           one component per axis; = curl(EXPR) is free of divergence\n"
    "data K = \"file.csv\"         given numbers; a row per line of cells along the first axis\n"
    "solid NAME = CONDITION      cells that are no part of the domain\n"
    "well NAME at (X, Y) rate Q with c = 1      or: pressure P radius R\n"
    "boundary u(top) = (1, 0), p(right) = 0, c(left) = 1, flux(c, left) = 0, u(bottom) = slip\n"
    "draw c, curl(u), lines(u)   pictures, for --svg and --png\n"
    "\n"
    "The forms that are solved, terms in any order and on either side:\n"
    "  m*u' + div(u*u) = div(nu*grad(u)) - grad(p) + f, with div(u) = q    momentum\n"
    "  r*u = -grad(p) + f, with div(u) = q                                 Darcy\n"
    "  phi*c' + div(u*c) = div(k*grad(c)) + g                 transport, diffusion\n"
    "  0 = div(k*grad(s)) + g                                              elliptic\n"
    "m, nu, r, phi, k, f, g, q are expressions of axes, time, parameters, data and scalar fields.\n"
    "Also: lap(s), lap(u), dot(u, grad(c)), div(dispersion(u, dm, dl, dt)*grad(c)), u[x], "
    "norm(u).\n"
    "\n"
    "output a = p(.5, .5), b = integral(c), d = maximum(u[x], x = .5), e = integral(u[x], right)\n"
    "regula expand FILE prints the same equations with arrays and loops.\n";

static const char exit_statuses[] =
    "0    solved\n"
    "1    the numerics gave up, memory ran out, or writing failed;\n"
    "     what was computed is still written\n"
    "2    wrong usage: options, a file that cannot be read, an unknown --set name\n"
    "3    the model is wrong, its start data contradict it, or the method does not\n"
    "     fit it\n"
    "130  interrupted; what was computed is still written\n";

static const char json[] =
    "solve --json prints one object:\n"
    "  regula, model, title      version, file as given, title\n"
    "  unknowns, index, dof      size, differentiation index, degrees of freedom\n"
    "  method, status, message   status: ok or failed; a failure adds remedy, and file, line,\n"
    "                            column where they apply\n"
    "  t, values                 time reached and the values there by name (outputs, or all\n"
    "                            unknowns; above 1000 of them: omitted, a count)\n"
    "  points                    [{t, values}], with --at or --points\n"
    "  errors                    with 'exact': largest absolute error by name\n"
    "  drift                     largest constraint residual per level g, dg/dt, ...\n"
    "  singular, warnings, estimate (of the error over all rows), estimate_end\n"
    "  steps, rejected, evaluations, jacobians, factorizations, seconds\n"
    "check --json: unknowns, equations, index, dof, blocks, start, computed, warnings\n"
    "Numbers have 17 digits; not-a-number is null.\n";

static const char csv[] =
    "--csv FILE writes a header line, then one row for every accepted step, or for\n"
    "every time of --at or --points.  The independent variable comes first, then the\n"
    "outputs of the model (or all unknowns, and x' where x'' occurs), then error(x)\n"
    "where 'exact' is given, then, with srm and its rivals, or without an 'output'\n"
    "line, force(x), the constraint term as it is added to x'.  Names with a comma\n"
    "are quoted: \"c[1,2]\".  Numbers have 17 digits.  FILE appears as a whole at the\n"
    "end of a run that succeeds; after a failure or an interrupt the rows so far\n"
    "are in FILE.part, and an older FILE is left as it was.  '-' is standard output,\n"
    "which gets its rows at the end; the summary then goes to standard error.\n";

const cli_topic cli_topics[] = {
    {"language", language     },
    {"grids",    grids        },
    {"exit",     exit_statuses},
    {"json",     json         },
    {"csv",      csv          }
};
const int cli_topic_count = sizeof cli_topics / sizeof *cli_topics;
