/* Runs the C compiler on generated source in a process of its own, and loads the result: files,
 * process, shared library.  The header says what is promised. */
#define _GNU_SOURCE /* secure_getenv(): a program with rights of its own is not told what to run */
#include "expr/native_build.h"
#include "expr/tuning.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { MOST_WORDS = 8, MOST_VARIABLES = 1000, REMOVE_TRIES = 50 };

static bool fail(rg_build *b, const char *what, const char *why)
{
    snprintf(b->why, sizeof b->why, "%s: %s", what, why);
    rg_build_stop(b);
    return false;
}

/* ---- files ----------------------------------------------------------------------------------- */

static void file_name(const rg_build *b, const char *name, char path[RG_BUILD_PATH + 64])
{
    snprintf(path, RG_BUILD_PATH + 64, "%s/%s", b->folder, name);
}

bool rg_build_open(rg_build *b)
{
    char path[RG_BUILD_PATH + 64];
    const char *base = secure_getenv("TMPDIR");

    if (base == NULL || base[0] == '\0') base = "/tmp";
    b->owner = getpid();
    const int length = snprintf(b->folder, sizeof b->folder, "%s/regula-XXXXXX", base);
    if (length >= (int)sizeof b->folder) {
        b->folder[0] = '\0';
        return fail(b, "no folder for temporary files", "the name in TMPDIR is too long");
    }
    if (mkdtemp(b->folder) == NULL) {
        b->folder[0] = '\0';
        return fail(b, "no folder for temporary files", strerror(errno));
    }
    file_name(b, "kernels.c", path);
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    b->source = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    return b->source != NULL ? true : fail(b, "cannot write the source", strerror(errno));
}

/* Compilers that were just killed may make one more file: hence several tries. */
static void empty_folder(const rg_build *b)
{
    char path[RG_BUILD_PATH + 512];

    for (int tries = 0; tries < REMOVE_TRIES && b->folder[0] != '\0'; tries++) {
        DIR *folder = opendir(b->folder);
        const struct dirent *entry;
        while (folder != NULL && (entry = readdir(folder)) != NULL) {
            snprintf(path, sizeof path, "%s/%s", b->folder, entry->d_name);
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) unlink(path);
        }
        if (folder != NULL) closedir(folder);
        if (rmdir(b->folder) == 0 || errno == ENOENT) return;
        nanosleep(&(struct timespec){0, 2000000}, NULL);
    }
}

static void remove_folder(rg_build *b)
{
    empty_folder(b);
    b->folder[0] = '\0';
}

/* ---- the compiler ---------------------------------------------------------------------------- */

/* The words of a command; they are cut out of `text`. */
static int split(char *text, char **words)
{
    int n = 0;

    for (char *at = text; n < MOST_WORDS;) {
        at += strspn(at, " \t");
        if (*at == '\0') break;
        words[n++] = at;
        at += strcspn(at, " \t");
        if (*at != '\0') *at++ = '\0';
    }
    return n;
}

/* The environment with TMPDIR set to the folder, so that the compiler's own files are removed
 * with it. */
static char **child_environment(char **copy, char *tmpdir)
{
    int n = 0;

    for (char **v = environ; v != NULL && *v != NULL; v++) {
        if (strncmp(*v, "TMPDIR=", 7) == 0) continue;
        if (n == MOST_VARIABLES) return environ;
        copy[n++] = *v;
    }
    copy[n++] = tmpdir;
    copy[n] = NULL;
    return copy;
}

static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none, usual;

    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGTERM);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGCHLD);
    int error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK
                                                         | POSIX_SPAWN_SETSIGDEF);
    if (error == 0) error = posix_spawnattr_setpgroup(attributes, 0);
    if (error == 0) error = posix_spawnattr_setsigmask(attributes, &none);
    if (error == 0) error = posix_spawnattr_setsigdefault(attributes, &usual);
    return error;
}

/* Standard input and output are /dev/null.  Returns 0 or an error number. */
static int spawn(rg_build *b, char *const *words, char **variables)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    pid_t pid = 0;

    int error = posix_spawn_file_actions_init(&files);
    if (error != 0) return error;
    for (int fd = 0; fd < 3 && error == 0; fd++)
        error = posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
    if (error == 0 && (error = posix_spawnattr_init(&attributes)) == 0) {
        error = set_attributes(&attributes);
        if (error == 0) error = posix_spawnp(&pid, words[0], &files, &attributes, words, variables);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    if (error == 0) b->compiler = pid;
    return error;
}

