"""Structure of the project: import layers, required parts, forbidden constructs."""

import ast
import configparser
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import yaml

from linker.strategies import STRATEGIES
from linker.warehouses import WAREHOUSES

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted((ROOT / "linker").rglob("*.py"))
ALL_MODULES = MODULES + [
    path for folder in ("benchmarks", "docs", "tests") for path in (ROOT / folder).rglob("*.py")
]
# From the edge inwards: a folder may import from itself and from those after it, so imports point
# one way.
FOLDERS = (
    "cli",
    "serve",
    "evaluation",
    "demo",
    "output",
    "refresh",
    "usage",
    "sql",
    "strategies",
    "linking",
    "history",
    "prompts",
    "ranking",
    "retrieval",
    "models",
    "dbt",
    "catalog",
    "sql_policy",
    "sql_analysis",
    "identifiers",
    "index",
    "embedders",
    "warehouses",
    "config",
    "text",
)
# Modules of the root are above a folder, as they combine those below, or below all.
ABOVE = {
    "doctor": "demo",
    "api": "output",
    "pipeline": "refresh",
    "environment": "retrieval",
    "budget": "dbt",
}
BELOW_ALL = ("files", "cancellation", "errors", "types")
HEAVY = (
    "torch",
    "sentence_transformers",
    "dbt",
    "duckdb",
    "psycopg",
    "snowflake",
    "google.auth",
    "sqlglot",
    "numpy",
    "pydantic",
    "rich",
    "jinja2",
    "yaml",
    "prometheus_client",
)
# Also imported where they are used: drivers, providers, servers, and what takes Python itself more
# than 5 ms.
SELDOM_USED = (
    "cryptography",
    "databricks",
    "google",
    "httpx2",
    "importlib.metadata",
    "logging.handlers",
    "platformdirs",
    "pydantic_ai",
    "pydantic_core",
    "pyhive",
    "pyspark",
    "starlette",
    "TCLIService",
    "threadpoolctl",
    "transformers",
    "urllib.request",
)
# Cycles of imports, with the module whose import comes late.
CYCLES = {"linker.warehouses": "linker.warehouses.base.session"}  # opens warehouses in its process


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer_of(module: str) -> float | None:
    """
    The layer of a module, the edge first; none of what is not linker's, and of the package itself.
    """
    package, _, rest = module.partition(".")
    name = rest.partition(".")[0]
    if package != "linker" or not name:
        return None
    if name in FOLDERS:
        return FOLDERS.index(name)
    if name in ABOVE:
        return FOLDERS.index(ABOVE[name]) - 0.5
    return len(FOLDERS) + BELOW_ALL.index(name) if name in BELOW_ALL else None


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


PATHS = {name_of(path): path for path in MODULES}


def imported_at_once(statements: Iterable[ast.AST]) -> Iterator[str]:
    """Modules that are loaded with these statements, not by calls or for types only."""
    for node in statements:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from modules_of(node)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            is_for_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            if not is_for_types:
                yield from imported_at_once(ast.iter_child_nodes(node))


