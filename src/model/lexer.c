/* The tokens of a model text, one function per kind. */
#include "model/lexer.h"

#include "model/unicode.h"

#include <string.h>

/* Spellings of other languages that could never be right here: one bad token, so that one
 * message explains it. */
static const char *const foreign[] = {":=", "&&", "||", "**", "=<", "=>", "<>", "~=", "//", "/*"};

rg_lexer rg_lexer_start(const rg_source *source)
{
    rg_lexer lexer = {source->text, source->length, 0};

    if (source->length >= 3 && memcmp(source->text, "\xEF\xBB\xBF", 3) == 0) lexer.position = 3;
    return lexer;
}

/* The byte at an offset from the position; 0 beyond the end. */
static char at(const rg_lexer *lexer, int32_t offset)
{
    const int32_t place = lexer->position + offset;
    return place < lexer->length ? lexer->text[place] : '\0';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Size in bytes of the name character at the position, 0 when there is none. */
static int name_character(const rg_lexer *lexer, bool is_first)
{
    const char c = at(lexer, 0);
    uint32_t code;

    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_') return 1;
    if (is_digit(c)) return is_first ? 0 : 1;
    if ((unsigned char)c < 0x80) return 0;
    const int size =
        rg_utf8_decode(lexer->text + lexer->position, lexer->length - lexer->position, &code);
    return size > 0 && rg_is_letter(code, is_first) ? size : 0;
}

/* Blanks, line ends (LF, CRLF, CR) and comments; returns whether a line ended. */
static bool skip_blanks(rg_lexer *lexer)
{
    bool is_first = false;

    while (lexer->position < lexer->length) {
        const char c = at(lexer, 0);
        if (c == '#') {
            while (lexer->position < lexer->length && at(lexer, 0) != '\n' && at(lexer, 0) != '\r')
                lexer->position++;
            continue;
        }
        if (c == '\n' || c == '\r') is_first = true;
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f') break;
        lexer->position++;
    }
    return is_first;
}

static void skip_digits(rg_lexer *lexer)
{
    while (is_digit(at(lexer, 0)))
        lexer->position++;
}

/* number = digits ['.' [digits]] [exponent] | '.' digits [exponent]
 * exponent = ('e' | 'E') ['+' | '-'] digits;   a '.' that begins '..' is not part of it */
static char number(rg_lexer *lexer)
{
    skip_digits(lexer);
    if (at(lexer, 0) == '.' && at(lexer, 1) != '.') {
        lexer->position++;
        skip_digits(lexer);
    }
    if (at(lexer, 0) == 'e' || at(lexer, 0) == 'E') {
        const int32_t sign = at(lexer, 1) == '+' || at(lexer, 1) == '-' ? 1 : 0;
        if (is_digit(at(lexer, 1 + sign))) {
            lexer->position += 1 + sign;
            skip_digits(lexer);
        }
    }
    return RG_TOKEN_NUMBER;
}

/* name = letter { letter | digit | '_' };   and, or, not are operators */
static char name(rg_lexer *lexer)
{
    const char *start = lexer->text + lexer->position;
    int size;

    while ((size = name_character(lexer, false)) > 0)
        lexer->position += size;
    const ptrdiff_t length = lexer->text + lexer->position - start;
    if (length == 2 && memcmp(start, "or", 2) == 0) return RG_TOKEN_OR;
    if (length == 3 && memcmp(start, "and", 3) == 0) return RG_TOKEN_AND;
    if (length == 3 && memcmp(start, "not", 3) == 0) return RG_TOKEN_NOT;
    return RG_TOKEN_NAME;
}

/* string = '"' { any character but '"' and a line end } '"'.  A character that is not text makes
 * the whole a bad token whose span is that character; an open end one whose span starts with
 * '"'. */
static char string(rg_lexer *lexer, rg_span *span)
{
    char kind = RG_TOKEN_STRING;
    uint32_t code;

    lexer->position++;
    while (at(lexer, 0) != '"') {
        const char c = at(lexer, 0);
        if (lexer->position >= lexer->length || c == '\n' || c == '\r') {
            return RG_TOKEN_BAD;
        }
        const int size =
            rg_utf8_decode(lexer->text + lexer->position, lexer->length - lexer->position, &code);
        if (kind != RG_TOKEN_BAD && (size == 0 || (code < 0x20 && c != '\t'))) {
            kind = RG_TOKEN_BAD;
            span->start = lexer->position;
        }
        lexer->position += size > 0 ? size : 1;
    }
    lexer->position++;
    return kind;
}

/* Two characters as one token, 0 when they are not. */
static char pair(const rg_lexer *lexer)
{
    const char first = at(lexer, 0), second = at(lexer, 1);

    for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++) {
        if (first == foreign[k][0] && second == foreign[k][1]) return RG_TOKEN_BAD;
    }
    if (first == '.' && second == '.') return RG_TOKEN_RANGE;
    if (second != '=') return 0;
    if (first == '<') return RG_TOKEN_LESS_EQUAL;
    if (first == '>') return RG_TOKEN_GREATER_EQUAL;
    if (first == '=') return RG_TOKEN_EQUAL;
    return first == '!' ? RG_TOKEN_UNEQUAL : 0;
}

/* One or two characters: an operator, a bracket, a mark, or something bad. */
static char symbol(rg_lexer *lexer)
{
    const char c = at(lexer, 0), both = pair(lexer);
    uint32_t code;

    if (both != 0) {
        lexer->position += 2;
        return both;
    }
    const int size =
        rg_utf8_decode(lexer->text + lexer->position, lexer->length - lexer->position, &code);
    lexer->position += size > 0 ? size : 1;
    return c != '\0' && strchr("()[]{},;=~+-*/^<>'", c) != NULL ? c : RG_TOKEN_BAD;
}

rg_token rg_lexer_next(rg_lexer *lexer)
{
    rg_token token = {
        RG_TOKEN_EOF, skip_blanks(lexer), {lexer->position, lexer->position}
    };
    const char c = at(lexer, 0);

    token.span.start = lexer->position;
    if (lexer->position >= lexer->length) {
        token.kind = RG_TOKEN_EOF;
    } else if (is_digit(c) || (c == '.' && is_digit(at(lexer, 1)))) {
        token.kind = number(lexer);
    } else if (name_character(lexer, true) > 0) {
        token.kind = name(lexer);
    } else if (c == '"') {
        token.kind = string(lexer, &token.span);
    } else {
        token.kind = symbol(lexer);
    }
    token.span.end = lexer->position;
    return token;
}

void rg_lexer_extend_word(rg_lexer *lexer, rg_token *word)
{
    int size;

    for (;;) {
        rg_lexer next = *lexer;
        if (at(&next, 0) == '-') next.position++;
        if ((size = name_character(&next, false)) == 0) break;
        lexer->position = next.position + size;
    }
    word->span.end = lexer->position;
}
