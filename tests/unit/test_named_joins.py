"""Foreign keys inferred from names and types."""

from linker.catalog.column_metadata import ColumnFacts, facts_of
from linker.catalog.named_joins import named_joins
from linker.ranking.catalog_index import build_catalog_index
from linker.types import Catalog, Column, Columns, Table, TableRef


def table(name: str, /, **types: str) -> Table:
    columns = tuple(
        Column(path, path, 0, place, kind, is_nullable=True, description=None)
        for place, (path, kind) in enumerate(types.items(), start=1)
    )
    return Table(TableRef("main", name), "table", None, 0, Columns(columns))


def joined(*tables: Table) -> set[str]:
    return {
        f"{tables[join.table].ref.name}.{tables[join.table].columns[join.column].path}"
        f" -> {tables[join.key_table].ref.name}.{tables[join.key_table].columns[join.key_column].path}"
        for join in named_joins(tables)
    }


def test_a_column_leads_to_the_key_of_the_table_that_it_is_called_as() -> None:
    found = joined(
        table("customers", id="BIGINT", name="TEXT"),
        table("purchase_order_header", purchase_order_id="INT", billing_customer_id="BIGINT"),
        table("artist", id="INT", gender="INT", type="INT", begin_area="INT", version="INT"),
        table("gender", id="INT"),
        table("artist_type", id="INT", parent="INT"),
        table("artist_version", id="INT"),
        table("area", id="INT"),
        table("visits", customer="TEXT", num_customers="INT", purchaseorderid="INT"),
        table("languages", code="TEXT", name="TEXT"),
        table("texts", id="INT", language_code="VARCHAR"),
    )
    assert found == {
        "purchase_order_header.billing_customer_id -> customers.id",
        "artist.gender -> gender.id",
        "artist.type -> artist_type.id",
        "artist.begin_area -> area.id",
        "artist_type.parent -> artist_type.id",
        "visits.purchaseorderid -> purchase_order_header.purchase_order_id",
        "texts.language_code -> languages.code",
    }


def test_what_people_did_leads_to_users_and_what_differs_by_row_nowhere() -> None:
    found = joined(
        table("users", id="BIGINT", inviter_id="BIGINT"),
        table("notes", id="BIGINT", author_id="BIGINT", closed_by="BIGINT", sensor_id="BIGINT"),
        table("events", id="BIGINT", owner_id="BIGINT", owner_type="TEXT"),
    )
    assert found == {
        "users.inviter_id -> users.id",
        "notes.author_id -> users.id",
        "notes.closed_by -> users.id",
    }


def test_tables_of_one_group_come_before_others_and_link_tables_are_named_after_theirs() -> None:
    found = joined(
        table("nodes", id="INT"),
        table("current_nodes", id="INT"),
        table("current_node_tags", node_id="INT", k="TEXT"),
        table("forum_topics", id="INT"),
        table("forum_posts", id="INT", topic_id="INT"),
        table("artist", id="INT"),
        table("work", id="INT"),
        table("l_artist_work", id="INT", entity0="INT", entity1="INT"),
    )
    assert found == {
        "current_node_tags.node_id -> current_nodes.id",
        "forum_posts.topic_id -> forum_topics.id",
        "l_artist_work.entity0 -> artist.id",
        "l_artist_work.entity1 -> work.id",
    }


def test_facts_of_one_year_are_not_joined_by_it() -> None:
    tables = (
        table("batting", player_id="TEXT", year_id="INT", hits="INT"),
        table("pitching", player_id="TEXT", year_id="INT", outs="INT"),
    )
    catalog = Catalog(tables, 2)
    index = build_catalog_index(catalog, facts_of(catalog))
    refs = index.lexicon.refs
    assert {refs[place].path for place in index.graph.left_column} == {"player_id"}


def test_only_columns_without_measures_are_joined_by_name() -> None:
    catalog = Catalog(
        (table("orders", id="INT", customer_id="INT"), table("customers", id="INT")), 2
    )
    unmeasured = facts_of(catalog)
    assert [(pair.left_columns, pair.is_by_name) for pair in unmeasured.joins] == [
        (("customer_id",), True)
    ]
    measured = {ref: ColumnFacts(distinct_count=9) for ref in catalog.column_refs}
    assert facts_of(catalog, measured).joins == ()
