/* UTF-8, and which characters above ASCII may stand in names. */
#include "model/unicode.h"

#include <stddef.h>

typedef struct {
    uint32_t low, high;
} code_range;

/* Blanks, controls, punctuation, symbols and unassigned planes above ASCII, ascending; the rest
 * counts as letters (Unicode 15, general categories Z, C, P and S; lesser used scripts keep
 * their punctuation). */
static const code_range not_letters[] = {
    {0x80,    0xA9    },
    {0xAB,    0xB4    },
    {0xB6,    0xB9    },
    {0xBB,    0xBF    },
    {0xD7,    0xD7    },
    {0xF7,    0xF7    },
    {0x2B9,   0x2BF   },
    {0x2C2,   0x2CF   },
    {0x2D2,   0x2DF   },
    {0x2E5,   0x2EB   },
    {0x375,   0x375   },
    {0x37E,   0x37E   },
    {0x384,   0x385   },
    {0x387,   0x387   },
    {0x3F6,   0x3F6   },
    {0x482,   0x482   },
    {0x55A,   0x55F   },
    {0x589,   0x58F   },
    {0x5BE,   0x5BE   },
    {0x5F3,   0x5F4   },
    {0x600,   0x60F   },
    {0x61B,   0x61F   },
    {0x66A,   0x66D   },
    {0x964,   0x965   },
    {0x1680,  0x1680  },
    {0x180E,  0x180E  },
    {0x1FBD,  0x1FBD  },
    {0x1FBF,  0x1FC1  },
    {0x1FCD,  0x1FCF  },
    {0x1FDD,  0x1FDF  },
    {0x1FED,  0x1FEF  },
    {0x1FFD,  0x1FFE  },
    {0x2000,  0x2070  },
    {0x2072,  0x207E  },
    {0x208A,  0x208F  },
    {0x20A0,  0x2101  },
    {0x2103,  0x2106  },
    {0x2108,  0x2109  },
    {0x2114,  0x2114  },
    {0x2116,  0x2118  },
    {0x211E,  0x2123  },
    {0x2125,  0x2125  },
    {0x2127,  0x2127  },
    {0x2129,  0x2129  },
    {0x212E,  0x212E  },
    {0x213A,  0x213B  },
    {0x2140,  0x2144  },
    {0x214A,  0x214D  },
    {0x214F,  0x215F  },
    {0x2189,  0x2BFF  },
    {0x2E00,  0x2E7F  },
    {0x2FF0,  0x3004  },
    {0x3008,  0x3020  },
    {0x3030,  0x3030  },
    {0x303D,  0x303F  },
    {0x30FB,  0x30FB  },
    {0xD800,  0xF8FF  },
    {0xFE00,  0xFE1F  },
    {0xFE30,  0xFE6F  },
    {0xFEFF,  0xFEFF  },
    {0xFF00,  0xFF20  },
    {0xFF3B,  0xFF40  },
    {0xFF5B,  0xFF65  },
    {0xFFE0,  0xFFFF  },
    {0x1D000, 0x1D2FF },
    {0x1D6C1, 0x1D6C1 },
    {0x1D6DB, 0x1D6DB },
    {0x1F000, 0x1FAFF },
    {0xE0000, 0x10FFFF},
};

typedef struct {
    uint32_t code;
    const char *ascii;
} spelling;

