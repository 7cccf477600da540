# both NAME OPTIONS...: the values of a model on standard input as its kind is solved, and by its expansion with radau
# (and the options in $tight).
both() {
    local name=$1 m
    shift
    cat > "$name.rg"
    for m in '' "--method radau $tight"; do
        "$REGULA" solve "$name.rg" --no-estimate --json $m "$@" | grep -oE '"values": [^}]*}' | head -n 1
    done
}
