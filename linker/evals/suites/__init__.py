"""
The suites by name: enters a name and the path that the user gives, leaves the Suite.

One module a suite; each says in its docstring which files it reads. What the files hold and cannot be used is listed in
`Suite.left_out`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path

from linker.errors import ConfigError
from linker.evals.types import Suite


@dataclass(frozen=True, slots=True)
class _Reader:
    """What reads a suite, the files that show its layout, and the folder in which it comes."""

    module: str
    function: str
    files: tuple[str, ...] = ()
    folder: str = ""
    kind: str = ""

    def load(self) -> Callable[[Path], Suite]:
        function = getattr(import_module(f"linker.evals.suites.{self.module}"), self.function)
        return partial(function, kind=self.kind) if self.kind else function


_READERS = {
    "spider2-lite": _Reader("spider2", "read_lite", ("spider2-lite.jsonl", "resource/databases"), "spider2-lite"),
    "spider2-snow": _Reader("spider2", "read_snow", ("spider2-snow.jsonl", "resource/databases"), "spider2-snow"),
    "bird": _Reader("bird", "read_dev", ("dev.json", "dev_tables.json"), "bird"),
    **{
        f"bird-mini-{kind}": _Reader(
            "bird", "read_mini", (f"mini_dev_{kind}.json", "dev_tables.json"), "bird", kind=kind
        )
        for kind in ("sqlite", "mysql", "postgresql")
    },
    "spider1": _Reader("spider1", "read", ("dev.json", "tables.json"), "spider1"),
    "beaver": _Reader("beaver", "read", ("dev_*.json", "dev_tables.json"), "beaver"),
    "catalogue": _Reader("catalogue", "read", ("tables.jsonl", "questions.jsonl")),
    "demo": _Reader("demo", "read"),
    "golden": _Reader("golden", "read"),
}
SUITES = tuple(_READERS)


def open_suite(name: str, root: Path) -> Suite:
    """
    Read a suite.

    The path is its folder, or one that holds several under their own names; for `golden` the file of questions, and for
    `demo` the state folder.
    """
    reader = _READERS.get(name)
    if reader is None:
        raise ConfigError(f"no suite is called `{name}`", hint=f"choose one of: {', '.join(SUITES)}")
    return reader.load()(_place(name, reader, root))


def _place(name: str, reader: _Reader, root: Path) -> Path:
    """The folder that holds the suite's files."""
    if not reader.files:
        return root
    missing = []
    for folder in (root, root / reader.folder):
        missing = [file for file in reader.files if not any(folder.glob(file))]
        if not missing:
            return folder
        if not reader.folder:
            break
    absent = [file for file in reader.files if not any(root.glob(file))]
    raise ConfigError(
        f"{root} is not the folder of {name}: it has no {' and no '.join(absent)}",
        hint=f"give its official folder, which holds {' and '.join(reader.files)}, with --root",
    )
