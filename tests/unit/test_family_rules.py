"""Family detection by name, case by case."""

import pytest

from tests.families import COLUMNS, OTHER_COLUMNS, Group, Merged, Merging, same_columns

# The names, oldest first; the kind of their key; the name of the family.
FAMILIES = {
    "days": (("events_20250101", "events_20250102"), "day", "events_*"),
    "days with underscores": (("events_2024_12_31", "events_2025_01_01"), "day", "events_*"),
    "days with hyphens": (("events-2024-12-31", "events-2025-01-01"), "day", "events-*"),
    "days written in two ways": (("events_20250101", "events_2025_01_02", "events_20250103"), "day", "events_*"),
    "days of partitions": (("measurement_p20250101", "measurement_p20250102"), "day", "measurement_p*"),
    "days in front": (("20250101_events", "20250102_events"), "day", "*_events"),
    "days in the middle": (("events_20250101_raw", "events_20250102_raw"), "day", "events_*_raw"),
    "days alone": (("20250101", "20250102"), "day", "*"),
    "days and a table without one": (("events_20250101", "events_20250102"), "day", "events_*"),
    "ranges of days": (("trips_20250101_20250107", "trips_20250108_20250114"), "day", "trips_*"),
    "hours": (("load_20250101_09", "load_20250101_10"), "hour", "load_*"),
    "hours without a gap": (("load_2025010109", "load_2025010110"), "hour", "load_*"),
    "minutes": (("load_202501010959", "load_202501011000"), "minute", "load_*"),
    "seconds": (("backup_20250101_095959", "backup_20250101_100000"), "second", "backup_*"),
    "weeks": (("plan_2024w52", "plan_2025w01"), "week", "plan_*"),
    "months": (("sales_202412", "sales_202501"), "month", "sales_*"),
    "months with underscores": (("sales_2024_12", "sales_2025_01"), "month", "sales_*"),
    "one month of several years": (("sales_2023_12", "sales_2024_12", "sales_2025_12"), "month", "sales_*"),
    "quarters": (("sales_2024q4", "sales_2025q1"), "quarter", "sales_*"),
    "quarters with underscores": (("SALES_2024_Q4", "SALES_2025_Q1"), "quarter", "SALES_*"),
    "quarters alone": (("2024_q4", "2025_q1"), "quarter", "*"),
    "days first": (("ld_31012024", "ld_01022024"), "day", "ld_*"),
    "days first with underscores": (("lu_01_02_2024", "lu_02_02_2024"), "day", "lu_*"),
    "months first": (("lu_12_31_2023", "lu_01_13_2024", "lu_02_01_2024"), "day", "lu_*"),
    "half-years": (("rep_2024_h2", "rep_2025_h1"), "half-year", "rep_*"),
    "years": (("census_2010", "census_2020"), "year", "census_*"),
    "years at the word": (("census2010", "census2020"), "year", "census*"),
    "years in front": (("2010_census", "2020_census"), "year", "*_census"),
    "fiscal years": (("budget_fy24", "budget_fy25"), "year", "budget_*"),
    "seasons": (("games_2023_2024", "games_2024_2025"), "year", "games_*"),
    "numbers": (("events_9", "events_10"), "number", "events_*"),
    "numbers that lie close": (("events_1", "events_20"), "number", "events_*"),
    "numbers of districts": (("districts_115", "districts_116"), "number", "districts_*"),
    "numbers of tenants": (("orders_1044", "orders_23100", "orders_99812"), "number", "orders_*"),
    "numbers with zeros": (("groups_01", "groups_56"), "number", "groups_*"),
    "numbers in the middle": (("genes_chr1_hg19", "genes_chr2_hg19", "genes_chr3_hg19"), "number", "genes_chr*_hg19"),
    "numbers at the word": (("events1", "events2", "events3"), "number", "events*"),
    "numbers that look like years": (tuple(f"events_{number}" for number in range(1850, 2350)), "number", "events_*"),
    "days with years of two digits": (("events_241231", "events_250101"), "number", "events_*"),
    "shards": (("events_shard_03", "events_shard_11"), "shard", "events_shard_*"),
    "shards far apart": (("events_shard_3", "events_shard_88"), "shard", "events_shard_*"),
    "parts at the word": (("events_part07", "events_part08"), "shard", "events_part*"),
    "parts of a number": (("part_0001_of_0016", "part_0002_of_0016"), "shard", "part_*_of_0016"),
    "parts of a number behind a number": (("h3_00001-of-00002", "h3_00002-of-00002"), "shard", "h3_*-of-00002"),
    "partitions": (("events_p3", "events_p12"), "shard", "events_p*"),
    "slices": (("events_s001", "events_s002"), "shard", "events_s*"),
    "hashes": (("staging_0a1b2c3d", "staging_9f86d081"), "hash", "staging_*"),
    "uuids": (
        (
            "load_0a1b2c3d_1111_4222_8333_444455556666",
            "load_9f86d081_1111_4222_8333_444455556666",
        ),
        "hash",
        "load_*",
    ),
    "chromosomes": (("snp_chr1", "snp_chr2", "snp_chr22"), "number", "snp_chr*"),
    "names in other cases": (("Events_20250101", "EVENTS_20250102"), "day", "EVENTS_*"),
    "names beyond ASCII": (("Erlöse_İ_2024", "Erlöse_İ_2025"), "year", "Erlöse_İ_*"),
    "names with a quote and a star": (('the "*"_2024', 'the "*"_2025'), "year", 'the "*"_*'),
    "days of a version": (("events_v2_20250101", "events_v2_20250102"), "day", "events_v2_*"),
}  # fmt: skip

