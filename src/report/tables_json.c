/* The tables of options and methods in JSON, for programs that offer them. */
#include "report/report.h"

/* Pairs of a key and its text, up to a null pointer. */
static void write_row(rg_json *j, const char *const *pairs)
{
    rg_json_open(j, '{');
    for (int k = 0; pairs[k] != NULL; k += 2) {
        rg_json_key(j, pairs[k]);
        rg_json_text(j, pairs[k + 1] != NULL ? pairs[k + 1] : "");
    }
    rg_json_close(j, '}');
}

void rg_write_tables_json(FILE *to, const void *unused)
{
    rg_json j = {.to = to};

    (void)unused;
    rg_json_open(&j, '{');
    rg_json_key(&j, "options");
    rg_json_open(&j, '[');
    for (int k = 0; k < rg_option_count(); k++) {
        const rg_option_info o = rg_option_at(k);
        write_row(&j, (const char *const[]){"name", o.name, "kind", o.kind, "range", o.range,
                                            "default", o.value, "text", o.text, NULL});
    }
    rg_json_close(&j, ']');
    rg_json_key(&j, "methods");
    rg_json_open(&j, '[');
    for (int k = 0; k < rg_method_count(); k++) {
        const rg_method_info m = rg_method_at(k);
        write_row(&j, (const char *const[]){"name", m.name, "solves", m.solves, "options",
                                            m.options, "source", m.source, NULL});
    }
    rg_json_close(&j, ']');
    rg_json_close(&j, '}');
}
