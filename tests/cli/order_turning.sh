# tol: 1e-8
# Uniform rates: --intervals with a list, --set with a list; what is refused.
E=$EXAMPLES/singpert
"$REGULA" order "$E/repulsive.rg" --method turning-point --intervals 32,64,128 --set eps=1e-2,1e-4,1e-8
"$REGULA" order "$E/attractive.rg" --method turning-point --intervals 32,64 --set eps=1,1e-8 --json |
    grep -o '"eps.*"verdict": {[^}]*}'
"$REGULA" order "$E/off-center.rg" --method turning-point --variant two-pass --intervals 64,128
"$REGULA" order "$E/repulsive.rg" --method turning-point --intervals 32; echo "exit $?"
"$REGULA" order "$E/repulsive.rg" --method turning-point --intervals 33,66; echo "exit $?"
"$REGULA" order "$E/repulsive.rg" --method collocation --intervals 32,64; echo "exit $?"
