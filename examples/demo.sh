#!/bin/sh
# What `make demo` prints, and its page.  All that an example says goes to build/EXAMPLE.txt; its last line, to the terminal, says
# what it shows and the number that matters, and stands after the seconds of processor time that it took.
#   demo.sh begin CC
#   demo.sh run EXAMPLE COMMAND    compiles it by this command, where that is not done
#   demo.sh sum EXAMPLE...    fails unless all have run and none has failed
task=$1
shift

panels() { # panels FILE HEIGHT WIDTH COUNT TEXT: a picture of COUNT views side by side, shown one by one; they wrap on a telephone
    echo '<figure><div class="row">'
    view=0
    while [ "$view" -lt "$4" ]; do
        echo "<img src='$1.svg#svgView(viewBox($(($6 + view * $3)),0,$3,$2))' style='aspect-ratio:$3/$2;width:$(($3 < 190 ? 178 : $3))px' alt=''>"
        view=$((view + 1))
    done
    echo "</div>${7:-}<figcaption>$5</figcaption></figure>"
}

plot() { # plot FILE TEXT
    [ ! -f "build/$1.svg" ] || echo "<figure class='plot'><img src='$1.svg' alt=''><figcaption>$2</figcaption></figure>"
}

page() { # page EXAMPLE...: what they said, in a table
    cat << 'END'
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>nsc</title>
<style>
body { font: 17px/1.5 sans-serif; color: #33404a; background: #fbfaf7; max-width: 1080px; margin: 0 auto; padding: 1em }
figure { margin: 2em 0 }
img { display: block; max-width: 100%; height: auto; border-radius: 6px }
.row { display: flex; flex-wrap: wrap; justify-content: center }
.wide { overflow-x: auto }
.wide img { max-width: none; width: 1080px }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 460px), 1fr)); gap: 0 2em }
.plot { margin: 1em 0 }
.plot img { width: 100%; max-width: 560px }
figcaption { margin-top: .5em }
td { padding: .25em .7em .25em 0; vertical-align: top; border-top: 1px solid #dde2e5 }
td:first-child { white-space: nowrap }
@media (max-width: 600px) { body { font-size: 16px } .wide img { width: 100% } td { display: block; border: 0; padding: 0 } td:first-child { border-top: 1px solid #dde2e5; padding-top: .4em } }
</style>
<h1>nsc</h1>
<p>Rigid bodies with hard contact and friction in two C headers. <code>make demo</code> computed and drew all of this on this machine.</p>
END
    panels arch 340 360 3 "Fifteen stones and no mortar: friction alone holds the arch, until a ball comes." 0
    panels stack 560 450 2 "Ten cubes stand on each other, and are knocked over by a ball." 0
    panels gripper 380 360 3 "A gripper closes its two jaws with a limited force and lifts a cube by friction." 0
    panels gait 230 185 6 "One step of a trotting robot of twelve motors: two feet of a diagonal swing while the others carry it. \
The bars show which feet touch the ground, from left to right in time." 90 \
        "<div class='wide'><img src='gait.svg#svgView(viewBox(0,236,1220,94))' style='aspect-ratio:1220/94' alt=''></div>"
    echo '<h2>How exact, how quick</h2><div class="plots">'
    plot pareto "What exactness costs. Ten cubes fall on each other; each colour is a solver, which finds the contact forces. Lower is more exact, left is quicker; \
the numbers beside points say how many sweeps were allowed. A micrometre is what 32-bit numbers round away."
    plot convergence "Six solvers on one hard problem, a struck stack whose top is ten times as heavy: what is left of the error as each goes on; \
AUTO, which picks one, lies on NEWTON. SIPGS, the default, needs no memory beside the world, NEWTON needs most and the fewest iterations."
    plot steppers_pendulum "A pendulum's error after a second, against the length of a time step. On a line of order 2 halving the step \
leaves a quarter of the error."
    plot steppers_spring "The same for a stiff spring. Curves that stay flat to the right are methods that stay stable in steps that are \
too long for the spring; the others run away."
    echo '</div>'
    [ $# -eq 0 ] || echo '<h2>What the examples show</h2><table>'
    for example; do
        [ ! -f "build/$example.txt" ] || echo "<tr><td><a href='../examples/$example.c'>$example</a></td><td>$(tail -n 1 "build/$example.txt" |
            sed 's/&/\&amp;/g; s/</\&lt;/g') (<a href='$example.txt'>all of it</a>)</td></tr>"
    done
    [ $# -eq 0 ] || echo '</table>'
    echo '<p>On from here: <a href="../README.md">README.md</a> says how to add nsc to a program, <a href="../examples/TUTORIAL.md">TUTORIAL.md</a> goes from
an empty folder to a robot on a board, <a href="../examples/GUIDE.md">GUIDE.md</a> explains each part. <code>make web</code> (clang and lld) writes
<a href="web/index.html">a page</a> of twelve scenes to pull about.</p></html>'
}

case $task in
begin)
    if ! command -v "${1%% *}" > /dev/null; then
        echo "no C compiler $1; another one: make demo CC=gcc"
        exit 1
    fi
    mkdir -p build
    date +%s > build/demo.begin
    echo "some seconds until the first picture; then a line an example, with the seconds of processor time that it took"
    ;;
run)
    said=build/$1.txt
    if [ ! -x "build/$1" ] || [ -n "$(find "examples/$1.c" ./*.h examples/kit/*.h -newer "build/$1")" ]; then
        $2 || exit 1
    fi
    times > "build/$1.time"
    "build/$1" > "$said" 2>&1
    code=$?
    times >> "build/$1.time"
    if [ $code -ne 0 ]; then
        mv "$said" "build/$1.failed"
        printf 'FAILED: %s: exit code %d, build/%s.failed ends with\n' "$1" $code "$1"
        tail -n 20 "build/$1.failed"
        exit $code
    fi
    seconds=$(LC_ALL=C awk 'NR % 2 == 0 { split($1, u, /[ms]/); split($2, s, /[ms]/); t = 60 * (u[1] + s[1]) + u[2] + s[2] - t }
        END { printf "%.1f", t }' "build/$1.time")
    printf '%-18s %4s s  %s\n' "$1" "$seconds" "$(tail -n 1 "$said")"
    if [ "$1" = 18_pictures ]; then
        page > build/index.html
        times > build/pictures.time # of all that this shell has run: the compiler too
        began=$(cat build/demo.begin 2> /dev/null || date +%s)
        echo "first pictures: $(($(date +%s) - began)) s after the start, by $(LC_ALL=C awk 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/)
            printf "%.1f", 60 * (u[1] + s[1]) + u[2] + s[2] }' build/pictures.time) s of processor time, compiler included"
        echo "look at them: file://$(pwd)/build/index.html, in a browser; more comes to it while the examples run"
    fi
    ;;
sum)
    passed=0 failed=0 skipped=0
    for example; do
        if ! [ -f "build/$example.txt" ]; then
            failed=$((failed + 1))
            echo "FAILED: $example"
        elif grep -q '^skipped' "build/$example.txt"; then skipped=$((skipped + 1))
        else passed=$((passed + 1))
        fi
    done
    page "$@" > build/index.html
    echo "to look at: file://$(pwd)/build/index.html, and build/NAME.txt, all that examples/NAME.c says"
    echo "to go on: README.md, to add it to a program; examples/TUTORIAL.md, eight steps to a robot on a board; make web, scenes to pull about"
    echo "examples: $passed passed, $failed failed, $skipped skipped"
    [ $failed -eq 0 ]
    ;;
esac
