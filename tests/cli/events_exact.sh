# Events of every kind against exact solutions, at 1e-10: all within 1e-9, for several methods.
# model NAME VALUE-OF EXACT-VALUE: the model is standard input
model() {
    cat > m.rg
    for o in "" "--method gauss" "--method sdirk" "--step 0.005 --method gauss"; do
        "$REGULA" solve m.rg --tol 1e-10 --json $o 2> message | awk -v name="$1" -v key="$2" -v exact="$3" -v o="$o" '{
            match($0, "\"" key "\": [-0-9.e+]*"); v = substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 4)
            e = v - exact; if (e < 0) e = -e
            print name, o ":", v != "" && e <= 1e-9 ? "good" : "error " e " of " v }'
        cat message
    done
}
# sampled: x = 1 up to 0.1, then x' = -x of the last sample: 0.9^9
model every x 0.387420489 <<'END'
state u = 0
var x = 1
x' = u
every 0.1 { u = -x }
over t = 0 .. 1
END
# from another time, twice as often
model "every from" n 15 <<'END'
state n = 0
var x = 1
x' = -x
every 0.05 from 0.28 { n = n + 1 }
over t = 0 .. 1
END
# stop: log 2
model stop t 0.69314718055994531 <<'END'
var x = 1
x' = -x
when x < 0.5 { stop "half" }
over t = 0 .. 3
END
# saw teeth of three speeds: 0.7, 1.4, 2.1 less their whole parts
model "for" s 1.2 <<'END'
var u[i=1..3] = 0
for i = 1..3 {
    u[i]' = i
    when u[i] > 1 { u[i] = 0 }
}
output s = u[1] + u[2] + u[3]
over t = 0 .. 0.7
END
# x'' = -1 from 1/2, back with half of the speed: at t = 1 and 2, then 2.5; x(2.25) = 1/32
model "second order" x 0.03125 <<'END'
var x = 0.5, x' = 0
x'' = -1
when x < 0 { x' = -x'/2 }
over t = 0 .. 2.25
END
# an algebraic signal, and a condition on it: the sum of (asin(0.9) + 2 pi k)/20, k = 0 .. 3
model algebraic s 2.1089094951536027 <<'END'
state n = 0, s = 0
var x = 0, y = 1, a
x' = 20*y
y' = -20*x
a = x + 0.1
when a > 1 { n = n + 1; s = s + t }
over t = 0 .. 1.2
END
# modes: x' = 1 up to 1, -2 down to 0, twice: x(2.75) = 1 - 2*0.25
model modes x 0.5 <<'END'
state up = 1
var x = 0
x' = if(up > 0.5, 1, -2)
when "top" x > 1 { up = 0 }
when "bottom" x < 0 and up < 0.5 { up = 1 }
over t = 0 .. 2.75
END
# one that follows from another, which sees what the former assigned
model cascade c 21 <<'END'
state a = 0, b = 0, c = 0
var x = 0
x' = 1
when x > 0.7 { a = 1; b = 10 }
when a > 0.5 { c = a + 2*b; a = 0 }
over t = 0 .. 1
END
