# ESP-IDF: nsc-esp-idf-VERSION.tar.gz, a component.  Without idf.py its main.c is built with stand-ins for what it takes of FreeRTOS,
# with the component's headers, for 100 steps.
esp_component() {
    component=$out/esp/nsc
    headers $component/include && licence > $component/LICENSE && cat > $component/idf_component.yml << END && cat > $component/CMakeLists.txt << 'END'
version: "$version"
description: $about
license: MIT
dependencies:
  idf: ">=4.4"
END
idf_component_register(INCLUDE_DIRS include)
target_compile_options(${COMPONENT_LIB} INTERFACE -ffp-contract=off)
END
    tar -C $out/esp -czf "$dist/nsc-esp-idf-$version.tar.gz" nsc
}
esp_form() { # the manifest has its lines, and CMake reads the component, with a stand-in for its one call
    for field in version description license dependencies; do
        grep -q "^$field:" $out/esp/nsc/idf_component.yml || { echo "no $field"; return 1; }
    done
    mkdir -p $out/esp_form
    cat > $out/esp_form/CMakeLists.txt << END
cmake_minimum_required(VERSION 3.18)
project(form C)
function(idf_component_register)
    cmake_parse_arguments(A "" "" "INCLUDE_DIRS" \${ARGN})
    add_library(component INTERFACE)
    target_include_directories(component INTERFACE \${CMAKE_CURRENT_SOURCE_DIR}/\${A_INCLUDE_DIRS})
    set(COMPONENT_LIB component PARENT_SCOPE)
endfunction()
add_subdirectory($root/$out/esp/nsc nsc)
add_executable(drop $root/examples/01_drop.c)
target_link_libraries(drop component m)
END
    cmake -S $out/esp_form -B $out/esp_build -DCMAKE_BUILD_TYPE=Debug && cmake --build $out/esp_build && drop esp_build
}
esp_stand_in() {
    mkdir -p $out/freertos
    cat > $out/freertos/FreeRTOS.h << 'END'
#include <stdlib.h>
typedef unsigned TickType_t;
#define pdMS_TO_TICKS(ms) ((ms) / 10)
#define xTaskGetTickCount() 0
#define vTaskDelay(ticks) exit(1)
#define vTaskDelayUntil(woken, ticks) ((*(woken) += (ticks)) == 100 ? exit(0) : (void)0)
void app_main(void);
int main(void) { app_main(); }
END
    echo '#include <stdio.h>' > $out/freertos/task.h
    cc -std=gnu99 -ffp-contract=off -Wall -Wextra -Wshadow -Werror -I$out -I$out/esp/nsc/include examples/esp_idf/main/main.c -o $out/main -lm &&
        $out/main > $out/esp.txt && said 'hash' $out/esp.txt
}
check "ESP-IDF component" esp_component
have "ESP-IDF component, its form" cmake && check "ESP-IDF component, its form" esp_form
check "main.c of esp_idf, with a stand-in for FreeRTOS" esp_stand_in
have "esp_idf, not built here" idf.py && check esp_idf idf.py -C examples/esp_idf -B "$root/$out/esp_idf" build