/* What word processors, web pages and other languages put in the place of ASCII; ascending. */
static const spelling spellings[] = {
    {0xAC,   "not" },
    {0xAD,   "-"   },
    {0xB2,   "^2"  },
    {0xB3,   "^3"  },
    {0xB4,   "'"   },
    {0xB7,   "*"   },
    {0xB9,   "^1"  },
    {0xD7,   "*"   },
    {0xF7,   "/"   },
    {0x2B9,  "'"   },
    {0x2BA,  "''"  },
    {0x2BB,  "'"   },
    {0x2BC,  "'"   },
    {0x37E,  ";"   },
    {0x387,  "*"   },
    {0x2010, "-"   },
    {0x2011, "-"   },
    {0x2012, "-"   },
    {0x2013, "-"   },
    {0x2014, "-"   },
    {0x2015, "-"   },
    {0x2016, "or"  },
    {0x2018, "'"   },
    {0x2019, "'"   },
    {0x201A, ","   },
    {0x201B, "'"   },
    {0x201C, "\""  },
    {0x201D, "\""  },
    {0x201E, "\""  },
    {0x201F, "\""  },
    {0x2022, "*"   },
    {0x2025, ".."  },
    {0x2026, ".."  },
    {0x2027, "*"   },
    {0x2032, "'"   },
    {0x2033, "''"  },
    {0x2034, "'''" },
    {0x2036, "''"  },
    {0x2044, "/"   },
    {0x2057, "''''"},
    {0x2070, "^0"  },
    {0x2074, "^4"  },
    {0x2075, "^5"  },
    {0x2076, "^6"  },
    {0x2077, "^7"  },
    {0x2078, "^8"  },
    {0x2079, "^9"  },
    {0x207A, "+"   },
    {0x207B, "^-"  },
    {0x2190, "="   },
    {0x2208, "="   },
    {0x2211, "sum" },
    {0x2212, "-"   },
    {0x2215, "/"   },
    {0x2216, "/"   },
    {0x2217, "*"   },
    {0x2219, "*"   },
    {0x221A, "sqrt"},
    {0x2227, "and" },
    {0x2228, "or"  },
    {0x2236, "/"   },
    {0x223C, "~"   },
    {0x2248, "~"   },
    {0x2254, "="   },
    {0x2260, "!="  },
    {0x2261, "=="  },
    {0x2264, "<="  },
    {0x2265, ">="  },
    {0x2266, "<="  },
    {0x2267, ">="  },
    {0x22C5, "*"   },
    {0x22C6, "*"   },
    {0x22EF, ".."  },
    {0x2A7D, "<="  },
    {0x2A7E, ">="  },
};

int rg_utf8_decode(const char *text, int32_t length, uint32_t *code)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *byte = (const unsigned char *)text;
    int size = 1;

    if (length <= 0) return 0;
    *code = byte[0];
    if (byte[0] < 0x80) return 1;
    if (byte[0] >= 0xC2 && byte[0] < 0xE0) size = 2;
    if (byte[0] >= 0xE0 && byte[0] < 0xF0) size = 3;
    if (byte[0] >= 0xF0 && byte[0] < 0xF5) size = 4;
    if (size == 1 || size > length) return 0;
    *code = byte[0] & (0xFFu >> (size + 1));
    for (int k = 1; k < size; k++) {
        if ((byte[k] & 0xC0) != 0x80) return 0;
        *code = *code << 6 | (byte[k] & 0x3F);
    }
    const bool is_surrogate = *code >= 0xD800 && *code < 0xE000;
    return *code < smallest[size] || *code > 0x10FFFF || is_surrogate ? 0 : size;
}

bool rg_is_letter(uint32_t code, bool is_first)
{
    size_t low = 0, high = sizeof not_letters / sizeof *not_letters;

    if (is_first && code >= 0x300 && code <= 0x36F) return false;   /* combining marks   */
    if (is_first && code >= 0x2080 && code <= 0x2089) return false; /* subscript digits  */
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (code > not_letters[middle].high) {
            low = middle + 1;
        } else if (code < not_letters[middle].low) {
            high = middle;
        } else {
            return false;
        }
    }
    return code >= 0x80;
}

bool rg_is_blank(uint32_t code)
{
    return code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200F) || code == 0x2028
           || code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x2060 || code == 0x3000
           || code == 0xFEFF;
}

const char *rg_ascii_spelling(uint32_t code)
{
    for (size_t k = 0; k < sizeof spellings / sizeof *spellings; k++) {
        if (spellings[k].code == code) return spellings[k].ascii;
    }
    return NULL;
}
