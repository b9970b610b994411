# Debian: a source package whose libnsc-dev has the headers, nsc.pc, CMake's files and the scripts; built by dpkg-buildpackage without
# debhelper, taken apart, and used by pkg-config.
debian_source() {
    source=$out/debian/nsc-$version
    mkdir -p $out/debian && cp "$dist/nsc-$version.tar.gz" "$out/debian/nsc_$version.orig.tar.gz" && tar -C $out/debian -xzf "$dist/nsc-$version.tar.gz" &&
        mkdir -p $source/debian/source && echo '3.0 (quilt)' > $source/debian/source/format || return 1
    cat > $source/debian/control << END
Source: nsc
Section: libdevel
Priority: optional
Maintainer: the nsc authors <nsc@your.host>
Build-Depends: cmake
Standards-Version: 4.6.2
Rules-Requires-Root: no

Package: libnsc-dev
Architecture: all
Multi-Arch: foreign
Suggests: python3
Description: $about
 Headers only: a core of two files, and a shelf of parts, solvers and
 add-ons. Nothing allocates; the same bits on every processor.
END
    cat > $source/debian/changelog << END
nsc ($version-1) unstable; urgency=medium

  * Release $version.

 -- the nsc authors <nsc@your.host>  Thu, 01 Jan 2026 00:00:00 +0000
END
    {
        printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: nsc\n\nFiles: *\n'
        printf 'Copyright: 2026 the nsc authors\nLicense: MIT\n'
        sed '1,4d; s/^ *$/./; s/^/ /' $source/LICENSE
    } > $source/debian/copyright
    cat > $source/debian/rules << 'END'
#!/usr/bin/make -f
to = $(CURDIR)/debian/libnsc-dev
build build-arch build-indep:
clean:
	rm -rf debian/libnsc-dev debian/files debian/work debian/substvars
binary-arch: build
binary-indep: build
	cmake -S . -B debian/work -DCMAKE_INSTALL_PREFIX=/usr
	DESTDIR=$(to) cmake --install debian/work
	install -D -m 644 -t $(to)/usr/share/nsc tools/robot.py tools/mesh.py
	install -D -m 644 -t $(to)/usr/share/doc/libnsc-dev debian/copyright README.md
	gzip -9n < debian/changelog > $(to)/usr/share/doc/libnsc-dev/changelog.Debian.gz
	mkdir -p $(to)/DEBIAN
	dpkg-gencontrol -plibnsc-dev -P$(to)
	dpkg-deb --root-owner-group --build $(to) ..
binary: binary-arch binary-indep
END
    chmod +x $source/debian/rules
    (cd $source && dpkg-buildpackage -us -uc -F) && cp $out/debian/nsc_$version* $out/debian/libnsc-dev_* $dist
}
debian_use() {
    mkdir -p $out/debian_use && dpkg-deb -x $dist/libnsc-dev_$version-1_all.deb $out/debian_root &&
        [ "$(dpkg-deb -f $dist/libnsc-dev_$version-1_all.deb Package)" = libnsc-dev ] || return 1
    export PKG_CONFIG_PATH="$root/$out/debian_root/usr/share/pkgconfig"
    # shellcheck disable=SC2046
    cc -std=c99 examples/01_drop.c -o $out/debian_use/drop $(pkg-config --cflags --libs nsc) && drop debian_use
}
if have "Debian package" dpkg-buildpackage cmake && check "Debian source package, built" debian_source; then
    have "Debian package, used" pkg-config && check "Debian package, used by pkg-config" debian_use
fi
