"""
Suites of questions, by name.

Other packages add suites by naming a SuiteReader in the entry point group `linker.suites`.
"""

from pathlib import Path
from pkgutil import resolve_name

from linker.config.installed import opening, plugins
from linker.errors import ConfigError
from linker.evaluation import Suite
from linker.types import Record

GROUP = "linker.suites"
_PUBLIC = "public suites come with `pip install -e benchmarks` in a checkout"


class SuiteReader(Record, frozen=True):
    """
    A suite's functions as `module:function`, imported when it opens.

    `read` maps the user's path to a Suite. `prepare` maps suite, settings and a progress callback
    to a `linker.evaluation.preparing.Prepared`; without it the target answers the questions.
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
    "feedback": SuiteReader(
        "Questions with the feedback of `linker feedback`.",
        "linker.evaluation.golden:read_feedback",
    ),
    "verified": SuiteReader(
        "Your verified questions, each without its own statement as an example.",
        "linker.evaluation.golden:read_verified",
    ),
}


def registered_suites() -> tuple[str, ...]:
    """Suites of plugins."""
    return tuple(sorted(set(plugins(GROUP).names) - set(SUITES)))


def suite_reader(name: str) -> SuiteReader:
    """The reader of a suite; built-in suites cannot be overridden."""
    if name in SUITES:
        return SUITES[name]
    registered = plugins(GROUP)
    if name not in registered.names:
        names = sorted({*SUITES, *registered_suites()})
        raise ConfigError(
            f"no suite is called `{name}`", hint=f"choose one of: {', '.join(names)}; {_PUBLIC}"
        )
    with opening(registered[name], "suite") as what:
        reader = registered[name].load()
    if not isinstance(reader, SuiteReader):
        raise ConfigError(
            f"{what} is not a SuiteReader",
            hint="docs/evaluation.md says how a package brings a suite",
        )
    return reader


def open_suite(name: str, root: Path) -> Suite:
    """Read a suite from a path; for `demo` the state folder."""
    suite: Suite = resolve_name(suite_reader(name).read)(root)
    return suite
