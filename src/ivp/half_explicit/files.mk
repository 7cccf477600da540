SRC += src/ivp/half_explicit/create.c
SRC += src/ivp/half_explicit/dense.c
SRC += src/ivp/half_explicit/end.c
SRC += src/ivp/half_explicit/error.c
SRC += src/ivp/half_explicit/rows.c
SRC += src/ivp/half_explicit/stages.c
SRC += src/ivp/half_explicit/step.c
SRC += src/ivp/half_explicit/stiff.c
