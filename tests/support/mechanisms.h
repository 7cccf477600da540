/* Twenty mechanisms that move through singular positions: the constraint Jacobian loses rank there,
 * and branches of motion meet.  Values of the outputs at the end, from the motion with one
 * coordinate s, q = c(s):
 *
 *     (c'^T M c') s'' + c'^T M c'' s'^2 = c'^T F,
 *
 * by extrapolation (order 14) with two fixed steps that agree to 5e-11; of the last four rows from
 * the headers of the models.  Used by tests/order/test_srm_windows.c and bench/bench_passage.c. */
#ifndef RG_TESTS_SUPPORT_MECHANISMS_H
#define RG_TESTS_SUPPORT_MECHANISMS_H

enum { MECHANISM_VALUES = 16 };

typedef struct {
    const char *model; /* without .rg */
    double end;        /* of the run */
    int places;        /* singular positions that are passed */
    int n;             /* outputs with a reference */
    double value[MECHANISM_VALUES];
} mechanism;

/* clang-format off */
static const mechanism mechanisms[] = {
    {"tests/mechanisms/parallelogram", 10, 22, 8,
     {-0.5163834423684, 0.8563574840262, 1.483616557632, 0.8563574840262, -5.117259205921,
      -3.085706581113, -5.117259205921, -3.085706581113}},
    {"tests/mechanisms/parallelogram-heavy", 10, 23, 8,
     {-0.06347560332486, -0.9979833905344, 1.936524396675, -0.9979833905344, 8.175958872462,
      -0.5200226046957, 8.175958872462, -0.5200226046957}},
    {"tests/mechanisms/rhombus", 10, 25, 8,
     {0.3704055993426, -0.9288701157727, 1.370405599343, -0.9288701157727, 8.499749944838,
      3.389445864517, 8.499749944838, 3.389445864517}},
    {"tests/mechanisms/antiparallelogram", 10, 6, 8,
     {0.2041305045056, 0.9789436843508, 1.287830008833, -0.7020070538686, -2.224340212756,
      0.4638220738133, -1.143849133595, 1.160408606836}},
    {"tests/mechanisms/kite", 10, 3, 8,
     {0.7048180274719, -0.7093881505569, 2.191107035647, -0.9117368203777, 1.59608182701,
      1.585799317502, 1.678771907086, 2.193173495997}},
    {"tests/mechanisms/dart", 10, 4, 8,
     {0.1863434315329, 0.9824846693585, 1.376017958219, 1.13956592398, -1.287010641431,
      0.2441014977874, -1.311938401663, 0.4328950074076}},
    {"tests/mechanisms/change-point", 10, 5, 8,
     {-1.604607458351, -1.193832025289, 1.012432008836, 0.2728323627656, 4.364435013257,
      -5.866156063341, 0.1508899076979, 1.652274143209}},
    {"tests/mechanisms/slider-inclined", 10, 14, 8,
     {-0.4563137301359, 0.8898189589402, 0.0458957449526, 0.02507295974084, -2.756872451234,
      -1.413769328122, -5.436062862447, -2.969734676702}},
    {"tests/mechanisms/slider-swinging", 10, 10, 8,
     {-0.340236020251, 0.940340071742, 0.267202559691, 0.1459734236518, 0.3167591695759,
      0.1146105355639, 0.5843463195329, 0.3192298492919}},
    {"tests/mechanisms/spherical-kite", 10, 4, 12,
     {0.226837933497, 0.6805470689654, 0.6967067093472, 0.7991756439728, 0.5760221183796,
      -0.1718045669303, -1.252695527156, 0.4175447630873, 0, -0.462739447868, 0.7841142202702,
      0.4764543773931}},
    {"tests/mechanisms/lemniscate", 10, 11, 4,
     {-0.8778856786566, -0.2602616950019, -2.115762037401, 1.804502853002}},
    {"tests/mechanisms/viviani", 10, 5, 6,
     {0.4929684939381, -0.861927521234, -1.736105703039, 3.621733578301, -2.130495877579,
      2.086125039484}},
    {"tests/mechanisms/three-windows", 10, 14, 16,
     {-0.7510469411606, 0.6602488108079, 0.2489530588394, 0.6602488108079, 1.248953058839,
      0.6602488108079, 2.248953058839, 0.6602488108079, -2.738890639506, -3.115545841661,
      -2.738890639506, -3.115545841661, -2.738890639506, -3.115545841661, -2.738890639506,
      -3.115545841661}},
    {"tests/mechanisms/nodal-cubic", 10, 7, 4,
     {0.3978746217471, -0.4704141198427, 0.6368297483127, -0.8600882241849}},
    {"tests/mechanisms/figure-eight", 10, 7, 4,
     {-0.324256146515, 0.6134727318435, -1.512364150689, 2.525109424742}},
    {"tests/mechanisms/two-cylinders", 10, 7, 6,
     {0.6608425844798, -0.7505245356003, -0.7505245356003, 2.257141277121, 1.98743012967,
      1.98743012967}},
    {"examples/singular/slider-crank-swing", 10, 5, 2, {4.373977343268912, -0.973203898481911}},
    {"examples/singular/slider-crank-turn", 10, 11, 2, {33.74175906000317, 2.756606611830574}},
    {"examples/singular/curved-cross", 20, 10, 3, {-0.724693804300, -0.218482185148, -1.281399258567}},
    {"examples/singular/four-bar", 10, 10, 4,
     {0.328458111541, 0.944518538179, 1.423051470207, -0.494868845487}},
};
/* clang-format on */
enum { N_MECHANISMS = sizeof mechanisms / sizeof *mechanisms };

#endif
