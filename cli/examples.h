/* The shipped models, embedded in the program; made from examples/ by tools/embed-examples. */
#ifndef RG_CLI_EXAMPLES_H
#define RG_CLI_EXAMPLES_H

typedef struct {
    const char *name;  /* "pendulum" for examples/ivp/pendulum.rg */
    const char *topic; /* one of rg_example_topics */
    const char *text;  /* the whole file */
} rg_example;

extern const rg_example
    rg_examples[]; /* in alphabetical order, and one entry of NULLs at the end */
extern const int rg_example_count;
extern const char *const rg_example_topics[]; /* as they are to be listed, NULL at the end */

#endif
