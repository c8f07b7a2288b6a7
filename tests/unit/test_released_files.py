"""
Release metadata: one version, existing commands, official schemas.

schemas/LICENSE says where the schemas come from.
"""

import json
import os
import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import click
import pytest
import yaml
from jsonschema.validators import validator_for  # type: ignore[import-untyped]

from linker import __version__
from linker.cli import main
from linker.config.settings import Settings, variable_of

STARTS = re.compile(r"^(?:\S+=\S+ )*(?:dbt-)?linker ")


def parse(words: list[str]) -> None:
    """Refuse what the command line would: an unknown command, option or argument."""
    group: click.Command = main
    context: click.Context | None = None
    while isinstance(group, click.Group):
        context = click.Context(group, info_name=group.name, parent=context)
        command = group.get_command(context, words[0])
        assert command is not None, words
        group, words = command, words[1:]
    try:
        group.make_context(group.name, list(words), parent=context)
    except click.BadParameter as error:
        # A file of the reader.
        if "does not exist" not in error.message:
            raise


def commands_of(page: str) -> list[list[str]]:
    """The words of each line of a console that begins with `linker`, and of what starts it."""
    found = []
    for line in re.findall(r"^ *\$ (.+)$", page, re.MULTILINE):
        words = shlex.split(re.split(r" [>|]|&&", line)[0], comments=True)
        words = words[words.index("--") + 1 :] if "--" in words else words
        if STARTS.match(" ".join(words)):
            while words[0] not in ("linker", "dbt-linker"):
                words = words[1:]
            found.append(words[1:])
    return found


def test_the_readme_names_the_server_as_its_entry_in_the_registry_does(checkout: Path) -> None:
    """https://modelcontextprotocol.io/registry/package-types#pypi-packages"""
    server = json.loads((checkout / "server.json").read_text("utf-8"))
    readme = (checkout / "README.md").read_text("utf-8")
    assert f"<!-- mcp-name: {server['name']} -->" in readme
    assert len(server["description"]) <= 100


def test_the_version_is_that_of_the_package_everywhere(checkout: Path) -> None:
    server = json.loads((checkout / "server.json").read_text("utf-8"))
    [package] = server["packages"]
    manifest = json.loads((checkout / "bundle" / "manifest.json").read_text("utf-8"))
    bundle = tomllib.loads((checkout / "bundle" / "pyproject.toml").read_text("utf-8"))["project"]
    project = yaml.safe_load((checkout / "dbt_project.yml").read_text("utf-8"))
    action = yaml.safe_load((checkout / "action.yml").read_text("utf-8"))
    image = (checkout / "examples" / "docker" / "Dockerfile").read_text("utf-8")
    versions = {
        "server.json": server["version"],
        "its package": package["version"],
        "its argument": package["runtimeArguments"][0]["value"].partition("==")[2],
        "bundle/manifest.json": manifest["version"],
        "bundle/pyproject.toml": bundle["version"],
        "what the bundle needs": bundle["dependencies"][0].partition("==")[2],
        "dbt_project.yml": str(project["version"]),
        "action.yml": action["inputs"]["version"]["default"],
        "examples/docker/Dockerfile": re.findall(r"VERSION=(\S+)", image)[0],
    }
    assert {name: told for name, told in versions.items() if told != __version__} == {}


def test_the_entry_of_the_registry_starts_a_command_under_settings_that_exist(
    checkout: Path,
) -> None:
    server = json.loads((checkout / "server.json").read_text("utf-8"))
    [package] = server["packages"]
    parse([argument["value"] for argument in package["packageArguments"]])
    known = set(map(variable_of, Settings.__struct_fields__))
    assert {variable["name"] for variable in package["environmentVariables"]} <= known
    assert len(server["description"]) <= 100


