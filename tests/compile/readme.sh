#!/bin/sh
# Compile and run the README's example: the first C block with a main.  usage: readme.sh CC
cd "$(dirname "$0")/../.." || exit 1
mkdir -p build
awk '/^```c/ { on = 1; text = ""; next } /^```/ { if (on && text ~ /int main/) { printf "%s", text; exit } on = 0 }
     on { text = text $0 "\n" }' README.md > build/readme.c
if [ -s build/readme.c ] && $1 -std=c99 -Wall -Wextra -pedantic -Werror -ffp-contract=off -I. build/readme.c -o build/readme -lm &&
   build/readme; then
    echo "README example: 1 passed, 0 failed, 0 skipped"
else
    echo "README example: 0 passed, 1 failed, 0 skipped"
    exit 1
fi
