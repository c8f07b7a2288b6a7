"""Store errors and their hints."""

from pathlib import Path

import psycopg
import pytest
from psycopg import errors

from linker.errors import StoreError
from linker.index.connection import store_error
from linker.index.embedded import EmbeddedPostgres, start_postgres

ILLEGAL_INSTRUCTION = (
    "LOG:  client backend (PID 77) was terminated by signal 4: Illegal instruction\n"
)


@pytest.fixture
def server(tmp_path: Path) -> EmbeddedPostgres:
    return EmbeddedPostgres(folder=tmp_path, url="", _handle=None)


def test_a_server_that_died_of_an_illegal_instruction_is_recognised_and_the_way_out_named(
    server: EmbeddedPostgres,
) -> None:
    lost = psycopg.OperationalError("server closed the connection unexpectedly")
    assert "lost" in store_error(lost, server).what
    (server.folder / "log").write_text(ILLEGAL_INSTRUCTION, "utf-8")
    told = store_error(lost, server)
    assert "processor" in told.what
    assert "LINKER_STORE_URL" in told.hint


def test_a_full_disk_is_told_from_a_lost_connection(server: EmbeddedPostgres) -> None:
    assert "disk" in store_error(errors.DiskFull("could not extend file"), server).what


def test_a_folder_that_postgres_cannot_use_is_told_with_the_reason_that_postgres_gave(
    tmp_path: Path,
) -> None:
    """initdb refuses a folder that holds something else."""
    folder = tmp_path / "postgres"
    folder.mkdir()
    (folder / "somebody-elses-file").write_text("kept", "utf-8")
    with pytest.raises(StoreError, match="exists but is not empty") as caught:
        start_postgres(folder)
    assert "\n" not in caught.value.what
    assert (folder / "somebody-elses-file").read_text("utf-8") == "kept"


def test_the_place_of_a_server_is_shown_as_one_would_type_it(
    server: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert server.location == str(server.folder)
    monkeypatch.chdir(server.folder.parent)
    assert server.location == server.folder.name


def test_a_folder_whose_name_a_shell_would_take_apart_serves_as_any_other(tmp_path: Path) -> None:
    folder = tmp_path / "my shop (copy)"
    folder.mkdir()
    server = start_postgres(folder / "postgres")
    try:
        with psycopg.connect(server.url) as connection:
            assert connection.execute("show data_directory").fetchone() == (str(server.folder),)
    finally:
        server.stop()
