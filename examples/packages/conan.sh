# Conan: a recipe with the release beside it: conan create build/dist/conan
conan_recipe() {
    recipe=$dist/conan
    mkdir -p $recipe && cp "$dist/nsc-$version.tar.gz" $recipe && cat > $recipe/conanfile.py << END
import os
from conan import ConanFile
from conan.tools.files import copy, unzip


class NscConan(ConanFile):
    name = "nsc"
    version = "$version"
    license = "MIT"
    description = "$about"
    package_type = "header-library"
    exports_sources = "nsc-$version.tar.gz"
    no_copy_source = True

    def source(self):
        unzip(self, "nsc-$version.tar.gz", strip_root=True)

    def package(self):
        copy(self, "*.h", os.path.join(self.source_folder, "include"), os.path.join(self.package_folder, "include"))
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_id(self):
        self.info.clear()

    def package_info(self):
        self.cpp_info.set_property("cmake_target_name", "nsc::nsc")
        self.cpp_info.cflags = self.cpp_info.cxxflags = ["-ffp-contract=off"]
        self.cpp_info.system_libs = ["m"]
        self.cpp_info.bindirs = self.cpp_info.libdirs = []
END
}
conan_form() { # the recipe runs, with stand-ins for the two functions that it takes of Conan
    python3 - $dist/conan "$root/$out/conan" << 'END'
import fnmatch, os, shutil, sys, tarfile, types
recipe, to = os.path.abspath(sys.argv[1]), sys.argv[2]
sys.dont_write_bytecode = True
def copy(_, pattern, src, dst):
    os.makedirs(dst, exist_ok=True)
    return [shutil.copy(os.path.join(src, f), dst) for f in os.listdir(src) if fnmatch.fnmatch(f, pattern)]
def unzip(self, name, strip_root):
    with tarfile.open(os.path.join(recipe, name)) as tar:
        tar.extractall(to)
    self.source_folder = os.path.join(to, name[:-7])
class Info:
    def set_property(self, name, value): setattr(self, name, value)
    def clear(self): pass
for name, parts in (("conan", {"ConanFile": object}), ("conan.tools", {}), ("conan.tools.files", {"copy": copy, "unzip": unzip})):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(parts)
sys.path.insert(0, recipe)
import conanfile
r = conanfile.NscConan()
r.package_folder, r.cpp_info, r.info = os.path.join(to, "package"), Info(), Info()
for step in (r.source, r.package, r.package_id, r.package_info):
    step()
assert os.path.exists(os.path.join(r.package_folder, "include", "nsc.h")) and os.path.exists(os.path.join(r.package_folder, "licenses", "LICENSE"))
assert all(getattr(r, field) for field in ("name", "version", "license", "description")) and r.cpp_info.cmake_target_name == "nsc::nsc"
END
    mkdir -p $out/conan_drop && cc -std=c99 -ffp-contract=off -I$out/conan/package/include examples/01_drop.c -o $out/conan_drop/drop -lm && drop conan_drop
}
check "Conan recipe" conan_recipe
check "Conan recipe, its form" conan_form
have "conan, not built here" conan && check conan conan create $dist/conan
