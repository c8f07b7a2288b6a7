"""Documentation: links, commands, files and terms."""

import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import click

from linker.cli import main as linker_command

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("docs", "benchmarks", "examples", "integration_tests", "linker", "tests", "macros")
PAGES = sorted(
    [*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))]
)
# Its links are those of docs/safety.md, which is made of it.
TEMPLATES = {ROOT / "benchmarks" / "safety" / "promises.md"}
# Their words are those of the code.
GENERATED = {"answer.md", "artifacts.md", "cli.md", "monitoring.md", "safety.md", "sql-answer.md"}
WRITTEN = [
    page
    for page in PAGES
    if page.parent == ROOT or (ROOT / "docs" in page.parents and page.name not in GENERATED)
]
FENCE = re.compile(r"^```.*?^```|<!-- tools: .*?<!-- end of tools -->", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
COMMAND = re.compile(r"`linker ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?[^`]*`")
DOTTED = re.compile(r"`(linker(?:\.\w+)+)(?:\([^`]*\))?`")
CODE_FILE = re.compile(r"`((?:linker|tests|macros|models|docs)/[\w/.-]+\.(?:py|sql|yml|json|md))`")
# Phrases with a name in the field, as docs/architecture.md#words or every textbook has it.
BANNED = (
    "as private as",
    "its meaning is near",
    "likeliest",
    "joins likely tables",
    "nobody described",
    "nothing speaks of",
    "state folder",
    "way to answer",
    "ways to answer",
    "what is personal",
    "whoever",
    "words of business",
)


def text_of(page: Path) -> str:
    """The page without its blocks of code, transcripts and the descriptions of tools."""
    return FENCE.sub("", page.read_text("utf-8"))


def anchors_of(page: Path) -> set[str]:
    """The anchors of the headings, as GitHub makes them."""
    headings = HEADING.findall(text_of(page))
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings)
    return {re.sub(r"[^\w\- ]", "", heading).strip().replace(" ", "-") for heading in plain}


def broken_links(page: Path) -> Iterator[str]:
    """Relative links of a page to files and headings that are not there."""
    for target in LINK.findall(text_of(page)):
        path, _, anchor = target.partition("#")
        if ":" in path:
            continue
        file = page.parent / path if path else page
        if not file.exists():
            yield target
            continue
        if anchor and file.suffix == ".md" and anchor not in anchors_of(file):
            yield target


def test_every_link_leads_to_a_file_and_a_heading() -> None:
    for page in PAGES:
        if page not in TEMPLATES:
            assert list(broken_links(page)) == [], page


def unknown_commands(text: str) -> Iterator[str]:
    """Commands of linker that a page names and that the command line lacks."""
    context = click.Context(linker_command)
    for name, inner in COMMAND.findall(text):
        command = linker_command.get_command(context, name)
        # Other packages bring suites to evaluate.
        known = [inner]
        if isinstance(command, click.Group) and name != "eval":
            known = ["", *command.list_commands(context)]
        if command is None or inner not in known:
            yield f"{name} {inner}"


def test_every_command_that_a_page_names_exists() -> None:
    unknown = {}
    for page in WRITTEN:
        if names := list(unknown_commands(page.read_text("utf-8"))):
            unknown[str(page.relative_to(ROOT))] = names
    assert unknown == {}


def test_every_file_that_a_page_names_exists() -> None:
    """Decision records may name removed modules, and recipes modules to write."""
    missing = {}
    for page in WRITTEN:
        if "decisions" in page.parts:
            continue
        named = [file for file in CODE_FILE.findall(page.read_text("utf-8")) if "NAME" not in file]
        files = [file for file in named if not (ROOT / file).exists()]
        if files:
            missing[str(page.relative_to(ROOT))] = files
    assert missing == {}


def test_every_python_name_that_a_page_names_exists() -> None:
    """Names of tables, settings files and entry points begin with `linker.` as well."""
    missing = []
    for page in WRITTEN:
        if "decisions" in page.parts:
            continue
        for name in DOTTED.findall(page.read_text("utf-8")):
            if (ROOT / "linker" / name.split(".")[1]).exists():
                try:
                    pkgutil.resolve_name(name)
                except (AttributeError, ImportError):
                    missing.append(f"{page.relative_to(ROOT)}: {name}")
    assert missing == []


def test_pages_use_the_terms_of_the_field() -> None:
    used = {}
    for page in WRITTEN:
        text = text_of(page).lower()
        phrases = [phrase for phrase in BANNED if phrase in text]
        if phrases:
            used[str(page.relative_to(ROOT))] = phrases
    assert used == {}


def test_the_index_of_decisions_has_each_of_them_with_its_title() -> None:
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text("utf-8")
    files = sorted(folder.glob("[0-9]*.md"))
    titles = [path.read_text("utf-8").splitlines()[0].removeprefix("# ") for path in files]
    names = [path.name for path in files]
    listed = re.findall(r"^- \[(.+?)\]\((\d{4}[^)]+\.md)\)", index, re.MULTILINE)
    assert listed == list(zip(titles, names, strict=True))
