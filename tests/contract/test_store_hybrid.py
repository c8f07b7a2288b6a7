"""Contract of the store for keyword, value and table search."""

from collections.abc import Callable, Sequence

import numpy as np
import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linker.config.values import Secret
from linker.embedders import Vectors
from linker.errors import StoreError
from linker.index import Collection, IndexManifest, Query, Ranking, SearchResult, Snapshot, Store
from linker.retrieval.hybrid import HybridRetriever
from linker.text.values import best_match, spans_by_gram
from linker.types import ColumnRef, Document, Ref, TableRef, Words
from tests.contract.publishing import nearest, put

EAST = np.array([1, 0, 0], dtype=np.float32)
NORTH = np.array([0, 1, 0], dtype=np.float32)
MADE_FROM = IndexManifest(b"what it was made from")
ORDERS = TableRef("shop", "orders")
RETURNS = TableRef("shop", "returns")


class Compass:
    """An encoder for which every text points east."""

    name = "compass"
    dimension = 3

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.stack([EAST for _ in texts])


def column(
    path: str, table: TableRef = ORDERS, words: Words | None = None, values: tuple[str, ...] = ()
) -> Document:
    return Document(ColumnRef(table, path), f"text of {path}", "#", words or Words(), values)


def ask(text: str = "", *words: str, vector: Vectors = EAST) -> Query:
    return Query(vector, words, tuple(spans_by_gram(text)))


def write(store: Store, collection: Collection, *documents: Document) -> None:
    put(store, collection, documents, np.stack([EAST] * len(documents)))


def held(found: SearchResult) -> set[tuple[str, str]]:
    return {
        (found.columns[number].path, one.value) for one in found.values for number in one.columns
    }


def columns(found: SearchResult, ranking: Ranking) -> list[ColumnRef]:
    return [found.columns[number] for number, _ in ranking]


def tables(found: SearchResult, ranking: Ranking) -> list[TableRef]:
    return [found.tables[number] for number, _ in ranking]


def test_words_of_the_name_weigh_more_than_those_of_description_table_and_values(
    store: Store, collection: Collection
) -> None:
    kinds = {"name": Words(name=("carrier",)), "description": Words(description=("carrier",))}
    kinds |= {"table": Words(table=("carrier",)), "values": Words(values=("carrier",))}
    write(store, collection, *(column(kind, words=words) for kind, words in kinds.items()))
    found = store.search(collection, ask("", "carrier"), limit=9)
    assert [ref.path for ref in columns(found, found.lexical)] == [
        "name",
        "description",
        "table",
        "values",
    ]
    scores = [score for _, score in found.lexical]
    assert scores == sorted(set(scores), reverse=True)


def test_a_rare_word_says_more_than_a_frequent_one(store: Store, collection: Collection) -> None:
    frequent = [column(f"order {number}", words=Words(name=("order",))) for number in range(20)]
    write(store, collection, *frequent, column("late", words=Words(name=("late",))))
    found = store.search(collection, ask("", "order", "late"), limit=3)
    assert columns(found, found.lexical)[0].path == "late"


def test_a_value_is_found_whatever_its_case_accents_separators_and_one_typo(
    store: Store, collection: Collection
) -> None:
    values = ("São Paulo", "Mountain Guides", "AB-12", "1200.5", "2024-03-05")
    write(store, collection, column("state", values=values), column("other", values=("Lisbon",)))
    for said in ("sao paulo", "montain guides", "ab 12", "1,200.50", "March 5, 2024"):
        found = held(store.search(collection, ask(f"How many were in {said} then?"), limit=9))
        assert len(found & {("state", value) for value in values}) == 1, said


def test_values_that_are_gone_are_not_found(store: Store, collection: Collection) -> None:
    write(
        store, collection, column("a", values=("Lisbon", "Porto")), column("b", values=("Lisbon",))
    )
    fewer = Document(ColumnRef(ORDERS, "a"), "text of a", "# of fewer", Words(), ("Porto",))
    write(store, collection, fewer, column("b", values=("Lisbon",)))
    assert held(store.search(collection, ask("Lisbon Porto"), limit=9)) == {
        ("a", "Porto"),
        ("b", "Lisbon"),
    }
    write(store, collection, fewer)
    assert held(store.search(collection, ask("Lisbon Porto"), limit=9)) == {("a", "Porto")}


