"""One shop per test module, since dbt takes seconds to start."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.refresh.shop import Shop


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    """
    A shop that nobody has profiled; not in pytest's own folder, which it closes to the user of the
    server.
    """
    with TemporaryDirectory(prefix="linker-refresh-") as folder:
        yield Shop.open(Path(folder))
