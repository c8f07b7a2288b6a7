"""
BigQuery: jobs whose dry run says that they are queries, with the options of dbt-bigquery.

BigQuery has no read-only session. The driver is imported on connecting.
"""

import base64
import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING, Any

from linker.config.target import Target
from linker.errors import ConfigError, WarehouseError, first_line
from linker.warehouses.base import TIMEOUT_SECONDS, USUAL, Bounds, Row, refused_statement
from linker.warehouses.base.dialect import (
    FUNCTIONS,
    Dialect,
    KnownFailure,
    ProbeFunctions,
    QueryHistory,
    Refusals,
    dialect_sql,
    hints,
    words,
)

if TYPE_CHECKING:
    from google.cloud import bigquery

_SCOPES = (
    "https://www.googleapis.com/auth/bigquery",
    "https://www.googleapis.com/auth/cloud-platform",
)
_PATIENCE_SECONDS = 30
_CANCELLING_SECONDS = 5
_METHODS = ("oauth", "oauth-secrets", "service-account", "service-account-json")
# https://cloud.google.com/bigquery/docs/parameterized-queries; narrower types first.
_TYPES: tuple[tuple[type, str], ...] = (
    (bool, "BOOL"),
    (int, "INT64"),
    (float, "FLOAT64"),
    (Decimal, "BIGNUMERIC"),
    (str, "STRING"),
    (bytes, "BYTES"),
    (datetime, "DATETIME"),
    (date, "DATE"),
)


class BigQueryWarehouse:
    """Queries in a project."""

    dialect = "bigquery"

    def __init__(self, client: "bigquery.Client", project: str, options: Mapping[str, Any]) -> None:
        from google.cloud import bigquery

        self._client = client
        self._running: bigquery.QueryJob | None = None
        self.bytes_read = 0
        self._project = project
        self._maximum_bytes_billed = options.get("maximum_bytes_billed")
        # The client's retry deadline of ten minutes cannot be shortened for jobs.
        patience = float(options.get("job_retry_deadline_seconds") or _PATIENCE_SECONDS)
        self._calls = {
            "retry": bigquery.DEFAULT_RETRY.with_timeout(patience),
            "timeout": TIMEOUT_SECONDS,
        }
        self._jobs = {**self._calls, "job_retry": None}

    def query(
        self, sql: str, parameters: Sequence[object] = (), bounds: Bounds = USUAL
    ) -> list[Row]:
        from google.api_core.exceptions import GoogleAPIError
        from google.auth.exceptions import GoogleAuthError

        typed = [_parameter(value) for value in parameters]
        try:
            kind = self._client.query(
                sql, job_config=self._job(typed, bounds, dry_run=True), **self._jobs
            ).statement_type
            if kind != "SELECT":
                raise WarehouseError(
                    f"BigQuery calls the statement {kind}, not SELECT", hint="write one `select`"
                )
            job = self._client.query(
                sql, job_config=self._job(typed, bounds, dry_run=False), **self._jobs
            )
            self._running = job
            rows = job.result(max_results=bounds.rows, **self._jobs)
            self.bytes_read += int(job.total_bytes_processed or 0)
            return [tuple(row.values()) for row in islice(rows, bounds.rows)]
        except (GoogleAPIError, GoogleAuthError, OSError) as error:
            raise refused_statement(
                "BigQuery", _reason(error), is_missing=_is_missing(error)
            ) from error

    def _job(
        self, parameters: Sequence[Any], bounds: Bounds, *, dry_run: bool
    ) -> "bigquery.QueryJobConfig":
        from google.cloud import bigquery

        config = bigquery.QueryJobConfig(
            dry_run=dry_run,
            use_query_cache=not dry_run,
            use_legacy_sql=False,
            labels={"application": "dbt-linker"},
        )
        config.query_parameters = list(parameters)
        config.job_timeout_ms = bounds.seconds * 1000
        caps = [int(cap) for cap in (self._maximum_bytes_billed, bounds.bytes_billed) if cap]
        if caps:
            config.maximum_bytes_billed = min(caps)
        return config

    def relations(self, schema: str) -> Mapping[str, str]:
        """From the API, which is free; INFORMATION_SCHEMA queries are billed."""
        from google.api_core.exceptions import GoogleAPIError, NotFound
        from google.auth.exceptions import GoogleAuthError

        try:
            tables = list(self._client.list_tables(f"{self._project}.{schema}", **self._calls))
        except NotFound:
            return {}
        except (GoogleAPIError, GoogleAuthError, OSError) as error:
            raise WarehouseError(
                f"BigQuery does not list dataset {schema}: {_reason(error)}",
                hint="`linker doctor` checks every part",
            ) from error
        return {
            table.table_id.lower(): f"`{table.project}`.`{table.dataset_id}`.`{table.table_id}`"
            for table in tables
        }

    def cancel(self) -> None:
        if self._running is not None:
            self._running.cancel(retry=None, timeout=_CANCELLING_SECONDS)

    def close(self) -> None:
        self._client.close()


def open_target(target: Target) -> BigQueryWarehouse:
    """Authenticate; the first statement contacts BigQuery."""
    from google.api_core.client_options import ClientOptions
    from google.auth.exceptions import GoogleAuthError
    from google.cloud import bigquery

    options = target.filled_options
    try:
        credentials, default_project = _credentials(target, options)
        project = str(options.get("project") or options.get("database") or default_project)
        client = bigquery.Client(
            project=str(options.get("execution_project") or project),
            credentials=credentials,
            location=options.get("location"),
            client_options=ClientOptions(
                api_endpoint=options.get("api_endpoint"),
                quota_project_id=options.get("quota_project"),
            ),
        )
    except (GoogleAuthError, OSError, ValueError) as error:
        raise WarehouseError(
            f"BigQuery of target `{target.name}` cannot be opened: {first_line(error)}",
            hint="gcloud auth application-default login"
            if options.get("method") == "oauth"
            else f"check target `{target.name}` in profiles.yml; `dbt debug` connects with it too",
        ) from error
    return BigQueryWarehouse(client, project, options)