def test_a_value_says_how_many_columns_hold_it(store: Store, collection: Collection) -> None:
    write(store, collection, *(column(str(number), values=("Lisbon",)) for number in range(5)))
    assert {one.holders for one in store.search(collection, ask("Lisbon"), limit=9).values} == {5}


def test_tables_are_documents_of_their_own(store: Store, collection: Collection) -> None:
    table = Document(ORDERS, "table", "#t", Words(name=("order",)))
    write(store, collection, table, column("id", words=Words(table=("order",))))
    found = store.search(collection, ask("", "order"), limit=9)
    assert tables(found, found.dense_tables) == tables(found, found.lexical_tables) == [ORDERS]
    assert (
        [ref.path for ref in columns(found, found.dense)]
        == [ref.path for ref in columns(found, found.lexical)]
        == ["id"]
    )
    hashes: dict[Ref, str] = {ORDERS: "#t", ColumnRef(ORDERS, "id"): "#"}
    assert store.content_hashes(collection) == hashes
    write(store, collection, column("id", words=Words(table=("order",))))
    assert store.content_hashes(collection) == {ColumnRef(ORDERS, "id"): "#"}


def test_nothing_of_another_target_or_model_is_found_in_any_way(
    store: Store, collection: Collection
) -> None:
    others = [
        Collection(collection.target + " too", collection.model),
        Collection(collection.target, collection.model + " too"),
    ]
    for number, other in enumerate(others):
        words = Words(name=("order",))
        write(
            store,
            other,
            column(f"theirs {number}", words=words, values=("Lisbon",)),
            Document(ORDERS, "", "#", words),
        )
    assert store.search(collection, ask("Lisbon", "order"), limit=99) == SearchResult()
    write(store, collection, column("mine", words=Words(name=("order",)), values=("Porto",)))
    found = store.search(collection, ask("Lisbon Porto", "order"), limit=99)
    assert (
        [ref.path for ref in columns(found, found.dense)]
        == [ref.path for ref in columns(found, found.lexical)]
        == ["mine"]
    )
    assert held(found) == {("mine", "Porto")}
    assert not found.dense_tables
    assert not found.lexical_tables


def test_exclusions_limit_every_way_to_search(store: Store, collection: Collection) -> None:
    words = Words(name=("order",))
    write(
        store, collection, *(column("id", table, words, ("Lisbon",)) for table in (ORDERS, RETURNS))
    )
    found = store.search(
        collection, ask("Lisbon", "order"), limit=9, excluded=[ColumnRef(RETURNS, "id")]
    )
    only = {ColumnRef(ORDERS, "id")}
    assert set(columns(found, found.dense)) == set(columns(found, found.lexical)) == only
    assert {found.columns[number] for one in found.values for number in one.columns} == only


def test_100_000_exclusions_leave_what_is_not_excluded(
    store: Store, collection: Collection
) -> None:
    write(store, collection, column("a"), column("b"))
    excluded = [ColumnRef(ORDERS, str(number)) for number in range(100_000)] + [
        ColumnRef(ORDERS, "a")
    ]
    assert [r.path for r, _ in nearest(store, collection, EAST, limit=9, excluded=excluded)] == [
        "b"
    ]


HOSTILE = [
    "'); drop table linker.documents; --",
    "x':1A 'y",
    "a\\'b",
    "$$; select 1; $$",
    "{1,2}",
    "%s %(vector)s",
    "\u202e",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_text_from_the_warehouse_is_only_ever_data(
    store: Store, collection: Collection, text: str
) -> None:
    own = Collection(collection.target + text, collection.model + text)
    table = TableRef(text, text)
    written = Document(
        ColumnRef(table, text), text, text, Words((text,), (text,), (text,), (text,)), (text,)
    )
    write(store, own, written, Document(table, text, text, Words((text,))))
    hashes: dict[Ref, str] = {ColumnRef(table, text): text, table: text}
    assert store.content_hashes(own) == hashes
    found = store.search(own, Query(EAST, (text,), tuple(spans_by_gram(f'"{text}"'))), limit=9)
    assert columns(found, found.lexical) == [ColumnRef(table, text)]
    assert store.content_hashes(collection) == {}


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    values=st.lists(
        st.text(min_size=1, max_size=40).filter(lambda text: "\0" not in text),
        max_size=8,
        unique=True,
    )
)
def test_what_is_found_is_what_a_comparison_with_every_value_finds(
    store: Store, collection: Collection, values: list[str]
) -> None:
    values = [value for value in values if value.encode("utf-8", "ignore").decode() == value]
    own = Document(ColumnRef(ORDERS, "a"), "text", repr(values), Words(), tuple(values))
    write(store, collection, own)
    text = " ".join(f'"{value}"' for value in values)
    by_gram = spans_by_gram(text)
    found = {
        value
        for _, value in held(store.search(collection, ask(text), limit=9))
        if best_match(value, by_gram)[0]
    }
    known = {value for _, value in held_values(values)}
    assert found == {value for value in known if best_match(value, by_gram)[0]}


