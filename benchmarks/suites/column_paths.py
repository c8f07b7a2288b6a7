"""
Nested column paths in suite files, written as in the product: `hits.page.title`.

A step with a dot or a double quote is quoted, as in `models/inventory/linker_columns.yml`.
"""

import re

_STEP = re.compile(r'"(?:[^"]|"")*"|[^.]+')


def step(name: str) -> str:
    """A step of a path, quoted if needed."""
    return '"' + name.replace('"', '""') + '"' if "." in name or '"' in name else name


def steps(path: str) -> list[str]:
    """Names of a path without quotes."""
    if "." not in path and '"' not in path:
        return [path]
    return [
        part[1:-1].replace('""', '"') if part.startswith('"') else part
        for part in _STEP.findall(path)
    ]


def parent(path: str) -> str | None:
    """The parent path; None for a column."""
    parts = _STEP.findall(path)
    return ".".join(parts[:-1]) if len(parts) > 1 else None


def depth(path: str) -> int:
    """0 for a column, 1 for a path inside it, and so on."""
    # Most paths are plain names, and there are hundreds of thousands.
    return 0 if "." not in path else max(len(_STEP.findall(path)) - 1, 0)
