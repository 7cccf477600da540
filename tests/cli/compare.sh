# Methods side by side; the time that they take is cut off.  Without an exact solution radau makes the reference.
# tol: 0.02
cp "$EXAMPLES/srm/srm-unbounded.rg" "$EXAMPLES/ivp/pendulum.rg" .
"$REGULA" compare srm-unbounded.rg --methods srm,srm:scheme=rk4:iterations=3,srm:variant=multibody | sed 's/ *[^ ]*$//;s/ evaluations$//'
"$REGULA" compare srm-unbounded.rg --methods srm:iterations=1,srm --csv - | cut -d, -f1-8
"$REGULA" compare pendulum.rg --to 1 --methods srm:variant=second-order:step=0.001,post-stabilization --json | sed 's/"seconds": [^}]*/"seconds": 0/g'
# The variant of the model's solve line belongs to its method.
cp "$EXAMPLES/srm/closed-chain.rg" .
"$REGULA" compare closed-chain.rg --set n=4 --to 0.02 --methods srm,penalty:gamma=20,augmented-lagrangian:gamma=20 | sed 's/ *[^ ]*$//;s/ evaluations$//'
"$REGULA" compare srm-unbounded.rg --step 0.01 --methods penalty:variant=direct,penalty:variant=parameterized,penalty | sed 's/ *[^ ]*$//;s/ evaluations$//'
for list in "srm:eps" "srm:epss=1" "srn" ""; do
    "$REGULA" compare pendulum.rg --methods "$list"
    echo "exit status $?"
done
# The table appears as a whole; rows before one that ends the comparison stay in FILE.part.
echo "earlier" > table.csv
"$REGULA" compare pendulum.rg --to 1 --methods radau,srn --csv table.csv --quiet
echo "exit status $?"
cat table.csv
cut -d, -f1-3 table.csv.part
"$REGULA" compare pendulum.rg --to 1 --methods radau --csv table.csv --quiet
cut -d, -f1-3 table.csv
# A table of failures alone is no success; one method that solved it is enough.
printf '%s\n' "var x = 1" "x' = x^2" "over t = 0 .. 2" > pole.rg
"$REGULA" compare pole.rg --methods radau,gauss --csv - --quiet | cut -d, -f1,2
"$REGULA" compare pole.rg --methods radau,gauss --quiet
echo "exit status $?"
"$REGULA" compare pole.rg --methods transfer --quiet
echo "exit status $?"
"$REGULA" compare pendulum.rg --to 1 --methods transfer,radau --quiet
echo "exit status $?"
