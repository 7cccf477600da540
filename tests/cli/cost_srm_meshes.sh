# tol: 0.1
# floor: 1
# Boundary value problems by regularization: meshes, estimated errors, and how much iterates and restarts change.
meshes() { # MODEL [OPTION ...]
    echo "$*" | sed 's|.*/||'
    "$REGULA" solve "$@" --method srm --verbose --no-estimate 2>&1 > /dev/null |
        sed -n 's/^srm: /  /p; s/^.*\(error:\)/  \1/p' | sed -E 's/([0-9.]+)e-([0-9]+)/-\2./g'
}
for model in bvp/index2-end bvp/index2-singular srm/srm-boundary srm/srm-boundary-nonlinear srm/srm-boundary-origin; do
    meshes "$EXAMPLES/$model.rg"
    meshes "$EXAMPLES/$model.rg" --tol 1e-8
done
