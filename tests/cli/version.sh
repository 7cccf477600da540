[ "$("$REGULA" --version)" = "regula $(sed -n 's/^#define RG_VERSION "\(.*\)"/\1/p' "$EXAMPLES/../include/regula.h")" ] \
    && echo "the version of the header"