STRANGERS = {
    "lookups": ("lkp_status", "lkp_channel"),
    "a number and none": ("report", "report_7"),
    "words that end in a digit": ("h3", "s2"),
    "a word that holds a number": ("covid19_cases", "covid19_deaths"),
    "recodes": ("recode3", "recode5"),
    "recodes far apart": ("agerecode12", "agerecode27", "agerecode52"),
    "recodes without the first": ("recode3", "recode4", "recode5"),
    "numbers that do not lie close": ("events_1", "events_21"),
    "genome builds": ("genes_hg19", "genes_hg38"),
    "levels": ("level_1", "level_2", "level_3"),
    "administrative levels": ("area_admin1", "area_admin2", "area_admin3"),
    "percentiles": ("latency_p50", "latency_p90", "latency_p99"),
    "windows": ("active_30_days", "active_31_days"),
    "windows without a word": ("sales_30", "sales_60", "sales_90"),
    "heights": ("temperature_2_m", "temperature_10_m"),
    "numbers alone": ("1", "2", "3"),
    "hashes alone": ("0a1b2c3d", "9f86d081"),
    "hashes of other lengths": ("staging_0a1b2c3d", "staging_9f86d08112"),
    "models of eight digits": ("model_12345678", "model_87654321"),
    "words of hexadecimal letters": ("is_defaced", "is_effaced"),
    "revisions inside a word": ("education1989revision", "education2003revision"),
    "other stems": ("sales_2024", "costs_2025"),
    "other ends": ("sales_2024_raw", "sales_2025_clean"),
    "numbers of one digit": ("table_1", "table_2"),
    "parts of an address": ("address_1", "address_2"),
    "teams": ("team_1", "team_2", "team_7"),
    "experiments": ("experiment_1_users", "experiment_2_users"),
    "scratch tables": ("tmp_1", "tmp_2"),
    "backups": ("pay_bak_1", "pay_bak_2"),
    "services": ("s3_files", "s4_files"),
    "standards": ("iso_2001", "iso_2010"),
    "models of a year": ("model_2019", "model_2020"),
    "rooms": ("room_1901", "room_2001"),
    "articles": ("sku_190101", "sku_200512"),
    "words of hexadecimal letters with a number": ("x_acceded1", "x_effaced2"),
    "months that are none": ("sales_2024_13", "sales_2025_14"),
}

