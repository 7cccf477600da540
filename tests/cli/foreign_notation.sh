# What other languages write, and what to write here.
try() {
    printf '%s\n' "$@" > m.rg
    "$REGULA" check m.rg --quiet 2>&1
    [ $? -eq 3 ] || echo "exit status $?"
}
base="var x = 1, u[i=1..3] = 1
param a[i=1..3] = i
x' = -x
for i = 1..3 { u[i]' = -u[i] }
over t = 0 .. 1"
for line in 'param k = 1d-3' 'param k = 2.5D+3*2' 'param k = 2d0' 'param k = 2dx' 'param k = 0x10' 'param k = 0xfFu' \
    'param k = 0b101' 'let r = 2*time' 'print(x)' 'plot(x, u[1])' '-- remark' '-- a remark' '--remark' 'let r = x -- remark' \
    'let r = x -- one remark' 'title "a -- b" x' "if (x > 0.5) x' = -1" "if (x > 0.5) { x' = -1 }" "else x' = 1" \
    'output b = u(2)' 'output b = a(2)' 'for i = 1..3 { output b[i] = u(i) }' 'output b = u(1, 2)' 'output b = x(2)' \
    "for i = 1..3 { u(i)' = 1 }"; do
    try "$line" "$base"
done
for line in 'when x < 0.5 { n += 1 }' 'when x < 0.5 { n *= 2 }' 'when x < 0.5 { reinit(x, 1) }' \
    'when x < 0.5 { x = 1 } else { x = 2 }' 'if x < 0.5 {'; do
    try "$line" "$base"
done
for line in 'over t from 0 to 1' 'over t in 0..1' 'over s = 0 .. 1'; do
    try 'var x = 1' "x' = -t" "$line"
done
# These are right.
printf '%s\n' 'var x = 1' 'param d = 2, k = 3--d' "x' = --x*k" 'over time = 0 .. 1' > m.rg
"$REGULA" solve m.rg --quiet
echo "exit status $?"
