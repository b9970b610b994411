# Zephyr: nsc-zephyr-VERSION.tar.gz, a module for a west manifest.  Without west its main.c is built with stand-ins, for 100 steps.
zephyr_module() {
    module=$out/zephyr_module/nsc
    headers $module/include && licence > $module/LICENSE && mkdir -p $module/zephyr && cat > $module/zephyr/module.yml << 'END' &&
name: nsc
build:
  cmake: zephyr
  kconfig: zephyr/Kconfig
END
        cat > $module/zephyr/Kconfig << 'END' && cat > $module/zephyr/CMakeLists.txt << 'END'
config NSC
	bool "nsc, rigid bodies with hard contact"
	select REQUIRES_FULL_LIBC
	help
	  Headers of nsc on the include path, and no contraction of products and sums.
END
if(CONFIG_NSC)
    zephyr_include_directories(../include)
    zephyr_compile_options(-ffp-contract=off)
endif()
END
    tar -C $out/zephyr_module -czf "$dist/nsc-zephyr-$version.tar.gz" nsc
}
zephyr_form() { # CMake reads the module, with stand-ins for Zephyr's two calls
    grep -q '^name: nsc' $out/zephyr_module/nsc/zephyr/module.yml && mkdir -p $out/zephyr_form && cat > $out/zephyr_form/CMakeLists.txt << END &&
cmake_minimum_required(VERSION 3.18)
project(form C)
set(CONFIG_NSC y)
function(zephyr_include_directories folder)
    include_directories(\${CMAKE_CURRENT_SOURCE_DIR}/\${folder})
    set(FOUND \${CMAKE_CURRENT_SOURCE_DIR}/\${folder} CACHE INTERNAL "")
endfunction()
function(zephyr_compile_options)
endfunction()
add_subdirectory($root/$out/zephyr_module/nsc/zephyr module)
add_executable(drop $root/examples/01_drop.c)
target_include_directories(drop PRIVATE \${FOUND})
target_link_libraries(drop m)
END
        cmake -S $out/zephyr_form -B $out/zephyr_build -DCMAKE_BUILD_TYPE=Debug && cmake --build $out/zephyr_build && drop zephyr_build
}
zephyr_stand_in() {
    mkdir -p $out/zephyr/sys
    cat > $out/zephyr/kernel.h << 'END'
#include <stdlib.h>
#define K_TIMER_DEFINE(name, expired, stopped) static int name
#define K_MSEC(ms) (ms)
#define k_timer_start(timer, first, period) (*(timer) = 0)
#define k_timer_status_sync(timer) (++*(timer) == 100 ? exit(0) : (void)0)
#define k_msleep(ms) exit(1)
END
    printf '#include <stdio.h>\n#define printk printf\n' > $out/zephyr/sys/printk.h
    cc -std=gnu99 -ffp-contract=off -Wall -Wextra -Wshadow -Werror -I$out -I$out/zephyr_module/nsc/include examples/zephyr/src/main.c -o $out/main -lm &&
        $out/main > $out/zephyr.txt && said 'hash' $out/zephyr.txt || return 1
    # where both ran, one hash
    [ ! -f $out/esp.txt ] || [ "$(tail -n 1 $out/zephyr.txt | sed 's/.* //')" = "$(tail -n 1 $out/esp.txt | sed 's/.* //')" ]
}
check "Zephyr module" zephyr_module
have "Zephyr module, its form" cmake && check "Zephyr module, its form" zephyr_form
check "main.c of zephyr, with a stand-in for its kernel" zephyr_stand_in
have "zephyr, not built here" west && check zephyr west build -b qemu_cortex_m3 -d $out/west examples/zephyr
