/* Runs a fuzz target on files, and on all files of folders, without libFuzzer. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int n_files;

/* The whole file in memory of exactly its size, so that a sanitizer sees every byte read too far.
 * */
static int replay_file(const char *path)
{
    FILE *from = fopen(path, "rb");
    if (from == NULL || fseek(from, 0, SEEK_END) != 0) {
        fprintf(stderr, "cannot read %s\n", path);
        return 1;
    }
    const long size = ftell(from);
    rewind(from);
    uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
    const size_t length = data != NULL ? fread(data, 1, (size_t)size, from) : 0;
    fclose(from);
    fprintf(stderr, "%s\n", path);
    LLVMFuzzerTestOneInput(data, length);
    free(data);
    n_files++;
    return 0;
}

static int replay(const char *path)
{
    DIR *folder = opendir(path);
    int bad = 0;

    if (folder == NULL) return replay_file(path);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char name[4096];
        if (entry->d_name[0] == '.') continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        bad |= replay_file(name);
    }
    closedir(folder);
    return bad;
}

int main(int argc, char **argv)
{
    int bad = 0;
    for (int k = 1; k < argc; k++)
        bad |= replay(argv[k]);
    printf("%d files\n", n_files);
    return bad || n_files == 0;
}
