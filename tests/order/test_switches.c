/* Models with switches (tests/switches) at five tolerances, against `exact` at all rows, or against
 * values at the end ("# @ref x=..", computed without a DAE solver).  "# @refuse 1": there is no
 * solution behind the switch, and the run must end with an error.  All of it once more with the
 * unknowns as elements of one array.
 *
 *     test_switches [NAME ...]      prints a table of errors, of these models only */
#include "base/options.h"
#include "regula.h"
#include "support/test.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOLERANCES = 5, TEXT = 8192, MODELS = 200, NAME = 64, ALL = 56 };
static const double tolerance[TOLERANCES] = {1e-3, 1e-5, 1e-7, 1e-9, 1e-10};
static const char folder[] = "tests/switches";
static rg_context *ctx;
static int wanted, first_wanted;
static char **names;

/* Errors are multiples of the tolerance, more so where small differences grow: a condition that is
 * met at a small angle, impacts on stiff stops. */
static double allowed(const char *model, double tol)
{
    static const struct {
        const char *model;
        double factor;
    } hard[] = {
        {"graze.rg", 4000.0},
        {"stops.rg", 1000.0},
        {"play.rg",  100.0 }
    };
    double factor = 30.0;

    for (size_t k = 0; k < sizeof hard / sizeof *hard; k++)
        if (strcmp(hard[k].model, model) == 0) factor = hard[k].factor;
    return factor * tol + 2e-9;
}

static bool read_text(const char *model, char *text)
{
    char path[300];

    snprintf(path, sizeof path, "%s/%s", folder, model);
    FILE *file = fopen(path, "r");
    if (file == NULL) return false;
    const size_t length = fread(text, 1, TEXT - 1, file);
    text[length] = '\0';
    fclose(file);
    return true;
}

/* ---- unknowns as elements of an array -------------------------------------------------------- */

typedef struct {
    char text[TEXT];
    size_t length;
} writing;

static void put(writing *w, const char *from, size_t length)
{
    if (w->length + length >= TEXT) return;
    memcpy(w->text + w->length, from, length);
    w->length += length;
    w->text[w->length] = '\0';
}

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* "var x = 1, y ~ 0" -> "var z_[k_=1..2]" and start lines; the names. */
static int declare(const char *line, size_t length, char names_of[][NAME], writing *to)
{
    char rest[400], text[600];
    int n = 0;

    snprintf(rest, sizeof rest, "%.*s", (int)length, line);
    for (char *item = strtok(rest, ","); item != NULL; item = strtok(NULL, ","))
        if (sscanf(item, " %63[A-Za-z0-9_]", names_of[n]) == 1) n++;
    snprintf(text, sizeof text, "var z_[k_=1..%d]\n", n);
    put(to, text, strlen(text));
    snprintf(rest, sizeof rest, "%.*s", (int)length, line);
    n = 0;
    for (char *item = strtok(rest, ","); item != NULL; item = strtok(NULL, ",")) {
        const char *value = strpbrk(item, "=~");
        n++;
        if (value == NULL) continue;
        snprintf(text, sizeof text, "start z_[%d] %s\n", n, value);
        put(to, text, strlen(text));
    }
    return n;
}

/* A line with z_[k] for the unknowns. */
static void rename_in(const char *line, size_t length, int n, char names_of[][NAME], writing *to)
{
    for (size_t i = 0; i < length;) {
        size_t end = i;
        int number = -1;
        while (end < length && is_letter(line[end]))
            end++;
        if (end == i) {
            put(to, line + i++, 1);
            continue;
        }
        for (int k = 0; k < n; k++)
            if (strlen(names_of[k]) == end - i && strncmp(names_of[k], line + i, end - i) == 0)
                number = k;
        char element[NAME];
        snprintf(element, sizeof element, "z_[%d]", number + 1);
        if (number >= 0)
            put(to, element, strlen(element));
        else
            put(to, line + i, end - i);
        i = end;
    }
}

