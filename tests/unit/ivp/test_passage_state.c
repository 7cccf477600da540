/* The states of a run past singular positions, and the events that move it from one to another. */
#include "support/test.h"

#include "ivp/passage/passage.h"

/* The state behind the events, ended by EVENT_DOUBT, which is not one of them. */
static rg_passage_state behind(rg_passage_state from, const rg_passage_event *events)
{
    rg_passage k = {.state = from};

    for (; *events != EVENT_DOUBT; events++)
        rg_passage_happens(&k, *events);
    return k.state;
}

#define BEHIND(from, ...) behind(from, (const rg_passage_event[]){__VA_ARGS__, EVENT_DOUBT})

static void test_ways(void)
{
    CHECK(BEHIND(PASSAGE_AWAY, EVENT_FALLS, EVENT_SAFE) == PASSAGE_LEAVING);
    CHECK(BEHIND(PASSAGE_LEAVING, EVENT_RESUMES) == PASSAGE_AWAY);
    CHECK(BEHIND(PASSAGE_AWAY, EVENT_FALLS, EVENT_USELESS, EVENT_RESUMES) == PASSAGE_OFF);
    CHECK(BEHIND(PASSAGE_NEAR, EVENT_POINT, EVENT_PASSES) == PASSAGE_REPEATING);
    CHECK(BEHIND(PASSAGE_REPEATING, EVENT_REWINDS, EVENT_PASSES) == PASSAGE_STAYING);
    CHECK(BEHIND(PASSAGE_REPEATING, EVENT_ARRIVES, EVENT_PASSES) == PASSAGE_STAYING);
    CHECK(BEHIND(PASSAGE_REPEATING, EVENT_ARRIVES, EVENT_FAILS) == PASSAGE_NEAR);
    CHECK(BEHIND(PASSAGE_REPEATING, EVENT_FAILS, EVENT_SAFE) == PASSAGE_LEAVING);
}

/* A run that stays, or is not monitored any more, does so to its end. */
static void test_ends(void)
{
    for (int e = 0; e < EVENT_DOUBT; e++) {
        const rg_passage_event event = (rg_passage_event)e;
        CHECK(BEHIND(PASSAGE_STAYING, event) == PASSAGE_STAYING);
        CHECK(BEHIND(PASSAGE_OFF, event) == PASSAGE_OFF);
        CHECK(BEHIND(PASSAGE_IN_DOUBT, event) == PASSAGE_IN_DOUBT);
    }
}

static void test_doubt(void)
{
    for (int s = PASSAGE_AWAY; s <= PASSAGE_IN_DOUBT; s++) {
        rg_passage k = {.state = (rg_passage_state)s};
        rg_passage_happens(&k, EVENT_DOUBT);
        CHECK(k.state == PASSAGE_IN_DOUBT);
    }
}

static const test_case cases[] = {
    {"ways",  test_ways },
    {"ends",  test_ends },
    {"doubt", test_doubt}
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
