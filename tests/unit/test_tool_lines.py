"""Lines of tables and join paths in the tools of agents, from an index alone."""

from functools import cached_property

from linker.catalog.column_metadata import ColumnFacts, KeyPair, pointing
from linker.catalog.index_session import FixedIndex, Index
from linker.catalog.snapshot import ProfiledCatalog
from linker.config.settings import load_settings
from linker.environment import Environment
from linker.serve.tools_joins import alternatives
from linker.serve.tools_list import list_tables
from linker.types import Catalog, Column, ColumnRef, Columns, Table, TableRef

# By table its columns; a key is marked with `!`, a foreign key with the key that it leads to.
TABLES = {
    "crm.audiences": ("grp_id!", "title"),
    "crm.members": ("cust_id > crm.clients.client_id", "grp_id > crm.audiences.grp_id"),
    "crm.clients": ("client_id!", "title"),
    "crm.notes": ("id!", "title"),
    "hr.applicants": ("posting > hr.postings.code", "referred_by > hr.employees.emp_no"),
    "hr.postings": ("code!", "dept > hr.departments.dept_no"),
    "hr.employees": ("emp_no!", "dept > hr.departments.dept_no"),
    "hr.departments": ("dept_no!", "centre > hr.centres.centre_no"),
    "hr.centres": ("centre_no!", "title"),
}


class IndexedEnvironment(Environment):
    """An environment of these tables without warehouse and store."""

    @cached_property
    def index(self) -> Index:
        tables, joins, facts = list[Table](), list[KeyPair](), dict[ColumnRef, ColumnFacts]()
        for name, described in TABLES.items():
            ref = TableRef(*name.split("."))
            columns = list[Column]()
            for number, text in enumerate(described):
                path, _, target = text.rstrip("!").partition(" > ")
                columns.append(
                    Column(path, path, 0, number, "bigint", is_nullable=True, description=None)
                )
                if target:
                    schema, table, key = target.split(".")
                    sides = (ref, (path,), TableRef(schema, table), (key,))
                    joins.append(KeyPair(*sides, cardinality="n:1"))
                facts[ColumnRef(ref, path)] = ColumnFacts("identifier", 9, text.endswith("!"))
            tables.append(Table(ref, "table", None, 9, Columns(columns)))
        catalog = Catalog(tables, len(tables))
        return FixedIndex(ProfiledCatalog(catalog, pointing(facts.items(), tuple(joins))))


def test_a_listed_table_without_a_comment_tells_its_key_unless_its_name_does() -> None:
    with IndexedEnvironment(load_settings({})) as environment:
        lines = list_tables(environment, ["crm.*"]).lines
    assert lines == (
        "crm.*: 4 tables",
        "crm.audiences - one row per grp_id; about 9 rows",
        "crm.clients; about 9 rows",
        "crm.members - by cust_id, grp_id; about 9 rows",
        "crm.notes; about 9 rows",
    )


def test_join_paths_that_only_go_on_from_others_are_not_repeated() -> None:
    names = ("applicants", "departments", "centres")
    with IndexedEnvironment(load_settings({})) as environment:
        lines = list(alternatives(environment, [TableRef("hr", name) for name in names]))
        ends = list(alternatives(environment, [TableRef("hr", name) for name in names[::2]]))
    assert lines == [
        "hr.applicants to hr.departments by different join paths: "
        "posting -> hr.postings.dept; referred_by -> hr.employees.dept"
    ]
    assert [line.split(":")[0] for line in ends] == [
        "hr.applicants to hr.centres by different join paths"
    ]
