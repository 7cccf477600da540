"$REGULA" methods srm
"$REGULA" methods penalty
"$REGULA" methods invariant
"$REGULA" methods srn
echo "exit status $?"
