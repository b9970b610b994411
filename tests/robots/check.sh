#!/bin/sh
# examples/kit/robot.py: does it print the tables that tests/kit/test_robot.c loads, and refuse or name what it should?
# usage: check.sh DIRECTORY for what it writes
cd "$(dirname "$0")/../.." || exit 1
D=${1:-build/robots}
passed=0 failed=0

python=$(python3 -c 'import sys; print(sys.executable if sys.version_info >= (3, 7) else "")' 2> /dev/null) # itself, not what finds it
if [ -z "$python" ]; then
    echo "skipped: no python3 of 3.7 or later, for robot.py"
    echo "robots: 0 passed, 0 failed, 1 skipped"
    exit
fi
mkdir -p "$D"

# robot ARGUMENT...: robot.py, its output in $D/table and $D/said.  One Python has read it and forks for each call: to start and to read
# it takes longer than what it does here.
rm -f "$D/calls" "$D/codes"
mkfifo "$D/calls" "$D/codes"
"$python" tests/robots/forks.py examples/kit/robot.py "$D" < "$D/calls" > "$D/codes" &
exec 3> "$D/calls" 4< "$D/codes"
robot() {
    printf '%s\037' "$@" >&3
    echo >&3
    read -r code_said <&4 || code_said=99
    return "$code_said"
}

ok() {
    passed=$((passed + 1))
}

bad() {
    failed=$((failed + 1))
    echo "FAILED: robot.py: $1"
}

# table FILE: the table that is committed
table() {
    if robot "$1" && cmp -s "$D/table" "${1%.*}.h"; then ok; else bad "another table of $1"; diff "$D/table" "${1%.*}.h" | head -5; fi
}

# says TEXT CODE [OPTION...]: $D/in gives this exit code, and this text among what is said or printed
says() {
    text=$1 code=$2
    shift 2
    if [ -n "${PYTHONIOENCODING:-}" ]; then "$python" examples/kit/robot.py "$@" "$D/in" > "$D/table" 2> "$D/said"; else robot "$@" "$D/in"; fi
    got=$?
    if [ $got -eq "$code" ] && grep -q -e "$text" "$D/table" "$D/said" && ! grep -q Traceback "$D/said"; then
        if [ "$code" -eq 0 ] || ! [ -s "$D/table" ]; then ok; else bad "prints a table and fails: $text"; fi
    else
        bad "code $got, not said: $text"
        head -5 "$D/said"
    fi
}

link='<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
wide='<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial>'

# urdf LINK TYPE JOINT MORE: two links, the second with LINK in it, and a joint of this type
urdf() {
    echo "<robot name=\"two\"><link name=\"a\">$link</link><link name=\"b\">$1</link>
        <joint name=\"j\" type=\"${2:-revolute}\"><parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 0 1\"/>
        <limit lower=\"0\" upper=\"1\" effort=\"1\" velocity=\"1\"/>$3</joint>$4</robot>" > "$D/in"
}

table tests/robots/quadruped.urdf
table tests/robots/arm.xml
table tests/robots/crab.xml
table examples/28_panda.xml
urdf "$link"
says 'Left out: nothing' 0
urdf "$wide"
says 'link b: its greatest principal moment exceeds the sum of the others by 0.5 kg m^2, 20 %' 1
urdf "$wide"
says 'all became their mean: b' 0 --balance
urdf ''
says 'link b has no mass' 1
urdf ''
says 'raised to the bound: b' 0 --bound 0.1 0.001
urdf "$wide" fixed
says '1 links, 0 joints' 0
urdf "$link" fixed
says 'NSC_JOINT_FIXED, 0, 0, 1' 0 --keep-fixed
urdf "$link" twisted
says 'type twisted' 1
urdf "$link"
sed -i.was 's/upper="1"/upper="90"/' "$D/in"
says 'joint j: a limit of 90 rad is more than a turn; are these degrees?' 0
sed -i.was 's/<limit.*velocity="1".>//' "$D/in"
says 'joint j is revolute and has no <limit>' 0
urdf "$link" prismatic '<safety_controller k_velocity="1"/>'
says 'safety_controller: j' 0
urdf "$link<collision><geometry><box size=\"1 1 1\"/></geometry></collision>" revolute '' '<gazebo reference="b"><mu1 value="0.37"/></gazebo>'
says 'NSC_R(0.37)' 0
urdf "$link" revolute '' '<gazebo reference="b"><mu1 value="-1"/></gazebo><transmission name="t"/><link name="b"/>'
says 'two links have the same name' 1
echo "<robot name=\"m\"><link name=\"a\"/><link name=\"b\">$link</link><joint name=\"j\" type=\"continuous\"><parent link=\"a\"/>
    <child link=\"b\"/></joint></robot>" > "$D/in"
