"""What the store keeps of a target, taken out of it: for `linker uninstall`."""

import psycopg
from psycopg import sql

# Tables of ours with one row or more a target; those of a collection go with it.
_OF_TARGETS = """
    select table_name
    from information_schema.columns
    inner join information_schema.tables using (table_schema, table_name)
    where
        table_schema = 'linker' and column_name = 'target'
        and table_type = 'BASE TABLE' and table_name <> 'collections'
    order by table_name
"""


def read_targets(connection: psycopg.Connection) -> tuple[str, ...]:
    """The targets that have an index or runs here, by name."""
    rows = connection.execute(
        "select target from linker.collections union select target from linker.runs order by 1"
    )
    return tuple(target for [target] in rows)


def forget_target(connection: psycopg.Connection, target: str) -> bool:
    """
    Take a target out, and where it was the last one the schema of linker with it; tells if it was.
    """
    with connection.transaction():
        connection.execute(
            "select linker.drop_collection(collection_id) from linker.collections where target = %s",
            (target,),
        )
        for [table] in connection.execute(_OF_TARGETS).fetchall():
            connection.execute(
                sql.SQL("delete from linker.{} where target = %s").format(sql.Identifier(table)),
                (target,),
            )
        is_last = not read_targets(connection)
        if is_last:
            connection.execute("drop schema linker cascade")
    return is_last