def modules_of(node: ast.Import | ast.ImportFrom) -> list[str]:
    """Modules that an import names."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    parts = [f"{node.module}.{alias.name}" for alias in node.names]
    modules = [part for part in parts if part in PATHS]
    return modules if len(modules) == len(parts) else [str(node.module), *modules]


@cache
def loaded_with(module: str) -> frozenset[str]:
    """The module and all others that its import loads."""
    loaded: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in loaded:
            continue
        loaded.add(name)
        if "." in name:
            waiting.append(name.rpartition(".")[0])
        if name in PATHS:
            waiting.extend(imported_at_once(parsed(PATHS[name]).body))
    return frozenset(loaded)


def test_what_is_imported_in_a_function_is_heavy() -> None:
    late: list[str] = []
    for path in MODULES:
        functions = ast.FunctionDef | ast.AsyncFunctionDef
        for function in (node for node in ast.walk(parsed(path)) if isinstance(node, functions)):
            for node in ast.walk(function):
                if not isinstance(node, ast.Import | ast.ImportFrom):
                    continue
                modules = modules_of(node)
                loaded = frozenset[str]().union(*map(loaded_with, modules))
                is_heavy = not loaded.isdisjoint((*HEAVY, *SELDOM_USED))
                if not is_heavy and modules != [CYCLES.get(name_of(path))]:
                    late.append(f"{path}:{node.lineno} {ast.unparse(node)}")
    assert late == []


def test_every_module_has_its_layer() -> None:
    names = set(map(name_of, MODULES)) - {"linker"}
    assert [name for name in names if layer_of(name) is None] == []
    assert len(FOLDERS) <= 25


def test_the_page_of_the_architecture_has_the_layers_in_their_order() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    assert tuple(re.findall(r"^\| `(\w+)/` \|", page, re.MULTILINE)) == FOLDERS


def test_the_root_holds_ten_modules_at_most() -> None:
    assert len([path for path in MODULES if path.parent == ROOT / "linker"]) <= 10


def test_imports_point_inwards() -> None:
    outward = []
    for path in MODULES:
        own = layer_of(name_of(path))
        for imported in imports_of(path):
            layer = layer_of(imported)
            if layer is not None and own is not None and layer < own:
                outward.append(f"{name_of(path)} imports {imported}")
    assert outward == []


def test_a_module_says_what_it_is_for_and_stays_small() -> None:
    for path in MODULES:
        text = path.read_text("utf-8")
        assert ast.get_docstring(parsed(path)), path
        assert text.count("\n") <= 600, path


def test_lines_of_tests_are_longer_only_for_rows_of_sql_and_yaml() -> None:
    """All other lines are held to 100 by the linter."""
    for path in (ROOT / "tests").rglob("*.py"):
        assert max(map(len, path.read_text("utf-8").splitlines()), default=0) <= 150, path


def test_a_package_begins_with_its_interface_not_with_its_parts() -> None:
    """Implementations lie in modules that are found by their names."""
    for path in MODULES:
        if path.name == "__init__.py":
            assert path.read_text("utf-8").count("\n") <= 180, path


def test_a_strategy_is_read_in_one_module_of_two_hundred_lines() -> None:
    for module in {module for module, _ in STRATEGIES.values()}:
        path = ROOT / Path(*module.split("."))
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        assert file.read_text("utf-8").count("\n") <= 200, file


COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# What a reader has to take apart, by what it may not lie in.
DENSE = {
    **dict.fromkeys(COMPREHENSIONS, (*COMPREHENSIONS, ast.NamedExpr)),
    ast.IfExp: (ast.IfExp,),
}


def lies_in_its_kind(node: ast.expr) -> bool:
    if isinstance(node, ast.NamedExpr):
        return isinstance(node.value, COMPREHENSIONS)
    kinds = DENSE.get(type(node), ())
    return any(isinstance(part, kinds) for part in ast.walk(node) if part is not node)


def is_unpacked_for_its_looks(node: ast.expr) -> bool:
    return isinstance(node, ast.Starred) and isinstance(node.value, ast.Tuple | ast.List)


def test_a_line_holds_one_thought() -> None:
    """No comprehension in another, no walrus inside or around one, no conditional expression in another."""
    dense: list[str] = []
    for path in ALL_MODULES:
        for node in ast.walk(parsed(path)):
            if not isinstance(node, ast.expr):
                continue
            if lies_in_its_kind(node) or is_unpacked_for_its_looks(node):
                dense.append(f"{path}:{node.lineno}")
    assert dense == []


def test_what_may_be_missing_is_not_unpacked_from_a_condition() -> None:
    """`*([word] if word else [])` is an `if` and an `append`."""
    unpacked = [
        f"{path}:{node.lineno}"
        for path in MODULES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Starred) and isinstance(node.value, ast.IfExp)
    ]
    assert unpacked == []


def test_a_constant_has_a_line_of_its_own() -> None:
    packed: list[str] = []
    for path in MODULES:
        for node in parsed(path).body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
                packed.append(f"{path}:{node.lineno}")
    assert packed == []


def test_a_comprehension_has_one_loop() -> None:
    looped: list[str] = []
    for path in (*MODULES, *(ROOT / "benchmarks").rglob("*.py"), *(ROOT / "docs").rglob("*.py")):
        for node in ast.walk(parsed(path)):
            if isinstance(node, COMPREHENSIONS) and len(node.generators) > 1:
                looped.append(f"{path}:{node.lineno}")
    assert looped == []


def test_records_hold_neither_caches_nor_containers_that_change() -> None:
    """A class with derived data is a dataclass with `cached_property`, and is not called frozen."""
    changing: list[str] = []
    for path in MODULES:
        if "force_setattr" in path.read_text("utf-8"):
            changing.append(f"{path} changes frozen records")
        for record in (node for node in ast.walk(parsed(path)) if isinstance(node, ast.ClassDef)):
            options = {keyword.arg for keyword in record.keywords}
            if "dict" in options:
                changing.append(f"{path}:{record.lineno} {record.name} keeps a cache")
            # Its scopes are being rewritten.
            if "frozen" in options and name_of(path) != "linker.sql_analysis.scope":
                changing.extend(
                    f"{path}:{field.lineno} {record.name}.{ast.unparse(field)}"
                    for field in record.body
                    if isinstance(field, ast.AnnAssign) and is_container(field.annotation)
                )
    assert changing == []


def is_container(annotation: ast.expr) -> bool:
    """Whether values of the type can be changed; a Mapping or Sequence promises not to be."""
    kind = ast.unparse(annotation).partition("[")[0]
    return kind in ("dict", "list", "set", "defaultdict", "Counter", "deque")


AMBIENT = ("ContextVar", "contextvars.ContextVar", "local", "threading.local")


def ambient_variables(path: Path) -> Iterator[tuple[str, str, str]]:
    """Context variables and thread locals: variable, module, and the name in the debugger."""
    for node in ast.walk(parsed(path)):
        target, value = None, None
        if isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
        elif isinstance(node, ast.AnnAssign):
            target, value = node.target, node.value
        if isinstance(value, ast.Call) and ast.unparse(value.func).partition("[")[0] in AMBIENT:
            assert isinstance(target, ast.Name | ast.Attribute)
            variable = target.id if isinstance(target, ast.Name) else target.attr
            label = ast.literal_eval(value.args[0]) if value.args else variable.strip("_")
            yield variable, name_of(path), label


def test_context_variables_are_listed_with_their_reason() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    listed = re.findall(r"^\| `(\w+)` \| `(linker[\w.]*)` \| [^|]{20,} \|$", page, re.MULTILINE)
    found = [variable for path in MODULES for variable in ambient_variables(path)]
    assert sorted(listed) == sorted((variable, module) for variable, module, _ in found)
    # Two of one name cannot be told apart in a debugger.
    assert [label for _, _, label in found] == [name.strip("_").lower() for name, _, _ in found]
    assert len({label for _, _, label in found}) == len(found)


def test_only_the_command_prints() -> None:
    for path in (path for path in MODULES if "cli" not in path.parts):
        called = [node.func for node in ast.walk(parsed(path)) if isinstance(node, ast.Call)]
        printed = [call for call in called if isinstance(call, ast.Name) and call.id == "print"]
        echoed = [
            call
            for call in called
            if isinstance(call, ast.Attribute) and call.attr in ("echo", "secho")
        ]
        assert printed + echoed == [], path


def test_importing_the_package_or_the_command_imports_nothing_heavy() -> None:
    code = f"import sys, linker, linker.cli; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_help_of_the_command_imports_nothing_heavy() -> None:
    assert help_and_imports("learn", "--help") == "True []"


def help_and_imports(shown: str, *words: str) -> str:
    """Whether the command's output holds a text, and the heavy modules that it imports."""
    code = (
        "import sys; from click.testing import CliRunner; from linker.cli import main; "
        f"output = CliRunner().invoke(main, {words!r}).stdout; "
        f"print({shown!r} in output, [name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


SEE_GOLD = ("linker.evaluation", "linker.cli.eval", "linker.demo")


def test_only_evals_and_the_demo_see_gold() -> None:
    for path in MODULES:
        if not name_of(path).startswith(SEE_GOLD):
            assert not re.search(r"\bgold", path.read_text("utf-8")), path
            assert not any(name.startswith(SEE_GOLD[0]) for name in imports_of(path)), path


# Beside `linker.warehouses`, whose modules are named after them. The store is a Postgres whatever
# the warehouse is.
NAME_A_WAREHOUSE = {
    "linker.refresh.uninstall": "names the folder of the embedded Postgres",
    "linker.index": "keeps the index in Postgres",
    "linker.demo.warehouse": "builds its warehouse with the library of DuckDB",
    "linker.sql_analysis.tables": "works out constants in DuckDB",
}
WAREHOUSE = re.compile(rf"\b({'|'.join(WAREHOUSES)})\b")
WAREHOUSE_IN_A_NAME = re.compile("|".join(WAREHOUSES), re.IGNORECASE)


def names_of_warehouses(path: Path) -> set[str]:
    """
    Warehouses in texts, identifiers and imports; docstrings and comments may give them as examples.
    """
    tree = parsed(path)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in docstrings
        ):
            found.update(WAREHOUSE.findall(node.value))
        for field in ("id", "attr", "name", "asname", "arg", "module"):
            found.update(WAREHOUSE_IN_A_NAME.findall(str(getattr(node, field, None) or "")))
    return found


