/* Writes the syntax tree of equations as MathML.  Brackets are set where the order of operations
 * needs them; fractions, roots and powers need none. */
#include "model/mathml.h"

#include "base/text.h"
#include "model/ast.h"

#include <ctype.h>
#include <string.h>

enum { LOOSE, OR, AND, NOT, COMPARE, SUM, PRODUCT, SIGN, POWER, ATOM }; /* what binds how tightly */

typedef struct {
    FILE *to;
    const char *source;
    int n, most;
    int raised; /* inside so many exponents, where fractions are written in a line */
} writer;

/* ---- names ----------------------------------------------------------------------------------- */
static const struct {
    const char *name, *letter;
} greek[] = {
    {"alpha",   "α"},
    {"beta",    "β"},
    {"gamma",   "γ"},
    {"delta",   "δ"},
    {"epsilon", "ε"},
    {"eps",     "ε"},
    {"zeta",    "ζ"},
    {"eta",     "η"},
    {"theta",   "θ"},
    {"iota",    "ι"},
    {"kappa",   "κ"},
    {"lambda",  "λ"},
    {"lam",     "λ"},
    {"mu",      "μ"},
    {"nu",      "ν"},
    {"xi",      "ξ"},
    {"pi",      "π"},
    {"rho",     "ρ"},
    {"sigma",   "σ"},
    {"tau",     "τ"},
    {"phi",     "φ"},
    {"chi",     "χ"},
    {"psi",     "ψ"},
    {"omega",   "ω"},
    {"Gamma",   "Γ"},
    {"Delta",   "Δ"},
    {"Theta",   "Θ"},
    {"Lambda",  "Λ"},
    {"Xi",      "Ξ"},
    {"Pi",      "Π"},
    {"Sigma",   "Σ"},
    {"Phi",     "Φ"},
    {"Psi",     "Ψ"},
    {"Omega",   "Ω"}
};

static void write_identifier(writer *w, const char *text, size_t length)
{
    char name[256];

    snprintf(name, sizeof name, "%.*s", (int)length, text);
    for (size_t k = 0; k < sizeof greek / sizeof *greek; k++)
        if (strcmp(greek[k].name, name) == 0) {
            fprintf(w->to, "<mi>%s</mi>", greek[k].letter);
            return;
        }
    const bool is_number = name[0] != '\0' && strspn(name, "0123456789") == strlen(name);
    fputs(is_number ? "<mn>" : "<mi>", w->to);
    rg_text_write_xml(w->to, name);
    fputs(is_number ? "</mn>" : "</mi>", w->to);
}

/* Where an index in the name begins: behind '_', or digits at the end; its length: none. */
static size_t index_of(const char *name, size_t *skip)
{
    const char *bar = strchr(name, '_');
    size_t n = strlen(name);

    *skip = 1;
    if (bar != NULL && bar > name && bar[1] != '\0') return (size_t)(bar - name);
    *skip = 0;
    while (n > 0 && isdigit((unsigned char)name[n - 1]))
        n--;
    return n > 0 ? n : strlen(name);
}

static void write_tree(writer *w, const rg_ast *a, int around);

/* x1, x_max and x[i, j] have an index; several of them are one. */
static void write_name(writer *w, const char *name, int n_indices, rg_ast *const *indices)
{
    size_t skip;
    const size_t stem = index_of(name, &skip);
    const bool has_index = name[stem] != '\0' || n_indices > 0;

    if (has_index) fputs("<msub>", w->to);
    write_identifier(w, name, stem);
    if (!has_index) return;
    fputs("<mrow>", w->to);
    if (name[stem] != '\0') write_identifier(w, name + stem + skip, strlen(name + stem + skip));
    for (int k = 0; k < n_indices; k++) {
        if (k > 0 || name[stem] != '\0') fputs("<mo>,</mo>", w->to);
        write_tree(w, indices[k], LOOSE);
    }
    fputs("</mrow></msub>", w->to);
}

