# nsc-VERSION.html: the page of make web, one file that a browser opens, for those who have no clang; and again from its module alone.
page_make() {
    OUT=$out/page sh examples/web/make.sh && cp $out/page/index.html "$dist/nsc-$version.html" && cp $out/page/web.wasm $out/page.wasm &&
        OUT=$out/page WASM=$out/page.wasm sh examples/web/make.sh && cmp $out/page/index.html "$dist/nsc-$version.html"
}
have "page for a browser" clang wasm-ld base64 && check "nsc-$version.html: the page of make web, and the same from a module made before" page_make