def test_only_its_own_file_names_a_warehouse() -> None:
    for path in (path for path in MODULES if "warehouses" not in path.parts):
        own = name_of(path)
        if not any(own == allowed or own.startswith(allowed + ".") for allowed in NAME_A_WAREHOUSE):
            assert names_of_warehouses(path) == set(), path


def test_a_plural_folder_of_warehouses_holds_one_file_or_folder_each_beside_their_base() -> None:
    folder = ROOT / "linker" / "warehouses"
    listed = {
        path.relative_to(folder).parts[0].removesuffix(".py") for path in folder.rglob("*.py")
    }
    assert listed == {"__init__", "base", *WAREHOUSES}


def test_the_rules_of_every_warehouse_are_known_without_its_driver() -> None:
    opens = "import sys; from linker.warehouses import shipped_dialects; shipped_dialects()"
    code = f"{opens}; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_model_has_a_yml_of_its_name_with_an_enforced_contract_and_words_for_every_column() -> (
    None
):
    models = sorted((ROOT / "models").rglob("*.sql"))
    assert models
    for model in models:
        [described] = yaml.safe_load(model.with_suffix(".yml").read_text("utf-8"))["models"]
        assert described["name"] == model.stem
        assert described["config"]["contract"] == {"enforced": True}
        assert described["description"]
        assert all(column["description"] and column["data_type"] for column in described["columns"])


