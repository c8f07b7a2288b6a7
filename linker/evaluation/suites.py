"""
Suites by name: those of linker, and those that other packages register.

Another package may bring more: it names a SuiteReader in its entry points, in the group
`linker.suites`. One module a suite; each says in its docstring which files it reads. What the files
hold and cannot be used is listed in `Suite.left_out`.
"""

from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from linker.errors import ConfigError
from linker.types import Record

# Suites are listed by `linker eval --help`, which imports nothing heavy.
if TYPE_CHECKING:
    from linker.evaluation.types import Suite

GROUP = "linker.suites"
_PUBLIC = "public suites come with `pip install -e benchmarks` in a checkout"


class SuiteReader(Record, frozen=True):
    """
    A suite as it is listed and found; functions are named as `module:function`, and imported when
    it is opened.

    `read` leads from the path that the user gives to the Suite. `prepare` leads from the suite, the
    settings and a callback of progress to what is linked, a `linker.evaluation.preparing.Prepared`;
    without it the questions are asked of the target.
    """

    description: str
    read: str
    prepare: str = ""


SUITES = {
    "demo": SuiteReader(
        "The demo warehouse and its questions.", "linker.evaluation.golden:read_demo"
    ),
    "golden": SuiteReader(
        "Your questions with gold SQL or columns, against your own warehouse.",
        "linker.evaluation.golden:read",
    ),
}


def registered_suites() -> tuple[str, ...]:
    """The suites of other packages."""
    return tuple(sorted(set(entry_points(group=GROUP).names) - set(SUITES)))


def suite_reader(name: str) -> SuiteReader:
    """Reader of the suite of that name; those that ship with linker cannot be replaced."""
    if name in SUITES:
        return SUITES[name]
    registered = entry_points(group=GROUP)
    if name in registered.names:
        return _loaded(registered[name])
    names = sorted({*SUITES, *registered_suites()})
    raise ConfigError(
        f"no suite is called `{name}`", hint=f"choose one of: {', '.join(names)}; {_PUBLIC}"
    )


def open_suite(name: str, root: Path) -> "Suite":
    """Read a suite; the path is that of its files, and for `demo` the state folder."""
    suite: Suite = resolve_name(suite_reader(name).read)(root)
    return suite


def _loaded(entry: EntryPoint) -> SuiteReader:
    package = entry.dist.name if entry.dist else entry.value
    try:
        reader = entry.load()
    except (ImportError, AttributeError) as error:
        raise ConfigError(
            f"the suite `{entry.name}` of the package {package} cannot be opened: {error}",
            hint=f"is {package} installed whole, and made for this version of linker?",
        ) from error
    if not isinstance(reader, SuiteReader):
        raise ConfigError(
            f"the suite `{entry.name}` of the package {package} is not a SuiteReader",
            hint="docs/evaluation.md says how a package brings a suite",
        )
    return reader