/* Characters of a number before its power of ten. */
static int mantissa(const writer *w, const rg_ast *a)
{
    const char *text = w->source + a->span.start;
    int e = 0;

    while (e < a->span.end - a->span.start && text[e] != 'e' && text[e] != 'E')
        e++;
    return e;
}

static bool has_power(const writer *w, const rg_ast *a)
{
    return a->kind == RG_AST_NUMBER && mantissa(w, a) < a->span.end - a->span.start;
}

/* As it was written; 1e-3 is a power of ten. */
static void write_number(writer *w, const rg_ast *a)
{
    const char *text = w->source + a->span.start;
    const int length = a->span.end - a->span.start, e = mantissa(w, a);
    const bool is_one = e == 1 && text[0] == '1';

    if (has_power(w, a)) fputs("<mrow>", w->to);
    if (!has_power(w, a) || !is_one)
        fprintf(w->to, "<mn>%s%.*s</mn>", text[0] == '.' ? "0" : "", e, text);
    if (!has_power(w, a)) return;
    int from = e + 1;
    const bool is_minus = from < length && text[from] == '-';
    from += is_minus || (from < length && text[from] == '+');
    fprintf(w->to, "%s<msup><mn>10</mn><mrow>%s<mn>%.*s</mn></mrow></msup></mrow>",
            is_one ? "" : "<mo>·</mo>", is_minus ? "<mo>\u2212</mo>" : "", length - from,
            text + from);
}

/* ---- operations ------------------------------------------------------------------------------ */
/* The name of the function of a call; "": something else. */
static const char *function_of(const rg_ast *a)
{
    const bool is_named = a->kind == RG_AST_CALL && a->args[0]->kind == RG_AST_NAME;

    return is_named ? a->args[0]->text : "";
}

/* e^x is a power, and what is written beside two cases would belong to the lower one. */
static int level_of(const rg_ast *a)
{
    if (strcmp(function_of(a), "exp") == 0 && a->n_args == 2) return POWER;
    if (strcmp(function_of(a), "if") == 0 && a->n_args == 4) return COMPARE;
    if (a->kind == RG_AST_UNARY) return a->op == '-' ? SIGN : NOT;
    if (a->kind == RG_AST_SUM && a->op == 's') return PRODUCT;
    if (a->kind == RG_AST_NUMBER && a->value < 0) return SIGN;
    if (a->kind != RG_AST_BINARY) return ATOM;
    switch (a->op) {
    case 'o':
        return OR;
    case 'a':
        return AND;
    case '+':
    case '-':
        return SUM;
    case '*':
        return PRODUCT;
    case '/':
    case '^':
        return POWER;
    default:
        return COMPARE;
    }
}

static const char *sign_of(char op)
{
    switch (op) {
    case '+':
        return "+";
    case '-':
        return "−";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case 'l':
        return "≤";
    case 'g':
        return "≥";
    case '!':
        return "≠";
    case 'a':
        return "and";
    case 'o':
        return "or";
    default:
        return "=";
    }
}

/* A factor that begins with a sign: a (-b) is not a - b. */
static bool starts_with_sign(const rg_ast *a)
{
    while (a->kind == RG_AST_BINARY && a->op == '*' && a->n_args > 0)
        a = a->args[0];
    return level_of(a) == SIGN;
}

/* 2 x needs no sign between them, 2 3 does. */
static bool starts_with_number(const rg_ast *a)
{
    while (a->kind == RG_AST_BINARY && a->op != '/' && a->n_args > 0)
        a = a->args[0];
    return a->kind == RG_AST_NUMBER;
}

static void write_fraction(writer *w, const rg_ast *a)
{
    if (w->raised > 0) {
        write_tree(w, a->args[0], PRODUCT);
        fputs("<mo stretchy=\"false\" lspace=\"0\" rspace=\"0\">/</mo>", w->to);
        write_tree(w, a->args[1], SIGN + 1);
        return;
    }
    fputs("<mfrac><mrow>", w->to);
    write_tree(w, a->args[0], LOOSE);
    fputs("</mrow><mrow>", w->to);
    write_tree(w, a->args[1], LOOSE);
    fputs("</mrow></mfrac>", w->to);
}

