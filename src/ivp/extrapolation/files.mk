SRC += src/ivp/extrapolation/create.c
SRC += src/ivp/extrapolation/half.c
SRC += src/ivp/extrapolation/linear.c
SRC += src/ivp/extrapolation/step.c
SRC += src/ivp/extrapolation/table.c
