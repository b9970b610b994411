# npm: nsc-VERSION.tgz, nsc as a wasm module with nsc.mjs and types; packed by npm, installed in a project of its own and used there.
wasm="--target=wasm32 -mbulk-memory -ffreestanding -nostdlib -fuse-ld=lld -Wl,--no-entry -Wl,--strip-all
    -DNSC_MEMCPY=__builtin_memcpy -DNSC_MEMSET=__builtin_memset -DNSC_SQRT=__builtin_sqrtf"
npm_module() {
    module=$out/npm_module
    mkdir -p $module && cp examples/packages/npm/nsc.mjs examples/packages/npm/nsc.d.ts $module && licence > $module/LICENSE &&
        clang -std=c99 -O2 -ffp-contract=off $warn $wasm examples/packages/npm/nsc_wasm.c -o $module/nsc.wasm || return 1
    printf '# nsc\n\n%s. `nsc.d.ts` lists the calls.\n' "$about" > $module/README.md
    cat > $module/package.json << END
{
  "name": "nsc",
  "version": "$version",
  "description": "$about",
  "license": "MIT",
  "type": "module",
  "exports": {".": {"types": "./nsc.d.ts", "default": "./nsc.mjs"}, "./nsc.wasm": "./nsc.wasm"},
  "types": "./nsc.d.ts",
  "files": ["nsc.mjs", "nsc.d.ts", "nsc.wasm", "LICENSE"]
}
END
    fields $module/package.json name version description license type exports types files
}
npm_use() {
    (cd $out/npm_module && npm pack --silent --pack-destination "$root/$dist") && mkdir -p $out/npm_use &&
        cp examples/packages/npm/use.mjs $out/npm_use && (cd $out/npm_use && echo '{"name": "use", "private": true}' > package.json &&
        npm install --silent --offline --no-audit --no-fund "$root/$dist/nsc-$version.tgz" && node use.mjs > ../npm.txt) && said '^hash' $out/npm.txt
}
npm_same() { # the hash of the same calls in C
    cat > $out/npm_same.c << 'END'
#define NSC_MAX_BODIES 256
#define NSC_MAX_CONTACTS 1024
#define NSC_MAX_JOINTS 64
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include "nsc_image.h"
#include <stdio.h>
static nsc_world world;
int main(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def ground = nsc_default_half_space_def(), cube = nsc_default_box_def(0.5f, 0.5f, 0.5f);
    nsc_body_def body = nsc_default_body_def();
    nsc_vec3 right = {1, 0, 0}, none = {0, 0, 0};
    nsc_id box;
    nsc_world_init(&world, &def);
    nsc_world_add_shape(&world, NSC_GROUND, &ground);
    body.pose.position.z = 2;
    box = nsc_world_add_body(&world, &body);
    nsc_world_add_shape(&world, box, &cube);
    nsc_body_set_velocity(&world, box, right, none);
    for (int i = 0; i < 480; i++) nsc_world_step(&world, 1 / 240.0f);
    printf("hash %08x\n", (unsigned)nsc_world_hash(&world));
    return 0;
}
END
    cc -std=c99 -O1 -ffp-contract=off -I. -Iexamples/kit $out/npm_same.c -o $out/npm_same -lm && $out/npm_same | diff - $out/npm.txt
}
if have "npm package" clang wasm-ld && check "npm package: wasm module, its fields" npm_module; then
    if have "npm package, used" npm node && check "npm package: packed, installed, used in node" npm_use; then
        have "npm package, its bits" cc && check "npm package: the same hash as in C" npm_same
    fi
fi