static void write_exponent(writer *w, const rg_ast *a)
{
    fputs("<mrow>", w->to);
    w->raised++;
    write_tree(w, a, LOOSE);
    w->raised--;
    fputs("</mrow></msup>", w->to);
}

static void write_binary(writer *w, const rg_ast *a)
{
    const int level = level_of(a);

    if (a->op == '/') {
        write_fraction(w, a);
        return;
    }
    if (a->op == '^') {
        fputs("<msup><mrow>", w->to);
        write_tree(w, a->args[0], ATOM);
        fputs("</mrow>", w->to);
        write_exponent(w, a->args[1]);
        return;
    }
    write_tree(w, a->args[0], level);
    if (a->op == '*')
        fputs(starts_with_number(a->args[1]) ? "<mo>·</mo>" : "<mspace width=\".17em\"/>", w->to);
    else
        fprintf(w->to, "<mo>%s</mo>", sign_of(a->op));
    const bool is_signed =
        (a->op == '*' || a->op == '+' || a->op == '-') && starts_with_sign(a->args[1]);
    write_tree(w, a->args[1], is_signed ? ATOM : a->op == '+' || a->op == '*' ? level : level + 1);
}

/* Is it higher than a line of text?  Brackets grow with such trees alone. */
static bool is_high(const writer *w, const rg_ast *a)
{
    const bool is_power = a->kind == RG_AST_BINARY && a->op == '^';

    if (a->kind == RG_AST_SUM) return true;
    if (a->kind == RG_AST_BINARY && a->op == '/' && w->raised == 0) return true;
    if (strcmp(function_of(a), "if") == 0) return true;
    if (strcmp(function_of(a), "exp") == 0) return false;
    for (int k = 0; k < (is_power ? 1 : a->n_args) && a->kind != RG_AST_INDEX; k++)
        if (is_high(w, a->args[k])) return true;
    return false;
}

static void write_bracket(writer *w, const char *sign, bool is_tall)
{
    fprintf(w->to, is_tall ? "<mo>%s</mo>" : "<mo stretchy=\"false\">%s</mo>", sign);
}

static void write_list(writer *w, int n, rg_ast *const *args)
{
    bool has_height = false;

    for (int k = 0; k < n; k++)
        has_height = has_height || is_high(w, args[k]);
    write_bracket(w, "(", has_height);
    for (int k = 0; k < n; k++) {
        if (k > 0) fputs("<mo>,</mo>", w->to);
        write_tree(w, args[k], LOOSE);
    }
    write_bracket(w, ")", has_height);
}

static void write_cases(writer *w, const rg_ast *a)
{
    fputs("<mrow><mo>{</mo><mtable columnalign=\"left\"><mtr><mtd>", w->to);
    write_tree(w, a->args[2], LOOSE);
    fputs("</mtd><mtd><mtext>if\u00a0</mtext>", w->to);
    write_tree(w, a->args[1], LOOSE);
    fputs("</mtd></mtr><mtr><mtd>", w->to);
    write_tree(w, a->args[3], LOOSE);
    fputs("</mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>", w->to);
}

/* Functions with one argument that have signs of their own around it. */
static const struct {
    const char *name, *open, *close;
} enclosed[] = {
    {"sqrt",  "<msqrt>",                                  "</msqrt>"                            },
    {"abs",   "<mrow><mo stretchy=\"false\">|</mo>",      "<mo stretchy=\"false\">|</mo></mrow>"},
    {"floor", "<mrow><mo stretchy=\"false\">\u230a</mo>",
     "<mo stretchy=\"false\">\u230b</mo></mrow>"                                                },
    {"ceil",  "<mrow><mo stretchy=\"false\">\u2308</mo>",
     "<mo stretchy=\"false\">\u2309</mo></mrow>"                                                },
};

