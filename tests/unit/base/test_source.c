/* Model files as lines and columns. */
#include "base/base.h"
#include "base/text.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static rg_context *ctx;

/* Line and column of every offset, against counting from the start of the text. */
static void test_places(void)
{
    const char *text = "ab\n\n\xCE\xBBx\r\nlast";
    rg_source *s = NULL;
    int line = 1, column = 1;

    CHECK_INT(rg_source_from_text(ctx, "text", text, &s), RG_OK);
    for (int32_t k = 0; k <= s->length; k++) {
        int found_line, found_column;
        rg_source_place(s, k, &found_line, &found_column);
        const bool is_inside = k > 0 && (text[k] & 0xC0) == 0x80; /* the second byte of a letter */
        if (!is_inside) {
            CHECK_INT(found_line, line);
            CHECK_INT(found_column, column);
        }
        if (text[k] == '\n') {
            line++;
            column = 1;
        } else if (!(k < s->length && (text[k + 1] & 0xC0) == 0x80)) {
            column++;
        }
    }
    rg_source_destroy(ctx, &s);
    CHECK(s == NULL);
}

static void write_file(char *path, const char *bytes, size_t length)
{
    const int descriptor = mkstemp(path);
    FILE *to = fdopen(descriptor, "wb");
    CHECK(fwrite(bytes, 1, length, to) == length);
    fclose(to);
}

static void test_read(void)
{
    char path[] = "/tmp/regula-test-XXXXXX";
    rg_source *s = NULL;

    write_file(path, "\xEF\xBB\xBFx = 1\n", 9); /* a byte order mark is dropped */
    CHECK_INT(rg_source_read(ctx, path, &s), RG_OK);
    CHECK_TEXT(s->text, "x = 1\n");
    CHECK_INT(s->length, 6);
    CHECK_TEXT(s->name, path);
    CHECK_INT(s->n_lines, 2);
    rg_source_destroy(ctx, &s);
    remove(path);
}

static void test_read_fails(void)
{
    rg_source *s = NULL;

    rg_clear_error(ctx);
    CHECK_INT(rg_source_read(ctx, "/nowhere/at/all.rg", &s), RG_ERR_IO);
    CHECK(s == NULL);
    CHECK_TEXT(rg_last_error(ctx)->message,
               "cannot read '/nowhere/at/all.rg': No such file or directory");
    CHECK(rg_last_error(ctx)->remedy[0] != '\0');
    rg_clear_error(ctx);
    CHECK_INT(rg_source_read(ctx, "/tmp", &s), RG_ERR_IO); /* a folder */
    CHECK(s == NULL);
}

static void test_limit(void)
{
    rg_source *s = NULL;
    const size_t length = (size_t)RG_SOURCE_LIMIT + 1;
    char *text = malloc(length + 1);

    if (!CHECK(text != NULL)) return;
    memset(text, ' ', length);
    text[length] = '\0';
    rg_clear_error(ctx);
    CHECK_INT(rg_source_from_text(ctx, "text", text, &s), RG_ERR_IO);
    text[length - 1] = '\0';
    if (test_takes(1)) CHECK_INT(rg_source_from_text(ctx, "text", text, &s), RG_OK);
    rg_source_destroy(ctx, &s);
    free(text);
}

static void test_utf8(void)
{
    static const struct {
        const char *bytes;
        int length, code;
    } rows[] = {
        {"a",                1, 'a'    },
        {"\xCE\xBB",         2, 0x3BB  },
        {"\xE2\x82\xAC",     3, 0x20AC },
        {"\xF0\x9F\x98\x80", 4, 0x1F600},
        {"\xC0\x80",         1, -1     }, /* overlong */
        {"\xED\xA0\x80",     1, -1     }, /* surrogate */
        {"\xF4\x90\x80\x80", 1, -1     }, /* beyond U+10FFFF */
        {"\x80",             1, -1     },
        {"\xE2\x82",         1, -1     }, /* cut off */
        {"\xCE"
         "a",       1, -1     },
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        int32_t code;
        CHECK_INT(rg_utf8_next(rows[k].bytes, strlen(rows[k].bytes), &code), rows[k].length);
        CHECK_INT(code, rows[k].code);
    }
}

static int n_records;
static char last_record[64];

static void count_record(int level, const char *text, void *user)
{
    (void)level;
    n_records += *(const int *)user;
    snprintf(last_record, sizeof last_record, "%s", text);
}

static void test_log(void)
{
    int one = 1;
    n_records = 0;
    rg_log(ctx, 1, "nobody listens");
    rg_context_set_log(ctx, count_record, 2, &one);
    CHECK(rg_log_wanted(ctx, 2) && !rg_log_wanted(ctx, 3));
    rg_log(ctx, 2, "x = %d", 3);
    rg_log(ctx, 3, "too much detail");
    CHECK_INT(n_records, 1);
    CHECK_TEXT(last_record, "x = 3");
    rg_context_set_log(ctx, NULL, 0, NULL);
    rg_log(ctx, 1, "off again");
    CHECK_INT(n_records, 1);
}

static const test_case cases[] = {
    {"places",     test_places    },
    {"read",       test_read      },
    {"read fails", test_read_fails},
    {"limit",      test_limit     },
    {"utf8",       test_utf8      },
    {"log",        test_log       },
};

int main(void)
{
    if (rg_context_create(&ctx) < 0) return 1;
    const int status = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return status;
}