static void as_array(char *text)
{
    static writing to;
    static char names_of[32][NAME];
    const char *var = strstr(text, "\nvar ");
    const size_t length = strcspn(var + 5, "\n");
    int n = 0;

    to.length = 0;
    n = declare(var + 5, length, names_of, &to);
    for (const char *line = text; *line != '\0';) {
        const size_t end = strcspn(line, "\n");
        const bool is_plain = strncmp(line, "title", 5) == 0;
        if (line != var + 1) {
            if (is_plain)
                put(&to, line, end);
            else
                rename_in(line, end, n, names_of, &to);
            put(&to, "\n", 1);
        }
        line += end + (line[end] == '\n');
    }
    memcpy(text, to.text, to.length + 1);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static int64_t find_column(const rg_solution *s, const char *name)
{
    char column[NAME];

    for (int64_t k = 0; k < rg_solution_columns(s); k++) {
        rg_solution_column_name(s, k, column, sizeof column);
        if (strcmp(column, name) == 0) return k;
    }
    return -1;
}

/* |e|/(1 + |y|) over the values behind "# @ref". */
static double end_error(const rg_solution *s, const char *text)
{
    const char *at = strstr(text, "# @ref ");
    double *end = calloc((size_t)rg_solution_columns(s), sizeof *end);
    double worst = 0.0;

    if (end == NULL || rg_solution_end_values(s, end) != RG_OK) worst = NAN;
    for (at = at != NULL ? at + 7 : NULL; at != NULL && !isnan(worst);) {
        char name[NAME];
        double value;
        int used = 0;
        if (sscanf(at, " %63[^= ]=%lf%n", name, &value, &used) != 2) break;
        const int64_t k = find_column(s, name);
        const double e = k < 0 ? NAN : fabs(end[k] - value) / (1.0 + fabs(value));
        if (!(e <= worst)) worst = e;
        at = at[used] == ',' ? at + used + 1 : NULL;
    }
    free(end);
    return worst;
}

static double exact_error(const rg_solution *s, int64_t n)
{
    double worst = 0.0;

    for (int64_t k = 0; k < n && rg_solution_has_exact(s); k++)
        worst = fmax(worst, rg_solution_error(s, k));
    return worst;
}

/* The error, negative: the run ended with an error. */
static double solve(const char *model, const char *text, double tol)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    double error = -1.0;

    o.rtol = o.atol = tol;
    if (rg_problem_from_text(ctx, text, &p) == RG_OK) {
        double a, b;
        rg_problem_interval(p, &a, &b);
        const rg_status status = rg_solve(p, b, &o, &s);
        if (status == RG_OK)
            error = fmax(exact_error(s, rg_problem_size(p)), end_error(s, text));
        else if (wanted > 0 || getenv("VERBOSE") != NULL)
            printf("    %s %g: %s\n", model, tol, rg_last_error(ctx)->message);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return error;
}

static int check_model(const char *model, bool is_array)
{
    char text[TEXT], line[200];
    int good = 0;

    if (!CHECK(read_text(model, text))) return 0;
    if (is_array) as_array(text);
    const bool must_fail = strstr(text, "# @refuse 1") != NULL;
    int used = snprintf(line, sizeof line, "%-14s%s", model, is_array ? "[]" : "  ");
    for (int k = 0; k < TOLERANCES; k++) {
        const double error = solve(model, text, tolerance[k]);
        const bool is_good =
            must_fail ? error < 0.0 : error >= 0.0 && error <= allowed(model, tolerance[k]);
        used += snprintf(line + used, sizeof line - (size_t)used, "  %8.1e%s", error,
                         is_good ? " " : "*");
        good += is_good;
    }
    printf("%s\n", line);
    CHECK(good == TOLERANCES);
    fflush(stdout);
    return good == TOLERANCES;
}

static bool is_asked_for(const char *model)
{
    bool is_found = wanted == 0;

    for (int k = 0; k < wanted; k++)
        is_found = is_found || strncmp(names[first_wanted + k], model, strlen(model) - 3) == 0;
    return is_found;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static int list_models(char models[][NAME])
{
    int n = 0;
    DIR *directory = opendir(folder);

    if (!CHECK(directory != NULL)) return 0;
    for (struct dirent *e; n < MODELS && (e = readdir(directory)) != NULL;) {
        const size_t length = strlen(e->d_name);
        if (length > 3 && length < NAME && strcmp(e->d_name + length - 3, ".rg") == 0
            && is_asked_for(e->d_name))
            snprintf(models[n++], NAME, "%.60s", e->d_name);
    }
    closedir(directory);
    qsort(models, (size_t)n, NAME, by_name);
    return n;
}

static void check_all(bool is_array)
{
    static char models[MODELS][NAME];
    const int n = list_models(models);
    int good = 0;

    for (int k = 0; k < n; k++)
        good += check_model(models[k], is_array);
    CHECK(n >= (wanted > 0 ? 1 : ALL));
    printf("%d of %d models right\n", good, n);
}

static void test_models(void)
{
    check_all(false);
}

static void test_arrays(void)
{
    check_all(true);
}

/* No form of the equations may go on where there is no solution. */
static void test_refused(void)
{
    static const char *const models[] = {"corner.rg", "cvloop.rg", "rope.rg", "taut.rg"};
    static const char *const forms[] = {"direct", "projected", "ggl"};
    char text[TEXT];

    for (int k = 0; k < 4; k++)
        for (int f = 0; f < 3; f++)
            for (int i = 0; i < TOLERANCES; i++) {
                rg_problem *p = NULL;
                rg_solution *s = NULL;
                rg_options o = rg_options_default();
                o.rtol = o.atol = tolerance[i];
                snprintf(o.formulation, sizeof o.formulation, "%s", forms[f]);
                if (!CHECK(read_text(models[k], text))) continue;
                if (CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)
                    && !CHECK(rg_solve(p, 2.0, &o, &s) < 0))
                    printf("    %s, %s, %g\n", models[k], forms[f], tolerance[i]);
                rg_solution_destroy(&s);
                rg_problem_destroy(&p);
            }
}

/* y' = if(x > 1 - d, 1, 0) on x = sin(t + phi): y at the end is the time above, 2 acos(1 - d).  An
 * error of x shifts the crossings by 1/slope = 1/sqrt(2 d).  Narrow ones with many phi: they may
 * begin right behind the start of a step, or fall between two samples of a polynomial that is
 * farther off than they are high. */
static void test_grazing(void)
{
    static const char *const forms[] = {"x' = cos(t + %.17g)", "x = sin(t + %.17g)", "x'' = -x",
                                        "x*(2 + x^2) = sin(t + %.17g)*(2 + x^2)"};
    const double tols[] = {1e-5, 1e-6, 1e-8};
    int missed = 0, count = 0;

    for (int form = 0; form < 4; form++)
        for (int width = 0; width < 9; width++)
            for (int shift = 0; shift < (width < 5 ? 7 : 40); shift++)
                for (int k = 0; k < 3; k++) {
                    const double d = pow(10.0, -1.0 - 0.5 * width);
                    const double phi = (width < 5 ? 0.21 : 0.0325) * shift - 0.3;
                    const double exact = 2.0 * acos(1.0 - d), tol = tols[k];
                    char equation[100], text[500];
                    rg_problem *p = NULL;
                    rg_solution *s = NULL;
                    rg_options o = rg_options_default();
                    double end[4] = {NAN};
                    if (d < 20.0 * tol) continue;
                    o.rtol = o.atol = tol;
                    snprintf(equation, sizeof equation, forms[form], phi);
                    snprintf(text, sizeof text,
                             "var x %s %.17g%s%.17g, y = 0\n%s\ny' = if(x > %.17g, 1, 0)\n"
                             "over t = 0 .. 3.2\noutput y\n",
                             form % 2 == 0 ? "=" : "~", sin(phi), form == 2 ? ", x' = " : " + 0*",
                             cos(phi), equation, 1.0 - d);
                    count++;
                    if (CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)
                        && CHECK(rg_solve(p, 3.2, &o, &s) == RG_OK)
                        && CHECK(rg_solution_end_values(s, end) == RG_OK)
                        && !(fabs(end[0] - exact) <= 30.0 * tol / sqrt(2.0 * d) + 10.0 * tol)) {
                        printf("    form %d, d = %g, phi = %g, tol %g: %g instead of %g\n", form, d,
                               phi, tol, end[0], exact);
                        missed++;
                    }
                    rg_solution_destroy(&s);
                    rg_problem_destroy(&p);
                }
    printf("grazing: %d of %d right\n", count - missed, count);
    CHECK(missed == 0);
}

