"""
Size and density of code: `python -m benchmarks.code_size [FOLDER]`, by default of `linker/`.

Counts tokens of `tokenize` without comments, docstrings, line breaks and indentation. The count
depends on the Python version: since 3.12 an f-string is several tokens.
"""

import argparse
import ast
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
_UNCOUNTED = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_MACRO = re.compile(r"{%-?\s*macro\s")


@dataclass(slots=True)
class CodeSize:
    """Counts; `lines` by module."""

    lines: list[int] = field(default_factory=list)
    tokens: int = 0
    comprehensions: int = 0
    nested_comprehensions: int = 0
    walrus_in_comprehensions: int = 0
    nested_conditionals: int = 0

    def add(self, source: str) -> None:
        """Count one module more."""
        tree = ast.parse(source)
        self.lines.append(source.count("\n"))
        self.tokens += sum(1 for _ in _tokens(source, tree))
        self._add_expressions(tree, in_comprehension=False, in_conditional=False)

    def _add_expressions(
        self, node: ast.AST, *, in_comprehension: bool, in_conditional: bool
    ) -> None:
        if isinstance(node, _COMPREHENSIONS):
            self.comprehensions += 1
            self.nested_comprehensions += in_comprehension
            in_comprehension = True
        elif isinstance(node, ast.NamedExpr):
            self.walrus_in_comprehensions += in_comprehension
        elif isinstance(node, ast.IfExp):
            self.nested_conditionals += in_conditional
            in_conditional = True
        for child in ast.iter_child_nodes(node):
            self._add_expressions(
                child, in_comprehension=in_comprehension, in_conditional=in_conditional
            )


def code_size(modules: Iterable[Path]) -> CodeSize:
    """The size of some modules together."""
    size = CodeSize()
    for path in modules:
        size.add(path.read_text("utf-8"))
    return size


def _tokens(source: str, tree: ast.Module) -> Iterator[tokenize.TokenInfo]:
    docstrings = set(_places_of_docstrings(tree))
    for token in tokenize.generate_tokens(StringIO(source).readline):
        if token.type not in _UNCOUNTED and token.start not in docstrings:
            yield token


def _places_of_docstrings(tree: ast.Module) -> Iterator[tuple[int, int]]:
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            yield node.body[0].lineno, node.body[0].col_offset


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip())
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "linker")
    size = code_size(sorted(parser.parse_args().folder.rglob("*.py")))
    macros = [path.read_text("utf-8") for path in (ROOT / "macros").rglob("*.sql")]
    figures = {
        "tokens": size.tokens,
        "modules": len(size.lines),
        "lines of the median module": median(size.lines),
        "comprehensions per 1,000 lines": round(1000 * size.comprehensions / sum(size.lines), 1),
        "nested comprehensions": size.nested_comprehensions,
        "conditional expressions inside others": size.nested_conditionals,
        "walrus inside comprehensions": size.walrus_in_comprehensions,
        "macros": sum(len(_MACRO.findall(text)) for text in macros),
        "macro files": len(macros),
    }
    for name, figure in figures.items():
        sys.stdout.write(f"{name:<40}{figure:>12,}\n")


if __name__ == "__main__":
    main()
