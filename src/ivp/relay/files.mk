SRC += src/ivp/relay/relay.c
SRC += src/ivp/relay/spectrum.c
