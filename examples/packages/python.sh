# Python: nsc.py, its tests with numpy and without, and its examples
have Python python3 && check "Python: nsc.py, tests and examples" sh tests/python/check.sh && grep -v '^python:' $out/log.txt
