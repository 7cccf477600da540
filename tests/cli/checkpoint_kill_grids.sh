# Grids, boundary values and a way through values of a parameter, killed and resumed: see tests/support/kill.sh.
# only: test-all
. "$(dirname "$0")/../support/kill.sh"
survives "flow" solve "$EXAMPLES/grids/cavity.rg" --set N=24 --to 12
survives "flow at chosen times" solve "$EXAMPLES/grids/cavity.rg" --set N=24 --to 12 --at 4,8,12 --scheme heun
survives "flow at many times" solve "$EXAMPLES/grids/cavity.rg" --set N=24 --to 12 --points 41
survives "displacement" solve "$EXAMPLES/grids/five-spot.rg" --set N=16
cat > diffusion.rg << 'END'
domain x = 0..1 cells 80, y = 0..1 cells 80
field a = if(x < .3, 1, 0), b = y
a' = lap(a) - a*b
b' = .1*lap(b) + a*b - .2*b
over t = 0 .. 4
output A = mean(a), B = b(.2, .3)
END
survives "diffusion in stages" solve "$PWD/diffusion.rg" --points 201
survives "buoyancy in stages" solve "$EXAMPLES/grids/buoyant.rg" --set N=16 --points 41
survives "continuation" solve "$EXAMPLES/bvp/cash-24.rg" --continue eps=1..1e-3 --tol 1e-9
survives "boundary values" solve "$EXAMPLES/bvp/cash-20.rg" --tol 1e-10