def held_values(values: list[str]) -> list[tuple[str, str]]:
    """Values that read the same are kept once a column: the first."""
    from linker.text.words import casefold_ascii

    first: dict[str, str] = {}
    for value in values:
        first.setdefault(casefold_ascii(value), value)
    return list(first.items())


def test_a_hit_says_what_each_retriever_thinks_of_it_and_which_value_it_holds(
    store: Store, collection: Collection
) -> None:
    words = Words(name=("city",))
    write(
        store,
        collection,
        column("city", words=words, values=("Lisbon",)),
        column("id"),
        Document(ORDERS, "", "#"),
    )
    retriever = HybridRetriever(Compass(), store, collection)
    retrieved = retriever.search("Which city is lisbon?", limit=9)
    best = retrieved.columns[0]
    assert best.ref.path == "city"
    assert [name for name, _ in best.scores] == ["dense", "lexical", "value"]
    assert best.match is not None
    assert str(best.match) == "“lisbon” is Lisbon"
    assert [hit.ref for hit in retrieved.tables] == [ORDERS]
    assert [name for name, _ in retrieved.tables[0].scores] == ["dense", "columns"]


def test_a_switch_builds_the_indexes_of_a_large_collection_and_one_that_is_refused_changes_nothing(
    url: Secret,
    own_connection: psycopg.Connection,
    collection: Collection,
    make_documents: Callable[[int], list[Document]],
    make_vectors: Callable[[int, int, int], Vectors],
) -> None:
    def built() -> set[str]:
        rows = own_connection.execute(
            "select indexname from pg_indexes join linker.collections on tablename like '%%\\_' || collection_id "
            "where schemaname = 'linker' and target = %s",
            (collection.target,),
        )
        indexes = {str(name) for [name] in rows}
        return {index.rpartition("_")[2] for index in indexes} & {"words", "grams"}

    store = Store(url.get_secret_value(), words_with_index=200)
    documents, [query] = make_documents(1_000), make_vectors(3, 1, 8)
    put(store, collection, documents[:199], make_vectors(1, 199, 8))
    assert built() == {"grams"}
    store.stage(collection, documents[199:], make_vectors(2, 801, 8))
    assert built() == {"grams"}
    store.publish(collection, documents, MADE_FROM)
    assert built() == {"words", "grams"}
    before = nearest(store, collection, query, limit=10)
    anew = [Document(one.ref, one.text, "anew") for one in documents]
    store.stage(collection, anew[:500], make_vectors(4, 500, 8))
    with pytest.raises(StoreError, match="another run wrote"):
        store.publish(collection, anew)
    assert built() == {"words", "grams"}
    assert nearest(store, collection, query, limit=10) == before
    assert store.snapshot(collection) == Snapshot(
        MADE_FROM.digest, is_settled=True, content=MADE_FROM.content
    )
    store.close()


def test_a_value_that_many_columns_hold_counts_for_those_that_something_else_brings_up(
    store: Store, collection: Collection
) -> None:
    named = column("state", words=Words(name=("state",)), values=("Open", "Shut"))
    write(
        store, collection, named, *(column(str(number), values=("Open",)) for number in range(300))
    )
    found = store.search(collection, ask("Open state", "state", vector=NORTH), limit=1)
    brought_up = {ref.path for ref in columns(found, found.dense)} | {"state"}
    assert held(found) == {(path, "Open") for path in brought_up}
    assert all(one.holders > 30 for one in found.values)


def test_a_question_that_asks_for_all_columns_gets_all_of_them(
    store: Store, collection: Collection
) -> None:
    write(
        store,
        collection,
        *(column(str(number)) for number in range(1_000)),
        Document(ORDERS, "", "#"),
    )
    found = store.search(collection, ask("Which?"), limit=2_000)
    assert {ref.path for ref in columns(found, found.dense)} == {
        str(number) for number in range(1_000)
    }
    assert tables(found, found.dense_tables) == [ORDERS]
