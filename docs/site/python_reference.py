"""The Python reference, from the docstrings of the package: read, not imported."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

#: What a page has, in this order: files of the package and the names in them.
SECTIONS = {
    "Starting Spark": [("session.py", ["start", "configure"]), ("_jar.py", ["jar_path"])],
    "Graphs": [("graph.py", ["Graph"]), ("_measures.py", ["VertexMeasures"])],
    "The index": [("index.py", ["GraphIndex"])],
    "Pictures": [("_explain.py", ["explain", "Explanation"]), ("_svg.py", ["Picture"])],
    "Errors": [
        (
            "errors.py",
            [
                "WreathError",
                "WreathJarNotFound",
                "WreathVersionError",
                "WreathJavaNotFound",
                "WreathNotActive",
                "WreathNotSupported",
            ],
        )
    ],
}

#: Bases that only hold some of the methods of a class; readers know them by its name.
PART_OF = {"VertexMeasures": "Graph"}

_ROLE = re.compile(r":(?:class|meth|attr|func|mod):`~?([^`]+)`")
_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def page(root: Path) -> str:
    """Return the page."""
    parts = ["# Python\n\nEverything is importable from `wreath`. Options are keyword-only.\n"]
    for title, files in SECTIONS.items():
        parts.append(f"## {title}\n")
        for file, names in files:
            tree = ast.parse((root / "python/wreath" / file).read_text(encoding="utf-8"))
            found = {n.name: n for n in tree.body if isinstance(n, (ast.ClassDef, _Function))}
            parts += [_documented(found[name]) for name in names]
    return "\n".join(parts)


def _documented(node: ast.stmt) -> str:
    if isinstance(node, ast.ClassDef):
        return _class(node)
    assert isinstance(node, _Function)
    return _function(node, "wreath.", 3)


def _class(node: ast.ClassDef) -> str:
    methods = [m for m in node.body if isinstance(m, _Function) and not m.name.startswith("_")]
    owner = PART_OF.get(node.name, node.name)
    parts = []
    if node.name not in PART_OF:
        init = next((m for m in node.body if _is_init(m)), None)
        shown = _signature(init) if isinstance(init, _Function) else ""
        parts = [f"### wreath.{node.name}\n", f"```python\nwreath.{node.name}{shown}\n```\n"]
        parts.append(markdown(ast.get_docstring(node) or ""))
    return "\n".join([*parts, *(_function(m, f"{owner}.", 4) for m in methods)])


def _is_init(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name == "__init__"


def _function(node: _Function, prefix: str, depth: int) -> str:
    is_property = any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list)
    shown = "" if is_property else _signature(node)
    head = f"{'#' * depth} {prefix}{node.name}\n\n```python\n{prefix}{node.name}{shown}\n```\n"
    return f"{head}\n{markdown(ast.get_docstring(node) or '')}"


def _signature(node: _Function) -> str:
    """Return the arguments as they are written, without `self`."""
    arguments = node.args
    arguments.args = [a for a in arguments.args if a.arg != "self"]
    returned = ast.unparse(node.returns) if node.returns and node.name != "__init__" else ""
    words = f"({ast.unparse(arguments)})" + (f" -> {returned}" if returned else "")
    if len(words) < 78:
        return words
    names = [*arguments.args, *arguments.kwonlyargs]
    for name in [n.arg for n in [*names, *filter(None, [arguments.kwarg])]]:
        words = re.sub(rf"(?<=[(,\s*])(\**){name}: ", rf"\n    \1{name}: ", words, count=1)
    return words.replace(" \n", "\n").replace(", *,\n", ",\n    *,\n")


def markdown(docstring: str) -> str:
    """Turn a numpydoc docstring into Markdown."""
    text = re.sub(r"^\.\. versionadded:: .*\n?", "", inspect.cleandoc(docstring), flags=re.M)
    text = _ROLE.sub(lambda m: f"`{m.group(1)}`", text).replace("``", "`")
    pieces = _SECTION.split(text)
    parts = [pieces[0].strip(), ""]
    for title, body in zip(pieces[1::2], pieces[2::2], strict=True):
        parts += [f"**{title}**", "", _section(title, body), ""]
    return "\n".join(parts) + "\n"


def _section(title: str, body: str) -> str:
    if title == "Examples":
        return _examples(body)
    if title == "Returns" and not re.search(r"^ ", body, re.MULTILINE):
        return body.strip()
    return _definitions(body)


def _definitions(body: str) -> str:
    """Return `name : type` and the indented text below as a list."""
    lines: list[str] = []
    for line in body.strip().splitlines():
        if line.startswith(" "):
            lines.append("  " + line.strip())
        elif line.strip():
            name, _, kind = line.partition(" : ")
            bare = name.strip().strip("`")
            lines.append(f"- `{bare}`" + (f" · {kind.strip()}" if kind else "") + "  ")
    return "\n".join(lines)


def _examples(body: str) -> str:
    """Put what is typed and what is printed into blocks, and leave sentences as they are."""
    parts: list[str] = []
    code: list[str] = []
    for line in [*body.strip().splitlines(), ""]:
        is_code = bool(code) and line.strip() != "" and line.strip() != "<BLANKLINE>"
        if line.startswith((">>>", "...")) or is_code:
            code.append(line)
            continue
        if code:
            parts += ["```pycon", *code, "```", ""]
            code = []
        if line.strip() and line.strip() != "<BLANKLINE>":
            parts.append(line)
        elif parts and parts[-1]:
            parts.append("")
    return "\n".join(parts)
