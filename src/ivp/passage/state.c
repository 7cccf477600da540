/* The way of a run past singular points, as states and events (passage.h): the only place where
 * the state changes. */
#include "ivp/passage/passage.h"

static const struct {
    rg_passage_state from;
    rg_passage_event event;
    rg_passage_state to;
} transitions[] = {
    {PASSAGE_AWAY,      EVENT_FALLS,   PASSAGE_NEAR     },
    {PASSAGE_AWAY,      EVENT_STAYS,   PASSAGE_STAYING  },
    {PASSAGE_NEAR,      EVENT_SAFE,    PASSAGE_LEAVING  },
    {PASSAGE_NEAR,      EVENT_USELESS, PASSAGE_ENDING   },
    {PASSAGE_NEAR,      EVENT_POINT,   PASSAGE_REPEATING},
    {PASSAGE_LEAVING,   EVENT_RESUMES, PASSAGE_AWAY     },
    {PASSAGE_ENDING,    EVENT_RESUMES, PASSAGE_OFF      },
    {PASSAGE_REPEATING, EVENT_ARRIVES, PASSAGE_REPEATED },
    {PASSAGE_REPEATING, EVENT_REWINDS, PASSAGE_STAYING  },
    {PASSAGE_REPEATING, EVENT_FAILS,   PASSAGE_NEAR     },
    {PASSAGE_REPEATED,  EVENT_PASSES,  PASSAGE_STAYING  },
    {PASSAGE_REPEATED,  EVENT_FAILS,   PASSAGE_NEAR     }
};

/* An event that means nothing in the state leaves it as it is. */
void rg_passage_happens(rg_passage *k, rg_passage_event event)
{
    if (event == EVENT_DOUBT) k->state = PASSAGE_IN_DOUBT;
    for (size_t e = 0; e < sizeof transitions / sizeof *transitions; e++)
        if (transitions[e].from == k->state && transitions[e].event == event) {
            k->state = transitions[e].to;
            return;
        }
}
