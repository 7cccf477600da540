/* The lines by which a checkpoint knows its run. */
#define _GNU_SOURCE /* dl_iterate_phdr() */
#include "base/checkpoint.h"

#include <link.h>
#include <stdio.h>
#include <string.h>

static void append(rg_run_name *n, const char *text, size_t length)
{
    if (n->status != RG_OK) return;
    if (n->size + length + 1 > n->capacity) {
        const size_t capacity = 2 * n->capacity + length + 256;
        char *grown = rg_resize(n->ctx, n->text, capacity, 1);
        if (grown == NULL) {
            n->status = RG_ERR_MEMORY;
            return;
        }
        n->text = grown;
        n->capacity = capacity;
    }
    memcpy(n->text + n->size, text, length);
    n->size += length;
}

/* A line has no line ends in it. */
void rg_run_name_add(rg_run_name *n, const char *label, const char *format, ...)
{
    char line[1200];
    va_list arguments;

    int used = snprintf(line, sizeof line, "%s: ", label);
    if (used >= (int)sizeof line) used = (int)sizeof line - 1;
    va_start(arguments, format);
    vsnprintf(line + used, sizeof line - (size_t)used, format, arguments);
    va_end(arguments);
    for (char *c = line; *c != '\0'; c++)
        if (*c == '\n' || *c == '\r') *c = ' ';
    append(n, line, strlen(line));
    append(n, "\n", 1);
}

void rg_run_name_hash(rg_run_name *n, const char *label, uint64_t hash)
{
    rg_run_name_add(n, label, "#%016llx", (unsigned long long)hash);
}

typedef struct {
    uintptr_t inside; /* an address of the object that is looked for */
    uint64_t hash;
    bool is_found;
} object;

/* The note that the linker has left in the object (program or library) that holds this code. */
static int look(struct dl_phdr_info *info, size_t size, void *user)
{
    object *o = user;
    bool is_ours = false;

    (void)size;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[k];
        const uintptr_t from = info->dlpi_addr + p->p_vaddr;
        is_ours =
            is_ours || (p->p_type == PT_LOAD && o->inside >= from && o->inside < from + p->p_memsz);
    }
    for (int k = 0; is_ours && k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[k];
        if (p->p_type != PT_NOTE) continue;
        o->hash = rg_hash(o->hash, (const void *)(info->dlpi_addr + p->p_vaddr), p->p_memsz);
        o->is_found = true;
    }
    return is_ours;
}

void rg_run_name_build(rg_run_name *n)
{
    static const char here[] = "build"; /* in the object of this code */
    object o = {(uintptr_t)here, RG_HASH_BEGIN, false};

    rg_run_name_add(n, "version", "%s", RG_VERSION);
    dl_iterate_phdr(look, &o);
    rg_run_name_hash(n, "build of regula", o.is_found ? o.hash : 0);
}

void rg_run_name_clear(rg_run_name *n)
{
    if (n->ctx != NULL) rg_free(n->ctx, n->text);
    n->text = NULL;
    n->size = n->capacity = 0;
}
