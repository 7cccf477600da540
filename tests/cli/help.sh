# The one screen: at most 24 lines of 80 columns, the same for three ways to ask.
"$REGULA" help > help.txt
cat help.txt
"$REGULA" -h | cmp - help.txt
"$REGULA" --help | cmp - help.txt
[ "$(wc -l < help.txt)" -le 24 ] || echo "too many lines"
awk 'length > 80 { print "too long: " $0 }' help.txt
