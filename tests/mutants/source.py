"""The functions of a C source, by its layout: no compiler is asked."""
import re


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def bare(source):
    """The source with comments, strings and preprocessor lines blanked, every place unchanged."""
    return re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:\\\n|[^\n])*", blank, source,
                  flags=re.S | re.M)


def closing(code, at):
    """Place of the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(code)):
        depth += code[i] in "([{"
        depth -= code[i] in ")]}"
        if depth == 0:
            return i
    raise ValueError("unbalanced")


def arguments(parameters):
    """Names in a parameter list."""
    names = []
    depth = start = 0
    parts = []
    for i, c in enumerate(parameters + ","):
        depth += c == "("
        depth -= c == ")"
        if c == "," and depth == 0:
            parts.append(parameters[start:i].strip())
            start = i + 1
    for part in parts:
        pointer = re.search(r"\(\*\s*(\w+)\)", part)
        name = pointer or re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$", part)
        if part and part != "void":
            names.append(name.group(1))
    return names


def functions(header, source, code):
    """Every function definition: where it begins, its name, its body's brackets."""
    found = []
    pattern = re.compile(r"^(?P<type>[A-Za-z_][\w \*]*?[ \*])(?P<name>\w+)(?P<open>\()", re.M)
    for match in pattern.finditer(code):
        end = closing(code, match.start("open"))
        rest = re.match(r"\s*\{", code[end + 1:end + 400])
        text = source[match.start():end]
        if not rest or "\n#" in text or "typedef" in text:
            continue
        body = end + rest.end()
        last = closing(code, body)
        found.append({"header": header, "begin": match.start(), "name": match.group("name"), "type": match.group("type"),
                      "named": match.start("name"), "body": body, "end": last + 1,
                      "arguments": arguments(code[match.end("open"):end])})
    return found


def line_of(source, at):
    return source.count("\n", 0, at) + 1


def tidy(text):
    """A line, or several, as one, without comments."""
    return re.sub(r"\s+", " ", re.sub(r"/\*.*?(\*/|$)", "", text, flags=re.S)).strip()


def functions_of_lines(header, source):
    """{line: name of the function that it is in}, from its head to its closing bracket."""
    names = {}
    for function in functions(header, source, bare(source)):
        for line in range(line_of(source, function["begin"]), line_of(source, function["end"] - 1) + 1):
            names[line] = function["name"]
    return names
