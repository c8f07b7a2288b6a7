"""Foreign keys that BigQuery declares, from catalog views as documented."""

import re
from collections.abc import Callable

import duckdb
import sqlglot

from tests.rendering import Rendering

KEYS = """
    create table KEY_COLUMN_USAGE as
    select * exclude (place), place as position_in_unique_constraint
    from (values
        ('prod', 'orders.fk', 'prod', 'orders', 'customer', 1, 1),
        ('prod', 'customers.pk$', 'prod', 'customers', 'id', 1, null),
        ('dev', 'orders.fk', 'dev', 'orders', 'customer', 1, 1),
        ('dev', 'customers.pk$', 'dev', 'customers', 'id', 1, null)
    ) as usages (constraint_schema, constraint_name, table_schema, table_name, column_name, ordinal_position, place);
    create table CONSTRAINT_COLUMN_USAGE as
    select * from (values
        ('prod', 'orders.fk', 'prod', 'customers'),
        ('prod', 'customers.pk$', 'prod', 'customers'),
        ('dev', 'orders.fk', 'dev', 'customers'),
        ('dev', 'customers.pk$', 'dev', 'customers')
    ) as used (constraint_schema, constraint_name, table_schema, table_name);
"""


def test_a_dataset_that_is_a_copy_of_another_has_no_key_across(
    rendering: Callable[[str], Rendering],
) -> None:
    query = rendering("bigquery").expression("{{ linker._bigquery_keys(['all']) }}")
    query = re.sub(r"`[^`]*`\.`all`\.INFORMATION_SCHEMA\.", "", query)
    with duckdb.connect() as connection:
        connection.execute(KEYS)
        found = connection.execute(
            sqlglot.transpile(query, read="bigquery", write="duckdb")[0]
        ).fetchall()
    assert sorted(row[1:7] for row in found) == [
        (dataset, "orders", "customer", dataset, "customers", "id") for dataset in ("dev", "prod")
    ]
