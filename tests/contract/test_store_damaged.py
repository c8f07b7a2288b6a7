"""Embedded stores that were killed or have damaged files recover or report one line."""

import os
import shutil
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from linker.errors import StoreError
from linker.index import Collection, open_store
from linker.types import ColumnRef, Document, TableRef
from tests.contract.publishing import nearest, put

COLLECTION = Collection("target", "model")
DOCUMENT = Document(ColumnRef(TableRef("shop", "orders"), "id"), "text", "#")
VECTOR = np.eye(1, 3, dtype=np.float32)
Harm = Callable[[Path], object]


def flip_a_byte(folder: Path) -> None:
    file = folder / "global" / "pg_control"
    content = bytearray(file.read_bytes())
    content[40] ^= 255
    file.write_bytes(content)


DAMAGES: dict[str, Harm] = {
    "incorrect checksum in control file": flip_a_byte,
    "could not read file .*pg_control": lambda folder: (
        folder / "global" / "pg_control"
    ).write_bytes(b""),
    "could not locate a valid checkpoint record": lambda folder: [
        shutil.move(file, folder.parent) for file in (folder / "pg_wal").iterdir() if file.is_file()
    ],
    'database "postgres" does not exist': lambda folder: shutil.rmtree(folder / "base"),
    "invalid literal for int": lambda folder: (folder / "PG_VERSION").write_text("x\n", "utf-8"),
}
LEFT_BEHIND: dict[str, str] = {
    # By now the number is that of this process, of no process, or cut off.
    "another process": f"{os.getpid()}\n/elsewhere\n1\n5432\n/tmp\n\n1 1\nready\n",
    "nobody": f"{2**22 + 1}\n/elsewhere\n1\n5432\n/tmp\n\n1 1\nready\n",
    "one line": "1\n",
    "nothing": "",
}


def postmaster(state_dir: Path) -> int:
    return int((state_dir / "postgres" / "postmaster.pid").read_text("utf-8").split()[0])


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_store_with_damaged_files_says_so_and_not_that_the_disk_is_full(
    damage: str, state_dir: Path
) -> None:
    open_store(None, state_dir).close()
    DAMAGES[damage](state_dir / "postgres")
    with pytest.raises(StoreError, match=damage) as caught:
        open_store(None, state_dir)
    assert "\n" not in caught.value.what
    assert f"move {state_dir / 'postgres'} away and run: linker index" in caught.value.hint
    assert "make room" not in caught.value.hint


def test_a_setting_that_the_server_does_not_take_is_no_damage(state_dir: Path) -> None:
    open_store(None, state_dir).close()
    (state_dir / "postgres" / "postgresql.conf").write_text("port = = 1\n", "utf-8")
    with pytest.raises(
        StoreError, match=r"FATAL:  configuration file .* contains errors"
    ) as caught:
        open_store(None, state_dir)
    assert f"{state_dir / 'postgres'}/log has more" in caught.value.hint


@pytest.mark.slow
@pytest.mark.parametrize("left", LEFT_BEHIND)
def test_what_a_killed_server_left_behind_keeps_no_other_from_starting(
    left: str, state_dir: Path
) -> None:
    store = open_store(None, state_dir)
    put(store, COLLECTION, [DOCUMENT], VECTOR)
    store.close()
    (state_dir / "postgres" / "postmaster.pid").write_text(LEFT_BEHIND[left], "utf-8")
    again = open_store(None, state_dir)
    assert again.content_hashes(COLLECTION) == {DOCUMENT.ref: "#"}
    again.close()


def test_a_server_that_is_killed_is_started_again_and_has_what_it_had(state_dir: Path) -> None:
    store = open_store(None, state_dir)
    put(store, COLLECTION, [DOCUMENT], VECTOR)
    # What a crash may undo is the last moment: this waits for it.
    store.close()
    store = open_store(None, state_dir)
    for _ in range(2):
        first = postmaster(state_dir)
        # A process of the server that is left to itself answers on for a moment, and then nothing
        # was started again.
        children = Path(f"/proc/{first}/task/{first}/children").read_text("ascii").split()
        for process in (first, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        assert store.content_hashes(COLLECTION) == {DOCUMENT.ref: "#"}
        assert [ref for ref, _ in nearest(store, COLLECTION, VECTOR[0], limit=9)] == [DOCUMENT.ref]
        assert postmaster(state_dir) != first
    store.close()
    assert not (state_dir / "postgres" / "postmaster.pid").exists()