def test_no_artifact_ends_in_a_star() -> None:
    for model in (ROOT / "models").glob("*/*.sql"):
        last = model.read_text("utf-8").rpartition("\nselect")[2]
        # Behind it ends what a run that leaves the profiles as they are renders instead.
        assert last.removesuffix("{%- endif %}\n").strip().endswith("from final"), model
        assert "*" not in last, model


def test_what_is_dispatched_has_a_body_for_every_adapter() -> None:
    """dbt resolves dispatch while parsing: a missing body would break every such project."""
    macros = "".join(file.read_text("utf-8") for file in (ROOT / "macros").rglob("*.sql"))
    dispatched = set(re.findall(r"adapter\.dispatch\('(\w+)', 'linker'\)", macros))
    assert dispatched - set(re.findall(r"macro default__(\w+)\(", macros)) == set()


def test_every_public_macro_is_described_in_yaml_with_its_arguments() -> None:
    """Public are operations and primitives without a leading `_`."""
    for folder in (ROOT / "macros" / "operations", ROOT / "macros" / "primitives"):
        macros: dict[str, list[str]] = {}
        for file in folder.glob("*.sql"):
            for name, arguments in re.findall(
                r"{%-? macro ([a-z]\w*)\((.*)\)", file.read_text("utf-8")
            ):
                if "__" not in name:
                    macros[name] = re.findall(r"(\w+)(?:=[^,]*)?", arguments)
        described = yaml.safe_load((folder / f"{folder.name}.yml").read_text("utf-8"))["macros"]
        names = [macro["name"] for macro in described]
        assert names == sorted(macros)
        for macro in described:
            assert macro["description"].endswith("."), macro["name"]
            arguments = macro.get("arguments", [])
            assert [argument["name"] for argument in arguments] == macros[macro["name"]], macro[
                "name"
            ]
            assert all(argument["description"].endswith(".") for argument in arguments)
            # dbt warns of others in each project that checks its macros.
            words = {
                word for argument in arguments for word in re.findall(r"\w+", argument["type"])
            }
            assert words <= {"string", "integer", "float", "bool", "any", "list"}, macro["name"]


