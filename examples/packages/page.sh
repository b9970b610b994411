# nsc-VERSION.html: the page of make web, one file that a browser opens, for those who have no clang; and again from its module alone.
page_make() {
    sh examples/web/make.sh && cp build/web/index.html "$dist/nsc-$version.html" && cp build/web/web.wasm $out/page.wasm &&
        WASM=$out/page.wasm sh examples/web/make.sh && cmp build/web/index.html "$dist/nsc-$version.html"
}
have "page for a browser" clang wasm-ld base64 && check "nsc-$version.html: the page of make web, and the same from a module made before" page_make
