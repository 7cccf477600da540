# SUNDIALS (the package libsundials-dev) is optional; without it the method says how to get it.
ifeq ($(SUNDIALS),yes)
SRC += src/ivp/bdf/create.c src/ivp/bdf/start.c src/ivp/bdf/linear.c src/ivp/bdf/step.c src/ivp/bdf/dense.c \
       src/ivp/bdf/failure.c
else
SRC += src/ivp/bdf/missing.c
endif
