SRC += src/ivp/radau/transform.c \
       src/ivp/radau/stages.c src/ivp/radau/order.c src/ivp/radau/create.c src/ivp/radau/start.c src/ivp/radau/jacobian.c \
       src/ivp/radau/newton.c src/ivp/radau/coupled.c src/ivp/radau/error.c src/ivp/radau/dense.c src/ivp/radau/control.c \
       src/ivp/radau/failure.c src/ivp/radau/redundant.c src/ivp/radau/scaling.c src/ivp/radau/project.c \
       src/ivp/radau/piece.c src/ivp/radau/rows.c
SRC += src/ivp/radau/trial.c
