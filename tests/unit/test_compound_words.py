"""Names written as one word, and initials of phrases."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from linker.catalog.column_metadata import ColumnFacts, Facts
from linker.ranking.catalog_index import CatalogIndex, build_catalog_index
from linker.ranking.compound_words import name_parts
from linker.ranking.query_analysis import analyse
from linker.ranking.ranker import RankingResult, rank
from linker.ranking.reasons import reasons
from linker.ranking.table_tokens import ROLES
from linker.ranking.weights import read_weights
from linker.types import Catalog, ColumnRef, Table
from tests.tables import table


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("careunit", "care unit"),
        ("ORDERCATEGORYNAME", "order category name"),
        ("countrypops", "country pops"),
        ("wardid", "ward id"),
        ("namespaces", "name spaces"),
        ("resultstatus", "result status"),
        # Singular and plural alike.
        ("subnet", "subnet"),
        ("subnets", "subnets"),
        # Function words are no parts.
        ("stackoverflow", "stackoverflow"),
        ("paid_startdate", "paid start date"),
        # English words, words with their roots, and names that only begin or end with words.
        ("candidate", "candidate"),
        ("timestamp", "timestamp"),
        ("refund", "refund"),
        ("toughness", "toughness"),
        ("formatted", "formatted"),
        ("moderation", "moderation"),
        ("dischtime", "dischtime"),
        ("umsatzsteuer", "umsatzsteuer"),
        ("öffnungszeit", "offnungszeit"),
    ],
)
def test_names_are_split_into_english_words(name: str, words: str) -> None:
    assert name_parts(name) == words.split()


def index_of(*tables: Table, facts: Facts | None = None) -> CatalogIndex:
    return build_catalog_index(Catalog(tables, len(tables)), facts or Facts({}))


def ranked(question: str, *tables: Table, facts: Facts | None = None) -> RankingResult:
    return rank(question, index_of(*tables, facts=facts), read_weights())


def tables_of(ranking: RankingResult) -> list[str]:
    names = [one.ref.name for one in ranking.index.lexicon.tables]
    return [names[place] for place in (-ranking.tables).argsort(kind="stable").tolist()]


def roles_of(index: CatalogIndex, path: str) -> set[str]:
    paths = [ref.path for ref in index.lexicon.refs]
    flags = index.lexicon.roles[paths.index(path)].tolist()
    return {role for role, has_it in zip(ROLES, flags, strict=True) if has_it}


def test_names_without_separators_rank_as_those_with_them() -> None:
    def relevance(history: str, local: str) -> list[float]:
        tables = (
            table(history, "country", "year", "population"),
            table("country", "name", "code", "capital"),
            table("notes", local, "body"),
        )
        return [*map(float, ranked("Which countries have local names?", *tables).tables)]

    assert relevance("countrypops", "localname") == relevance("country_pops", "local_name")


def test_the_last_word_of_a_name_says_what_a_column_is() -> None:
    index = index_of(table("stays", "admittime", "wardid", "localname"))
    assert "time" in roles_of(index, "admittime")
    assert "key" in roles_of(index, "wardid")
    assert "name" in roles_of(index, "localname")


def test_a_compound_of_the_question_matches_its_parts() -> None:
    ranking = ranked("usernames", table("people", "user_name"), table("parcels", "weight"))
    assert tables_of(ranking)[0] == "people"


def columns_of(ranking: RankingResult) -> Sequence[str]:
    paths = [ref.path for ref in ranking.index.lexicon.refs]
    return [paths[place] for place in (-ranking.columns).argsort(kind="stable").tolist()]


def test_initials_of_a_phrase_match_a_name() -> None:
    stays = table("stays", "ward", "dbsource", "los", "lag")
    assert columns_of(ranked("average length of stay", stays))[0] == "los"
    assert not any(analyse("wards that last on sundays").initials)


def test_an_area_in_numbers_is_a_size_and_no_place() -> None:
    text = table("lakes", "area", "depth")
    number = replace(text.columns[0], data_type="DOUBLE")
    lakes = replace(text, columns=(number, *text.columns[1:]))
    assert {"amount"} == roles_of(index_of(lakes), "area") & {"amount", "place"}
    assert {"place"} == roles_of(index_of(text), "area") & {"amount", "place"}


def measured(*tables: Table, distinct: int) -> Facts:
    """Facts of tables that number their rows."""
    own = ColumnFacts(is_primary_key=True, distinct_count=distinct)
    return Facts({ColumnRef(one.ref, "row_id"): own for one in tables})


def test_rows_that_each_table_numbers_for_itself_join_nothing() -> None:
    tables = (table("wards", "row_id", "label"), table("bills", "row_id", "amount"))
    assert len(index_of(*tables).graph.left)
    assert not len(index_of(*tables, facts=measured(*tables, distinct=7)).graph.left)


def test_who_found_a_thing_did_not_found_it() -> None:
    tables = (table("firms", "firm_id", "start_date"), table("stones", "stone_id", "colour"))
    asked = {
        "Which stones were found?": False,
        "When was the firm founded?": True,
    }
    for question, is_beginning in asked.items():
        ranking = ranked(question, *tables)
        start = ranking.index.lexicon.refs.index(ColumnRef(tables[0].ref, "start_date"))
        told = reasons(ranking, read_weights().columns, start)
        assert ("synonym: founded ~ start" in told) == is_beginning, told
        assert "synonym: found ~ start" not in told


def test_a_value_is_no_match_of_what_a_table_is_about() -> None:
    city = table("city", "name", "size")
    airport = table("airport", "code", "label")
    facts = Facts({ColumnRef(airport.ref, "label"): ColumnFacts(values=("City", "Gatwick"))})
    ranking = ranked("Which city is the largest?", city, airport, facts=facts)
    label = ranking.index.lexicon.refs.index(ColumnRef(airport.ref, "label"))
    quoted = ranked('Where is "City"?', city, airport, facts=facts)
    assert ranking.evidence.value_hits[label] < quoted.evidence.value_hits[label] / 2
