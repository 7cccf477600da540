/* Compiled kernels: every operation, sharing, and all the ways in which a compiler can fail. */
#include "expr/tape_impl.h"
#include "problem/assembly_impl.h"
#include "support/test.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- a folder for temporary files, and a compiler -------------------------------------------- */

static char folder[64], old_cc[256];

static void set_up(const char *cc)
{
    strcpy(folder, "/tmp/regula-test-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
    setenv("TMPDIR", folder, 1);
    setenv("CC", cc, 1);
}

static int count_files(void)
{
    DIR *d = opendir(folder);
    int n = -2; /* . and .. */

    while (d != NULL && readdir(d) != NULL)
        n++;
    if (d != NULL) closedir(d);
    return n;
}

/* No file, no process. */
static void tear_down(void)
{
    CHECK_INT(count_files(), 0);
    CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    CHECK_INT(rmdir(folder), 0);
    unsetenv("TMPDIR");
}

static bool has_compiler(void)
{
    return system("${CC:-cc} --version > /dev/null 2>&1") == 0;
}

/* ---- a problem and its assembly -------------------------------------------------------------- */

typedef struct {
    rg_context *ctx;
    rg_problem *p;
    rg_assembly *a;
    rg_assembly_work *w[2]; /* interpreted; compiled, as far as it is */
    int64_t n, nonzeros;
    double z[512], F[2][256], J[2][4096];
} fixture;

static void make_assembly(rg_problem *p, rg_assembly **a)
{
    int32_t rows[256], columns[2][256];

    for (int k = 0; k < p->n; k++) {
        rows[k] = columns[0][k] = (int32_t)k;
        columns[1][k] = (int32_t)(p->n + k);
    }
    const int32_t *const row[1] = {rows}, *const column[2] = {columns[0], columns[1]};
    const rg_assembly_spec spec = {1, 2, 2 * p->n, row, p->n, column};
    CHECK_INT(rg_assembly_create(p, &spec, true, a), RG_OK);
}

static bool open_fixture(fixture *f, const char *text, int mode)
{
    memset(f, 0, sizeof *f);
    rg_context_create(&f->ctx);
    if (!CHECK_INT(rg_problem_from_text(f->ctx, text, &f->p), RG_OK)) {
        rg_error_print(rg_last_error(f->ctx), stdout);
        return false;
    }
    f->n = f->p->n;
    if (!CHECK(f->n <= 256)) return false;
    make_assembly(f->p, &f->a);
    f->nonzeros = rg_assembly_pattern(f->a)->start[2 * f->n];
    CHECK(f->nonzeros <= 4096);
    CHECK_INT(rg_assembly_work_create(f->a, &f->w[0]), RG_OK);
    f->p->native_mode = mode;
    CHECK_INT(rg_assembly_work_create(f->a, &f->w[1]), RG_OK);
    return true;
}

static void close_fixture(fixture *f)
{
    for (int c = 0; c < 2; c++)
        rg_assembly_work_destroy(&f->w[c]);
    rg_assembly_destroy(&f->a);
    rg_problem_destroy(&f->p);
    rg_context_destroy(&f->ctx);
}

/* Both ways at one point: the same bits. */
static void compare(fixture *f, double z)
{
    const size_t row = (size_t)f->n * sizeof(double), all = (size_t)f->nonzeros * sizeof(double);

    for (int k = 0; k < 2 * f->n; k++)
        f->z[k] = z + 0.3 * sin(k);
    rg_status status[2];
    for (int c = 0; c < 2; c++) {
        status[c] = rg_assembly_residual(f->a, f->w[c], 0.7, f->z, f->F[c]);
        CHECK_INT(rg_assembly_jacobian(f->a, f->w[c], 0.7, f->z, NULL, f->J[c]), status[c]);
    }
    CHECK_INT(status[0], status[1]);
    if (status[0] != RG_OK) return;
    CHECK(memcmp(f->F[0], f->F[1], row) == 0);
    CHECK(memcmp(f->J[0], f->J[1], all) == 0);
}

/* ---- code ------------------------------------------------------------------------------------ */

static const char functions[] =
    "param A[i=1..5] = (0.3, 1.5, 2, 0.7, 1), c = 0.1\n"
    "table f(x) = (-3, 1, 0.5, 2, 1.2, 0, 4, 3) linear repeat, g(x) = (-3, 1, 0, 2, 4, 3) hold\n"
    "table h(x) = (-3, 1, 0.5, 2, 1.2, 0, 4, 1) smooth repeat\n"
    "var x = 1, y = 1, z = 1, s = 1, w[i=1..5] = 1, v[i=1..5] = 1\n"
    "x' = f(x) + g(y) + h(x + y) + sin(x) + cos(y)*tan(z) - asin(x/9) + acos(y/9) - atan(z) + "
    "atan2(x, y) + erf(x) + t\n"
    "y' = sinh(x)*cosh(y)/tanh(z) + exp(-x) + log(y) - log10(z) + sqrt(x) + abs(y - 2) + sign(x)\n"
    "z' = min(x, y) + max(y, z) + mod(x, 0.4) + x^2 + y^3 - z^-5 + x^y + x^0.5 + y^7 + 3/x + z/7 "
    "+\n"
    "     if(x < y and not y == z or x <= z, x*y - c, c - x*z) + if(x != y, x, y)\n"
    "s' = sin(x*y - z) + cos(y - x*z) + exp(-y*z + x) + sin(3*x + y) + cos(3*y - z) + exp(z - 3*x) "
    "+\n"
    "     tanh(x*z + 3) + sinh(3 - y*s) + atan(2 - s) + sin(s + 4) + cos(2*s) + sin(s*y + z) + "
    "sin(-s)\n"
    "for i = 1..5 {\n"
    "  w[i]' = A[i]*sin(w[i])*v[6-i] + i*w[1+mod(i, 5)]^3 + exp(-x) + if(w[i] > 1, w[i], v[i])\n"
    "  v[i] = w[i]^2 + sum(j=1..5, A[j]*v[j]*w[i]) + x*sqrt(v[i])\n"
    "}\n"
    "over t = 0 .. 1\n";

/* Which operations occur in the programs of a unit and of those below. */
static void note_operations(const rg_unit *u, bool *seen)
{
    const rg_tape *const tapes[] = {u->value.tape, u->jacobian.tape};

    for (int k = 0; k < 2; k++)
        for (int64_t i = 0; tapes[k] != NULL && i < tapes[k]->length; i++)
            seen[tapes[k]->code[i].op] = true;
    for (int k = 0; k < u->n_children; k++)
        note_operations(&u->children[k], seen);
}

static void check_operations(const fixture *f)
{
    bool seen[I_CONST_SUB_MUL + 1] = {false};

    for (int k = 0; k < f->a->n_units; k++)
        note_operations(&f->a->units[k], seen);
    /* BLEND and POSITION are made where branches are held, not by a text:
     * tests/order/test_native_runs */
    for (int op = RG_OP_ADD; op <= I_CONST_SUB_MUL; op++)
        if (!CHECK(seen[op] || op == RG_OP_COUNT || op == RG_OP_BLEND || op == RG_OP_POSITION))
            printf("operation %d does not occur\n", op);
}

static void test_functions(void)
{
    fixture f;

    set_up(old_cc);
    if (open_fixture(&f, functions, RG_NATIVE_ON) && CHECK(f.w[1]->code != NULL)) {
        CHECK_INT(count_files(), 0);
        check_operations(&f);
        compare(&f, 1.0);
        compare(&f, 0.6);
        compare(&f, -1.0); /* log of a negative number */
        compare(&f, NAN);
    }
    close_fixture(&f);
    tear_down();
}

/* A program that is compiled in pieces; and code that is there already is used again. */
static void test_long(void)
{
    static char text[40000];
    size_t used = 0;
    fixture f;

    for (int k = 0; k < 60; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "var x%d = 1\n", k);
    for (int k = 0; k < 60; k++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "x%d' = sin(x%d*x%d) - x%d^3*x%d/(1 + x%d^2) + %d*exp(-x%d)\n", k,
                                 (k + 1) % 60, (k + 7) % 60, k, (k + 2) % 60, (k + 3) % 60, k, k);
    snprintf(text + used, sizeof text - used, "over t = 0 .. 1\n");
    set_up(old_cc);
    if (open_fixture(&f, text, RG_NATIVE_ON) && CHECK(f.w[1]->code != NULL)) {
        rg_assembly *again = NULL;
        rg_assembly_work *w = NULL;
        CHECK(rg_assembly_length(f.a) > 1000);
        compare(&f, 1.0);
        setenv("CC", "false", 1);
        make_assembly(f.p, &again);
        CHECK_INT(rg_assembly_work_create(again, &w), RG_OK);
        CHECK(w->code == f.w[1]->code);
        rg_assembly_work_destroy(&w);
        rg_assembly_destroy(&again);
    }
    close_fixture(&f);
    tear_down();
}

static const char small[] = "var x = 1, y = 1\nx' = y*x\ny' = -x^2\nover t = 0 .. 1\n";

/* auto: nothing happens at first; then the compiler runs beside the evaluations. */
static void test_auto(void)
{
    fixture f;

    set_up(old_cc);
    if (open_fixture(&f, small, RG_NATIVE_AUTO)) {
        compare(&f, 1.0);
        CHECK(f.w[1]->watch.entry == NULL && f.w[1]->watch.spent > 0);
        CHECK_INT(count_files(), 0);
        f.w[1]->watch.next = 0;
        compare(&f, 1.0);
        CHECK(f.w[1]->watch.entry != NULL);
        for (int k = 0; k < 30000 && f.w[1]->watch.native != NULL; k++) {
            f.w[1]->watch.next = 0;
            compare(&f, 1.0 + 1e-4 * k);
            nanosleep(&(struct timespec){0, 1000000}, NULL);
        }
        CHECK(f.w[1]->code != NULL);
        compare(&f, 1.0);
    }
    close_fixture(&f);
    tear_down();
}

/* ---- failures: the interpreter goes on ------------------------------------------------------- */

static void check_failure(const char *part)
{
    fixture f;
    char why[256] = "";

    if (open_fixture(&f, small, RG_NATIVE_ON)) {
        CHECK(f.w[1]->code == NULL && f.w[1]->watch.native == NULL);
        CHECK(rg_native_failed(f.p->native, why, sizeof why));
        if (!CHECK(strstr(why, part) != NULL)) printf("%s\n", why);
        CHECK_INT(rg_last_error(f.ctx)->code, RG_OK);
        compare(&f, 1.0);
    }
    close_fixture(&f);
}

static void test_no_compiler(void)
{
    set_up("/nonexistent/cc");
    check_failure("no C compiler can be started");
    tear_down();
}

static void test_bad_compiler(void)
{
    set_up("false");
    check_failure("exit status 1");
    setenv("CC", "true", 1); /* success, but no library */
    check_failure("cannot be loaded");
    tear_down();
}

static void test_no_folder(void)
{
    char longer[2000];

    set_up(old_cc);
    setenv("TMPDIR", "/nonexistent", 1);
    check_failure("no folder");
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    setenv("TMPDIR", longer, 1);
    check_failure("too long");
    tear_down();
}

static void test_no_room(void)
{
    struct rlimit old, none;

    set_up(old_cc);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    none = old;
    none.rlim_cur = 100;
    setrlimit(RLIMIT_FSIZE, &none);
    check_failure("cannot write the source");
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_DFL);
    tear_down();
}

