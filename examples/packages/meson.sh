# Meson: in the tree, and as a subproject by nsc.wrap, which names the release beside it by its checksum
meson_project() { meson setup --buildtype debug $out/meson examples/meson && meson compile -C $out/meson && drop meson; }
meson_wrap() {
    mkdir -p $dist/meson/packagefiles $out/wrap/subprojects
    cp "$dist/nsc-$version.tar.gz" $dist/meson/packagefiles
    cat > $dist/meson/nsc.wrap << END
[wrap-file]
directory = nsc-$version
source_filename = nsc-$version.tar.gz
source_hash = $(sha256sum "$dist/nsc-$version.tar.gz" | cut -d ' ' -f 1)

[provide]
nsc = nsc_dep
END
    cp -r $dist/meson/* $out/wrap/subprojects && cp examples/01_drop.c $out/wrap
    printf "project('drop', 'c', default_options: ['c_std=c99'])\nexecutable('drop', '01_drop.c', dependencies: dependency('nsc', version: '>=0.3'))\n" > $out/wrap/meson.build
    meson setup --buildtype debug $out/wrap_build $out/wrap && meson compile -C $out/wrap_build && drop wrap_build
}
if have meson meson ninja; then
    check "meson" meson_project
    check "meson, subproject by nsc.wrap" meson_wrap
fi
