SRC += src/base/context.c src/base/error.c src/base/error_print.c src/base/inputs.c src/base/log.c src/base/memory.c \
       src/base/number.c src/base/options.c src/base/output.c src/base/output_part.c src/base/pieces.c src/base/place.c src/base/scales.c src/base/source.c src/base/text.c \
       src/base/words.c src/base/erfcx.c src/base/store.c src/base/checkpoint.c src/base/run_name.c
