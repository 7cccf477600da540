/* Messages for what is no token at all: other spellings, other alphabets, broken bytes. */
#include "model/parser.h"

#include "model/unicode.h"

#include <string.h>

typedef struct {
    const char *text, *remedy;
} advice;

/* ASCII that means something elsewhere. */
static const advice advices[] = {
    {":=", "write '=': 'a = 3' for a parameter, 'left = right' for an equation"},
    {"&&", "write 'and'"                                                       },
    {"||", "write 'or'"                                                        },
    {"**", "write '^' for a power: x^2"                                        },
    {"=<", "write '<='"                                                        },
    {"=>", "write '>='"                                                        },
    {"<>", "write '!='"                                                        },
    {"~=", "write '!=' to compare, or '~ VALUE' for a guess"                   },
    {"//", "a comment starts with '#'; a quotient has one '/'"                 },
    {"/*", "a comment starts with '#'"                                         },
    {".^", "write '^': numbers are single, arrays have elements x[i]"          },
    {".*", "write '*': numbers are single, arrays have elements x[i]"          },
    {"./", "write '/': numbers are single, arrays have elements x[i]"          },
    {"&",  "write 'and'"                                                       },
    {"|",  "write 'abs(x)' for the absolute value, 'or' between conditions"    },
    {"?",  "write if(CONDITION, a, b) for a choice between two values"         },
    {"!",  "write 'not' to negate a condition; there is no factorial"          },
    {":",  "write '=' before a value, '..' between the ends of a range"        },
    {".",  "write '..' between the ends of a range; a number has digits beside its point, and "
          "functions have no prefix: sin(x)"                          },
    {"%",  "a comment starts with '#'; a remainder is 'mod(a, b)'"             },
};

const char *rg_quote(const rg_parser *p, rg_span span, char buffer[RG_QUOTE])
{
    const int32_t limit = RG_QUOTE - 8;
    int32_t n = 0;
    uint32_t code;

    for (int32_t k = span.start; k < span.end;) {
        const int size = rg_utf8_decode(p->source->text + k, p->source->length - k, &code);
        if (n + size > limit) {
            memcpy(buffer + n, "...", 3);
            n += 3;
            break;
        }
        if (size == 0 || code < 0x20) {
            buffer[n++] = size == 0 ? '?' : ' ';
        } else {
            memcpy(buffer + n, p->source->text + k, (size_t)size);
            n += size;
        }
        k += size > 0 ? size : 1;
    }
    buffer[n] = '\0';
    return buffer;
}

/* One character is bad; the token may be longer. */
static rg_status place(rg_parser *p, int size)
{
    const int32_t start = p->token.span.start;
    return rg_fail_at(p->ctx, p->source, (rg_span){start, start + size});
}

static rg_status fail_bytes(rg_parser *p)
{
    const unsigned char *text = (const unsigned char *)p->source->text;
    const unsigned byte = text[p->token.span.start];
    const bool is_wide =
        p->source->length >= 2
        && ((text[0] == 0xFF && text[1] == 0xFE) || (text[0] == 0xFE && text[1] == 0xFF));

    if (is_wide && p->token.span.start == 0) {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "the text is UTF-16, not UTF-8");
    } else {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "the byte 0x%02X is not valid UTF-8", byte);
    }
    place(p, 1);
    return rg_remedy(p->ctx, "save the file as UTF-8 text");
}

static rg_status fail_string(rg_parser *p)
{
    rg_fail(p->ctx, RG_ERR_SYNTAX, "the text in quotes does not end on this line");
    place(p, 1);
    return rg_remedy(p->ctx, "close it with '\"'");
}

/* A character above ASCII, or a control character. */
static rg_status fail_character(rg_parser *p, uint32_t code, int size)
{
    const char *ascii = rg_ascii_spelling(code);
    const rg_span span = {p->token.span.start, p->token.span.start + size};
    char quote[RG_QUOTE];

    if (rg_is_blank(code)) {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "this blank is the character U+%04X", (unsigned)code);
        place(p, size);
        return rg_remedy(p->ctx, "replace it by an ordinary blank");
    }
    if (code < 0x20 || (code >= 0x7F && code < 0xA0)) {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "the control character U+%04X is no part of a model",
                (unsigned)code);
        place(p, size);
        return rg_remedy(p->ctx, "remove it: a model is plain text");
    }
    rg_fail(p->ctx, RG_ERR_SYNTAX, "'%s' has no meaning here", rg_quote(p, span, quote));
    place(p, size);
    if (ascii != NULL && ascii[0] == '\'')
        return rg_remedy(p->ctx, "write %s instead, with the ASCII apostrophe", ascii);
    if (ascii != NULL) return rg_remedy(p->ctx, "write '%s' instead", ascii);
    if (code > 0xFF00 && code < 0xFF5F)
        return rg_remedy(p->ctx, "write '%c' instead", (char)(code - 0xFEE0));
    return rg_remedy(p->ctx, "remove it");
}

rg_status rg_mistake_spelling(rg_parser *p)
{
    const char *text = p->source->text + p->token.span.start;
    const int32_t rest = p->source->length - p->token.span.start;
    char quote[RG_QUOTE];
    uint32_t code;

    if (text[0] == '"') return fail_string(p);
    for (size_t k = 0; k < sizeof advices / sizeof *advices; k++) {
        if (strncmp(text, advices[k].text, strlen(advices[k].text)) != 0) continue;
        rg_fail(p->ctx, RG_ERR_SYNTAX, "'%s' is not understood", advices[k].text);
        rg_fail_at(p->ctx, p->source, p->token.span);
        return rg_remedy(p->ctx, "%s", advices[k].remedy);
    }
    const int size = rg_utf8_decode(text, rest, &code);
    if (size == 0) return fail_bytes(p);
    if (code < 0x20 || code >= 0x7F) return fail_character(p, code, size);
    rg_fail(p->ctx, RG_ERR_SYNTAX, "'%s' has no meaning here", rg_quote(p, p->token.span, quote));
    rg_fail_at(p->ctx, p->source, p->token.span);
    return rg_remedy(p->ctx, "remove it");
}
