# Words are looked for in name, topic, title and comments, in capital or small letters.
"$REGULA" example --search DIODES
"$REGULA" example --search=amplifier
"$REGULA" example --search nothing-like-this; echo "exit $?"
"$REGULA" example --search; echo "exit $?"
# Every model has a topic; without a terminal each line has it, and topics stand together.
"$REGULA" example | grep -v '\[[a-z ]*\]$'
"$REGULA" example | sed 's/.*\[\(.*\)\]$/\1/' | uniq | sort | uniq -d
