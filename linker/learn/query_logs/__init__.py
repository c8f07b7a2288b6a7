"""Logs of queries that people ran: files of SQL, dbt's manifest, the history of a warehouse."""

from linker.learn.query_logs.base import HISTORY, Logged, OnProgress
from linker.learn.query_logs.files import read_files, source_name, stamps_of
from linker.learn.query_logs.warehouse import read_history

__all__ = [
    "HISTORY",
    "Logged",
    "OnProgress",
    "read_files",
    "read_history",
    "source_name",
    "stamps_of",
]
