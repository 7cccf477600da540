SRC += src/problem/problem.c src/problem/names.c src/problem/study.c src/problem/products.c src/problem/table_ends.c
SRC += src/problem/assembly.c src/problem/assembly_eval.c src/problem/assembly_work.c src/problem/native.c src/problem/native_source.c src/problem/maps.c src/problem/unit.c src/problem/units.c \
       src/problem/unit_sums.c src/problem/unit_jacobian.c src/problem/entries.c
SRC += src/problem/callback.c src/problem/callback_create.c src/problem/differences.c src/problem/callback_doubt.c