def _credentials(target: Target, options: Mapping[str, Any]) -> tuple[Any, str | None]:
    """Credentials by dbt's `method`, with their project."""
    import google.auth
    from google.auth import impersonated_credentials
    from google.oauth2 import credentials as user_credentials
    from google.oauth2 import service_account

    method, scopes = options.get("method"), list(options.get("scopes", _SCOPES))
    project = None
    credentials: Any
    if method == "oauth":
        credentials, project = google.auth.default(scopes=scopes)
    elif method == "service-account":
        credentials = service_account.Credentials.from_service_account_file(
            str(options.get("keyfile")), scopes=scopes
        )
    elif method == "service-account-json":
        credentials = service_account.Credentials.from_service_account_info(
            _key(options), scopes=scopes
        )
    elif method == "oauth-secrets":
        names = ("token", "refresh_token", "client_id", "client_secret", "token_uri")
        credentials = user_credentials.Credentials(
            **{name: options.get(name) for name in names}, scopes=scopes
        )
    else:
        raise ConfigError(
            f"`method: {method}` of target `{target.name}` is not supported",
            hint=f"supported: {', '.join(_METHODS)}",
        )
    if principal := options.get("impersonate_service_account"):
        credentials = impersonated_credentials.Credentials(
            source_credentials=credentials, target_principal=principal, target_scopes=scopes
        )
    return credentials, project


def _key(options: Mapping[str, Any]) -> dict[str, Any]:
    """A service account key: a mapping, or Base64 of its JSON."""
    given = options.get("keyfile_json") or {}
    key = dict(json.loads(base64.b64decode(given)) if isinstance(given, str) else given)
    if "private_key" in key:
        key["private_key"] = str(key["private_key"]).replace("\\n", "\n")
    return key


def _parameter(value: object) -> "bigquery.ScalarQueryParameter | bigquery.ArrayQueryParameter":
    from google.cloud import bigquery

    if isinstance(value, list | tuple):
        return bigquery.ArrayQueryParameter(None, _type(next(iter(value), None)), list(value))
    return bigquery.ScalarQueryParameter(None, _type(value), value)


def _type(value: object) -> str:
    if isinstance(value, datetime) and value.tzinfo:
        return "TIMESTAMP"
    return next((name for python, name in _TYPES if isinstance(value, python)), "STRING")


def _is_missing(error: Exception) -> bool:
    """Recognise missing tables and columns by message, as there is no error code."""
    from google.api_core.exceptions import BadRequest, NotFound

    names_none = "Unrecognized name" in str(error) or "not found inside" in str(error)
    return isinstance(error, NotFound) or (isinstance(error, BadRequest) and names_none)


def _reason(error: Exception) -> str:
    """The message without job id and URL."""
    message = getattr(error, "message", None)
    return str(message).splitlines()[0] if message else first_line(error)


def _history_names(target: Target) -> dict[str, str]:
    """Project and location of the job history."""
    options = target.options
    project = str(
        options.get("execution_project") or options.get("project") or options.get("database") or ""
    )
    location = str(options.get("location") or "us").lower()
    for name in (project, location):
        if not name.replace("-", "").replace(":", "").replace(".", "").isalnum():
            raise ConfigError(
                f"target `{target.name}` names no project or location", hint="check profiles.yml"
            )
    return {"project": project, "location": location}


DIALECT = Dialect(
    name="bigquery",
    ossie_name="BIGQUERY",
    change_source="time of the last change",
    patience_seconds=2,
    cancels_statements=True,
    may_wait_forever=True,
    text_type="string",
    reads_texts_as_typed=False,
    probe_functions=ProbeFunctions(
        FUNCTIONS / "bigquery.yml", namespaces=frozenset({"safe", "net", "hll_count"})
    ),
    # SAFE, NET, HLL_COUNT and KLL_QUANTILES contain pure functions; NET only parses addresses.
    refusals=Refusals(
        FUNCTIONS / "bigquery.yml", frozenset({"safe", "net", "hll_count", "kll_quantiles"})
    ),
    has_session_variables=True,
    pseudo_columns=words("_table_suffix _partitiontime _partitiondate _file_name _change_type"),
    probed_pseudo_columns=words("_table_suffix _partitiontime _partitiondate"),
    has_columns_in_from=True,
    has_wildcard_tables=True,
    has_system_views_in_schemas=True,
    # https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#group_by_clause
    alias_first_clauses=("order", "group", "having", "qualify"),
    sql_hints=hints("bigquery"),
    # https://cloud.google.com/bigquery/docs/information-schema-jobs
    history=QueryHistory(dialect_sql("bigquery_history"), names=_history_names),
    # https://cloud.google.com/bigquery/docs/access-control
    failures=(
        KnownFailure(
            pattern=r"(does not have|permission) (?P<right>bigquery\.(datasets|tables)\.create) (permission|denied)",  # noqa: E501
            what="the user of the target lacks the right {right}",
            hint=(
                "grant what docs/warehouses.md lists: a dataset of its own, in which it is "
                "roles/bigquery.dataEditor"
            ),
        ),
    ),
)
