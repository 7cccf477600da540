SRC += src/solution/layout.c src/solution/values.c src/solution/columns.c src/solution/number.c \
       src/solution/csv.c src/solution/comparison.c src/solution/sweep_table.c src/solution/orders.c src/solution/solution.c src/solution/store.c src/solution/checkpoint.c src/solution/access.c
