/* Texts and numbers of the JSON writer. */
#include "report/json.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static char written[512];

/* Runs one writer into `written`. */
static void capture(void (*write)(rg_json *j))
{
    FILE *f = tmpfile();
    rg_json j = {f, false};

    written[0] = '\0';
    CHECK(f != NULL);
    if (f == NULL) return;
    write(&j);
    rewind(f);
    written[fread(written, 1, sizeof written - 1, f)] = '\0';
    fclose(f);
}

static void write_texts(rg_json *j)
{
    rg_json_open(j, '[');
    rg_json_text(j, "a\"b\\c");
    rg_json_text(j, "line\n\x01");
    rg_json_text(j, "\xce\xbb");
    rg_json_text(j, "\xff\xce");
    rg_json_text(j, "\xc0\x80\xed\xa0\x80");
    rg_json_close(j, ']');
}

static void test_texts(void)
{
    capture(write_texts);
    CHECK_TEXT(written,
               "[\"a\\\"b\\\\c\", \"line\\u000a\\u0001\", \"\xce\xbb\", \"\\ufffd\\ufffd\", "
               "\"\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\"]");
}

static void write_numbers(rg_json *j)
{
    rg_json_open(j, '{');
    rg_json_key(j, "x");
    rg_json_real(j, 0.1);
    rg_json_key(j, "y");
    rg_json_real(j, NAN);
    rg_json_key(j, "list");
    rg_json_open(j, '[');
    rg_json_real(j, INFINITY);
    rg_json_integer(j, -3);
    rg_json_null(j);
    rg_json_close(j, ']');
    rg_json_close(j, '}');
}

static void test_numbers(void)
{
    capture(write_numbers);
    CHECK_TEXT(written, "{\"x\": 0.10000000000000001, \"y\": null, \"list\": [null, -3, null]}");
}

static void write_failure(rg_json *j)
{
    rg_error e = {.code = RG_ERR_SYNTAX, .line = 3, .column = 7, .t = NAN};

    strcpy(e.file, "m.rg");
    strcpy(e.message, "wrong");
    strcpy(e.remedy, "right");
    rg_json_open(j, '{');
    rg_json_status(j, &e);
    rg_json_close(j, '}');
}

static void test_failure(void)
{
    capture(write_failure);
    CHECK_TEXT(written, "{\"status\": \"failed\", \"message\": \"wrong\", \"remedy\": \"right\", "
                        "\"file\": \"m.rg\", \"line\": 3, \"column\": 7}");
}

static const test_case cases[] = {
    {"texts",   test_texts  },
    {"numbers", test_numbers},
    {"failure", test_failure}
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
