/* Model text -> tokens.  Never fails and never allocates: what cannot be read becomes RG_TOKEN_BAD,
 * and whoever meets one reports it (parse_spelling.c).  A lexer is a plain value: copy it to
 * look ahead. */
#ifndef RG_MODEL_LEXER_H
#define RG_MODEL_LEXER_H

#include "base/base.h"

/* Kinds.  A token of one ASCII character is its own kind: ( ) [ ] { } , ; = ~ + - * / ^ < > ' */
enum {
    RG_TOKEN_EOF = 0,
    RG_TOKEN_END = '\n', /* made by the parser: the end of a line that ends a statement */
    RG_TOKEN_NAME = 'N',
    RG_TOKEN_NUMBER = '0',
    RG_TOKEN_STRING = '"',
    RG_TOKEN_BAD = '?',
    RG_TOKEN_RANGE = '.', /* .. */
    RG_TOKEN_LESS_EQUAL = 'l',
    RG_TOKEN_GREATER_EQUAL = 'g',
    RG_TOKEN_EQUAL = 'e', /* == */
    RG_TOKEN_UNEQUAL = '!',
    RG_TOKEN_AND = 'a',
    RG_TOKEN_OR = 'o',
    RG_TOKEN_NOT = 'n'
};

typedef struct {
    char kind;
    bool is_first; /* on its line */
    rg_span span;
} rg_token;

typedef struct {
    const char *text;
    int32_t length, position;
} rg_lexer;

rg_lexer rg_lexer_start(const rg_source *source); /* skips a byte order mark */
rg_token rg_lexer_next(rg_lexer *lexer);
/* Extends the name read last by "-part"s that follow without a blank: half-explicit. */
void rg_lexer_extend_word(rg_lexer *lexer, rg_token *word);

#endif