/* args[0] is the function, or an unknown at a point. */
static void write_call(writer *w, const rg_ast *a)
{
    const char *name = function_of(a);

    if (strcmp(name, "if") == 0 && a->n_args == 4) {
        write_cases(w, a);
        return;
    }
    if (strcmp(name, "exp") == 0 && a->n_args == 2) {
        fputs("<msup><mi>e</mi>", w->to);
        write_exponent(w, a->args[1]);
        return;
    }
    for (size_t k = 0; k < sizeof enclosed / sizeof *enclosed && a->n_args == 2; k++) {
        if (strcmp(name, enclosed[k].name) != 0) continue;
        fputs(enclosed[k].open, w->to);
        write_tree(w, a->args[1], LOOSE);
        fputs(enclosed[k].close, w->to);
        return;
    }
    fputs("<mrow>", w->to);
    if (strcmp(name, "atan2") == 0) /* its digit is no index */
        fputs("<mi>atan2</mi>", w->to);
    else
        write_tree(w, a->args[0], ATOM);
    write_list(w, a->n_args - 1, a->args + 1);
    fputs("</mrow>", w->to);
}

static void write_prime(writer *w, const rg_ast *a)
{
    const bool is_many = a->primes > 3;

    fputs(is_many ? "<msup><mrow>" : "<mrow>", w->to);
    write_tree(w, a->args[0], ATOM);
    if (is_many)
        fprintf(w->to, "</mrow><mrow><mo>(</mo><mn>%d</mn><mo>)</mo></mrow></msup>", a->primes);
    else
        fprintf(w->to, "<mo lspace=\"0\" rspace=\"0\">%s</mo></mrow>",
                a->primes == 1   ? "′"
                : a->primes == 2 ? "″"
                                 : "‴");
}

static void write_range(writer *w, const rg_ast_range *r, const char *between)
{
    write_name(w, r->name, 0, NULL);
    fputs("<mo>=</mo>", w->to);
    write_tree(w, r->low, SUM);
    fprintf(w->to, "<mo>%s</mo>", between);
    write_tree(w, r->high, SUM);
}

/* sum, min or max over ranges */
static void write_over(writer *w, const rg_ast *a)
{
    const char *least = a->op == 'n' ? "<mi>min</mi>" : "<mi>max</mi>";
    const char *sign = a->op == 's' ? "<mo>∑</mo>" : least;

    fputs("<mrow>", w->to);
    for (int k = 0; k < a->n_ranges; k++) {
        fprintf(w->to, "<munderover>%s<mrow>", sign);
        write_name(w, a->ranges[k].name, 0, NULL);
        fputs("<mo>=</mo>", w->to);
        write_tree(w, a->ranges[k].low, SUM);
        fputs("</mrow><mrow>", w->to);
        write_tree(w, a->ranges[k].high, SUM);
        fputs("</mrow></munderover>", w->to);
    }
    fputs("<mspace width=\".17em\"/>", w->to);
    write_tree(w, a->args[0], PRODUCT);
    fputs("</mrow>", w->to);
}

static void write_bare(writer *w, const rg_ast *a)
{
    switch (a->kind) {
    case RG_AST_NUMBER:
        write_number(w, a);
        break;
    case RG_AST_NAME:
        write_name(w, a->text, 0, NULL);
        break;
    case RG_AST_INDEX:
        write_name(w, a->text, a->n_args, a->args);
        break;
    case RG_AST_CALL:
        write_call(w, a);
        break;
    case RG_AST_PRIME:
        write_prime(w, a);
        break;
    case RG_AST_UNARY:
        fputs(a->op == '-' ? "<mo form=\"prefix\">−</mo>" : "<mtext>not\u00a0</mtext>", w->to);
        write_tree(w, a->args[0], level_of(a));
        break;
    case RG_AST_BINARY:
        write_binary(w, a);
        break;
    case RG_AST_SUM:
        write_over(w, a);
        break;
    case RG_AST_LIST:
        write_list(w, a->n_args, a->args);
        break;
    }
}

