"""The settings: one record, with the reader and the description of each."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from linker.config.glossary import Term, glossary
from linker.config.values import Secret, duration, number, path, seconds, secret, share, text, texts

PREFIX = "LINKER_"


def _setting(read: Callable[[object], object], description: str) -> dict[str, object]:
    return {"read": read, "description": description}


def _columns(which: str) -> tuple[str, ...]:
    described = _setting(texts, f"Columns {which}: patterns like `sales.*.email`, where a star is any text.")
    return field(default=(), metadata=described)


@dataclass(frozen=True)
class Settings:
    """Every setting, with its default. The name of a key is the same in linker.yml, `LINKER_…` and `--…`."""

    profiles_dir: Path | None = field(
        default=None,
        metadata=_setting(
            path,
            "Folder of dbt's profiles.yml. Default: where dbt looks (DBT_PROFILES_DIR, this folder, ~/.dbt), "
            "else the profiles that ship with linker.",
        ),
    )
    profile: str | None = field(
        default=None,
        metadata=_setting(
            text, "Profile in profiles.yml. Default: the one that dbt_project.yml in this folder names, else `linker`."
        ),
    )
    target: str | None = field(
        default=None,
        metadata=_setting(
            text, "Target of the profile. Default: the profile's own. `demo` is the generated demo warehouse."
        ),
    )
    artifacts_schema: str | None = field(
        default=None,
        metadata=_setting(text, "Schema of the relations that dbt leaves. Default: `<schema of the target>_linker`."),
    )
    manifest: Path | None = field(
        default=None,
        metadata=_setting(
            path,
            "Manifest of your dbt project, whose tags, privacy and compiled models are read. Default: "
            "target/manifest.json where this folder has a dbt_project.yml.",
        ),
    )
    hide_columns: tuple[str, ...] = _columns("of which only the number of values is read ([more](privacy.md))")
    mask_columns: tuple[str, ...] = _columns("of whose values only the shapes are kept")
    show_columns: tuple[str, ...] = _columns("that are shown though they look personal or secret")
    state_dir: Path = field(
        default=Path(".linker"),
        metadata=_setting(path, "Folder for the embedded store, dbt's target and logs, and the demo warehouse."),
    )
    store_url: Secret | None = field(
        default=None,
        metadata=_setting(
            secret, "A Postgres with pgvector, as a `postgresql://` URL. Default: an embedded one in the state folder."
        ),
    )
    embedder: str = field(
        default="offline",
        metadata=_setting(
            text,
            "`offline` is all-MiniLM-L6-v2, computed on this machine; `openai:MODEL` asks an endpoint, "
            "with the key in OPENAI_API_KEY; else a name or path for the extra sentence-transformers.",
        ),
    )
    embedder_base_url: str | None = field(
        default=None, metadata=_setting(text, "Base URL of any OpenAI-compatible endpoint, with `embedder: openai:…`.")
    )
    reranker: str | None = field(
        default=None,
        metadata=_setting(
            text,
            "Cross-encoder that reads the best hits together with the question: a name or path for the extra "
            "sentence-transformers. Default: none.",
        ),
    )
    model: str | None = field(
        default=None,
        metadata=_setting(
            text,
            "Language model, as `provider:name`: `openai:…`, `anthropic:…`, `google:…`, `ollama:…` "
            "([more](models.md)). Default: none; linking works without.",
        ),
    )
    model_base_url: str | None = field(
        default=None,
        metadata=_setting(
            text,
            "Where the model is served: any OpenAI-compatible endpoint with `model: openai:…`, or a server that "
            "speaks like Anthropic, Google or Ollama, with theirs. Default: the provider's own.",
        ),
    )
    model_concurrency: int = field(
        default=4, metadata=_setting(number(1, 64), "How many requests to the language model may run at once.")
    )
    max_tokens: int = field(
        default=200_000,
        metadata=_setting(
            number(1_000, 1_000_000_000), "Tokens of the language model for one question, prompts and replies together."
        ),
    )
    max_calls: int | None = field(
        default=None,
        metadata=_setting(
            number(1, 1_000_000), "How many requests to the language model one question may take. Default: any number."
        ),
    )
    max_probes: int = field(
        default=40,
        metadata=_setting(number(0, 1_000_000), "How many SQL probes one question may run in the warehouse."),
    )
    timeout: float = field(default=300.0, metadata=_setting(seconds, "How many seconds one question may take."))
    warn_age: timedelta = field(
        default=timedelta(days=7),
        metadata=_setting(
            duration,
            "From which age on `linker ask` says that what it answers from is old, as `36h` or `7d`; `0s`: never.",
        ),
    )
    strategy: str = field(
        default="auto",
        metadata=_setting(
            text,
            "How to link: `auto` takes `evilink` where a language model is set ([more](linking.md)) and `shortlist` "
            "where none is; [the others](strategies/README.md).",
        ),
    )
    schema_tokens: int = field(
        default=20_000,
        metadata=_setting(
            number(500, 10_000_000),
            "How many tokens of a schema one prompt may hold; a whole schema that is no larger is handed over.",
        ),
    )
    kept_traces: int = field(
        default=200,
        metadata=_setting(number(0, 100_000), "How many traces of questions the state folder keeps; 0 writes none."),
    )
    kept_runs: int = field(
        default=400,
        metadata=_setting(
            number(2, 100_000),
            "How many runs of a target its history keeps, with what tables and columns were like after each.",
        ),
    )
    sql_candidates: int = field(
        default=5,
        metadata=_setting(number(1, 20), "How many statements a language model writes for `linker sql`; they vote."),
    )
    sql_rows: int = field(
        default=100,
        metadata=_setting(number(1, 100_000), "How many rows of its result `linker sql` fetches at most."),
    )
    sql_seconds: int = field(
        default=30, metadata=_setting(number(1, 86_400), "How many seconds one statement of `linker sql` may run.")
    )
    session_memory_mb: int = field(
        default=2_000, metadata=_setting(number(300, 10**6), "How many MB of memory SQL may take ([more](guard.md)).")
    )
    ranking_weights: Path | None = field(
        default=None,
        metadata=_setting(
            path,
            "Weights of the model-free ranking, as `linker tune` writes them. Default: those that ship with linker.",
        ),
    )
    learn_from: tuple[str, ...] = field(
        default=(),
        metadata=_setting(
            texts,
            "What `linker learn` and `linker refresh` learn from ([more](learning.md)): a list of files and folders, "
            "and `history` for that of the warehouse; in the environment with commas between.",
        ),
    )
    glossary: tuple[Term, ...] = field(
        default=(),
        metadata=_setting(
            glossary,
            "Your own words ([more](linking.md#words-of-business)): by term a list of words and names, or `words`, "
            "`tables`, `columns` and a `rule` in words; or the path of a YAML file that holds them.",
        ),
    )
    documents: tuple[str, ...] = field(
        default=(),
        metadata=_setting(texts, "Text files that say what words mean; passages near a question are read with it."),
    )
    recall: float | None = field(
        default=None,
        metadata=_setting(
            share,
            "How complete a shortlist must be, as the chance that it holds all that a question needs; at 1 only "
            "`schema_tokens` and `column_budget` end it. Default: it ends where another column hardly helps.",
        ),
    )
    column_budget: int | None = field(
        default=None,
        metadata=_setting(
            number(1, 10_000), "How many columns a shortlist may have at most. Default: as many as `recall` asks for."
        ),
    )

    @property
    def most_columns(self) -> int:
        """The most columns of an answer that nothing else limits."""
        return self.column_budget or 60


def variable_of(key: str) -> str:
    """The environment variable of a setting."""
    return PREFIX + key.upper()