/* The problem goes while the compiler, and what it started, is at work. */
static void test_slow_compiler(void)
{
    char path[128], file[160];
    fixture f;

    set_up("");
    snprintf(path, sizeof path, "%s.sh", folder);
    FILE *script = fopen(path, "w");
    if (!CHECK(script != NULL)) return;
    fprintf(script, "#!/bin/sh\nsleep 60 &\necho > $TMPDIR/own.s\nwait\n");
    fclose(script);
    chmod(path, 0700);
    snprintf(file, sizeof file, "/bin/sh %s", path);
    setenv("CC", file, 1);
    const double begin = rg_seconds();
    if (open_fixture(&f, small, RG_NATIVE_AUTO)) {
        f.w[1]->watch.next = 0;
        compare(&f, 1.0);
        CHECK(f.w[1]->watch.entry != NULL && f.w[1]->watch.native != NULL);
        CHECK_INT(count_files(), 1);
        nanosleep(&(struct timespec){0, 20000000}, NULL);
        compare(&f, 1.0);
    }
    close_fixture(&f);
    CHECK(rg_seconds() - begin < 30);
    unlink(path);
    tear_down();
}

static const test_case cases[] = {
    {"no compiler",    test_no_compiler  },
    {"bad compiler",   test_bad_compiler },
    {"no folder",      test_no_folder    },
    {"no room",        test_no_room      },
    {"slow compiler",  test_slow_compiler},
    {"all operations", test_functions    },
    {"long programs",  test_long         },
    {"auto",           test_auto         },
};

int main(void)
{
    const size_t n = sizeof cases / sizeof *cases;
    const char *cc = getenv("CC");

    snprintf(old_cc, sizeof old_cc, "%s", cc != NULL && cc[0] != '\0' ? cc : "cc");
    return test_main(cases, has_compiler() ? n : n - 3);
}
