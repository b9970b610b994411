# vcpkg: ports/nsc, an overlay port with the release beside it: vcpkg install nsc --overlay-ports=ports
vcpkg_port() {
    port=$dist/vcpkg/ports/nsc
    mkdir -p $port
    cp "$dist/nsc-$version.tar.gz" $port
    cat > $port/vcpkg.json << END
{
  "name": "nsc",
  "version": "$version",
  "description": "$about",
  "license": "MIT"
}
END
    cat > $port/portfile.cmake << 'END'
file(GLOB ARCHIVE ${CMAKE_CURRENT_LIST_DIR}/nsc-*.tar.gz)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE ${ARCHIVE})
file(INSTALL ${SOURCE_PATH}/include DESTINATION ${CURRENT_PACKAGES_DIR})
file(INSTALL ${SOURCE_PATH}/tools/ DESTINATION ${CURRENT_PACKAGES_DIR}/tools/nsc)
file(WRITE ${CURRENT_PACKAGES_DIR}/share/nsc/nscConfig.cmake "
add_library(nsc::nsc INTERFACE IMPORTED)
target_include_directories(nsc::nsc INTERFACE \${CMAKE_CURRENT_LIST_DIR}/../../include)
if(NOT MSVC)
    target_compile_options(nsc::nsc INTERFACE -ffp-contract=off)
    target_link_libraries(nsc::nsc INTERFACE m)
endif()
")
vcpkg_install_copyright(FILE_LIST ${SOURCE_PATH}/LICENSE)
END
    printf 'nsc is headers only:\n\n    find_package(nsc CONFIG REQUIRED)\n    target_link_libraries(main PRIVATE nsc::nsc)\n' > $port/usage
    fields $port/vcpkg.json name version description license
}
vcpkg_form() { # the port runs, with stand-ins for vcpkg's two calls, and what it installs is used
    mkdir -p $out/vcpkg/package $out/vcpkg/drop
    cat > $out/vcpkg/run.cmake << END
set(CURRENT_PACKAGES_DIR $root/$out/vcpkg/package)
function(vcpkg_extract_source_archive to key archive)
    file(ARCHIVE_EXTRACT INPUT \${archive} DESTINATION $root/$out/vcpkg/source)
    file(GLOB folder $root/$out/vcpkg/source/*)
    set(\${to} \${folder} PARENT_SCOPE)
endfunction()
function(vcpkg_install_copyright key file)
    file(COPY_FILE \${file} \${CURRENT_PACKAGES_DIR}/share/nsc/copyright)
endfunction()
include($root/$dist/vcpkg/ports/nsc/portfile.cmake)
END
    cmake -P $out/vcpkg/run.cmake && [ -s $out/vcpkg/package/share/nsc/copyright ] &&
        sed 's/find_package(nsc 0.3 REQUIRED)/find_package(nsc CONFIG REQUIRED)/; s|\${CMAKE_CURRENT_SOURCE_DIR}/../..|'"$root"'/examples|' \
            examples/cmake/package/CMakeLists.txt > $out/vcpkg/drop/CMakeLists.txt &&
        cmake -S $out/vcpkg/drop -B $out/vcpkg_build -DCMAKE_BUILD_TYPE=Debug -DCMAKE_PREFIX_PATH="$root/$out/vcpkg/package" &&
        cmake --build $out/vcpkg_build && drop vcpkg_build
}
check "vcpkg port, its fields" vcpkg_port
have "vcpkg port, its form" cmake && check "vcpkg port, its form" vcpkg_form
have "vcpkg, not built here" vcpkg && check vcpkg vcpkg install nsc --overlay-ports=$dist/vcpkg/ports