/* A row at the time of a switch is the value behind it, also at the end of the run. */
static void test_at_switch(void)
{
    static const char text[] = "var x = 0, y\nx' = 1\ny = if(t < 1, 1, 3)*2\nover t = 0 .. 2\n";
    const double times[] = {0.5, 1.0};
    rg_problem *p = NULL;
    rg_solution *rows = NULL, *end = NULL;
    double v[2] = {NAN, NAN};

    if (CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)
        && CHECK(rg_solve_at(p, 2.0, NULL, 2, times, &rows) == RG_OK)
        && CHECK(rg_solve(p, 1.0, NULL, &end) == RG_OK)) {
        CHECK(rg_solution_values(rows, 0, v) == RG_OK && fabs(v[1] - 2.0) < 1e-9);
        CHECK(rg_solution_values(rows, 1, v) == RG_OK && fabs(v[1] - 6.0) < 1e-9);
        CHECK(rg_solution_end_values(end, v) == RG_OK && fabs(v[1] - 6.0) < 1e-9);
    }
    rg_solution_destroy(&rows);
    rg_solution_destroy(&end);
    rg_problem_destroy(&p);
}

/* Multipliers too: p3 jumps where f2 passes 0.6, and the row at that time, to the last bit or
 * beside it, is the value behind. */
