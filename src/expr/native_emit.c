/* Writes the instructions of a tape as C source: what a value is stands in ops.def. */
#include "expr/native_emit.h"

#include "expr/tape_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- text ------------------------------------------------------------------------------------ */

void rg_emitter_init(rg_emitter *e, FILE *file)
{
    *e = (rg_emitter){
        file, {UINT64_C(0xcbf29ce484222325), UINT64_C(0x9e3779b97f4a7c15)},
         0
    };
}

/* The first hash is FNV-1a, the second one mixes by rotation. */
static void take_text(rg_emitter *e, const char *text, int length)
{
    for (int k = 0; k < length; k++) {
        const uint64_t byte = (unsigned char)text[k];
        e->hash[0] = (e->hash[0] ^ byte) * UINT64_C(0x100000001b3);
        e->hash[1] = (e->hash[1] << 7 | e->hash[1] >> 57) + byte * UINT64_C(0xff51afd7ed558ccd);
    }
    e->length += length;
    if (e->file != NULL) fwrite(text, 1, (size_t)length, e->file);
}

static void take_line(rg_emitter *e, const char *line)
{
    take_text(e, line, (int)strlen(line));
    take_text(e, "\n", 1);
}

void rg_emit(rg_emitter *e, const char *format, ...)
{
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    take_text(e, text, length < (int)sizeof text ? length : (int)sizeof text - 1);
}

void rg_emit_prelude(rg_emitter *e)
{
    static const char *const lines[] = {
#define RG_LIBRARY(...) #__VA_ARGS__,
#define RG_HELPER(...)  #__VA_ARGS__,
#include "expr/ops.def"
        "typedef struct { long long base, stride; const int *list; } map;",
        "typedef struct { const double *values; map map; } source;",
        "typedef struct { double *values; map map; _Bool accumulate; } target;",
        "static inline unsigned long long carry(double x)",
        "{ union { double d; unsigned long long u; } b; b.d = x;",
        "  return (b.u & 0x7ff0000000000000ULL) + 0x0010000000000000ULL; }"};

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        take_line(e, lines[k]);
}

/* ---- operands -------------------------------------------------------------------------------- */

typedef struct {
    char text[40];
} word;

static word operand(const rg_tape *tape, int32_t k, bool in_memory)
{
    word w;

    if (k < tape->n_inputs)
        snprintf(w.text, sizeof w.text, "x%d", (int)k);
    else if (k < tape->first_output)
        snprintf(w.text, sizeof w.text, in_memory ? "r[%d]" : "r%d", (int)(k - tape->n_inputs));
    else
        snprintf(w.text, sizeof w.text, "o%d", (int)(k - tape->first_output));
    return w;
}

