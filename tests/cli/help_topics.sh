for topic in language grids exit json csv; do
    echo "== $topic"
    "$REGULA" help $topic
done
"$REGULA" help methods > methods.txt
"$REGULA" methods | cmp - methods.txt
