SRC += src/ivp/passage/form.c src/ivp/passage/project.c src/ivp/passage/border.c src/ivp/passage/null.c src/ivp/passage/core.c src/ivp/passage/create.c src/ivp/passage/rank.c src/ivp/passage/rank_create.c \
       src/ivp/passage/balance.c \
       src/ivp/passage/signal.c src/ivp/passage/step.c src/ivp/passage/check.c src/ivp/passage/doubt.c src/ivp/passage/agree.c src/ivp/passage/points.c src/ivp/passage/geometry.c src/ivp/passage/exact.c src/ivp/passage/exact_joint.c src/ivp/passage/guard.c src/ivp/passage/state.c src/ivp/passage/depart.c \
       src/ivp/passage/monitor.c src/ivp/passage/fixed.c src/ivp/passage/store.c src/ivp/passage/failure.c
