SRC += src/model/arena.c src/model/ast.c src/model/lexer.c src/model/parse.c
SRC += src/model/parse_chain.c src/model/parse_declare.c src/model/parse_expression.c
SRC += src/model/parse_item.c src/model/parse_mistake.c src/model/parse_output.c
SRC += src/model/parse_postfix.c src/model/parse_recover.c src/model/parse_spelling.c
SRC += src/model/parse_statement.c src/model/parse_token.c src/model/unicode.c
SRC += src/model/builder.c src/model/carry.c src/model/compile.c src/model/declare.c
SRC += src/model/elaborate.c src/model/equations.c src/model/loops.c src/model/names.c
SRC += src/model/space.c src/model/starts.c src/model/sums.c src/model/values.c
