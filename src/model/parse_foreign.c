/* Messages for what other languages write: if ... then, n += 1, 10k, 1d-3, 0x10, units in brackets,
 * comments after '--', include, model, event. */
#include "model/parser.h"

#include <stdlib.h>
#include <string.h>

static bool is_word(const rg_parser *p, rg_token token, const char *word)
{
    const size_t length = (size_t)(token.span.end - token.span.start);

    return token.kind == RG_TOKEN_NAME && strlen(word) == length
           && memcmp(p->source->text + token.span.start, word, length) == 0;
}

static rg_status fail(rg_parser *p, rg_span span, const char *message, const char *remedy)
{
    rg_fail(p->ctx, RG_ERR_SYNTAX, "%s", message);
    rg_fail_at(p->ctx, p->source, span);
    return rg_remedy(p->ctx, "%s", remedy);
}

/* when x < 0.5 { x = 1 } else ... */
static bool is_behind_block(const rg_parser *p)
{
    int32_t at = p->start.span.start;

    while (at > 0 && strchr(" \t\r\n", p->source->text[at - 1]) != NULL)
        at--;
    return at > 0 && p->source->text[at - 1] == '}';
}

/* x = if a > b then 1 else 2; if a > b then ... end if */
static rg_status look_for_if(rg_parser *p)
{
    static const char *const words[] = {"then", "else", "elseif", "elsif", "if"};
    const bool is_first = is_word(p, p->previous, "if") && !rg_parser_at(p, '=');
    bool is_later = p->previous.span.start == p->start.span.start && is_word(p, p->start, "else");

    const bool is_behind = is_word(p, p->start, "if") && p->previous.kind == ')' && p->nesting == 0
                           && (rg_parser_at(p, RG_TOKEN_NAME) || rg_parser_at(p, '{'));

    if (is_later && is_behind_block(p))
        return fail(p, p->start.span, "an event has no 'else'",
                    "write a second one: when CONDITION { x = VALUE }; a value that depends on a "
                    "condition is if(CONDITION, a, b)");
    if (is_behind || (is_first && p->previous.span.start == p->start.span.start))
        return fail(p, p->start.span, "there is no statement 'if', only the function",
                    "write x' = if(CONDITION, a, b); what happens at one moment is an event: "
                    "when CONDITION { x = VALUE }");

    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        is_later = is_later || is_word(p, p->token, words[k]);
    if (!is_first && !is_later) return RG_OK;
    if (is_word(p, p->start, "when"))
        return fail(p, p->token.span, "what an event does stands in braces",
                    "write when CONDITION { x = VALUE }");
    return fail(p, is_first ? p->previous.span : p->token.span,
                "'if' is a function with three arguments",
                "write if(CONDITION, a, b): the value is a where the condition holds, else b");
}

/* n += 1 */
static rg_status look_for_update(rg_parser *p)
{
    const bool is_sign = strchr("+-*/", p->previous.kind) != NULL && p->previous.kind != '\0';

    if (!rg_parser_at(p, '=') || !is_sign || p->previous.span.end != p->token.span.start)
        return RG_OK;
    rg_fail(p->ctx, RG_ERR_SYNTAX, "there is no assignment '%c='", p->previous.kind);
    rg_fail_at(p->ctx, p->source, (rg_span){p->previous.span.start, p->token.span.end});
    return rg_remedy(p->ctx, "write the unknown on both sides: n = n %c a", p->previous.kind);
}