/* The height of a tree is limited (RG_MODEL_HEIGHT), and so is this recursion. */
static void write_tree(writer *w, const rg_ast *a, int around)
{
    const bool is_quotient = a->kind == RG_AST_BINARY && a->op == '/' && w->raised > 0;
    const int level = is_quotient || has_power(w, a) ? PRODUCT : level_of(a);
    const bool is_open = level < around;

    fputs("<mrow>", w->to);
    if (is_open) write_bracket(w, "(", is_high(w, a));
    write_bare(w, a);
    if (is_open) write_bracket(w, ")", is_high(w, a));
    fputs("</mrow>", w->to);
}

/* ---- statements ------------------------------------------------------------------------------ */
static bool is_shown(const rg_statement *st)
{
    return (st->kind == RG_STATEMENT_EQUATION || st->kind == RG_STATEMENT_BOUNDARY
            || st->kind == RG_STATEMENT_LET || st->kind == RG_STATEMENT_FUN)
           && st->right != NULL;
}

static void write_left(writer *w, const rg_statement *st)
{
    if (st->left != NULL) {
        write_tree(w, st->left, COMPARE);
        return;
    }
    if (st->kind != RG_STATEMENT_LET || st->n_ranges == 0) write_name(w, st->name, 0, NULL);
    if (st->n_ranges == 0) return;
    if (st->kind == RG_STATEMENT_LET) fputs("<msub>", w->to);
    if (st->kind == RG_STATEMENT_LET) write_name(w, st->name, 0, NULL);
    fputs(st->kind == RG_STATEMENT_LET ? "<mrow>" : "<mo stretchy=\"false\">(</mo>", w->to);
    for (int k = 0; k < st->n_ranges; k++) {
        if (k > 0) fputs("<mo>,</mo>", w->to);
        write_name(w, st->ranges[k].name, 0, NULL);
    }
    fputs(st->kind == RG_STATEMENT_LET ? "</mrow></msub>" : "<mo stretchy=\"false\">)</mo>", w->to);
}

static void write_ranges(writer *w, int n, const rg_ast_range *ranges)
{
    for (int k = 0; k < n; k++) {
        if (ranges[k].low == NULL || ranges[k].high == NULL) continue;
        fputs("<mo>,</mo><mspace width=\"1em\"/>", w->to);
        write_range(w, &ranges[k], "…");
    }
}

enum { DEPTH = 8 }; /* of for blocks whose ranges are shown */

static void write_statement(writer *w, const rg_statement *st, int depth,
                            const rg_statement *const *loops)
{
    if (w->n++ >= w->most) return;
    fputs("<div><math displaystyle=\"true\">", w->to);
    write_left(w, st);
    fputs(st->kind == RG_STATEMENT_LET || st->kind == RG_STATEMENT_FUN ? "<mo>≔</mo>"
                                                                       : "<mo>=</mo>",
          w->to);
    write_tree(w, st->right, COMPARE);
    if (st->kind == RG_STATEMENT_LET) write_ranges(w, st->n_ranges, st->ranges);
    for (int k = 0; k < depth; k++)
        write_ranges(w, loops[k]->n_ranges, loops[k]->ranges);
    fputs("</math></div>\n", w->to);
}

static void write_statements(writer *w, int n, rg_statement *const *list, int depth,
                             const rg_statement **loops)
{
    for (int k = 0; k < n; k++) {
        if (list[k]->kind == RG_STATEMENT_FOR && depth < DEPTH) {
            loops[depth] = list[k];
            write_statements(w, list[k]->n_body, list[k]->body, depth + 1, loops);
        } else if (is_shown(list[k])) {
            write_statement(w, list[k], depth, loops);
        }
    }
}

void rg_model_write_mathml(const rg_problem *p, int most, FILE *to)
{
    const rg_model *m = rg_model_of(p);
    const rg_statement *loops[DEPTH];
    writer w = {.to = to, .most = most};

    if (m == NULL) return;
    w.source = m->source->text;
    write_statements(&w, m->n_statements, m->statements, 0, loops);
    if (w.n > most) fprintf(to, "<div>… and %d more</div>\n", w.n - most);
}
