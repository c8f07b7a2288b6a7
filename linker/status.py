"""What is known of a target: enter the parts, leave plain facts in the order in which one asks for them."""

from linker.environment import Environment
from linker.pipeline import compare_index

Fact = str | int | bool


def read_status(environment: Environment) -> dict[str, Fact]:
    """The facts by name."""
    catalog = environment.catalog
    plan = compare_index(environment)
    return {
        "target": environment.target.key,
        "artifacts_schema": environment.target.artifacts_schema(environment.settings),
        "physical_tables": catalog.physical_table_count,
        "logical_tables": len(catalog.tables),
        "families": sum(1 for table in catalog.tables if table.family),
        "columns": catalog.column_count,
        "store": environment.store.describe(),
        "encoder": environment.embedder.name,
        "indexed": plan.unchanged_count,
        "to_embed": len(plan.to_embed),
        "to_remove": len(plan.gone),
        "in_step": plan.in_step,
    }
