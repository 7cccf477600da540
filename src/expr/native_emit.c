#include "expr/native_emit.h"

#include "expr/tape_impl.h"

#include <math.h>
#include <stdio.h>

/* ---- text -------------------------------------------------------------------------------------- */

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
        "double sin(double), cos(double), tan(double), asin(double), acos(double), atan(double);",
        "double atan2(double, double), sinh(double), cosh(double), tanh(double), exp(double);",
        "double log(double), log10(double), sqrt(double), fabs(double), erf(double);",
        "double fmod(double, double), pow(double, double), floor(double);",
        "typedef struct { long long base, stride; const int *list; } map;",
        "typedef struct { const double *values; map map; } source;",
        "typedef struct { double *values; map map; _Bool accumulate; } target;",
        "static inline unsigned long long carry(double x)",
        "{ union { double d; unsigned long long u; } b; b.d = x;",
        "  return (b.u & 0x7ff0000000000000ULL) + 0x0010000000000000ULL; }",
        "static inline double sign_(double x)",
        "{ return x > 0 ? 1.0 : x < 0 ? -1.0 : x == 0 ? 0.0 : x; }",
        "static inline double mod_(double x, double y)",
        "{ const double r = fmod(x, y); return r != 0.0 && (r < 0.0) != (y < 0.0) ? r + y : r; }",
        "static inline double min_(double x, double y) { return x <= y || x != x ? x : y; }",
        "static inline double max_(double x, double y) { return x >= y || x != x ? x : y; }",
        "static inline double pow_positive(double x, int n)",
        "{ double r = n & 1 ? x : 1.0; while ((n >>= 1) != 0) { x *= x; if (n & 1) r *= x; }",
        "  return r; }",
        "static inline double pow_(double x, double y)",
        "{ if (!(y == floor(y) && fabs(y) <= 64)) return pow(x, y);",
        "  return y < 0 ? 1.0 / pow_positive(x, -(int)y) : pow_positive(x, (int)y); }"};

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        rg_emit(e, "%s\n", lines[k]);
}

/* ---- operands ---------------------------------------------------------------------------------- */

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

/* ---- instructions ------------------------------------------------------------------------------ */

/* How an operation is written: $a $b $c operands, $v the number, $p an integer power.  The order of operations is
 * the interpreter's. */
static const char *const forms[] = {
    [RG_OP_CONST] = "$v",
    [RG_OP_TIME] = "t",
    [RG_OP_ADD] = "$a + $b",
    [RG_OP_SUB] = "$a - $b",
    [RG_OP_MUL] = "$a*$b",
    [RG_OP_DIV] = "$a/$b",
    [RG_OP_NEG] = "-$a",
    [RG_OP_POW] = "pow_($a, $b)",
    [RG_OP_SIN] = "sin($a)",
    [RG_OP_COS] = "cos($a)",
    [RG_OP_TAN] = "tan($a)",
    [RG_OP_ASIN] = "asin($a)",
    [RG_OP_ACOS] = "acos($a)",
    [RG_OP_ATAN] = "atan($a)",
    [RG_OP_ATAN2] = "atan2($a, $b)",
    [RG_OP_SINH] = "sinh($a)",
    [RG_OP_COSH] = "cosh($a)",
    [RG_OP_TANH] = "tanh($a)",
    [RG_OP_EXP] = "exp($a)",
    [RG_OP_LOG] = "log($a)",
    [RG_OP_LOG10] = "log10($a)",
    [RG_OP_SQRT] = "sqrt($a)",
    [RG_OP_ABS] = "fabs($a)",
    [RG_OP_SIGN] = "sign_($a)",
    [RG_OP_MIN] = "min_($a, $b)",
    [RG_OP_MAX] = "max_($a, $b)",
    [RG_OP_ERF] = "erf($a)",
    [RG_OP_MOD] = "mod_($a, $b)",
    [RG_OP_LT] = "$a < $b ? 1.0 : 0.0",
    [RG_OP_LE] = "$a <= $b ? 1.0 : 0.0",
    [RG_OP_EQ] = "$a == $b ? 1.0 : 0.0",
    [RG_OP_NE] = "$a != $b ? 1.0 : 0.0",
    [RG_OP_AND] = "$a != 0 && $b != 0 ? 1.0 : 0.0",
    [RG_OP_OR] = "$a != 0 || $b != 0 ? 1.0 : 0.0",
    [RG_OP_NOT] = "$a == 0 ? 1.0 : 0.0",
    [RG_OP_IF] = "$a != 0 ? $b : $c",
    [I_COPY] = "$a",
    [I_POW_INT] = "$p",
    [I_ADD_CONST] = "$a + $v",
    [I_CONST_SUB] = "$v - $a",
    [I_MUL_CONST] = "$v*$a",
    [I_DIV_CONST] = "$a/$v",
    [I_CONST_DIV] = "$v/$a",
    [I_MUL_ADD] = "$a*$b + $c",
    [I_MUL_SUB] = "$a*$b - $c",
    [I_SUB_MUL] = "$c - $a*$b",
    [I_SCALE_ADD] = "$v*$a + $b",
    [I_SCALE_SUB] = "$v*$a - $b",
    [I_SUB_SCALE] = "$b - $v*$a",
    [I_MUL_ADD_CONST] = "$a*$b + $v",
    [I_CONST_SUB_MUL] = "$v - $a*$b",
};

static const char *form_of(int32_t op)
{
    return op >= 0 && op < (int32_t)(sizeof forms / sizeof *forms) ? forms[op] : NULL;
}

/* x^n by repeated squaring in s, the factors collected in q: rg_pow_int() written out, as one expression. */
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
    const char *form = form_of(i->op);
    const word target = operand(tape, i->target, in_memory), a = operand(tape, i->a, in_memory);
    const int32_t output = i->target >= tape->first_output ? i->target - tape->first_output : -1;

    if (output >= 0) rg_emit(e, "double ");
    rg_emit(e, "%s = ", target.text);
    for (const char *f = form != NULL ? form : "(0.0/0.0)"; *f != '\0'; f++) {
        if (*f != '$') {
            rg_emit(e, "%c", *f);
            continue;
        }
        f++;
        if (*f == 'p') {
            emit_power(e, a.text, i->c);
            continue;
        }
        const word w = *f == 'a'   ? a
                       : *f == 'b' ? operand(tape, i->b, in_memory)
                       : *f == 'c' ? operand(tape, i->c, in_memory)
                                   : number(i->v);
        rg_emit(e, "%s", w.text);
    }
    rg_emit(e, ";\n");
    return output;
}

int32_t rg_tape_registers(const rg_tape *tape)
{
    return tape->n_registers;
}
