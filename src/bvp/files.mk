SRC += src/bvp/form.c src/bvp/form_rows.c src/bvp/conditions.c src/bvp/shell.c src/bvp/mesh.c src/bvp/guess.c src/bvp/guess_table.c src/bvp/posed.c src/bvp/posed_count.c
