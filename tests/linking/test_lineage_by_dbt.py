"""Table lineage in the catalog UI from dbt's graph."""

from pathlib import Path

from msgspec.structs import replace

from linker.catalog.index_session import FixedIndex
from linker.catalog.warehouse import DbtMetadata
from linker.serve.lineage import Lineage, LineageGraph
from linker.types import DbtNode, TableRef
from tests.linking.shop import ShopEnvironment


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
