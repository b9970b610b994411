# C++: the headers as they are, and nsc.hpp without exceptions and RTTI
hpp_program() { c++ -std=c++11 -pedantic -fno-exceptions -fno-rtti -ffp-contract=off $warn examples/cpp/push.cpp -o $out/push && $out/push; }
cpp_program() { c++ -std=c++11 -pedantic -ffp-contract=off $warn examples/cpp/rewind.cpp -o $out/rewind && $out/rewind; }
have "C++" c++ && check "C++: a copy of a world goes the same way" cpp_program
have "C++, nsc.hpp" c++ && check "C++: nsc.hpp without exceptions" hpp_program