static void test_multiplier_at_switch(void)
{
    const double times[] = {1.2, nextafter(1.2, 2.0)};
    char text[TEXT];
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    double v[8] = {0};

    if (CHECK(read_text("net3.rg", text)) && CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)
        && CHECK(rg_solve_at(p, 1.5, NULL, 2, times, &s) == RG_OK))
        for (int k = 0; k < 2; k++) {
            CHECK(rg_solution_values(s, k, v) == RG_OK);
            CHECK_NEAR(v[4], -2.14, 1e-6);
        }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

/* Rows that are steps are compared with the second run too: no error above 10 estimates, also
 * where the solution comes to rest behind the switch and both runs end in the same point. */
static void test_estimates(void)
{
    static const char *const models[] = {"orifice.rg", "tank.rg",   "relay.rg", "pulse.rg",
                                         "net3.rg",    "thermo.rg", "graze.rg", "normal.rg"};
    const rg_request request = {.keep = RG_KEEP_LAST, .estimate = 1};
    char text[TEXT];

    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        for (int i = 0; i < TOLERANCES; i++) {
            rg_problem *p = NULL;
            rg_solution *s = NULL;
            rg_options o = rg_options_default();
            double a, b;
            o.rtol = o.atol = tolerance[i];
            if (!CHECK(read_text(models[k], text))
                || !CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK))
                return;
            rg_problem_interval(p, &a, &b);
            if (CHECK(rg_solve_request(p, b, &o, &request, &s) == RG_OK)) {
                const double e = fmax(exact_error(s, rg_problem_size(p)), end_error(s, text));
                if (!CHECK(e <= 10.0 * rg_solution_estimate(s) + 1e-12)
                    || !CHECK(rg_solution_estimate(s) < 100.0 * fmax(tolerance[i], e)))
                    printf("%s %g: error %.2g, estimate %.2g\n", models[k], tolerance[i], e,
                           rg_solution_estimate(s));
            }
            rg_solution_destroy(&s);
            rg_problem_destroy(&p);
        }
}

/* Tanks that run empty, by runs of other lengths: where steps end is a matter of chance. */
static void test_lengths(void)
{
    static const char *const models[] = {"tank.rg", "orifice.rg"};
    char text[TEXT];

    for (int k = 0; k < 2; k++)
        for (int i = 0; i < TOLERANCES; i++)
            for (int j = 0; j < 40; j++) {
                rg_problem *p = NULL;
                rg_solution *s = NULL;
                rg_options o = rg_options_default();
                double a, b;
                o.rtol = o.atol = tolerance[i];
                if (!CHECK(read_text(models[k], text))
                    || !CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK))
                    return;
                rg_problem_interval(p, &a, &b);
                const double end = a + (b - a) * (0.42 + 0.0145 * j);
                if (!CHECK(rg_solve(p, end, &o, &s) == RG_OK)
                    || !CHECK(exact_error(s, rg_problem_size(p)) <= 10.0 * tolerance[i]))
                    printf("%s %g to t = %g\n", models[k], tolerance[i], end);
                rg_solution_destroy(&s);
                rg_problem_destroy(&p);
            }
}

/* An unknown in units of 1e-12 .. 1e12: functions that differ by a constant are two switches (a
 * substance that melts between 0 and 2, a spring with play), though at a point of size 1 the
 * constant is lost, or is all there is. */
