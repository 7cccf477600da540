SRC += src/bvp/collocation/profile.c src/bvp/collocation/chain.c src/bvp/collocation/stages.c \
       src/bvp/collocation/condensed.c src/bvp/collocation/implicit.c src/bvp/collocation/large.c \
       src/bvp/collocation/large_create.c src/bvp/collocation/project.c src/bvp/collocation/conditioning.c \
       src/bvp/collocation/newton.c src/bvp/collocation/dense.c src/bvp/collocation/modes.c \
       src/bvp/collocation/waves.c src/bvp/collocation/rough.c src/bvp/collocation/estimate.c \
       src/bvp/collocation/places.c src/bvp/collocation/place_mesh.c src/bvp/collocation/kinks.c \
       src/bvp/collocation/pulses.c src/bvp/collocation/first.c src/bvp/collocation/remesh.c \
       src/bvp/collocation/proof.c src/bvp/collocation/refine.c src/bvp/collocation/stop.c src/bvp/collocation/free.c \
       src/bvp/collocation/fail.c src/bvp/collocation/collocation.c src/bvp/collocation/nearest.c \
       src/bvp/collocation/predict.c src/bvp/collocation/output.c src/bvp/collocation/method.c
