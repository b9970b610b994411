# CMSIS: nsc.VERSION.pack, a zip with nsc.pdsc.  packchk is not here: the description is checked for its form alone.
cmsis_pack() {
    pack=$out/cmsis
    headers $pack/include && licence > $pack/LICENSE && cat > $pack/nsc.nsc.pdsc << END
<?xml version="1.0" encoding="UTF-8"?>
<package schemaVersion="1.7.7" xmlns:xs="http://www.w3.org/2001/XMLSchema-instance" xs:noNamespaceSchemaLocation="PACK.xsd">
  <vendor>nsc</vendor>
  <name>nsc</name>
  <description>$about</description>
  <url>https://your.host/nsc/</url>
  <license>LICENSE</license>
  <releases>
    <release version="$version" date="2026-01-01">nsc $version</release>
  </releases>
  <keywords><keyword>physics</keyword><keyword>robotics</keyword></keywords>
  <components>
    <component Cclass="Physics" Cgroup="nsc" Csub="Core" Cversion="$version">
      <description>The core: bodies, shapes, contact, friction, and the shelf on the include path</description>
      <files>
        <file category="include" name="include/"/>
        <file category="header" name="include/nsc.h"/>
        <file category="header" name="include/nsc_solvers.h"/>
      </files>
    </component>
  </components>
</package>
END
    (cd $pack && python3 -m zipfile -c "$root/$dist/nsc.nsc.$version.pack" nsc.nsc.pdsc LICENSE include)
}
cmsis_form() { # it parses, has the elements that a pack must have, and every file that it names is in the pack
    python3 - "$dist/nsc.nsc.$version.pack" << 'END'
import sys, zipfile
from xml.etree import ElementTree
pack = zipfile.ZipFile(sys.argv[1])
names = pack.namelist()
root = ElementTree.fromstring(pack.read("nsc.nsc.pdsc"))
for element in ("vendor", "name", "description", "url", "license", "releases/release", "components/component/description"):
    assert root.find(element) is not None, element
assert root.find("releases/release").get("version") == root.find("components/component").get("Cversion")
for file in root.iter("file"):
    assert any(name == file.get("name") or name.startswith(file.get("name")) for name in names), file.get("name")
assert root.find("license").text in names
END
}
check "CMSIS pack" cmsis_pack
check "CMSIS pack, its form" cmsis_form