says 'the root link has no mass: it does not move: a' 0
says '"m", 1, 2, 1,' 0
says 'raised to the bound: a' 0 --bound 0.1 0.001
{ echo; echo '<?xml version="1.0"?>'; echo "<robot name=\"w\" xmlns=\"http://drake.mit.edu\"><link name=\"b\">$link</link>
    <joint name=\"j\" type=\"continuous\"><parent link=\"world\"/><child link=\"b\"/></joint></robot>"; } > "$D/in"
says 'NSC_JOINT_HINGE, 1, -1, 0' 0
heavy() { # a root called world that has a mass, and what else it has
    echo "<robot name=\"w\"><link name=\"world\">$link$1</link><link name=\"b\">$link</link>
        <joint name=\"j\" type=\"continuous\"><parent link=\"world\"/><child link=\"b\"/></joint></robot>" > "$D/in"
}
heavy ''
says 'left out: mass: world' 0
says '"w", 0, 1, 1,' 0
heavy '<collision><geometry><box size="1 1 1"/></geometry></collision>'
says '"w", 1, 2, 1,' 0
urdf "$(echo "$link" | sed 's/"1"/"1e-10"/g')"
says '1 kg move' 0
urdf '' revolute '' '<transmission name="t"/>'
says 'left out: <transmission>: t' 1
urdf "$link" revolute '<mimic joint="k"/>'
says 'no joint k' 1
urdf "$link<collision><geometry><mesh filename=\"no.stl\"/></geometry></collision>"
says 'file is not there: no.stl (b)' 0
urdf "$link" revolute '' '<xacro:macro xmlns:xacro="http://www.ros.org/wiki/xacro"/>'
says 'expand it first' 1
urdf "$link" revolute '' "<link name=\"c\">$link</link>"
says '2 root links' 1
echo '<robot' > "$D/in"
says 'unclosed' 1
echo '<mesh/>' > "$D/in"
says 'neither URDF nor MJCF' 1

# two fingers, each on a slider: on a base that stands they are geared, on one that moves by a wheel
finger() {
    echo "<link name=\"$1\">$link</link><joint name=\"j$1\" type=\"prismatic\"><parent link=\"a\"/><child link=\"$1\"/>$2</joint>"
}
echo "<robot name=\"jaw\"><link name=\"a\">$link</link>$(finger l) $(finger r '<mimic joint="jl"/>')</robot>" > "$D/in"
says 'a wheel is put between them: mimic jr' 0
says '"wheel of mimic jr", NSC_JOINT_HINGE, 0, 0, 3' 0
says 'NSC_JOINT_GEAR, 0, 1, 0' 0 --fixed-base

mjcf() {
    echo "<mujoco><worldbody><body name=\"a\"><freejoint/><geom size=\"0.1\"/><body name=\"b\">$1</body></body></worldbody>$2</mujoco>" > "$D/in"
}
mjcf '<joint name="j"/><geom size="0.1"/>' '<actuator><muscle name="m" joint="j"/></actuator>'
says '<muscle> is not understood: m' 0
mjcf '<joint name="j"/><geom size="0.1"/>' '<tendon><fixed name="t"/></tendon>'
says '<fixed> of <tendon>: t' 0
mjcf '<joint name="j"/><joint name="k" axis="1 0 0"/><geom size="0.1"/>'
says '2 links, 2 joints' 0
says 'NSC_JOINT_UNIVERSAL, 0, 0, 1' 0
says '"k", NSC_ROBOT_AXIS, 0, 0, 1' 0
# A cone given by points: 200 of its rim, and the tip
cone=$(awk 'BEGIN { for (i = 0; i < 200; i++) printf "%.9f %.9f 0 ", cos(i * 3.14159265359 / 100), sin(i * 3.14159265359 / 100)
    print "0 0 1" }')
echo "<mujoco><asset><mesh name=\"m\" vertex=\"$cone\"/></asset><worldbody><body name=\"a\"><freejoint/>
    <geom type=\"mesh\" mesh=\"m\"/></body></worldbody></mujoco>" > "$D/in"