@pytest.mark.parametrize(
    ("file", "schema_file"),
    [
        ("server.json", "server.schema.json"),
        ("bundle/manifest.json", "mcpb-manifest.schema.json"),
    ],
)
def test_a_file_is_valid_by_its_official_schema(
    checkout: Path, file: str, schema_file: str
) -> None:
    schema = json.loads((Path(__file__).parent / "schemas" / schema_file).read_text("utf-8"))
    validator_class = validator_for(schema)
    validator_class.check_schema(schema)
    validator = validator_class(schema, format_checker=validator_class.FORMAT_CHECKER)
    document = json.loads((checkout / file).read_text("utf-8"))
    assert list(validator.iter_errors(document)) == []
    assert document.get("$schema") == schema.get("$id")
    del document["name"]
    assert [error.message for error in validator.iter_errors(document)] == [
        "'name' is a required property"
    ]


def test_the_bundle_holds_what_it_starts(checkout: Path) -> None:
    folder = checkout / "bundle"
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert (folder / manifest["server"]["entry_point"]).is_file()
    asked = re.findall(r"\$\{user_config\.(\w+)\}", json.dumps(manifest["server"]))
    assert set(asked) == set(manifest["user_config"])


@pytest.mark.parametrize(
    "page",
    [
        "docs/agents.md",
        "docs/installation.md",
        "docs/pull-requests.md",
        "docs/using.md",
        "skills/linker/SKILL.md",
    ],
)
def test_each_command_of_a_page_exists(checkout: Path, page: str) -> None:
    commands = commands_of((checkout / page).read_text("utf-8"))
    assert commands
    for words in commands:
        parse(words)


def test_containers_start_commands_that_exist_and_that_the_documentation_has(
    checkout: Path,
) -> None:
    folder = checkout / "examples" / "docker"
    [image] = re.findall(r"^CMD (.+)$", (folder / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    services = yaml.safe_load((folder / "compose.yml").read_text("utf-8"))["services"]
    started = [json.loads(image), services["serve"]["command"], services["refresh"]["command"]]
    pages = "\n".join(page.read_text("utf-8") for page in (checkout / "docs").glob("*.md"))
    known = set(map(variable_of, Settings.__struct_fields__)) | {"LINKER_SERVE_TOKEN"}
    for words in started:
        parse(words)
        assert f"linker {' '.join(words)}" in pages
    assert set(services["serve"]["environment"]) <= known


def test_the_hook_is_a_command_that_exists(checkout: Path) -> None:
    [hook] = yaml.safe_load((checkout / ".pre-commit-hooks.yaml").read_text("utf-8"))
    program, *words = hook["entry"].split()
    assert program == "linker"
    parse(words)


def make_owner(checkout: Path, name: str) -> subprocess.CompletedProcess[str]:
    # A make that runs the tests passes its own options on.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    return subprocess.run(
        ["make", "--no-print-directory", "owner", f"OWNER={name}"],
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def forget_owner(checkout: Path) -> None:
    """Put the placeholder back, where the owner of the repository is already set."""
    server = json.loads((checkout / "server.json").read_text("utf-8"))["name"]
    name = server.removeprefix("io.github.")
    command = ["git", "grep", "--files-with-matches", name]
    found = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=True)
    for file in found.stdout.splitlines():
        path = checkout / file
        path.write_text(path.read_text("utf-8").replace(name, "OWNER/dbt-linker"), "utf-8")


def test_the_owner_is_set_once_in_every_address(checkout: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", checkout, clone], check=True)
    forget_owner(clone)
    for name in ("", "two words", "-dash", "a#b", "$(id)", "it's"):
        refused = make_owner(clone, name)
        assert refused.returncode == 2, name
        assert refused.stderr.startswith("name an owner as GitHub does"), name
    done = make_owner(clone, "acme-data")
    assert (done.returncode, done.stderr) == (0, "")
    assert {"README.md", "action.yml", "server.json"} <= set(done.stdout.split())
    left = subprocess.run(
        ["git", "grep", "-l", "OWNER/dbt-linker"],
        cwd=clone,
        capture_output=True,
        text=True,
        check=False,
    )
    assert set(left.stdout.split()) <= {
        "Makefile",
        ".ci/release",
        "tests/unit/test_released_files.py",
    }
    assert (
        json.loads((clone / "server.json").read_text("utf-8"))["name"]
        == "io.github.acme-data/dbt-linker"
    )
    again = make_owner(clone, "other")
    assert again.returncode == 2
    assert again.stderr.startswith("the owner is already set: io.github.acme-data/dbt-linker\n")
