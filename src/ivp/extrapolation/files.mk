SRC += src/ivp/extrapolation/create.c src/ivp/extrapolation/table.c src/ivp/extrapolation/half.c \
       src/ivp/extrapolation/linear.c src/ivp/extrapolation/step.c
