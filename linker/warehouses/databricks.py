"""
Databricks: a session in a SQL warehouse or a cluster, with the options that dbt-databricks takes;
the rules of its SQL, which is Spark's.

Databricks has no read-only session: beside the guard, give the user of the target no more than
`select`. The driver is imported when a session is opened.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from linker.config.target import Target
from linker.errors import WarehouseError, first_line
from linker.warehouses.base import SIGNATURE, TIMEOUT_SECONDS, USUAL, Bounds, Row, refused_statement
from linker.warehouses.base.dialect import KnownFailure, QueryHistory, dialect_sql, hints
from linker.warehouses.spark import DIALECT as SPARK
from linker.warehouses.spark import in_backticks, is_missing

# https://docs.databricks.com/aws/en/sql/language-manual/parameters/statement_timeout
_TIMEOUT = "STATEMENT_TIMEOUT"


class DatabricksWarehouse:
    """A session in a catalog."""

    dialect = "databricks"
    bytes_read = None

    def __init__(self, connection: Any) -> None:  # noqa: ANN401 - the driver has no types
        self._connection = connection

    def query(
        self, sql: str, parameters: Sequence[object] = (), bounds: Bounds = USUAL
    ) -> list[Row]:
        """Uses native parameters."""
        from databricks.sql.exc import Error

        try:
            with self._connection.cursor() as cursor:
                cursor.execute(f"{sql} {SIGNATURE}", list(parameters) or None)
                rows = cursor.fetchall() if bounds.rows is None else cursor.fetchmany(bounds.rows)
                return [tuple(row) for row in rows]
        except (Error, ValueError) as error:
            reason = first_line(error)
            raise refused_statement("Databricks", reason, is_missing=is_missing(reason)) from error

    def relations(self, schema: str) -> Mapping[str, str]:
        listed = self.query(_RELATIONS, (schema,))
        return {
            name.lower(): ".".join(map(in_backticks, (catalog, owner, name)))
            for catalog, owner, name in listed
        }

    def close(self) -> None:
        self._connection.close()


_RELATIONS = dialect_sql("databricks_relations")


def open_target(target: Target) -> DatabricksWarehouse:
    """Connect to the target's SQL warehouse or cluster."""
    from databricks import sql
    from databricks.sql.exc import Error

    try:
        return DatabricksWarehouse(sql.connect(**connection_options(target)))
    except (Error, OSError, ValueError) as error:
        raise WarehouseError(
            f"Databricks of target `{target.name}` cannot be opened: {first_line(error)}",
            hint=f"check target `{target.name}` in profiles.yml; `dbt debug` connects with it too",
        ) from error


def connection_options(target: Target) -> dict[str, Any]:
    """Connector options: token, service principal or browser."""
    options = target.filled_options
    given = options.get("session_properties") or {}
    passed: dict[str, Any] = {
        "server_hostname": options.get("host"),
        "http_path": options.get("http_path"),
        "catalog": options.get("catalog") or options.get("database"),
        "schema": target.schema,
        "session_configuration": {**given, _TIMEOUT: str(TIMEOUT_SECONDS)},
        "user_agent_entry": "dbt-linker",
        **(options.get("connection_parameters") or {}),
    }
    if token := options.get("token"):
        return {**passed, "access_token": token}
    if options.get("client_id") and options.get("client_secret"):
        return {**passed, "credentials_provider": lambda: _service_principal(options)}
    return {**passed, "auth_type": "databricks-oauth"}


def _service_principal(options: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a function of the SDK
    from databricks.sdk.core import Config, oauth_service_principal

    return oauth_service_principal(
        Config(
            host=f"https://{options['host']}",
            client_id=options["client_id"],
            client_secret=options["client_secret"],
        )
    )


DIALECT = replace(
    SPARK,
    name="databricks",
    ossie_name="DATABRICKS",
    change_source="state of the Delta table",
    may_wait_forever=False,
    keeps_others_out=False,
    sql_hints=hints("databricks"),
    # It lags by up to an hour:
    # https://docs.databricks.com/aws/en/admin/system-tables/query-history
    history=QueryHistory(dialect_sql("databricks_history")),
    # https://docs.databricks.com/aws/en/data-governance/unity-catalog/manage-privileges/privileges
    failures=(
        KnownFailure(
            pattern=r"User does not have CREATE SCHEMA on (?P<place>[Cc]atalog '?[\w$.-]+'?)",
            what="the user of the target cannot create the profile tables in {place}",
            hint=(
                "grant what docs/warehouses.md lists: create schema on the catalog, or a schema of "
                "its own"
            ),
        ),
    ),
)
