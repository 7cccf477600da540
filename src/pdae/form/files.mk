SRC += src/pdae/form/form.c src/pdae/form/domain.c src/pdae/form/data.c src/pdae/form/fields.c
SRC += src/pdae/form/solid.c src/pdae/form/condition.c src/pdae/form/well.c src/pdae/form/kind.c
SRC += src/pdae/form/component.c src/pdae/form/tree.c src/pdae/form/term.c src/pdae/form/match.c src/pdae/form/output.c
SRC += src/pdae/form/draw.c src/pdae/form/quantity.c src/pdae/form/check.c src/pdae/form/balance.c src/pdae/form/facts.c src/pdae/form/measure.c
