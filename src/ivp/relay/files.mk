SRC += src/ivp/relay/relay.c src/ivp/relay/spectrum.c
