#!/bin/sh
# Builds the page and tries it in headless Chromium: it draws, steps to the native hashes, bodies can be dragged, keys, fingers
# and links work, at a desktop's and a telephone's size.  Keeps pictures under build/web.  make web-check calls it.  On Debian: clang lld chromium
set -u
cd "$(dirname "$0")/../.." || exit 1
out=build/web
mkdir -p $out
passed=0 failed=0 skipped=0
finish() { echo "page: $passed passed, $failed failed, $skipped skipped"; [ $failed = 0 ]; exit; }
ok() { echo "ok      $1"; passed=$((passed + 1)); }
no() { echo "FAILED  $1"; failed=$((failed + 1)); }
for tool in clang wasm-ld; do
    command -v $tool > /dev/null 2>&1 || { echo "skipped the page: no $tool"; skipped=1; finish; }
done
if sh examples/web/make.sh; then ok "it builds"; else no "it builds"; finish; fi

browser=
for name in chromium chromium-browser google-chrome; do [ -n "$browser" ] || browser=$(command -v $name); done
[ -n "$browser" ] || { echo "skipped the page in a browser: no chromium"; skipped=1; finish; }

# open NAME SIZE PAGE OPTION...: in a browser of its own that knows nothing and calls nobody
open() {
    name=$1 size=$2 page=$3
    shift 3
    home=$(mktemp -d)
    HOME=$home timeout 90 "$browser" --headless --no-sandbox --disable-gpu --use-angle=swiftshader --enable-unsafe-swiftshader \
        --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync --disable-extensions \
        --hide-scrollbars --user-data-dir="$home" --window-size="$size" "$@" "file://$PWD/$out/$page" 2> $out/$name.log
    rm -rf "$home"
}

# ask NAME SIZE PAGE: the page's own test.  A busy machine's browser may end before the page has said a word: then once more.
# What the page did say is never asked twice.
ask() {
    for try in 1 2 3; do
        open $1 $2 "$3" --virtual-time-budget=40000 --dump-dom | sed -n '/^begin$/,/^end$/p' > $out/$1.txt
        [ -s $out/$1.txt ] && break
        echo "        the browser ended without a page, try $try"
    done
    grep -q '^end$' $out/$1.txt || no "the page's own test comes to its end ($out/$1.log)"
    while read -r what line; do
        case $what in
        ok) ok "$line" ;;
        FAILED) no "$line" ;;
        text | draws | took) echo "        $what $line" ;;
        esac
    done < $out/$1.txt
}
ask test 1280,800 "test.html#test"
# A window of Chromium is never as narrow as a telephone; a frame in it is
echo "        on a telephone:"
cat > $out/telephone.html << 'PAGE'
<!doctype html><iframe src="test.html#test,small" width="390" height="844"></iframe><pre id="said"></pre>
<script>onmessage = (e) => { document.getElementById('said').textContent = e.data; };</script>
PAGE
ask telephone 1280,1000 telephone.html
sed 's/small" width="390" height="844"/low" width="740" height="360"/' $out/telephone.html > $out/low.html
ask low 1280,1000 low.html
sed -n 's/^hash //p' $out/test.txt > $out/browser.txt
if cmp -s $out/browser.txt $out/native.txt; then ok "600 steps of $(wc -l < $out/native.txt) scenes: the native bits"
else no "600 steps of each scene: the native bits"; diff $out/native.txt $out/browser.txt; fi

# 200 cubes, 60 frames a second
if command -v node > /dev/null; then
    if said=$(node examples/web/time.mjs $out/web.wasm); then ok "200 cubes: $said"; else no "200 cubes: $said"; fi
else
    echo "skipped the time of 200 cubes: no node"
    skipped=$((skipped + 1))
fi

# Without WebGL it says so, and shows numbers.  The browser's time runs on while a busy machine has not got to the page's module: then
# more of that time.
for budget in 2000 10000 20000; do
    open without 1280,800 "index.html#cards,60" --disable-3d-apis --virtual-time-budget=$budget --dump-dom > $out/without.html
    grep -q 'step 60<' $out/without.html && break
done
if sed -n '/<p id="broken"/p' $out/without.html | grep -q 'no WebGL' && grep -q 'step 60<' $out/without.html; then ok "without WebGL it says so"
else no "without WebGL it says so"; fi

# picture NAME SIZE SCENE,STEPS: a page whose module is not there yet, or whose link is not unpacked, which the end of loading does not
# wait for, has fewer bytes: then again, at last with a second of the browser's own time, which takes ten times as long.
picture() {
    to=$out/$1.png at=$1 wide=$2 shows=$3
    rm -f $to
    case $wide in 1280*) least=150000 ;; *) least=60000 ;; esac
    waits="--virtual-time-budget=1000 --run-all-compositor-stages-before-draw"
    for try in "" "" "" "$waits" "$waits"; do
        open $at $wide "index.html#$shows" --screenshot=$to $try > /dev/null
        [ -s $to ] && [ "$(wc -c < $to)" -gt $least ] && break
    done
    if [ -s $to ] && [ "$(wc -c < $to)" -gt $least ]; then ok "$to"; else no "$to"; fi
}
picture cards 1280,800 cards,60
picture robot 1280,800 robot,60
picture code 1280,800 dominoes,600,code
picture telephone 390,844 arch,60
picture telephone_settings 390,844 robot,60,settings
picture low 844,390 robot,60
picture low_code 844,390 dominoes,600,code
# A robot of a link, in a browser that has never seen its file
for robot in quadruped arm; do
    shared=$(sed -n "s/^link $robot #//p" $out/test.txt)
    [ $robot = arm ] || picture link_$robot 1280,800 "$shared"
    [ $robot = arm ] || picture telephone_link_$robot 390,844 "$shared"
    for budget in 10000 10000 20000; do # until it has unpacked it, for which a browser takes real time, and shows its numbers
        open link 390,844 "index.html#$shared" --virtual-time-budget=$budget --dump-dom > $out/link.html
        grep -q '<dt>time' $out/link.html && break
    done
    if grep -q ">$robot, from a file<" $out/link.html && grep -q 'step 60<' $out/link.html && grep -q '<p id="problem" role="alert" hidden' $out/link.html
    then ok "the link of $robot opens by itself"; else no "the link of $robot opens by itself"; fi
done
if [ "${1:-}" = all ]; then
    for scene in stack,60 arch,60 quadruped,860 rover,520 sheet,300 dzhanibekov,620 dominoes,600 disk,4000 heap,240 toss,150; do picture ${scene%,*} 1280,800 $scene; done
fi
finish