LOOK_ALIKES = {
    "versions": (("orders_v1", "orders_v2"), "version"),
    "versions of two numbers": (("clinical_v1_17", "clinical_v1_21", "clinical_v2_10"), "version"),
    "releases": (("metadata_r24", "metadata_r25", "metadata_r26"), "version"),
    "releases in front": (("rel14_files", "rel15_files"), "version"),
    "versions at a date": (("orders_2025_v1", "orders_2025_v2"), "version"),
    "countries": (("orders_us", "orders_de"), "region"),
    "parts of the world": (("orders_emea", "orders_apac"), "region"),
    "countries in front": (("us_orders", "de_orders"), "region"),
    "cloud regions": (("logs_us_east_1", "logs_us_east_2", "logs_eu_west_1"), "region"),
    "lookups": (("lkp_status", "lkp_channel"), None),
    "versions of two things": (("orders_v1", "orders_v2", "refunds_v1"), None),
}


@pytest.fixture(scope="module")
def cases(merging: Merging) -> Merged:
    """All cases at once, each in a separate schema."""
    families = {
        f"families: {case}": same_columns(names) for case, (names, _, _) in FAMILIES.items()
    }
    families["families: days and a table without one"]["events"] = COLUMNS
    strangers = {f"strangers: {case}": same_columns(names) for case, names in STRANGERS.items()}
    alike = {f"alike: {case}": same_columns(names) for case, (names, _) in LOOK_ALIKES.items()}
    return merging.schemas(families | strangers | alike)


def of_schema(groups: tuple[Group, ...], schema: str) -> list[Group]:
    return [group for group in groups if group.schema == schema]


@pytest.mark.parametrize("case", FAMILIES)
def test_names_that_differ_only_in_a_key_are_a_family(cases: Merged, case: str) -> None:
    names, kind, name = FAMILIES[case]
    [family] = of_schema(cases.families, f"families: {case}")
    assert (family.members, family.key_kind, family.name) == (names, kind, name)
    assert family.representative == names[-1]
    assert family.member_count == len(names)
    assert family.rule == f"same columns in the same order; the names differ only in the {kind}"


@pytest.mark.parametrize("case", STRANGERS)
def test_names_that_differ_in_something_else_are_no_family(cases: Merged, case: str) -> None:
    assert of_schema(cases.families, f"strangers: {case}") == []
    [siblings] = of_schema(cases.siblings, f"strangers: {case}")
    assert set(siblings.members) == set(STRANGERS[case])


@pytest.mark.parametrize("case", LOOK_ALIKES)
def test_siblings_say_what_tells_them_apart(cases: Merged, case: str) -> None:
    names, kind = LOOK_ALIKES[case]
    assert of_schema(cases.families, f"alike: {case}") == []
    [siblings] = of_schema(cases.siblings, f"alike: {case}")
    assert (set(siblings.members), siblings.key_kind) == (set(names), kind)
    assert (f"only in the {kind}" in siblings.rule) is (kind is not None)
    assert (siblings.first_key, siblings.last_key, siblings.representative) == (None, None, None)


def test_families_by_year_of_several_regions_are_siblings_of_each_other(merging: Merging) -> None:
    merged = merging.names("orders_us_2024", "orders_us_2025", "orders_de_2024", "orders_de_2025")
    assert [family.name for family in merged.families] == ["orders_de_*", "orders_us_*"]
    [siblings] = merged.siblings
    assert (siblings.members, siblings.key_kind) == (("orders_de_*", "orders_us_*"), "region")