static void test_units(void)
{
    static const char *const models[] = {
        "var h = -1/F, T\nover t = 0 .. 10\nF*h' = 4*(2*sin(t/3) - T) - T\n"
        "T = min(F*h, 0) + max(F*h - 2, 0)\noutput T, a = F*h\n",
        "var x = 0, v = 0.5, f\nover t = 0 .. 6\nF*x' = v\nv' = sin(t) - f\n"
        "f = 20*(max(F*x - 0.1, 0) + min(F*x + 0.1, 0))\noutput f, a = F*x\n",
        "var x = 1/F, y = 1.5/F\nover t = 0 .. 4\nF*x' = -sign(x) + 0.3*sign(y)\n"
        "F*y' = -sign(y) - 0.3*sign(x)\noutput a = F*x, b = F*y\n",
        "var x = 1/F, y = 0\nover t = 0 .. 3\nF*x' = -sign(x) + 2*sign(y)\n"
        "F*y' = -2*sign(x) - sign(y)\noutput a = F*x, b = F*y\n",
        "var h = 1/F, g = 1\nover t = 0 .. 5\nF*h' = -sqrt(max(F*h, 0))\ng' = -h*F\n"
        "output a = F*h, g\n",
        "var a ~ 0, b ~ 0, c = 0\nover t = 0 .. 4\n"
        "let d = if(1e3*a - c/F > 0, 10, 1e-4)*(1e3*a - c/F)\n"
        "let e = if(b/F - c/F > 0, 10, 1e-4)*(b/F - c/F)\n"
        "let f = -if(-1e3*a > 0, 10, 1e-4)*1e3*a, g = -if(-b/F > 0, 10, 1e-4)*b/F\n"
        "(5*sin(3*t) - (1e3*a - b/F))*2 = d - f\nd + e = f + g\nc'/F = d + e - c/F\n"
        "output p = c/F, q = b/F\n"};
    const rg_request request = {.keep = RG_KEEP_LAST, .estimate = 1};

    for (int m = 0; m < 6; m++) {
        double reference[2] = {NAN, NAN}, v[2] = {NAN, NAN}, a, b;
        for (int k = -1; k < 9; k++) {
            if (k >= 0 && !test_takes(m + k)) continue;
            char text[TEXT];
            rg_problem *p = NULL;
            rg_solution *s = NULL;
            rg_options o = rg_options_default();
            o.rtol = o.atol = k < 0 ? 1e-10 : 1e-6;
            snprintf(text, sizeof text, "param F = 1e%d\n%s", k < 0 ? 0 : 3 * k - 12, models[m]);
            if (!CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)) return;
            rg_problem_interval(p, &a, &b);
            if (CHECK(rg_solve_request(p, b, &o, &request, &s) == RG_OK)
                && CHECK(rg_solution_end_values(s, k < 0 ? reference : v) == RG_OK) && k >= 0)
                for (int i = 0; i < 2; i++)
                    if (!CHECK(fabs(v[i] - reference[i]) <= 10.0 * rg_solution_estimate(s)))
                        printf("model %d, F = 1e%d: %.9g for %.9g, estimate %.2g\n", m, 3 * k - 12,
                               v[i], reference[i], rg_solution_estimate(s));
            rg_solution_destroy(&s);
            rg_problem_destroy(&p);
        }
    }
}

/* The values of the outputs, or of the unknowns, at the end of a run with an estimate; false: it
 * failed. */
static bool end_of(const char *text, double t_end, double tol, int64_t max_steps, double h_max,
                   double *v)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    const rg_request request = {.keep = RG_KEEP_LAST, .estimate = 1};

    o.rtol = o.atol = tol;
    if (max_steps > 0) o.max_steps = max_steps;
    o.h_max = h_max;
    const bool ok = CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)
                    && CHECK(rg_solve_request(p, t_end, &o, &request, &s) == RG_OK)
                    && CHECK(rg_solution_end_values(s, v) == RG_OK);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return ok;
}

/* Switches that accumulate: at rest from t = 1/(2a) on, in all units.  Slow spirals were stopped on
 * their way, and with 1e9 as unit rounding went on for 1.2 million steps; fast ones ended before
 * they were many. */
static void test_spirals(void)
{
    static const double part[] = {0.5, 0.1, 0.02, 0.3, 0.7, 0.8, 0.9, 0.99};
    static const double unit[] = {1e-6, 1.0, 1e9, 1e-9};

    for (int k = 0; k < 18 + 40; k++) { /* at last fast ones in large units, at tight tolerances */
        const int j = k - 18;
        const double a = j < 0 ? part[k / 6] : part[j % 8], F = unit[j < 0    ? k % 3
                                                                     : j < 20 ? 0
                                                                              : 3];
        const double tol = j < 0 ? (k % 6 < 3 ? 1e-4 : 1e-7) : j % 5 < 3 ? 1e-9 : 1e-10;
        char text[TEXT];
        double v[2] = {NAN, NAN};

        if (!test_takes(k)) continue;
        snprintf(text, sizeof text,
                 "param a = %g, F = %g\nvar x = 1/F, y = 0\nF*x' = -a*sign(x) + sign(y)\n"
                 "F*y' = -sign(x) - a*sign(y)\noutput u = F*x, v = F*y\nover t = 0 .. 2/a\n",
                 a, F);
        if (!end_of(text, 2.0 / a, tol, 5000, 0.0, v) || !CHECK(fabs(v[0]) + fabs(v[1]) <= 1e-12))
            printf("a = %g, F = %g, %g: %g, %g; %s\n", a, F, tol, v[0], v[1],
                   rg_last_error(ctx)->message);
    }
}

/* A thermostat without hysteresis whose sensor lags behind: its switches follow each other more and
 * more closely for ever, and it moves along them once it is there within the tolerance, heated as
 * the room needs it, or within what is rounding of the switch.  One took 500000 steps at 1e-4, with
 * heat on or off by chance in its rows, and still did at 1e-7.  An oscillation below the tolerance
 * that does not decay goes on. */
