/* What is known of a singularly perturbed boundary value problem  -eps u'' - b(x, u) u' + c(x, u) =
 * 0: turning points, where b has a zero, and layers.  Found by views/turning, kept in the study of
 * the problem, read by reports. */
#ifndef RG_PROBLEM_TURNING_H
#define RG_PROBLEM_TURNING_H

enum { RG_TURNING_MOST = 16 }; /* points that are kept */

typedef enum {
    RG_TURN_REPULSIVE,  /* b falls through 0: layers at the ends        */
    RG_TURN_ATTRACTIVE, /* b rises through 0: a layer at the point      */
    RG_TURN_BOUNDARY,   /* b is 0 at an end of the interval             */
    RG_TURN_DOUBLE      /* b is 0 and does not change its sign, or b_x = 0 */
} rg_turn_kind;

typedef struct {
    double t;
    rg_turn_kind kind;
} rg_turn_point;

typedef struct {
    double t, width;
} rg_turn_layer;

typedef struct rg_turning_facts {
    int n_points, n_layers;
    rg_turn_point point[RG_TURNING_MOST];
    rg_turn_layer layer[RG_TURNING_MOST + 2];
} rg_turning_facts;

#endif
