"""Column privacy by meta, vars and name."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
import yaml

from tests.rendering import Rendering

# A model, a source of the same table, a seed: what a project says of tables in its meta.
MODELS = {
    "version": 2,
    "models": [
        {
            "name": "customers",
            "config": {"alias": "Customers"},
            "columns": [
                {"name": "email", "config": {"meta": {"linker": {"privacy": "hide"}}}},
                {"name": "Segment", "meta": {"linker": {"privacy": "show"}}},
                {"name": "device", "meta": {"linker": {"privacy": "mask"}}},
                {"name": "device.kind", "meta": {"linker": {"privacy": "show"}}},
                {"name": "zip.code", "meta": {"linker": {"privacy": "mask"}}},
                {"name": "note", "meta": {"owner": "crm", "linker": {}}},
            ],
        },
        {
            "name": "salaries",
            "config": {"meta": {"linker": {"privacy": "hide"}}},
            "columns": [{"name": "currency", "meta": {"linker": {"privacy": "show"}}}],
        },
    ],
    "sources": [
        {
            "name": "raw",
            "schema": "main_linker",
            "tables": [
                {
                    "name": "crm_customers",
                    "identifier": "CUSTOMERS",
                    "columns": [
                        {"name": "segment", "meta": {"linker": {"privacy": "mask"}}},
                        {"name": "email", "meta": {"linker": {"privacy": "show"}}},
                    ],
                }
            ],
        }
    ],
}

NOBODY_SAID = "detect"


@pytest.fixture(scope="module")
def make_project(
    tmp_path_factory: pytest.TempPathFactory, checkout: Path
) -> Callable[[dict[str, object]], Callable[..., list[str]]]:
    """A project with the macros and models; privacy settings by schema, table and path."""

    def make(described: dict[str, object]) -> Callable[..., list[str]]:
        project = tmp_path_factory.mktemp("project")
        shutil.copy(checkout / "dbt_project.yml", project)
        shutil.copytree(checkout / "macros", project / "macros")
        (project / "models").mkdir()
        # The project puts its models into a group, which must be there.
        shutil.copy(checkout / "models" / "groups.yml", project / "models")
        for name in ("customers", "salaries"):
            (project / "models" / f"{name}.sql").write_text("select 1 as id", "utf-8")
        (project / "models" / "models.yml").write_text(yaml.safe_dump(described), "utf-8")
        (project / "target").mkdir()
        rendering = Rendering(project, checkout / "profiles", "duckdb", project / "target")

        def privacy(*columns: tuple[str, ...], **variables: object) -> list[str]:
            names = {3: "privacy_of", 5: "privacy_in_document"}
            calls = [f"{names[len(words)]}({', '.join(map(repr, words))})" for words in columns]
            return rendering.expressions(
                *("{{ linker." + call + " }}" for call in calls), **variables
            )

        return privacy

    return make


@pytest.fixture(scope="module")
def privacy(
    make_project: Callable[[dict[str, object]], Callable[..., list[str]]],
) -> Callable[..., list[str]]:
    return make_project(MODELS)


def test_meta_of_a_column_decides_wherever_dbt_keeps_it(privacy: Callable[..., list[str]]) -> None:
    assert privacy(
        ("main_linker", "customers", "email"),
        ("MAIN_LINKER", "Customers", "EMAIL"),
        ("main_linker", "customers", "note"),
        ("other", "customers", "email"),
    ) == ["hide", "hide", NOBODY_SAID, NOBODY_SAID]


def test_where_two_nodes_stand_for_one_table_the_stricter_word_counts(
    privacy: Callable[..., list[str]],
) -> None:
    """Model and source each show one column that the other masks or hides."""
    assert privacy(
        ("main_linker", "customers", "segment"), ("main_linker", "customers", "email")
    ) == ["mask", "hide"]


def test_meta_of_a_table_holds_for_its_columns_except_those_named(
    privacy: Callable[..., list[str]],
) -> None:
    assert privacy(
        ("main_linker", "salaries", "amount"), ("main_linker", "salaries", "currency")
    ) == ["hide", "show"]


def test_what_is_said_of_a_column_holds_for_the_paths_inside_it(
    privacy: Callable[..., list[str]],
) -> None:
    assert privacy(
        ("main_linker", "customers", "device.ip"),
        ("main_linker", "customers", "device.kind"),
        ("main_linker", "customers", "device_2.ip"),
        ("main_linker", "customers", '"zip.code"'),
        ("web", "hits", "user.address.street"),
        mask_columns=["web.hits.user"],
    ) == ["mask", "show", NOBODY_SAID, "mask", "mask"]


def test_lists_of_patterns_decide_where_meta_says_nothing(
    privacy: Callable[..., list[str]],
) -> None:
    columns = [
        ("web", "Visits_*", "ip"),
        ("web", "visits_*", "page"),
        ("main_linker", "customers", "email"),
        ("hr", "a", "b"),
    ]
    assert privacy(
        *columns,
        hide_columns=["*.visits*.IP"],
        mask_columns=["web.*"],
        show_columns=["*.email", "hr.a.b"],
    ) == ["hide", "mask", "hide", "show"]


def test_exclude_comes_before_hide_hide_before_mask_and_mask_before_show(
    privacy: Callable[..., list[str]],
) -> None:
    column = ("web", "visits", "ip")
    lists = {"hide_columns": ["*.ip"], "mask_columns": ["*.ip"], "show_columns": ["*.ip"]}
    assert privacy(column, **lists) == ["hide"]
    assert privacy(column, **lists, exclude_columns=["*.ip"]) == ["exclude"]
    assert privacy(column, **{**lists, "hide_columns": []}) == ["mask"]
    assert privacy(column, show_columns=["*.ip"]) == ["show"]


def test_only_the_star_is_special_in_a_pattern(privacy: Callable[..., list[str]]) -> None:
    assert privacy(
        ("web", "visits", "ip"),
        ("web", "v.sits", "i"),
        ("web", "a+b", "(c)"),
        mask_columns=["web.v.sits.i", "web.a+b.(c)"],
    ) == [NOBODY_SAID, "mask", "mask"]


SECRETS = [
    "password",
    "PasswordHash",
    "user_passwd",
    "api_key",
    "apiKeyId",
    "access_token",
    "refreshToken",
    "client_secret",
    "secret_key",
    "private_key",
    "ssn",
    "employee_ssn",
    "db_credentials",
    "cvv",
    "settings.smtp.password",
]
SOUND_LIKE_SECRETS = [
    "max_tokens",
    "classname",
    "secretary",
    "key",
    "basalt",
    "passenger",
    "token_count",
]


def test_what_is_named_like_a_secret_is_hidden_unless_somebody_shows_it(
    privacy: Callable[..., list[str]],
) -> None:
    columns = [("app", "users", name) for name in SECRETS]
    assert dict(zip(SECRETS, privacy(*columns), strict=True)) == dict.fromkeys(SECRETS, "hide")
    shown = privacy(*columns, show_columns=["app.users.*"])
    assert dict(zip(SECRETS, shown, strict=True)) == dict.fromkeys(SECRETS, "show")


def test_what_only_sounds_like_a_secret_is_not_hidden(privacy: Callable[..., list[str]]) -> None:
    found = privacy(*(("token_log", "password_resets", name) for name in SOUND_LIKE_SECRETS))
    assert dict(zip(SOUND_LIKE_SECRETS, found, strict=True)) == dict.fromkeys(
        SOUND_LIKE_SECRETS, NOBODY_SAID
    )


DOCUMENTS = {
    # What meta says of paths in a document, of the document, and of nothing.
    ("main_linker", "customers", "device"): {
        "ip": "mask",
        "kind": "show",
        "kind.raw": "show",
        "kinds": "mask",
        "PIN": "mask",
    },
    ("main_linker", "customers", "note"): {
        "author.email": "hide",
        "author": "detect",
        "api_key": "hide",
        "key": "detect",
    },
    # The lists, and columns named like secrets.
    ("web", "hits", "payload"): {
        "user": "hide",
        "User.Name": "hide",
        "users": "detect",
        "contact.phone": "mask",
        "open": "show",
        "open.inner": "detect",
        "session.access_token": "hide",
        "session": "detect",
    },
    ("web", "hits", "shown"): {"password": "show", "user": "hide"},
    ("web", "hits", "masked"): {"a": "mask", "user": "hide", "open": "mask"},
}


def test_paths_that_only_the_values_tell_are_decided_in_sql(
    privacy: Callable[..., list[str]],
) -> None:
    lists = {
        "hide_columns": ["web.hits.*.user", "*.author.email"],
        "mask_columns": ["*.phone", "web.hits.masked"],
        "show_columns": ["*.open", "web.hits.shown"],
    }
    of_columns = dict(zip(DOCUMENTS, privacy(*DOCUMENTS, **lists), strict=True))
    calls = [(*column, of_columns[column], "sub_path") for column in DOCUMENTS]
    for (column, expected), sql in zip(DOCUMENTS.items(), privacy(*calls, **lists), strict=True):
        with duckdb.connect() as connection:
            values = ", ".join(f"('{path}')" for path in expected)
            found = connection.execute(
                f"select sub_path, {sql} from (values {values}) as paths (sub_path)"
            ).fetchall()
        assert dict(found) == expected, column


def test_a_word_that_means_nothing_is_refused(
    make_project: Callable[[dict[str, object]], Callable[..., list[str]]],
) -> None:
    wrong = make_project(
        {
            "version": 2,
            "models": [{"name": "salaries", "config": {"meta": {"linker": {"privacy": "hidden"}}}}],
        }
    )
    with pytest.raises(
        AssertionError,
        match=r"meta of model\.linker\.salaries says `privacy: hidden`; it may be show, mask, hide or exclude",
    ):
        wrong(("main_linker", "salaries", "amount"))


def made(same: list[list[str]], computed: list[list[str]]) -> dict[str, list[list[str]]]:
    return {"same": same, "made": computed}


LINEAGE = {
    "rep.v": {
        "mail": made([["main_linker.customers", "email"]], []),
        "digest": made([], [["main_linker.customers", "device"]]),
        "device": made([["main_linker.customers", "device"]], []),
        "kind": made([["main_linker.customers", "device.kind"]], []),
        "both": made([["main_linker.customers", "note"]], [["main_linker.salaries", "amount"]]),
        "note": made([["main_linker.customers", "note"]], []),
    },
    "rep.over_v": {
        "m": made([["rep.v", "mail"]], []),
        "again": made([["rep.over_v", "again"]], []),
    },
    "rep.unread": {
        "*": made([], [["main_linker.customers", "email"], ["main_linker.customers", "note"]])
    },
}


def test_a_column_is_as_private_as_what_it_is_made_of(privacy: Callable[..., list[str]]) -> None:
    columns = [
        ("rep", "V", name)
        for name in ("mail", "digest", "device", "device.ip", "device.kind", "kind", "both", "note")
    ]
    assert privacy(*columns, lineage=LINEAGE) == [
        "hide", "inherit", "inherit", "inherit", NOBODY_SAID, NOBODY_SAID, "hide", NOBODY_SAID,
    ]  # fmt: skip


def test_it_is_so_over_views_and_where_a_view_cannot_be_read(
    privacy: Callable[..., list[str]],
) -> None:
    columns = [
        ("rep", "over_v", "m"),
        ("rep", "over_v", "again"),
        ("rep", "unread", "anything"),
        ("rep", "other", "m"),
    ]
    assert privacy(*columns, lineage=LINEAGE) == ["hide", NOBODY_SAID, "hide", NOBODY_SAID]


def test_what_is_said_of_the_column_itself_is_shown_or_stricter(
    privacy: Callable[..., list[str]],
) -> None:
    columns = [
        ("rep", "v", "mail"),
        ("rep", "v", "digest"),
        ("rep", "v", "note"),
        ("rep", "over_v", "m"),
    ]
    assert privacy(
        *columns,
        lineage=LINEAGE,
        show_columns=["rep.v.mail"],
        hide_columns=["rep.v.digest"],
        mask_columns=["*.v.note"],
    ) == ["show", "hide", "mask", NOBODY_SAID]


def test_meta_of_another_project_counts_like_meta_of_this_one(
    privacy: Callable[..., list[str]],
) -> None:
    node: dict[str, object] = {
        "unique_id": "model.shop.visits",
        "schema": "Web",
        "identifier": "Visits",
        "meta": None,
        "config": {},
    }
    column = {"name": "ip", "meta": {"linker": {"privacy": "hide"}}, "config": {"meta": None}}
    passed = json.dumps(
        {"tables": {node["unique_id"]: {**node, "columns": {"ip": column}}}, "tests": []}
    )
    assert privacy(("web", "visits", "ip"), ("web", "visits", "page"), project=passed) == [
        "hide",
        NOBODY_SAID,
    ]