static int spawn_compiler(rg_build *b, const char *name)
{
    char command[256], tmpdir[RG_BUILD_PATH + 16];
    char source[RG_BUILD_PATH + 64], library[RG_BUILD_PATH + 64];
    char *words[MOST_WORDS + 16], *variables[MOST_VARIABLES + 2];

    if (strlen(name) >= sizeof command) return ENAMETOOLONG;
    strcpy(command, name);
    snprintf(tmpdir, sizeof tmpdir, "TMPDIR=%s", b->folder);
    file_name(b, "kernels.c", source);
    file_name(b, "kernels.so", library);
    int n = split(command, words);
    if (n == 0) return ENOENT;
    char *const rest[] = {
        "-O2",   "-fPIC", "-shared", "-ffp-contract=off", "-fno-math-errno", "-w", "-o",
        library, source,  "-lm"};
    for (size_t k = 0; k < sizeof rest / sizeof *rest; k++)
        words[n++] = rest[k];
    words[n] = NULL;
    return spawn(b, words, child_environment(variables, tmpdir));
}

bool rg_build_start(rg_build *b)
{
    static const char *const usual[] = {"cc", "gcc", "clang"};
    const char *given = secure_getenv("CC");
    const bool is_written = !ferror(b->source);
    const bool is_closed = fclose(b->source) == 0;
    int error = ENOENT;

    b->source = NULL;
    if (!is_written || !is_closed) return fail(b, "cannot write the source", strerror(errno));
    if (given != NULL && given[strspn(given, " \t")] != '\0') {
        error = spawn_compiler(b, given);
    } else {
        for (size_t k = 0; k < sizeof usual / sizeof *usual && error != 0; k++)
            error = spawn_compiler(b, usual[k]);
    }
    b->started = rg_seconds();
    return error == 0 ? true : fail(b, "no C compiler can be started", strerror(error));
}

/* ---- the end --------------------------------------------------------------------------------- */

static rg_build_state load(rg_build *b, const char *symbol, void **address)
{
    char path[RG_BUILD_PATH + 64];

    file_name(b, "kernels.so", path);
    b->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    *address = b->library != NULL ? dlsym(b->library, symbol) : NULL;
    remove_folder(b);
    if (*address != NULL) return RG_BUILD_READY;
    const char *reason = dlerror();
    fail(b, "the compiled library cannot be loaded", reason != NULL ? reason : "no such symbol");
    return RG_BUILD_FAILED;
}

rg_build_state rg_build_poll(rg_build *b, const char *symbol, void **address)
{
    int status = 0;
    const pid_t pid = b->compiler;

    if (pid <= 0) return RG_BUILD_FAILED;
    const pid_t ended = waitpid(pid, &status, WNOHANG);
    if (ended == 0 && rg_seconds() - b->started < RG_NATIVE_LONGEST_BUILD) return RG_BUILD_RUNS;
    if (ended == pid) b->compiler = 0;
    if (ended == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return load(b, symbol, address);
    if (ended < 0 && errno == ECHILD) b->compiler = 0; /* somebody else waited for it */
    char end[64] = "its result is not known";
    if (ended == 0) snprintf(end, sizeof end, "no end after %g seconds", RG_NATIVE_LONGEST_BUILD);
    if (ended == pid && WIFEXITED(status))
        snprintf(end, sizeof end, "exit status %d", WEXITSTATUS(status));
    if (ended == pid && WIFSIGNALED(status))
        snprintf(end, sizeof end, "signal %d", WTERMSIG(status));
    fail(b, "the C compiler failed", end);
    return RG_BUILD_FAILED;
}

static void end_compiler(const rg_build *b)
{
    if (b->compiler <= 0 || b->owner != getpid()) return;
    kill(-b->compiler, SIGKILL);
    kill(b->compiler, SIGKILL);
    while (waitpid(b->compiler, NULL, 0) < 0 && errno == EINTR)
        continue;
}

void rg_build_leave(const rg_build *b)
{
    end_compiler(b);
    if (b->owner == getpid()) empty_folder(b);
}

void rg_build_stop(rg_build *b)
{
    if (b->source != NULL) fclose(b->source);
    b->source = NULL;
    end_compiler(b);
    b->compiler = 0;
    if (b->owner == getpid()) remove_folder(b);
    if (b->library != NULL) dlclose(b->library);
    b->library = NULL;
}
