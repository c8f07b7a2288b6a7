"""On-disk cache of an index: reuse, and recomputation of damaged entries."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from linker.catalog.column_metadata import NO_FACTS, ColumnFacts, facts_of
from linker.catalog.index_session import DiskCache, DiskCached, StoredIndex
from linker.catalog.snapshot import ProfiledCatalog, pack
from linker.index import Snapshot
from linker.ranking.catalog_index import build_catalog_index, pack_known, unpack_known
from linker.types import Catalog, Column, ColumnRef, Columns, Table, TableRef


def column(path: str, position: int, description: str | None = None) -> Column:
    return Column(path, path, 0, position, "text", is_nullable=True, description=description)


SHOPS = TableRef("sales", "shops")
ORDERS = TableRef("sales", "orders")
CATALOG = Catalog(
    (
        Table(
            SHOPS,
            "table",
            "Where we sell",
            3,
            Columns((column("id", 1), column("city_name", 2, "Its town"))),
        ),
        Table(ORDERS, "table", None, 9, Columns((column("order_no", 1), column("shop_id", 2)))),
    ),
    2,
)
PROFILED = ProfiledCatalog(
    CATALOG,
    facts_of(CATALOG, {ColumnRef(SHOPS, "city_name"): ColumnFacts(values=("Berlin", "Oslo"))}),
)


class Counting:
    """A function that takes long, and how often it was worked out."""

    def __init__(self) -> None:
        self.times = 0
        self.filed = DiskCached(self.columns, str.encode, lambda content, _: content.decode())

    def columns(self, profiled: ProfiledCatalog, most: int) -> str:
        self.times += 1
        return f"{profiled.catalog.column_count} of {most}"


def only_file(state_dir: Path) -> Path:
    [path] = (state_dir / "worked-out").iterdir()
    return path


def test_what_one_process_worked_out_is_read_by_the_next(tmp_path: Path) -> None:
    counting = Counting()
    for _ in range(3):
        assert DiskCache(tmp_path, "shop", "monday").get(counting.filed, PROFILED, 7) == "4 of 7"
    assert counting.times == 1
    assert only_file(tmp_path).stat().st_mode & 0o077 == 0


def test_another_argument_and_another_target_have_results_of_their_own(tmp_path: Path) -> None:
    counting = Counting()
    for target, most in (("shop", 7), ("shop", 8), ("bank", 7), ("bank", 7)):
        assert (
            DiskCache(tmp_path, target, "monday").get(counting.filed, PROFILED, most)
            == f"4 of {most}"
        )
    assert counting.times == 3


def test_the_file_of_another_state_is_not_read_and_goes_when_the_new_one_is_written(
    tmp_path: Path,
) -> None:
    counting = Counting()
    DiskCache(tmp_path, "shop", "monday").get(counting.filed, PROFILED, 7)
    before = only_file(tmp_path)
    smaller = ProfiledCatalog(Catalog(CATALOG.tables[:1], 1), NO_FACTS)
    assert DiskCache(tmp_path, "shop", "tuesday").get(counting.filed, smaller, 7) == "2 of 7"
    assert only_file(tmp_path) != before


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes().replace(b"4 of", b"5 of")),
        lambda path: path.chmod(0o644),
        Path.unlink,
    ],
    ids=["cut off", "empty", "other bytes", "others may have written it", "gone"],
)
def test_a_file_that_is_not_what_was_written_is_made_anew(
    tmp_path: Path, spoil: Callable[[Path], object]
) -> None:
    counting = Counting()
    for times in (1, 2, 2):
        assert DiskCache(tmp_path, "shop", "monday").get(counting.filed, PROFILED, 7) == "4 of 7"
        assert counting.times == times
        if times == 1:
            spoil(only_file(tmp_path))


def test_where_no_file_can_be_written_the_result_is_worked_out(tmp_path: Path) -> None:
    (tmp_path / "worked-out").write_text("a file where the folder would be")
    counting = Counting()
    for times in (1, 2):
        assert DiskCache(tmp_path, "shop", "monday").get(counting.filed, PROFILED, 7) == "4 of 7"
        assert counting.times == times


def test_of_two_that_work_at_once_both_have_the_result_and_the_file_is_whole(
    tmp_path: Path,
) -> None:
    inner, outer = Counting(), Counting()

    def while_another_does(profiled: ProfiledCatalog, most: int) -> str:
        assert DiskCache(tmp_path, "shop", "monday").get(inner.filed, profiled, most) == "4 of 7"
        return outer.columns(profiled, most)

    slow = DiskCached(while_another_does, str.encode, lambda content, _: content.decode())
    slow.name = inner.filed.name
    assert DiskCache(tmp_path, "shop", "monday").get(slow, PROFILED, 7) == "4 of 7"
    assert DiskCache(tmp_path, "shop", "monday").get(inner.filed, PROFILED, 7) == "4 of 7"
    assert (inner.times, outer.times) == (1, 1)


def test_an_index_gives_its_results_files_and_others_after_it_was_made_anew(tmp_path: Path) -> None:
    counting, snapshot = Counting(), [Snapshot("monday", is_settled=True, content=pack(PROFILED))]

    def opened() -> StoredIndex:
        return StoredIndex(
            lambda _: snapshot[0],
            lambda: PROFILED,
            None,
            lambda state: DiskCache(tmp_path, "shop", state),
        )

    for _ in range(2):
        assert opened().derived.get(counting.filed, 7) == "4 of 7"
    assert counting.times == 1
    smaller = ProfiledCatalog(Catalog(CATALOG.tables[:1], 1), NO_FACTS)
    snapshot[0] = Snapshot("tuesday", is_settled=True, content=pack(smaller))
    assert opened().derived.get(counting.filed, 7) == "2 of 7"


def test_what_is_known_of_a_catalogue_comes_back_as_it_was() -> None:
    known = unpack_known(pack_known(build_catalog_index(CATALOG, PROFILED.facts)), PROFILED)
    lexicon = known.lexicon
    # Tables by their names: orders come first, so the columns of shops have the places 2 and 3.
    assert [str(ref) for ref in lexicon.refs] == [
        "sales.orders.order_no",
        "sales.orders.shop_id",
        "sales.shops.id",
        "sales.shops.city_name",
    ]
    assert lexicon.column(3) == CATALOG.tables[0].columns[1]
    assert lexicon.values_at.get("oslo").tolist() == [3]
    assert lexicon.squashed_names.get("cityname").tolist() == [3]
    assert lexicon.squashed_tables.get("orders").tolist() == [0]
    town, name = lexicon.vocabulary.number("town"), lexicon.vocabulary.number("name")
    assert town is not None
    assert lexicon.descriptions.get(town)[0].tolist() == [3]
    assert name is not None
    assert lexicon.names.get(name)[0].tolist() == [3]
    assert lexicon.vocabulary.number("nowhere") is None
    # The first letters of a word, and one with a letter too many.
    assert [
        lexicon.vocabulary.spelt(np.array([number])) for number, _ in lexicon.similar("cit")
    ] == [["city"]]
    # `shop_id` leads to the `id` of shops.
    pairs = zip(known.graph.left_column.tolist(), known.graph.right_column.tolist(), strict=True)
    assert sorted(pairs) == [(1, 2), (2, 1)]
    # New words get new numbers, as where nothing was written.
    assert (
        lexicon.vocabulary.vocabulary.number(["town", "unheard"])[1]
        == len(lexicon.vocabulary.vocabulary) - 1
    )
    assert pack_known(
        unpack_known(pack_known(build_catalog_index(CATALOG, PROFILED.facts)), PROFILED)
    ) == pack_known(build_catalog_index(CATALOG, PROFILED.facts))


def test_a_catalogue_that_is_not_known_as_a_whole_has_no_file() -> None:
    assert pack_known(None) == b""
