SRC += src/model/arena.c src/model/ast.c src/model/lexer.c src/model/parse.c
SRC += src/model/parse_chain.c src/model/parse_declare.c src/model/parse_expression.c
SRC += src/model/parse_item.c src/model/parse_mistake.c src/model/parse_output.c
SRC += src/model/parse_postfix.c src/model/parse_recover.c src/model/parse_spelling.c
SRC += src/model/parse_statement.c src/model/parse_token.c src/model/unicode.c
