# PlatformIO: nsc-platformio-VERSION.tar.gz with library.json; pio is no package of Debian's
platformio_library() {
    library=$out/platformio/nsc
    headers $library/include && mkdir -p $library/examples && cp -r examples/arduino/bounce $library/examples && licence > $library/LICENSE &&
        cat > $library/library.json << END
{
  "name": "nsc",
  "version": "$version",
  "description": "$about",
  "keywords": ["physics", "rigid body", "contact", "friction", "robotics", "simulation"],
  "license": "MIT",
  "authors": [{"name": "the nsc authors", "maintainer": true}],
  "headers": "nsc.h",
  "frameworks": "*",
  "platforms": "*",
  "build": {"includeDir": "include", "flags": ["-ffp-contract=off"]},
  "examples": [{"name": "bounce", "base": "examples/bounce", "files": ["bounce.ino"]}]
}
END
    fields $library/library.json name version description keywords license authors headers frameworks platforms build &&
        tar -C $out/platformio -czf "$dist/nsc-platformio-$version.tar.gz" nsc
}
check "PlatformIO library, its fields" platformio_library
have "platformio, not built here" pio && check platformio pio run -d examples/platformio