static void test_relays(void)
{
    static const double tols[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 3e-10, 1e-10, 3e-11};
    static const double units[] = {1.0, 1e-3, 1e6};

    for (int k = 0; k < 54; k++) {
        const double tol = tols[k % 9], U = units[k / 9 % 3], A = k < 27 ? 0.0 : 3.0;
        const double heat = 8.0 * (43.0 - 20.0 - A * sin(0.1 * 80.0));
        char text[TEXT];
        double v[3] = {NAN, NAN, NAN};

        if (!test_takes(k)) continue;
        snprintf(text, sizeof text,
                 "param U = %g, A = %g\nvar T = 20, x = 20/U, q\n"
                 "130*T' = q - 8*(T - 20 - A*sin(0.1*t))\n0.8*U*x' = T - U*x\n"
                 "q = if(U*x > 43, 0, 380)\nover t = 0 .. 80\n",
                 U, A);
        if (!end_of(text, 80.0, tol, 20000, 0.0, v) || !CHECK(fabs(v[0] - 43.0) <= 400.0 * tol)
            || !CHECK(fabs(U * v[1] - 43.0) <= 400.0 * tol)
            || !CHECK(fabs(v[2] - heat) <= 400.0 * tol))
            printf("unit %g, A = %g, %g: %g %g %g; %s\n", U, A, tol, v[0], v[1], v[2],
                   rg_last_error(ctx)->message);
    }
    for (int k = 0; k < 3; k++) { /* 40 periods of 4 sqrt(2 x(0)) */
        double v[2] = {NAN, NAN};
        if (!end_of("var x = 5e-5, v = 0\nx' = v\nv' = -sign(x)\nover t = 0 .. 1.6\n", 1.6, tols[k],
                    5000, 0.0, v)
            || !CHECK(fabs(v[0] - 5e-5) <= 1e-6))
            printf("an oscillation, %g: %g; %s\n", tols[k], v[0], rg_last_error(ctx)->message);
    }
}

/* The same, with lags between 0.5 ms and 0.5 s and a set point of 20 or 2.1: how near they come to
 * the switch before the place where it is located keeps them going depends on both.  There they
 * went on for 700000 steps. */
static void test_lags(void)
{
    static const double lags[] = {2.0, 20.0, 200.0, 2000.0}, tols[] = {1e-3, 1e-4, 1e-6, 1e-8};

    for (int k = 0; k < 32; k++) {
        const double lag = lags[k % 4], tol = tols[k / 4 % 4], set = k < 16 ? 20.0 : 2.1;
        char text[TEXT];
        double v[2] = {NAN, NAN};

        if (!test_takes(k)) continue;
        snprintf(text, sizeof text,
                 "var T = %g, m = 0\nT' = -0.1*(T - %g) + 2*m\nm' = %g*(if(T < %g, 1, 0) - m)\n"
                 "over t = 0 .. 20\n",
                 set - 2.0, set - 10.0, lag, set);
        if (!end_of(text, 20.0, tol, 20000, 0.0, v) || !CHECK(fabs(v[0] - set) <= 10.0 * tol)
            || !CHECK(fabs(v[1] - 0.5) <= 10.0 * tol))
            printf("lag %g, set %g, %g: %g %g; %s\n", lag, set, tol, v[0], v[1],
                   rg_last_error(ctx)->message);
    }
}

/* A loop with a quantizer rests between two of its values, as a controller with sign() does:
 * "no branch of the equations goes on" was said.  x goes to the step of the quantizer that is
 * around the drive a, and y follows a there, also where a varies, up to the end of the step. */
static void test_quantizers(void)
{
    static const char *const forms[] = {
        "y = floor(4*x)/4",
        "y = ceil(4*x - 1)/4",
        "y = x - mod(4*x, 1)/4",
    };
    static const double starts[] = {-0.9, 0.1, 1.1};

    for (int k = 0; k < 3 * 3 * 3; k++) {
        const double tol = pow(10.0, -3.0 - 3.0 * (k % 3));
        char text[TEXT];
        double v[2] = {NAN, NAN};

        if (!test_takes(k)) continue;
        snprintf(text, sizeof text,
                 "var x = %g, y\nx' = 0.6 + 0.09*sin(2*t) - y\n%s\nover t = 0 .. 20\n",
                 starts[k / 3 % 3], forms[k / 9]);
        if (!end_of(text, 20.0, tol, 2000, 0.0, v) || !CHECK(fabs(v[0] - 0.75) <= 10.0 * tol)
            || !CHECK(fabs(v[1] - 0.6 - 0.09 * sin(40.0)) <= 10.0 * tol))
            printf("%g: %g %g; %s\n%s", tol, v[0], v[1], rg_last_error(ctx)->message, text);
    }
    for (int k = 0; k < 3; k++) { /* 0.25 < a < 0.5 up to t = 1.5, then one step higher */
        const double tol = pow(10.0, -3.0 - 3.0 * k);
        double v[2] = {NAN, NAN};
        if (!end_of("var x = 0.5, y\nx' = 0.35 + 0.1*t - y\ny = floor(4*x)/4\nover t = 0 .. 3\n",
                    3.0, tol, 2000, 0.0, v)
            || !CHECK(fabs(v[0] - 0.5 - 0.05 * 2.25) <= 30.0 * tol)
            || !CHECK(fabs(v[1] - 0.5) <= 1e-12))
            printf("%g: %.10g %.10g\n", tol, v[0], v[1]);
    }
}

