# CMake: add_subdirectory, FetchContent, and the release installed for find_package and pkg-config: nsc-VERSION-cmake.tar.gz
cmake_project() { # folder, options of cmake
    folder=$1
    shift
    cmake -S examples/cmake/$folder -B $out/$folder -DCMAKE_BUILD_TYPE=Debug "$@" && cmake --build $out/$folder && drop $folder
}
cmake_install() {
    cmake -S $release -B $out/install_build -DCMAKE_INSTALL_PREFIX="$root/$out/prefix" && cmake --install $out/install_build &&
        tar -C $out/prefix -czf "$dist/nsc-$version-cmake.tar.gz" .
}
cmake_other_version() { # is refused
    mkdir -p $out/other
    printf 'cmake_minimum_required(VERSION 3.18)\nproject(other NONE)\nfind_package(nsc 0.2 REQUIRED)\n' > $out/other/CMakeLists.txt
    ! cmake -S $out/other -B $out/other/build -DCMAKE_PREFIX_PATH="$root/$out/prefix" > $out/other.txt 2>&1 &&
        said 'compatible' $out/other.txt
}
pkg_config_program() {
    export PKG_CONFIG_PATH="$root/$out/prefix/share/pkgconfig"
    mkdir -p $out/pkg_config
    # shellcheck disable=SC2046
    pkg-config --exact-version="$version" nsc &&
        cc -std=c99 examples/01_drop.c -o $out/pkg_config/drop $(pkg-config --cflags --libs nsc) && drop pkg_config
}
if have cmake cmake; then
    check "cmake, add_subdirectory" cmake_project subdirectory
    check "cmake, FetchContent" cmake_project fetch "-DFETCHCONTENT_SOURCE_DIR_NSC=$root"
    if check "cmake installs the release" cmake_install; then
        check "cmake, find_package" cmake_project package "-DCMAKE_PREFIX_PATH=$root/$out/prefix"
        check "cmake, find_package refuses another version" cmake_other_version
        have pkg-config pkg-config && check "pkg-config" pkg_config_program
    fi
fi
