SRC += src/api/entry.c src/api/load.c src/api/callbacks.c src/api/problem.c src/api/analyze.c \
       src/api/solve.c src/api/expand.c src/api/fields.c src/api/solver.c src/api/report.c