/* All bits, in hexadecimal and without a decimal point, which depends on the locale. */
static word number(double v)
{
    word w;
    int exponent;

    if (isnan(v)) {
        snprintf(w.text, sizeof w.text, "(0.0/0.0)");
    } else if (isinf(v)) {
        snprintf(w.text, sizeof w.text, "(%s1.0/0.0)", v < 0 ? "-" : "");
    } else {
        const double m = frexp(fabs(v), &exponent);
        snprintf(w.text, sizeof w.text, "(%s0x%llxp%d)", signbit(v) ? "-" : "",
                 (unsigned long long)ldexp(m, 53), exponent - 53);
    }
    return w;
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* The text of an operation, as ops.def has it: A, B, C are operands, V is the number.  P stands
 * for a whole power. */
static const char *const texts[I_COUNT] = {
    [RG_OP_CONST] = "V",
    [RG_OP_TIME] = "t",
    [I_POW_INT] = "P",
#define RG_OPERATOR(id, name, arity, kink, value, derivative) [RG_OP_##id] = #value,
#define RG_JOINED(id, arity, value)                           [I_##id] = #value,
#include "expr/ops.def"
};

static bool is_placeholder(char c)
{
    return c == 'A' || c == 'B' || c == 'C' || c == 'V' || c == 'P' || c == 'T' || c == 'O';
}

/* x^n by repeated squaring in s, the factors collected in q: rg_pow_int() written out, as one
 * expression. */
static void emit_power(rg_emitter *e, const char *a, int n)
{
    unsigned rest = (unsigned)(n < 0 ? -n : n);
    bool is_begun = rest & 1;

    rg_emit(e, "(s = %s, q = %s", a, is_begun ? "s" : "1.0");
    while ((rest >>= 1) != 0) {
        rg_emit(e, ", s = s*s");
        if (rest & 1) rg_emit(e, ", q = %s", is_begun ? "q*s" : "s");
        is_begun = is_begun || (rest & 1) != 0;
    }
    rg_emit(e, ", %sq)", n < 0 ? "1.0/" : "");
}

int32_t rg_emit_instruction(rg_emitter *e, const rg_tape *tape, int64_t k, bool in_memory)
{
    const rg_instruction *i = &tape->code[k];
    const char *text = texts[i->op] != NULL ? texts[i->op] : "(0.0/0.0)";
    const word target = operand(tape, i->target, in_memory), a = operand(tape, i->a, in_memory);
    const int32_t output = i->target >= tape->first_output ? i->target - tape->first_output : -1;

    if (output >= 0) rg_emit(e, "double ");
    rg_emit(e, "%s = ", target.text);
    for (const char *c = text; *c != '\0'; c++) {
        if (!is_placeholder(*c)) {
            rg_emit(e, "%c", *c);
        } else if (*c == 'P') {
            emit_power(e, a.text, i->c);
        } else if (*c == 'T') {
            rg_emit(e, "&t%d", tape->tables[i->table]->number);
        } else if (*c == 'O') {
            rg_emit(e, "%d", (int)i->order);
        } else {
            const word w = *c == 'A'   ? a
                           : *c == 'B' ? operand(tape, i->b, in_memory)
                           : *c == 'C' ? operand(tape, i->c, in_memory)
                                       : number(i->v);
            rg_emit(e, "%s", w.text);
        }
    }
    rg_emit(e, ";\n");
    return output;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void emit_numbers(rg_emitter *e, char name, int table, int64_t n, const double *x)
{
    rg_emit(e, "static const double %c%d[] = {\n", name, table);
    for (int64_t k = 0; k < n; k++)
        rg_emit(e, "%s,\n", number(x[k]).text);
    rg_emit(e, "};\n");
}

static void emit_table(rg_emitter *e, const rg_table *t)
{
    const rg_table_data *d = &t->data;
    const double numbers[] = {d->low, d->high, d->margin, d->scale, d->period};

    emit_numbers(e, 'x', t->number, d->n, d->x);
    emit_numbers(e, 'c', t->number, (int64_t)d->n * (d->degree + 1), d->c);
    rg_emit(e, "static const int f%d[] = {\n", t->number);
    for (int k = 0; k <= d->buckets; k++)
        rg_emit(e, "%d,\n", d->first[k]);
    rg_emit(e, "};\nstatic const rg_table_data t%d = {%d, %d, %d, %d, %d, %d,\n", t->number, d->n,
            d->degree, d->buckets, d->holds, d->steps, d->extends);
    for (int k = 0; k < 5; k++)
        rg_emit(e, "%s,\n", number(numbers[k]).text);
    rg_emit(e, "x%d, c%d, f%d};\n", t->number, t->number, t->number);
}

void rg_emit_tables(rg_emitter *e, const rg_tape *tape)
{
    for (int32_t k = 0; k < tape->n_tables; k++) {
        const int number = tape->tables[k]->number;
        rg_emit(e, "#ifndef rg_has_t%d\n#define rg_has_t%d\n", number, number);
        emit_table(e, tape->tables[k]);
        rg_emit(e, "#endif\n");
    }
}

int64_t rg_tape_nodes(const rg_tape *tape)
{
    int64_t n = 0;

    for (int32_t k = 0; k < tape->n_tables; k++)
        n += tape->tables[k]->data.n;
    return n;
}

int32_t rg_tape_registers(const rg_tape *tape)
{
    return tape->n_registers;
}