says '; 1047.03' 0 # 100 / 3 sin(2 pi / 200) at 1000 kg/m^3
# A key whose shapes are in the ground: 0.2 cos 30 + 0.05, 0.2 cos 30 + 0.1 sin 30 and 0.25 reach below 0.2; and on a plane that leans by 30
while IFS='|' read -r deep geom ground; do
    echo "<mujoco><worldbody><geom type='plane' size='1 1 1' $ground/><body name='foot'><freejoint/><geom $geom/></body></worldbody>
        <keyframe><key name='low' qpos='0 0 0.2 1 0 0 0'/><key name='up' qpos='0 0 0.3 1 0 0 0'/></keyframe></mujoco>" > "$D/in"
    says "key low: foot begins $deep mm deep in the ground" 0
    if grep -q "key up" "$D/said"; then bad "a key above the ground is said to be in it: $geom"; else ok; fi
done << END
23.2|type='capsule' size='0.05 0.2' euler='30 0 0'
23.2|type='box' size='0.1 0.1 0.2' euler='30 0 0'
23.2|type='cylinder' size='0.1 0.2' euler='0 30 0'
50.0|type='sphere' size='0.25'
50.0|type='capsule' size='0.05 0.2' euler='60 0 0'|euler='30 0 0'
END
echo '<mujoco><worldbody/></mujoco>' > "$D/in"
says 'neither a <link>, nor a <body>' 1
mjcf '<joint name="j"/><geom type="hfield"/>'
says 'link b has no mass' 1
mjcf '<joint name="j"/><geom type="ellipsoid" size="0.1 0.2 0.3"/>'
says '500 points by 16 corners' 0
mjcf '<joint name="j"/><geom size="0.1"/>' '<actuator><position joint="j" kp="100" dampratio="1"/></actuator>'
says 'SERVO, 100, NSC_R(2.58' 0
mjcf '<joint name="j"/><geom name="g" size="0.1" mass="-0.6"/>'
says 'geom g: mass or density is below 0' 1
mjcf '<joint name="j"/><geom size="0.1"/><inertial pos="0 0 0" mass="-0.6" diaginertia="1 1 1"/>'
says 'mass -0.6' 1
mjcf '<joint name="j"/><geom size="0.1" class="none"/>'
says 'no default class none' 1
mjcf '<freejoint/><geom size="0.1"/>'
says 'free joint below another body' 1

if [ -n "$NSC_WHOLE" ]; then # to the next fi at the margin

# What tests/fuzz/models.py found: each was an exception, or a table that no compiler or world takes
refuses() {
    says "$1" 1
    sed '$d' "$D/said" | grep -v '^left out: \|^repaired: ' > "$D/more" && bad "more than a line of refusal: $1"
    tail -n 1 "$D/said" | grep -q '^robot.py: ' || bad "no line of refusal: $1"
}
ball() {
    mjcf "<joint name=\"j\"/><geom size=\"0.1\" $1/>" "$2"
}
echo "<robot><link>$link</link></robot>" > "$D/in"
refuses 'a <link> has no name'
echo "<robot><link name=\"a\" />" > "$D/in"
refuses 'XML: no element found'
printf '<?xml version="1.0" encoding="utf-32"?><robot/>' > "$D/in"
refuses 'XML: '
echo "<robot name=\"a\"><link name=\"b&#10;c\"><inertial><mass value=\"-1\"/></inertial></link></robot>" > "$D/in"
refuses 'link b\\nc: mass -1'
echo "<robot name=\"int\"><link name=\"&#12525;\">$link</link><gazebo reference=\"/* ??/ */ é\"/></robot>" > "$D/in"
says 'nsc_robot robot_int = ' 0
PYTHONIOENCODING=ascii says '<gazebo>: / \* ? ?/ \* / \\xe9' 0
for name in sinf nsc_world; do
    urdf "$link"
    says "nsc_robot robot_$name = " 0 --name $name