def test_only_primitives_and_discovery_dispatch() -> None:
    dispatching = {
        macro.parent.name
        for macro in (ROOT / "macros").rglob("*.sql")
        if "adapter.dispatch" in macro.read_text("utf-8")
    }
    assert dispatching == {"primitives", "discover"}


def test_the_wheel_is_told_of_every_folder_that_dbt_and_python_need() -> None:
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    listed = set(config["options"]["packages"].split())
    python = {name_of(path.parent / "__init__.py") for path in MODULES}
    data = {
        "linker.demo.sql",
        "linker.demo.foreign_keys",
        "linker.index.migrations",
        "linker.dbt_project",
    }
    folders = {ROOT / "macros", ROOT / "models", ROOT / "profiles"}
    folders |= {file.parent for top in ("macros", "models") for file in (ROOT / top).rglob("*.*")}
    dbt = {"linker.dbt_project." + ".".join(folder.relative_to(ROOT).parts) for folder in folders}
    assert listed == python | data | dbt


def test_what_is_installed_by_default_is_pinned_by_the_constraints() -> None:
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    extras = [
        line for value in config["options.extras_require"].values() for line in value.splitlines()
    ]
    wanted = config["options"]["install_requires"].splitlines() + extras
    names = {
        re.split(r"[\[<>=]", line)[0].strip().lower()
        for line in wanted
        if line.strip() and not line.startswith("#")
    }
    pinned = set()
    for file in ("constraints.txt", "tests/databricks/constraints.txt"):
        lines = (ROOT / file).read_text("utf-8").splitlines()
        pinned |= {re.split("==", line)[0].lower() for line in lines}
    assert names - pinned == set()


def test_each_class_name_exists_once() -> None:
    homes: dict[str, list[str]] = {}
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name.lstrip("_"), []).append(name_of(path))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_each_function_that_describes_in_a_line_has_a_name_of_its_own() -> None:
    homes: dict[str, list[str]] = {}
    for path in MODULES:
        for node in parsed(path).body:
            if isinstance(node, ast.FunctionDef) and re.search("[a-z]_line$", node.name):
                homes.setdefault(node.name.strip("_"), []).append(name_of(path))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_a_name_says_what_a_thing_is() -> None:
    vague = {"each", "met", "one", "said", "told"}
    vague_in_linker = {*vague, "asked", "looked", "mind", "way", "ways"}
    for path in (*MODULES, *(ROOT / "benchmarks").rglob("*.py")):
        names = {name.strip("_").lower() for name in _given_names(parsed(path))}
        assert names & (vague_in_linker if path in MODULES else vague) == set(), path


def _given_names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
