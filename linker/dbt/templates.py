"""
dbt's macros compiled once: enters a file for their code, which the next run takes from there.

dbt compiles anew in each run four hundred macros, none of which changed: a third of what it does where little changed.
"""

import hashlib
import marshal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from typing import Any

from linker.files import read_own, write_whole

# A version of ours has a tenth of it; with those of more versions all is compiled anew.
_MOST = 4_000


@contextmanager
def compiled_once(path: Path) -> Iterator[None]:
    """Compile in this block what was not compiled before, and keep it in that file for its owner alone."""
    import jinja2
    from dbt_common.clients.jinja import MacroFuzzEnvironment

    kept: dict[bytes, Any] = {}
    with suppress(EOFError, ValueError, TypeError):
        kept |= marshal.loads(read_own(path) or b"")  # noqa: S302 - nobody else can have written it
    known, compile_anew = len(kept), MacroFuzzEnvironment.compile

    def compile_template(environment: Any, source: Any, *more: Any, **named: Any) -> Any:  # noqa: ANN401 - as of jinja2
        # What has no statements is a setting, and may be a secret.
        if more or named or not isinstance(source, str) or "{%" not in source:
            return compile_anew(environment, source, *more, **named)
        text = f"{jinja2.__version__} {type(environment).__name__} {source}"
        key = MAGIC_NUMBER + hashlib.sha256(text.encode()).digest()
        if key not in kept:
            kept[key] = compile_anew(environment, source)
        return kept[key]

    MacroFuzzEnvironment.compile = compile_template  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        MacroFuzzEnvironment.compile = compile_anew  # type: ignore[method-assign]
        # On a full disk the next run compiles again.
        with suppress(OSError):
            if len(kept) > known:
                write_whole(path, marshal.dumps(kept if len(kept) < _MOST else {}), is_private=True)
