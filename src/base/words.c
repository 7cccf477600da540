/* The nearest of several known words to one that is not known, for messages. */
#include "base/base.h"

#include <string.h>

enum { WORD_MAX = 64 }; /* longer words are not compared */

static char fold(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static int least(int a, int b, int c)
{
    const int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Edits from a to b: insert, delete, replace, swap neighbours (optimal string alignment); capitals
 * count as small letters.  Rows of the usual table: D[k] = distance of a[0..i) and b[0..k). */
static int edit_distance(const char *a, int n, const char *b, int m)
{
    int before[WORD_MAX + 1], above[WORD_MAX + 1], row[WORD_MAX + 1];

    for (int k = 0; k <= m; k++)
        above[k] = before[k] = k;
    for (int i = 1; i <= n; i++) {
        row[0] = i;
        for (int k = 1; k <= m; k++) {
            const int differs = fold(a[i - 1]) != fold(b[k - 1]);
            row[k] = least(above[k] + 1, row[k - 1] + 1, above[k - 1] + differs);
            const bool is_swap = i > 1 && k > 1 && fold(a[i - 1]) == fold(b[k - 2])
                                 && fold(a[i - 2]) == fold(b[k - 1]);
            if (is_swap && before[k - 2] + 1 < row[k]) row[k] = before[k - 2] + 1;
        }
        memcpy(before, above, sizeof above);
        memcpy(above, row, sizeof row);
    }
    return above[m];
}

const char *rg_nearest_word(const char *word, int n, const char *const *words)
{
    if (word == NULL || words == NULL) return NULL;
    const size_t length = strlen(word);
    int allowed = length <= 1 ? 0 : length <= 4 ? 1 : 2;
    const char *nearest = NULL;

    if (length > WORD_MAX) return NULL;
    for (int k = 0; k < n; k++) {
        const size_t other = strlen(words[k]);
        if (other > WORD_MAX) continue;
        const int distance = edit_distance(word, (int)length, words[k], (int)other);
        if (distance > allowed) continue;
        nearest = words[k];
        allowed = distance - 1; /* the next one must be nearer */
    }
    return nearest;
}