/* A stop with a damper that acts in contact: its force would be negative at first, for a time d
 * that is shorter than the trial step behind the switch.  The force went on from there without the
 * end of max(), d^2 k/2 off, at exit 0. */
static void test_dampers(void)
{
    static const double parts[] = {1e-6, 1e-5, 3e-5, 6e-5, 1e-4, 1.5e-4, 3e-4, 1e-3};

    for (int k = 0; k < 8 * 7; k++) {
        const double d = parts[k / 7], tol = pow(10.0, -4.0 - k % 7);
        const double z = 5e3 * (0.01 - d) * (0.01 - d);
        char text[TEXT];
        double v[3] = {NAN, NAN, NAN};

        if (!test_takes(k)) continue;
        snprintf(text, sizeof text,
                 "param k = 1e4, d = %g\nvar x = 0, z = 0, N\nx' = 1\nz' = N\n"
                 "N = max(0, k*(x - 1) - k*d*if(x > 1, 1, 0))\nover t = 0 .. 1.01\n",
                 d);
        if (!end_of(text, 1.01, tol, 2000, 0.0, v)
            || !CHECK(fabs(v[1] - z) <= fmax(10.0 * tol, 1e-10)))
            printf("d = %g, %g: %.10g for %.10g\n", d, tol, v[1], z);
    }
}

/* Dry friction with a narrow band of velocities without any: the block turns twice and then creeps
 * along the edge of the band. */
static void test_bands(void)
{
    static const double bands[] = {1e-9, 1e-7, 1e-5, 1e-3};

    for (int k = 0; k < 4 * 8; k++) {
        const double b = bands[k / 8], tol = pow(10.0, -3.0 - k % 8);
        const double x = -0.2 + (10.0 - 2.0 * acos(-1.0)) * b;
        char text[TEXT];
        double v[2] = {NAN, NAN};

        if (!test_takes(k)) continue;
        snprintf(text, sizeof text,
                 "var x = 1, v = 0\nx' = v\nv' = -x - if(abs(v) > %g, 0.3*sign(v), 0)\n"
                 "over t = 0 .. 10\n",
                 b);
        if (!end_of(text, 10.0, tol, 2000, 0.0, v)
            || !CHECK(fabs(v[0] - x) <= fmax(10.0 * tol, 20.0 * b * b)))
            printf("band %g, %g: %.10g for %.10g\n", b, tol, v[0], x);
    }
}

/* Step-down converters with an ideal freewheeling diode whose current comes to rest in each period:
 * the trial steps behind the switch of time had seen 3e8 amperes, and the end of the current was
 * located to 1e-13 of that ("i would have to jump").  Against runs at 1e-11. */
static void test_converters(void)
{
    static const char *const models[] = {
        "0.323, L = 0.0571, C = 0.209, R = 3.74, U = 5.893\n",
        "0.522, L = 0.492, C = 0.405, R = 8.92, U = 15.733\n",
        "0.715, L = 0.0987, C = 0.45, R = 2.32, U = 7.58\n",
    };
    double end[4], v[4];

    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        char text[TEXT];
        if (!test_takes((int)k)) continue;
        snprintf(text, sizeof text,
                 "param d = %svar i = 0, u = 0, v ~ 0, j ~ 0\nlet on = if(mod(t, 1) < d, 1, 0)\n"
                 "L*i' = v - u - 0.05*i\nC*u' = i - u/R\nj = i - on*(U - v)/0.02\n"
                 "0 = min(j, v + 0.01*j)\nover t = 0 .. 4\n",
                 models[k]);
        if (!end_of(text, 4.0, 1e-11, 0, 0.0, end)) continue;
        for (double tol = 1e-3; tol > 0.9e-9; tol *= 0.1)
            if (!end_of(text, 4.0, tol, 5000, 0.0, v)
                || !CHECK(fabs(v[0] - end[0]) + fabs(v[1] - end[1]) <= 100.0 * tol))
                printf("%g: %g %g for %g %g; %s\n%s", tol, v[0], v[1], end[0], end[1],
                       rg_last_error(ctx)->message, text);
    }
}

