"""Lineage of tables and columns, from the graph of a dbt project and from views."""

import json
from pathlib import Path

import duckdb
from msgspec.structs import replace

from linker.catalog.column_metadata import Facts
from linker.catalog.index_session import FixedIndex
from linker.catalog.snapshot import ProfiledCatalog
from linker.catalog.warehouse import DbtMetadata
from linker.config.settings import load_settings
from linker.environment import Environment
from linker.serve.api import OPERATIONS
from linker.serve.lineage import ColumnLineage, Lineage, LineageGraph
from linker.types import Catalog, ColumnRef, DbtNode, Record, TableRef
from tests.linking.shop import ShopEnvironment
from tests.tables import table


def test_the_graph_of_dbt_leads_both_ways(shop: Path) -> None:
    with ShopEnvironment(shop) as environment:
        profiled = environment.indexed
        raw, staged, mart = (table.ref for table in profiled.catalog.tables[:3])
        nodes = {
            str(staged): DbtNode(upstream=(raw, TableRef("elsewhere", "gone"))),
            str(mart): DbtNode(upstream=(staged, raw)),
        }
        catalog = DbtMetadata(nodes).add_to(profiled.catalog)
        environment.index = FixedIndex(replace(profiled, catalog=catalog))
        graph = LineageGraph(environment)
        assert graph.get(mart) == Lineage(((staged, raw),), ())
        assert graph.get(staged) == Lineage(((raw,),), ((mart,),))
        assert graph.get(raw) == Lineage((), ((staged, mart),))
        assert graph.get(profiled.catalog.tables[3].ref) == Lineage()


def test_columns_lead_both_ways_by_what_views_say(tmp_path: Path) -> None:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as warehouse:
        warehouse.execute(
            "create table orders (id integer, net integer, tax integer, note varchar)"
        )
        warehouse.execute("create view totals as select id, net + tax as total from orders")
        warehouse.execute("create view large as select id as order_id from totals where total > 9")
    ref = {name: TableRef("main", name) for name in ("orders", "totals", "large")}
    columns = {
        "orders": ("id", "net", "tax", "note"),
        "totals": ("id", "total"),
        "large": ("order_id",),
    }
    tables = [replace(table(name, *columns[name]), ref=ref[name], kind="view") for name in ref]
    settings = load_settings(
        {
            "profiles_dir": str(_profiles(tmp_path, path)),
            "profile": "shop",
            "state_dir": str(tmp_path),
        }
    )
    with Environment(settings) as environment:
        environment.index = FixedIndex(ProfiledCatalog(Catalog(tuple(tables), 3), Facts()))
        graph = LineageGraph(environment)

        def column(table: str, path: str) -> ColumnRef:
            return ColumnRef(ref[table], path)

        total = column("totals", "total")
        assert graph.columns(ref["orders"]) == {
            "id": ColumnLineage(down=(column("totals", "id"),)),
            "net": ColumnLineage(down=(total,)),
            "tax": ColumnLineage(down=(total,)),
        }
        assert graph.columns(ref["totals"]) == {
            "id": ColumnLineage((column("orders", "id"),), (), (column("large", "order_id"),)),
            "total": ColumnLineage((), (column("orders", "net"), column("orders", "tax"))),
        }
        told = json.loads(OPERATIONS["lineage"].answer(environment, _Query("totals.total")))
    assert (told["upstream"], told["downstream"]) == ([["main.orders"]], [["main.large"]])
    made = {"same": [], "computed_from": ["main.orders.net", "main.orders.tax"], "downstream": []}
    assert told["columns"] == {"total": made}


class _Query(Record, frozen=True):
    name: str


def _profiles(folder: Path, path: Path) -> Path:
    output = {"type": "duckdb", "path": str(path), "schema": "main"}
    profiles = {"shop": {"target": "dev", "outputs": {"dev": output}}}
    (folder / "profiles.yml").write_text(json.dumps(profiles), "utf-8")
    return folder
