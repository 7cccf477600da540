SRC += src/ivp/half_explicit/create.c src/ivp/half_explicit/stages.c src/ivp/half_explicit/end.c src/ivp/half_explicit/error.c \
       src/ivp/half_explicit/dense.c src/ivp/half_explicit/rows.c src/ivp/half_explicit/stiff.c src/ivp/half_explicit/step.c