/* Switches that end within rounding of each other: one behind another was passed again and again,
 * and the run ended at 1e-5 and 1e-6. */
static void test_soon(void)
{
    static const char text[] =
        "var x = 1.310181126650402, z ~ 0\n"
        "let w = 3.98*t + 2.01, X = 2*sin(w) - 0.5\n"
        "x' - 7.96*cos(w) + 0.84*(x - X) + 0.54*(sign(x - 0.25) - sign(X - 0.25)) = 0\n"
        "z + 0.41*abs(max(x - 0.05, -0.3) - 0.2) = sin(t) + 0.41*abs(max(X - 0.05, -0.3) - 0.2)\n"
        "over t = 0 .. 10\n";

    for (int k = 0; k < 8; k++) { /* at last with steps that end elsewhere */
        const double tol = pow(10.0, k < 6 ? -4.0 - k : -9.0), h_max[] = {0.05, 0.054};
        double v[3] = {NAN, NAN, NAN};

        if (!end_of(text, 10.0, tol, 5000, k < 6 ? 0.0 : h_max[k - 6], v)
            || !CHECK(fabs(v[0] - 2.0 * sin(3.98 * 10.0 + 2.01) + 0.5) <= 100.0 * tol)
            || !CHECK(fabs(v[1] - sin(10.0)) <= 100.0 * tol))
            printf("%g: %g, %g; %s\n", tol, v[0], v[1], rg_last_error(ctx)->message);
    }
}

/* Bang-bang control with infinitely many switches (Fuller) ends quickly, at rest or with the place
 * and the equation; rounding went on behind it for millions of steps. */
static void test_fuller(void)
{
    double v[2] = {NAN, NAN};
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    const rg_request request = {.keep = RG_KEEP_LAST};

    o.rtol = o.atol = 1e-8;
    o.max_steps = 1000;
    if (!CHECK(rg_problem_from_text(ctx,
                                    "var x = 1, v = 0\nx' = v\nv' = -sign(x + 0.4446*v*abs(v))\n"
                                    "over t = 0 .. 20\n",
                                    &p)
               == RG_OK))
        return;
    if (rg_solve_request(p, 20.0, &o, &request, &s) == RG_OK
        && CHECK(rg_solution_end_values(s, v) == RG_OK))
        CHECK(fabs(v[0]) + fabs(v[1]) <= 1e-6);
    else
        CHECK(strstr(rg_last_error(ctx)->message, "accumulate at t = 2.7154") != NULL
              && strstr(rg_last_error(ctx)->message, "in line 3") != NULL);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

/* A tank runs empty to the last tolerance, whatever it held: of 1e12 units 578 were left. */
static void test_tanks(void)
{
    for (int k = 0; k < 21; k++) {
        const double size = pow(10.0, 4.5 * (k % 7) - 12.0), tol = pow(10.0, -4.0 - 2.0 * (k / 7));
        char text[TEXT];
        double h = NAN;

        if (!test_takes(k)) continue;
        snprintf(text, sizeof text,
                 "param F = %g\nvar h = F\nh' = -sqrt(F)*sqrt(max(h, 0))\n"
                 "over t = 0 .. 4\n",
                 size);
        if (!end_of(text, 4.0, tol, 0, 0.0, &h) || !CHECK(fabs(h) <= 10.0 * tol * fmin(size, 1.0)))
            printf("%g units, %g: %g is left; %s\n", size, tol, h, rg_last_error(ctx)->message);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"models",                  test_models              },
        {"arrays",                  test_arrays              },
        {"refused",                 test_refused             },
        {"grazing",                 test_grazing             },
        {"at a switch",             test_at_switch           },
        {"multipliers at a switch", test_multiplier_at_switch},
        {"estimates",               test_estimates           },
        {"lengths",                 test_lengths             },
        {"units",                   test_units               },
        {"tanks",                   test_tanks               },
        {"spirals",                 test_spirals             },
        {"relays",                  test_relays              },
        {"lags",                    test_lags                },
        {"dampers",                 test_dampers             },
        {"bands",                   test_bands               },
        {"converters",              test_converters          },
        {"quantizers",              test_quantizers          },
        {"soon behind another",     test_soon                },
        {"Fuller",                  test_fuller              },
    };

    wanted = argc - 1;
    first_wanted = 1;
    names = argv;
    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
