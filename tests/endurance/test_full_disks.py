"""Full disks during scan and index; `make test-crashes` mounts small ones, which needs root."""

import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.endurance.test_crashes import is_told, keep
from tests.refresh.agreement import disagreements
from tests.refresh.shop import Shop
from tests.refresh.test_killed import answered


@contextmanager
def full(disk: Path, left: int) -> Iterator[None]:
    """Nothing but so many bytes can be written to a disk."""
    filler = disk / "filler"
    status = os.statvfs(disk)
    filler.write_bytes(bytes(max(0, status.f_bavail * status.f_frsize - left)))
    try:
        yield
    finally:
        filler.unlink()


@pytest.fixture
def disks() -> Iterator[tuple[Shop, Path, Path]]:
    """A shop with a disk for the warehouse and one for the store."""
    with TemporaryDirectory(prefix="linker-full-") as folder, ExitStack() as mounted:
        places = [Path(folder) / "disk", Path(folder) / "state" / "postgres"]
        Path(folder).chmod(0o755)
        for place, size in zip(places, ("32m", "200m"), strict=True):
            place.mkdir(parents=True)
            subprocess.run(
                ["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "tmpfs", str(place)],
                check=True,
            )
            mounted.callback(subprocess.run, ["umount", "--lazy", str(place)], check=True)
        shop = Shop.open(Path(folder))
        shop.refresh()
        yield shop, places[0], places[1]


def test_a_disk_that_is_full_ends_a_run_in_one_line_and_the_next_one_goes_on(
    disks: tuple[Shop, Path, Path],
) -> None:
    shop, warehouse, store = disks
    columns = ", ".join(f"{number} as wide_{{day}}_{number}" for number in range(200))
    change = (
        f"create or replace table sales.wide as select range as wide_id, {columns} from range(2000)"
    )
    codes = {"a scan": Counter[int](), "the index": Counter[int]()}
    for day, left in enumerate((0, 8_192, 65_536, 262_144)):
        for during, disk in (("a scan", warehouse), ("the index", store)):
            before = answered(shop)
            shop.execute(change.format(day=f"{day}{during[-1]}"))
            with full(disk, left):
                done = shop.run("refresh")
            assert is_told(done.returncode, done.stderr), done.stderr
            if done.returncode:
                assert " full" in done.stderr or "No space left" in done.stderr
                assert "make room" in done.stderr
            meanwhile = answered(shop)
            shop.refresh()
            assert meanwhile in (before, answered(shop))
            assert disagreements(shop) == []
            codes[during].update([done.returncode])
    for during, met in codes.items():
        assert met[2]
        keep("a full disk", during, met)
