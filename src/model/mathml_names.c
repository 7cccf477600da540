/* Names and numbers of a model as MathML: Greek letters, indices, powers of ten. */
#include "base/text.h"
#include "model/mathml_impl.h"

#include <ctype.h>
#include <string.h>

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

static void write_identifier(rg_mathml *w, const char *text, size_t length)
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

void rg_mathml_name(rg_mathml *w, const char *name, int n_indices, rg_ast *const *indices)
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
        rg_mathml_tree(w, indices[k], RG_MATHML_LOOSE);
    }
    fputs("</mrow></msub>", w->to);
}

/* Characters of a number before its power of ten. */
static int mantissa(const rg_mathml *w, const rg_ast *a)
{
    const char *text = w->source + a->span.start;
    int e = 0;

    while (e < a->span.end - a->span.start && text[e] != 'e' && text[e] != 'E')
        e++;
    return e;
}

bool rg_mathml_has_power(const rg_mathml *w, const rg_ast *a)
{
    return a->kind == RG_AST_NUMBER && mantissa(w, a) < a->span.end - a->span.start;
}

void rg_mathml_number(rg_mathml *w, const rg_ast *a)
{
    const char *text = w->source + a->span.start;
    const int length = a->span.end - a->span.start, e = mantissa(w, a);
    const bool is_one = e == 1 && text[0] == '1';

    if (rg_mathml_has_power(w, a)) fputs("<mrow>", w->to);
    if (!rg_mathml_has_power(w, a) || !is_one)
        fprintf(w->to, "<mn>%s%.*s</mn>", text[0] == '.' ? "0" : "", e, text);
    if (!rg_mathml_has_power(w, a)) return;
    int from = e + 1;
    const bool is_minus = from < length && text[from] == '-';
    from += is_minus || (from < length && text[from] == '+');
    fprintf(w->to, "%s<msup><mn>10</mn><mrow>%s<mn>%.*s</mn></mrow></msup></mrow>",
            is_one ? "" : "<mo>·</mo>", is_minus ? "<mo>\u2212</mo>" : "", length - from,
            text + from);
}