def test_members_have_most_columns_of_the_newest_in_any_order_and_of_the_same_type(
    merging: Merging,
) -> None:
    merged = merging.tables({
        "events_20250101": "id integer, happened_on date",
        "events_20250102": "happened_on date, id integer",
        "events_20250103": "id bigint, happened_on date",
        "events_20250104": "id integer, happened_on date, place varchar",
    })  # fmt: skip
    [family] = merged.families
    assert family.members == ("events_20250101", "events_20250102", "events_20250104")
    assert (family.name, family.rule) == (
        "events_*",
        "most columns are the same; the names differ only in the day",
    )


def test_half_of_the_columns_are_not_most(merging: Merging) -> None:
    merged = merging.tables(
        {"events_20250101": "id integer, a date", "events_20250102": "id integer, b date"}
    )
    assert merged.families == ()


def test_a_view_is_neither_member_nor_sibling(merging: Merging) -> None:
    merged = merging.tables(
        same_columns(["events_20250101", "events_20250102"]),
        "create view main.events_20250103 as from main.events_20250101",
        "create view main.events as from main.events_20250101",
    )
    [family] = merged.groups
    assert family.members == ("events_20250101", "events_20250102")
    assert merged.logical_names["main", "events_20250103"] == "events_20250103"


def test_a_table_without_columns_is_listed_and_belongs_to_nothing(merging: Merging) -> None:
    # Postgres has such tables, and DuckDB none: here their columns are kept from the inventory.
    merged = merging.tables(
        same_columns(["events_20250101", "events_20250102"]),
        "create or replace view main_linker.linker_declared_columns as "
        "select null as database_name, null as schema_name, null as table_name, null as column_path, "
        "0 as position, null as data_type, 0 as depth where false",
    )
    assert merged.groups == ()
    assert set(merged.logical_names) == {("main", "events_20250101"), ("main", "events_20250102")}


def test_where_the_columns_changed_the_newest_family_keeps_the_name_and_the_others_show_their_range(
    merging: Merging,
) -> None:
    old = same_columns(["speed_2024_11", "speed_2024_12"])
    new = dict.fromkeys(["speed_2025_01", "speed_2025_02"], OTHER_COLUMNS)
    before = merging.tables(old | new)
    after = merging.tables(old | new | {"speed_2025_03": OTHER_COLUMNS})
    for merged in (before, after):
        assert [family.name for family in merged.families] == ["speed_*", "speed_2024_11..2024_12"]
    assert before.families[0].members == tuple(new)
    assert after.families[0].members == (*new, "speed_2025_03")


def test_a_table_that_is_called_like_a_family_keeps_its_name(merging: Merging) -> None:
    merged = merging.tables(same_columns(["coll_2024", "coll_2025"]) | {"coll_*": COLUMNS})
    assert merged.logical_names == {
        ("main", "coll_*"): "coll_*",
        ("main", "coll_2024"): "coll_2024..2025",
        ("main", "coll_2025"): "coll_2024..2025",
    }


def test_shards_of_days_are_one_family_for_each_shard_where_days_are_more(merging: Merging) -> None:
    days = [f"202501{day:02}" for day in range(1, 6)]
    merged = merging.names(*(f"events_s{shard}_{day}" for shard in (1, 2) for day in days))
    assert [(family.name, family.key_kind, len(family.members)) for family in merged.families] == [
        ("events_s1_*", "day", 5),
        ("events_s2_*", "day", 5),
    ]


@pytest.mark.parametrize("stray", ["events_20250199", "events_0a1b2c3d"])
def test_a_stray_name_does_not_make_numbers_or_hashes_of_days(merging: Merging, stray: str) -> None:
    days = tuple(f"events_2025010{day}" for day in range(1, 6))
    [family] = merging.names(*days, stray).families
    assert (family.key_kind, family.members) == ("day", days)


def test_tables_of_other_schemas_are_no_members(merging: Merging) -> None:
    merged = merging.schemas({"one": {"events_1": COLUMNS}, "two": {"events_2": COLUMNS}})
    assert merged.groups == ()