done
urdf "$link<collision><geometry><capsule radius=\"1\" length=\"0\"/></geometry></collision>"
refuses 'link b: a capsule of size 0'
urdf "$link<collision><geometry><sphere radius=\"0\"/></geometry></collision>"
says 'collision shape of size 0: b' 0
urdf "$link<collision><geometry><box size=\"1 1 1e-300\"/></geometry></collision>"
refuses 'link b: a box of size 5e-301'
urdf "$link<collision><geometry><mesh filename=\"file:///dev/zero.stl\"/></geometry></collision>"
says 'file is not there' 0
mkdir -p "$D/folder.stl"
urdf "$link<collision><geometry><mesh filename=\"folder.stl\"/></geometry></collision>"
refuses 'link b: mesh .*folder.stl is no file'
printf 'solid\nvertex\nvertex 1\n' > "$D/words.stl"
urdf "$link<collision><geometry><mesh filename=\"words.stl\"/></geometry></collision>"
refuses "link b: mesh .*words.stl: '' should be 3 numbers"
printf 'v 1 2 3\nf a b c\n' > "$D/words.obj"
urdf "$link<collision><geometry><mesh filename=\"words.obj\"/></geometry></collision>"
refuses "words.obj: 'a' is not a list of numbers"
urdf "$link" revolute '<origin xyz="1e18 0 0"/>'
refuses 'a place of 1e+18 0 0 m'
urdf "$link" revolute '<origin xyz="1_0 0 0"/>'
refuses "joint j: xyz: '1_0 0 0' is not a list of numbers"
urdf "$link" revolute '<origin xyz="1e400 0 0"/>'
refuses "joint j: xyz: '1e400 0 0' is beyond 1e+18"
urdf "$(echo "$link" | sed 's/value="1"/value="1e-30"/')"
refuses 'link b: mass 1e-30 kg'
urdf "$(echo "$link" | sed 's/value="1"/value="-1"/')"
refuses 'link b: mass -1'
urdf "$(echo "$link" | sed 's/"1"/"1e-20"/g; s/value="1e-20"/value="1"/')"
refuses 'link b: principal moments of inertia 1e-20'
urdf "$link"
says 'bound should be 0 or more' 2 --bound inf 1
says 'friction should be 0 or more' 2 --friction nan
{ echo "<robot>"; yes '<link/>' | head -n 50001; echo "</robot>"; } > "$D/in"
refuses '<robot>: 50001 links, at most 50000 are read'

# chain TYPE COUNT: so many links, each on the one before
chain() {
    awk -v type="$1" -v n="$2" -v link="$link" 'BEGIN {
        print "<robot name=\"chain\">"
        for (i = 0; i < n; i++) print "<link name=\"l" i "\">" link "</link>"
        for (i = 1; i < n; i++) print "<joint name=\"j" i "\" type=\"" type "\"><parent link=\"l" i - 1 "\"/><child link=\"l" i "\"/></joint>"
        print "</robot>" }' > "$D/in"
}
chain fixed 20000
says '1 links, 0 joints' 0
chain continuous 6000
refuses '5999 joints: a world has at most 5000'
{ echo "<mujoco>"; yes '<body>' | head -n 300; yes '</body>' | head -n 300; echo "</mujoco>"; } > "$D/in"
refuses 'XML: 301 elements within each other'
ball 'contype="x"'
refuses "geom of b: contype: 'x' is not a list of numbers"
ball 'condim="2.5"'
refuses 'condim: 2.5 is not an integer'
ball '' '<compiler eulerseq="abc"/>'
refuses '<compiler>: eulerseq="abc"'
ball '' '<compiler boundmass="x"/>'
refuses "<compiler>: boundmass: 'x' is not a list"
mjcf '<joint name="j" damping=""/><geom size="0.1"/>'
refuses "joint j: damping of j: '' should be numbers"
ball 'type="mesh" mesh="m"' '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 1 9"/></asset>'
refuses 'mesh m: vertex or face'
ball '' '<contact><exclude body1="zzz" body2="b"/></contact>'
refuses '<contact>: no body zzz'
ball '' '<worldbody><body name="a"/></worldbody>'
refuses 'body a: two bodies have this name'
ball '' '<include file="in"/>'
refuses 'include in: it is included twice'
echo '<mujoco><include file="part.xml"/><include file="part.xml"/></mujoco>' > "$D/in"
echo '<mujoco><option/></mujoco>' > "$D/part.xml"
refuses 'include part.xml: it is included twice'
echo '<mujoco><include file="folder.stl"/></mujoco>' > "$D/in"
refuses 'include folder.stl: XML: '
echo '<mujoco><compiler settotalmass="5"/><worldbody><geom type="plane" size="1 1 1"/></worldbody></mujoco>' > "$D/in"
says '1 links, 0 joints' 0
mjcf '<joint name="j"/><geom size="0.1"/></body><body name="c"><joint name="k"/><geom size="0.1"/>' \
    '<equality><joint joint1="j" joint2="k"/></equality><actuator><position joint="j" kp="10" dampratio="1"/></actuator>'
says 'NSC_DRIVE_SERVO, 10, NSC_R(0.8' 0

fi

# The same seed each time; another one by make fuzz
if [ -n "$NSC_WHOLE" ]; then cases=60; else cases=8; fi
if "$python" tests/fuzz/models.py robots --seed 1 --cases $cases > "$D/fuzz"; then ok; else
    bad "tests/fuzz/models.py robots --seed 1"
    cat "$D/fuzz"
fi

echo "robots: $passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