/* Exponent of a prefix of units that stands directly behind a number; 0: it is none. */
static int prefix_exponent(const rg_parser *p)
{
    static const struct {
        const char *text;
        int exponent;
    } prefixes[] = {
        {"T",  12 },
        {"G",  9  },
        {"M",  6  },
        {"k",  3  },
        {"K",  3  },
        {"m",  -3 },
        {"u",  -6 },
        {"µ", -6 },
        {"μ", -6 },
        {"n",  -9 },
        {"p",  -12},
        {"f",  -15},
    };

    if (p->previous.kind != RG_TOKEN_NUMBER || p->previous.span.end != p->token.span.start)
        return 0;
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
        if (is_word(p, p->token, prefixes[k].text)) return prefixes[k].exponent;
    return 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* 1d-3, 2.5D0: an exponent of Fortran. */
static rg_status look_for_exponent(rg_parser *p, rg_span number, const char *letter)
{
    const char *digits = letter + 1 + (letter[1] == '-' || letter[1] == '+'), *end = digits;
    const bool is_one_name = digits == letter + 1;
    const int32_t length = p->token.span.end - p->token.span.start;
    char mantissa[RG_QUOTE];

    while (is_digit(*end))
        end++;
    if (end == digits || (is_one_name ? end - letter != length : length != 1)) return RG_OK;
    rg_quote(p, number, mantissa);
    const int used = (int)(end - letter);
    rg_fail(p->ctx, RG_ERR_SYNTAX, "an exponent is written with 'e'");
    rg_fail_at(p->ctx, p->source, (rg_span){number.start, p->token.span.start + used});
    return rg_remedy(p->ctx, "write %se%.*s", mantissa, used - 1, letter + 1);
}

/* 0x1F, 0b101 */
static rg_status look_for_base(rg_parser *p, rg_span number, const char *letter)
{
    const int base = *letter == 'x' || *letter == 'X' ? 16 : 2;
    const int32_t length = p->token.span.end - p->token.span.start;
    char *end;

    if (p->source->text[number.start] != '0' || number.end - number.start != 1) return RG_OK;
    const unsigned long long value = strtoull(letter + 1, &end, base);
    if (length < 2 || end != letter + length) return RG_OK;
    rg_fail(p->ctx, RG_ERR_SYNTAX, "numbers are decimal");
    rg_fail_at(p->ctx, p->source, (rg_span){number.start, p->token.span.end});
    return rg_remedy(p->ctx, "write %llu", value);
}

/* Letters that stand directly behind digits and would be part of the number elsewhere. */
static rg_status look_for_number(rg_parser *p)
{
    const rg_span number = p->previous.span;
    const char *letter = p->source->text + p->token.span.start;

    if (p->previous.kind != RG_TOKEN_NUMBER || !rg_parser_at(p, RG_TOKEN_NAME)
        || number.end != p->token.span.start)
        return RG_OK;
    if (*letter == 'd' || *letter == 'D') return look_for_exponent(p, number, letter);
    return strchr("xXbB", *letter) != NULL ? look_for_base(p, number, letter) : RG_OK;
}

/* x' = 1 -- a remark: up to the last token, on its line */
static rg_status look_for_comment(rg_parser *p)
{
    const char *text = p->source->text;
    int32_t at = p->previous.span.end, found = -1;

    if (p->previous.kind == RG_TOKEN_STRING) return RG_OK;
    while (at > 0 && text[at - 1] != '\n' && text[at - 1] != '\r') {
        at--;
        const bool is_dashes = text[at] == '-' && text[at + 1] == '-';
        if (is_dashes && (text[at + 2] == ' ' || at == p->start.span.start)) found = at;
    }
    if (found < 0) return RG_OK;
    return fail(p, (rg_span){found, found + 2}, "'--' is two minus signs",
                "a comment starts with '#'");
}

static rg_status look_for_prefix(rg_parser *p)
{
    const int exponent = prefix_exponent(p);
    char number[RG_QUOTE], prefix[RG_QUOTE];

    if (exponent == 0) return RG_OK;
    rg_quote(p, p->previous.span, number);
    rg_quote(p, p->token.span, prefix);
    rg_fail(p->ctx, RG_ERR_SYNTAX, "'%s%s' is no number: there are no prefixes of units", number,
            prefix);
    rg_fail_at(p->ctx, p->source, (rg_span){p->previous.span.start, p->token.span.end});
    return rg_remedy(p->ctx, "write '%s*1e%d' for the prefix, '%s*%s' for a product", number,
                     exponent, number, prefix);
}

/* g = 9.81 [m/s^2], curl(u)[x] */
static rg_status look_for_unit(rg_parser *p)
{
    const char before = p->previous.kind;

    if (!rg_parser_at(p, '[') || (before != RG_TOKEN_NUMBER && before != ')')) return RG_OK;
    if (before == ')' && p->previous.span.end == p->token.span.start)
        return fail(p, p->token.span, "only names have elements and components in brackets",
                    "the first component of curl(u) is dot(curl(u), (1, 0, 0))");
    return fail(p, p->token.span, "values have no units in brackets",
                "put the unit into a comment: param g = 9.81  # m/s^2");
}

static rg_status look_for_include(rg_parser *p)
{
    const bool is_include = is_word(p, p->start, "include") || is_word(p, p->start, "using")
                            || is_word(p, p->start, "load");

    if (p->previous.span.start != p->start.span.start || !is_include) return RG_OK;
    if (!rg_parser_at(p, RG_TOKEN_STRING) && !rg_parser_at(p, RG_TOKEN_NAME)
        && !rg_parser_at(p, '<'))
        return RG_OK;
    return fail(p, p->start.span, "a model cannot include another file",
                "put the whole model into one file");
}

/* model Pendulum; equation; end Pendulum; constraint x + y = 1 */
static rg_status look_for_frame(rg_parser *p)
{
    static const char *const words[] = {"model",   "class",     "block",      "system",
                                        "begin",   "end",       "equation",   "equations",
                                        "subject", "algorithm", "constraint", "constraints"};
    const bool is_alone = p->previous.span.start == p->start.span.start && !p->is_keyword
                          && (rg_parser_at_end(p) || rg_parser_at(p, RG_TOKEN_NAME));

    for (size_t k = 0; is_alone && k < sizeof words / sizeof *words; k++) {
        if (!is_word(p, p->start, words[k])) continue;
        rg_fail(p->ctx, RG_ERR_SYNTAX, "there is no statement '%s'", words[k]);
        rg_fail_at(p->ctx, p->source, p->start.span);
        return rg_remedy(p->ctx,
                         "leave it out: a file is one model, constraints are equations like "
                         "any other, and a name is given by: title \"text\"");
    }
    return RG_OK;
}

/* event hit when x < 0 ...; on x > 1 ... */
static rg_status look_for_event(rg_parser *p)
{
    static const char *const words[] = {"event", "events", "on", "upon", "trigger"};
    const bool is_alone =
        p->previous.span.start == p->start.span.start && rg_parser_at(p, RG_TOKEN_NAME);

    for (size_t k = 0; is_alone && k < sizeof words / sizeof *words; k++) {
        if (!is_word(p, p->start, words[k])) continue;
        rg_fail(p->ctx, RG_ERR_SYNTAX, "there is no statement '%s'", words[k]);
        rg_fail_at(p->ctx, p->source, p->start.span);
        return rg_remedy(p->ctx, "an event is written: when \"name\" x < 0 { x' = -x' }, and one "
                                 "that ends the run: when x < 0 { stop \"text\" }");
    }
    return RG_OK;
}

rg_status rg_mistake_foreign(rg_parser *p)
{
    RG_TRY(look_for_comment(p));
    RG_TRY(look_for_event(p));
    RG_TRY(look_for_frame(p));
    RG_TRY(look_for_include(p));
    RG_TRY(look_for_if(p));
    RG_TRY(look_for_update(p));
    RG_TRY(look_for_number(p));
    RG_TRY(look_for_prefix(p));
    return look_for_unit(p);
}
