/* The files that a command line writes: no two outputs may share one, by whatever names. */
#include "cli.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_PLACES = 24, LONGEST_PATH = 4096 };

/* A file, there or not, as what it is and not as what it is called. */
typedef struct {
    const char *flag, *file; /* "-": standard output */
    const char *ending;      /* of another file that it writes, as FILE.part; "": itself */
    bool is_there;
    struct stat info; /* of the file; where there is none, of its folder, */
    char name[300];   /* and its name there */
} place;

typedef struct {
    int n;
    place places[MOST_PLACES];
} outputs;

/* The file that a link names, though it is not there yet. */
static void follow(char path[LONGEST_PATH])
{
    enum { LINKS = 16 };
    char to[LONGEST_PATH];

    for (int k = 0; k < LINKS; k++) {
        const ssize_t length = readlink(path, to, sizeof to - 1);
        if (length <= 0) return;
        to[length] = '\0';
        char *slash = strrchr(path, '/');
        char *from = to[0] == '/' || slash == NULL ? path : slash + 1;
        if ((size_t)(from - path) + (size_t)length >= LONGEST_PATH) return;
        memcpy(from, to, (size_t)length + 1);
    }
}

/* False: the name cannot be one of a file, which is told where it is opened. */
static bool locate(place *p)
{
    char path[LONGEST_PATH];

    const size_t length = strlen(p->file);
    if (length + strlen(p->ending) >= sizeof path) return false;
    memcpy(path, p->file, length + 1);
    if (p->ending[0] != '\0') follow(path);
    const size_t used = strlen(path);
    snprintf(path + used, sizeof path - used, "%s", p->ending);
    p->is_there =
        strcmp(path, "-") == 0 ? fstat(STDOUT_FILENO, &p->info) == 0 : stat(path, &p->info) == 0;
    if (p->is_there) return true;
    follow(path);
    char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    if (strlen(base) >= sizeof p->name) return false; /* longer than names of files are */
    memcpy(p->name, base, strlen(base) + 1);
    if (slash != NULL) slash[slash == path] = '\0';
    return stat(slash != NULL ? path : ".", &p->info) == 0;
}

/* NULL: the place does not count. */
static const place *add_place(outputs *o, const char *flag, const char *file, const char *ending)
{
    place *p = &o->places[o->n];

    *p = (place){.flag = flag, .file = file, .ending = ending};
    return locate(p) ? &o->places[o->n++] : NULL;
}

/* ending: of the file that holds what is not complete, beside one that is replaced as a whole. */
static void add(outputs *o, const char *flag, const char *file, const char *ending)
{
    if (file == NULL || file[0] == '\0') return;
    const place *p = add_place(o, flag, file, "");
    if (p != NULL && (!p->is_there || S_ISREG(p->info.st_mode)) && strcmp(file, "-") != 0)
        add_place(o, flag, file, ending);
}

static bool is_standard(const place *p)
{
    return strcmp(p->file, "-") == 0 && p->ending[0] == '\0';
}

/* Devices take what comes: --csv /dev/null --svg /dev/null. */
static bool is_same(const place *a, const place *b)
{
    if (is_standard(a) && is_standard(b)) return true;
    if (a->is_there != b->is_there || a->info.st_dev != b->info.st_dev
        || a->info.st_ino != b->info.st_ino)
        return false;
    return a->is_there ? !S_ISCHR(a->info.st_mode) : strcmp(a->name, b->name) == 0;
}

static bool refuse(const place *a, const place *b, rg_error *error)
{
    const bool is_output = is_standard(a) && is_standard(b);
    const bool is_json = strcmp(a->flag, "--json") == 0;
    char first[300], second[300], remedy[64];

    if (is_json)
        snprintf(first, sizeof first, "%s", a->flag);
    else
        snprintf(first, sizeof first, "'%s %s'", a->flag, a->file);
    snprintf(second, sizeof second, "'%s %s'", b->flag, b->file);
    snprintf(remedy, sizeof remedy, "give %s file to %s", is_output ? "a" : "another", b->flag);
    if (is_output)
        return cli_mistake(error, remedy, "%s and %s both write standard output", first, second);
    if (a->ending[0] != '\0' || b->ending[0] != '\0')
        return cli_mistake(error, remedy, "%s and %s share the file '%s%s'", first, second, a->file,
                           a->ending);
    return cli_mistake(error, remedy, "%s and %s write the same file", first, second);
}

/* Rows of the table of options that name files. */
static const struct {
    const char *name, *flag;
} options[] = {
    {"svg",    "--svg"   },
    {"fields", "--fields"},
    {"png",    "--png"   },
    {"vtk",    "--vtk"   }
};
enum { N_OPTIONS = sizeof options / sizeof *options };

static const char *given(const cli_args *args, const char *name)
{
    const char *text = NULL;

    for (int k = 0; k < args->n_options; k++)
        if (strcmp(args->option_name[k], name) == 0) text = args->option_text[k];
    return text;
}

bool cli_check_outputs(const cli_args *args, const rg_options *o, const char *svg, rg_error *error)
{
    char text[N_OPTIONS][256];
    outputs all = {.n = 0};

    if (args->json) add(&all, "--json", "-", "");
    add(&all, "--csv", args->csv, ".part");
    for (int k = 0; k < N_OPTIONS; k++) {
        const char *file = given(args, options[k].name);
        if (o != NULL && rg_options_get(o, options[k].name, text[k], sizeof text[k]) >= 0)
            file = text[k];
        if (strcmp(options[k].name, "vtk") != 0)
            add(&all, options[k].flag, file, ".part");
        else if (file != NULL && file[0] != '\0')
            add_place(&all, options[k].flag, file, ".pvd");
    }
    add(&all, "--svg", svg, ".part");
    add(&all, "--report", args->report, ".part");
    add(&all, "--checkpoint", args->checkpoint, ".new");
    for (int k = 1; k < all.n; k++)
        for (int i = 0; i < k; i++)
            if (strcmp(all.places[i].flag, all.places[k].flag) != 0
                && is_same(&all.places[i], &all.places[k]))
                return refuse(&all.places[i], &all.places[k], error);
    return true;
}
