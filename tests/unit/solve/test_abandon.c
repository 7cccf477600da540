/* A run that does not answer: another thread leaves its files in order, and the program ends. */
#include "regula.h"
#include "support/test.h"

#include <dirent.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char model[] = "var x = 1, v = 0\nx' = v\nv' = -x\nover t = 0 .. 100\n";
static const char path[] = "test_abandon.csv", part[] = "test_abandon.csv.part";
static const char checkpoint[] = "test_abandon.ck";

typedef struct {
    rg_context *ctx;
    bool has_checkpoint;
    int steps;
    sem_t is_stuck;
} run;

/* Does not come back from a step. */
static int hang(double t, const double *y, const double *yp, void *user)
{
    run *r = user;

    (void)t;
    (void)y;
    (void)yp;
    if (++r->steps < 20) return 0;
    sem_post(&r->is_stuck);
    for (;;)
        pause();
}

static void *work(void *user)
{
    run *r = user;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    const rg_request request = {.keep = RG_KEEP_LAST,
                                .output = hang,
                                .user = r,
                                .csv = path,
                                .may_repeat = 1,
                                .estimate = 1,
                                .checkpoint = r->has_checkpoint ? checkpoint : NULL};

    if (rg_problem_from_text(r->ctx, model, &p) == RG_OK)
        rg_solve_request(p, 100.0, NULL, &request, &s);
    sem_post(&r->is_stuck); /* which would be wrong: the parent sees no rows */
    return NULL;
}

/* The program that ends: 0 where the note names the file. */
static int child(bool has_checkpoint)
{
    run r = {.has_checkpoint = has_checkpoint};
    pthread_t thread;
    char note[300];

    if (rg_context_create(&r.ctx) != RG_OK || sem_init(&r.is_stuck, 0, 0) != 0) return 2;
    if (pthread_create(&thread, NULL, work, &r) != 0) return 2;
    sem_wait(&r.is_stuck);
    rg_context_abandon(r.ctx, note, sizeof note);
    const bool is_named = strstr(note, "(the rows so far are in 'test_abandon.csv.part')") != NULL;
    return is_named && (strstr(note, "--resume") != NULL) == has_checkpoint ? 0 : 1;
}

/* Whole lines of the file; -1: it does not end with one. */
static int count_lines(const char *name)
{
    FILE *file = fopen(name, "r");
    int lines = 0, last = '\n';

    if (file == NULL) return -1;
    for (int c; (c = getc(file)) != EOF; last = c)
        lines += c == '\n';
    fclose(file);
    return last == '\n' ? lines : -1;
}

/* Private files have the number of the process behind the name. */
static int count_private(void)
{
    DIR *folder = opendir(".");
    int count = 0;

    for (const struct dirent *e; folder != NULL && (e = readdir(folder)) != NULL;)
        count += strncmp(e->d_name, "test_abandon.csv.part-", 22) == 0
                 || strncmp(e->d_name, "test_abandon.ck.new", 19) == 0;
    if (folder != NULL) closedir(folder);
    return count;
}

static void check(bool has_checkpoint)
{
    int status = -1;

    remove(part);
    const pid_t pid = fork();
    if (pid == 0) _exit(child(has_checkpoint));
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(count_lines(part) >= 20); /* a header, and the steps before */
    CHECK(access(path, F_OK) != 0);
    CHECK(count_private() == 0);
    remove(part);
    remove(checkpoint);
}

static void test_rows(void)
{
    check(false);
}

static void test_checkpoint(void)
{
    check(true);
}

static const test_case cases[] = {
    {"rows",       test_rows      },
    {"checkpoint", test_checkpoint},
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
