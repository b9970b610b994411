# nsc-VERSION.tar.gz: the headers with what CMake, Meson and pkg-config take; the other packages are made from it.
release=$out/nsc-$version
make_release() {
    headers $release/include && mkdir -p $release/tools && cp examples/kit/*.py $release/tools &&
        cp examples/cmake/CMakeLists.txt examples/cmake/nsc.pc.in $release && cp examples/meson/release.build $release/meson.build &&
        cp README.md $release && licence > $release/LICENSE && [ "$(wc -l < $release/LICENSE)" -gt 15 ] &&
        sed -i "s/@VERSION@/$version/" $release/meson.build &&
        tar -C $out --owner=0 --group=0 --mtime=2026-01-01 --sort=name -czf "$dist/nsc-$version.tar.gz" "nsc-$version"
}
check "nsc-$version.tar.gz" make_release
