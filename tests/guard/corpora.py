"""Reads the statement corpora: one statement per line under a line of dialects."""

from pathlib import Path

HERE = Path(__file__).parent
METADATA_COMMANDS, HOSTILE, MASKED = (
    HERE / f"{name}.sql" for name in ("metadata_commands", "hostile", "masked")
)


def of_dialect(corpus: Path, dialect: str) -> list[str]:
    """Statements of a corpus in a dialect; `-- in: duckdb postgres` limits those below."""
    statements, dialects = [], ""
    for line in corpus.read_text("utf-8").splitlines():
        if line.startswith("-- in:"):
            dialects = line
        elif (
            line.strip()
            and not line.startswith("-- #")
            and (dialect in dialects or "all" in dialects)
        ):
            statements.append(line.replace("\\n", "\n"))
    return statements
