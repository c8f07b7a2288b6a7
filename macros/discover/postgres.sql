{#-
    System catalogs of the connected Postgres database. Names starting with pg_ are reserved.
    https://www.postgresql.org/docs/current/catalog-pg-class.html
    https://www.postgresql.org/docs/current/ddl-schemas.html#DDL-SCHEMAS-CATALOG
-#}
{% macro postgres__discover_tables() %}
    {{ linker._postgres_relations() }},

    column_counts as (
        select attrelid, count(*) as column_count
        from pg_catalog.pg_attribute
        where attnum > 0 and not attisdropped
        group by attrelid
    )

    select
        cast(current_database() as text) as database_name,
        relations.schema_name,
        relations.table_name,
        relations.table_kind,
        sizes.row_count as row_count_estimate,
        coalesce(column_counts.column_count, 0) as column_count,
        pg_catalog.obj_description(relations.oid, 'pg_class') as description
    from relations
    left join sizes on relations.oid = sizes.root_oid
    left join column_counts on relations.oid = column_counts.attrelid
{% endmacro %}

{#-
    Fields of a composite type are its columns in pg_attribute, through pg_type.typrelid. A type cannot contain itself, so
    the recursion ends. An array stays one column: its elements are read as JSON.
    A domain is spelt as its base type, an enumeration by its labels, even unused ones, and a composite type as a struct.
    https://www.postgresql.org/docs/current/catalog-pg-enum.html
    https://www.postgresql.org/docs/current/catalog-pg-attribute.html
    https://www.postgresql.org/docs/current/catalog-pg-type.html
-#}
{% macro postgres__discover_columns() %}
    {#- One step of a path, quoted if it contains a dot or a quote. -#}
    {%- set step =
        "case when {name} ~ '[.\"]' then '\"' || replace({name}, '\"', '\"\"') || '\"' else cast({name} as text) end"
    %}
    with recursive relations as (
        {{- linker._postgres_listed() }}
    ),

    -- Each domain with its chain of base types.
    below_domains as (
        select oid as domain_oid, typbasetype as type_oid, typtypmod as type_modifier, typnotnull as is_required
        from pg_catalog.pg_type
        where typtype = 'd'

        union all

        select below_domains.domain_oid, types.typbasetype, types.typtypmod, below_domains.is_required or types.typnotnull
        from below_domains
        inner join pg_catalog.pg_type as types on below_domains.type_oid = types.oid and types.typtype = 'd'
    ),

    domains as (
        select below_domains.*
        from below_domains
        inner join pg_catalog.pg_type as types on below_domains.type_oid = types.oid and types.typtype <> 'd'
    ),

    enumerations as (
        select
            enumtypid as type_oid,
            'enum(' || string_agg('''' || replace(enumlabel, '''', '''''') || '''', ', ' order by enumsortorder) || ')' as spelling
        from pg_catalog.pg_enum
        group by enumtypid
    ),

    all_levels as (
        select
            relations.oid as table_oid,
            cast(columns.attname as text) as column_name,
            {{ step.format(name='columns.attname') }} as column_path,
            0 as depth,
            array[cast(columns.attnum as integer)] as place,
            coalesce(domains.type_oid, columns.atttypid) as type_oid,
            coalesce(domains.type_modifier, columns.atttypmod) as type_modifier,
            columns.attnotnull or coalesce(domains.is_required, false) as is_required
        from relations
        inner join pg_catalog.pg_attribute as columns
            on relations.oid = columns.attrelid and columns.attnum > 0 and not columns.attisdropped
        left join domains on columns.atttypid = domains.domain_oid

        union all

        select
            outer_level.table_oid,
            outer_level.column_name,
            outer_level.column_path || '.' || {{ step.format(name='fields.attname') }},
            outer_level.depth + 1,
            outer_level.place || cast(fields.attnum as integer),
            coalesce(domains.type_oid, fields.atttypid),
            coalesce(domains.type_modifier, fields.atttypmod),
            false
        from all_levels as outer_level
        inner join pg_catalog.pg_type as types on outer_level.type_oid = types.oid and types.typtype = 'c'
        inner join pg_catalog.pg_attribute as fields
            on types.typrelid = fields.attrelid and fields.attnum > 0 and not fields.attisdropped
        left join domains on fields.atttypid = domains.domain_oid
    )

    select
        cast(current_database() as text) as database_name,
        relations.schema_name,
        relations.table_name,
        all_levels.column_name,
        all_levels.column_path,
        all_levels.depth,
        row_number() over (partition by relations.oid order by all_levels.place) as position,
        case
            when types.typtype = 'c' then 'struct<' || pg_catalog.format_type(all_levels.type_oid, null) || '>'
            when enumerations.type_oid = types.typelem then enumerations.spelling || '[]'
            when enumerations.type_oid is not null then enumerations.spelling
            else pg_catalog.format_type(all_levels.type_oid, all_levels.type_modifier)
        end as data_type,
        not all_levels.is_required as is_nullable,
        case
            when all_levels.depth = 0 then pg_catalog.col_description(relations.oid, all_levels.place[1])
        end as description
    from all_levels
    inner join relations on all_levels.table_oid = relations.oid
    inner join pg_catalog.pg_type as types on all_levels.type_oid = types.oid
    left join enumerations on types.oid = enumerations.type_oid or types.typelem = enumerations.type_oid
{% endmacro %}

{#-
    The counters of inserted, updated and deleted rows only grow, even if a transaction rolls back. They are updated after the
    rows are visible, so a later scan reads every row that a token counts. A token also includes
    - the file (relfilenode), which TRUNCATE and rewrites replace, VACUUM FULL and CLUSTER needlessly;
    - the number of columns ever created (relnatts), which changes if a column is dropped and added again;
    - the types, since an enumeration label may be renamed and a composite type may lose a field, and the expressions of
      virtual generated columns;
    - the time at which counters were reset, on request or, with those of the archiver, after a crash.
    The token is null if changes are not counted: for foreign tables, if track_counts is off for any role, and if row-level
    security applies to the role. Settings are read from the view, since read-only sessions may not call `current_setting`:
    a setting of an extension may be a secret.
    https://www.postgresql.org/docs/current/view-pg-settings.html
    https://www.postgresql.org/docs/current/monitoring-stats.html#MONITORING-PG-STAT-ALL-TABLES-VIEW
    https://www.postgresql.org/docs/current/storage-file-layout.html
    https://www.postgresql.org/docs/current/catalog-pg-class.html
-#}
{% macro postgres__discover_changes(tables) %}
    {{ linker._postgres_relations() }},

    {{ linker._postgres_used_types() }},

    computed_columns as (
        select expressions.adrelid as part_oid, string_agg(cast(expressions.oid as text), ',' order by expressions.oid) as state
        from pg_catalog.pg_attrdef as expressions
        inner join pg_catalog.pg_attribute as columns
            on expressions.adrelid = columns.attrelid and expressions.adnum = columns.attnum and columns.attgenerated = 'v'
        group by expressions.adrelid
    ),

    part_states as (
        select
            parts.root_oid,
            bool_or(classes.relkind = 'f') as has_foreign_parts,
            string_agg(
                concat_ws(
                    ':',
                    parts.part_oid,
                    classes.relfilenode,
                    classes.relnatts,
                    counters.n_tup_ins + counters.n_tup_upd + counters.n_tup_del,
                    computed_columns.state
                ),
                ',' order by parts.part_oid
            ) as state
        from parts
        inner join pg_catalog.pg_class as classes on parts.part_oid = classes.oid
        left join pg_catalog.pg_stat_all_tables as counters on parts.part_oid = counters.relid
        left join computed_columns on parts.part_oid = computed_columns.part_oid
        group by parts.root_oid
    ),

    counting as (
        select
            databases.datid,
            extract(epoch from databases.stats_reset) as reset_at,
            extract(epoch from archiver.stats_reset) as lost_at,
            (select setting from pg_catalog.pg_settings where name = 'track_counts') = 'on'
            and not exists (
                select *
                from pg_catalog.pg_db_role_setting
                where array_to_string(setconfig, ' ') like '%track_counts=%'
            ) as is_complete
        from pg_catalog.pg_stat_database as databases
        cross join pg_catalog.pg_stat_archiver as archiver
        where databases.datname = current_database()
    ),

    tokens as (
        select
            part_states.root_oid,
            case
                when counting.is_complete and not part_states.has_foreign_parts and not row_security_active(part_states.root_oid)
                    then md5(concat_ws(
                        ' ', part_states.state, used_types.state, counting.datid, counting.reset_at, 'lost', counting.lost_at
                    ))
            end as change_token
        from part_states
        left join used_types on part_states.root_oid = used_types.root_oid
        cross join counting
    )

    select
        cast(current_database() as text) as database_name,
        relations.schema_name,
        relations.table_name,
        sizes.row_count,
        sizes.byte_count,
        tokens.change_token
    from relations
    left join sizes on relations.oid = sizes.root_oid
    left join tokens on relations.oid = tokens.root_oid
{% endmacro %}

{#-
    CTEs: relations, their storage parts, and totals per relation. Parts are the relation and its partitions and other
    inheriting tables at any depth, which a query on it reads too; a partition being detached is not read (Postgres 14 or later).
    Live rows are counters, current right after a load. If the counters were lost, the count of the last VACUUM or ANALYZE
    is scaled with the file size, as the planner does; -1 means no count.
    https://www.postgresql.org/docs/current/catalog-pg-inherits.html
    https://www.postgresql.org/docs/current/row-estimation-examples.html
    Bytes exclude indexes, which a scan does not read.
    https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-ADMIN-DBSIZE
-#}
{% macro _postgres_relations() %}
    with recursive relations as (
        {{- linker._postgres_listed() }}
    ),

    parts as (
        select oid as root_oid, oid as part_oid from relations where table_kind = 'table'

        union

        select parts.root_oid, children.inhrelid
        from parts
        inner join pg_catalog.pg_inherits as children
            on parts.part_oid = children.inhparent and coalesce(to_jsonb(children) ->> 'inhdetachpending', 'false') = 'false'
    ),

    part_sizes as (
        select
            parts.root_oid,
            pg_catalog.pg_table_size(parts.part_oid) as byte_count,
            case
                when classes.relkind = 'p' then 0
                when classes.relkind = 'f' then case when classes.reltuples >= 0 then classes.reltuples end
                when counters.n_live_tup > 0 then counters.n_live_tup
                when storage.pages = 0 then 0
                when classes.reltuples > 0 and classes.relpages > 0
                    then round(classes.reltuples / classes.relpages * storage.pages)
            end as row_count
        from parts
        inner join pg_catalog.pg_class as classes on parts.part_oid = classes.oid
        left join pg_catalog.pg_stat_all_tables as counters on parts.part_oid = counters.relid
        cross join lateral (
            select pg_catalog.pg_relation_size(parts.part_oid) / cast((select setting from pg_catalog.pg_settings where name = 'block_size') as integer) as pages
        ) as storage
    ),

    sizes as (
        select
            root_oid,
            case when count(*) = count(row_count) then cast(sum(row_count) as bigint) end as row_count,
            cast(sum(byte_count) as bigint) as byte_count
        from part_sizes
        group by root_oid
    )
{%- endmacro %}

{#-
    CTEs: user-defined types that each table uses, at any depth, with the parts that affect its rows: enumeration labels, and
    all fields that a composite type ever had.
    https://www.postgresql.org/docs/current/catalog-pg-enum.html
-#}
{% macro _postgres_used_types() %}
    type_uses as (
        select relations.oid as root_oid, columns.atttypid as type_oid
        from relations
        inner join pg_catalog.pg_attribute as columns on relations.oid = columns.attrelid
        where columns.attnum > 0 and columns.atttypid >= 16384

        union

        select type_uses.root_oid, within.type_oid
        from type_uses
        inner join pg_catalog.pg_type as types on type_uses.type_oid = types.oid
        cross join lateral (
            select types.typelem as type_oid
            union all
            select types.typbasetype
            union all
            select atttypid from pg_catalog.pg_attribute where attrelid = types.typrelid and attnum > 0
        ) as within
        where within.type_oid >= 16384
    ),

    labels as (
        select enumtypid as type_oid, string_agg(enumlabel, ',' order by enumsortorder) as labels
        from pg_catalog.pg_enum
        group by enumtypid
    ),

    used_types as (
        select
            type_uses.root_oid,
            string_agg(
                concat_ws(':', type_uses.type_oid, composites.relnatts, labels.labels), ',' order by type_uses.type_oid
            ) as state
        from type_uses
        inner join pg_catalog.pg_type as types on type_uses.type_oid = types.oid
        left join pg_catalog.pg_class as composites on types.typrelid = composites.oid
        left join labels on type_uses.type_oid = labels.type_oid
        group by type_uses.root_oid
    )
{%- endmacro %}

{#-
    Partitions are read through their parent and are not listed. Tables of extensions, such as the statistics of
    pg_stat_statements, are left out.
    https://www.postgresql.org/docs/current/catalog-pg-depend.html
-#}
{% macro _postgres_listed() %}
        select
            classes.oid,
            cast(schemas.nspname as text) as schema_name,
            cast(classes.relname as text) as table_name,
            case classes.relkind when 'v' then 'view' else 'table' end as table_kind
        from pg_catalog.pg_class as classes
        inner join pg_catalog.pg_namespace as schemas on classes.relnamespace = schemas.oid
        where
            classes.relkind in ('r', 'p', 'v', 'm', 'f')
            and not classes.relispartition
            and schemas.nspname <> 'information_schema'
            and left(schemas.nspname, 3) <> 'pg_'
            and not exists (
                select *
                from pg_catalog.pg_depend as owned
                where owned.classid = 'pg_catalog.pg_class'::regclass and owned.objid = classes.oid and owned.deptype = 'e'
            )
{%- endmacro %}

{#- https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-CATALOG -#}
{% macro postgres__discover_definitions() %}
    select schema_name, table_name, pg_catalog.pg_get_viewdef(oid) as definition
    from ({{ linker._postgres_listed() }}) as relations
    where table_kind = 'view'
{% endmacro %}

{#-
    A materialized view `with no data` cannot be queried until it is refreshed.
    https://www.postgresql.org/docs/current/sql-creatematerializedview.html
-#}
{% macro postgres__discover_refusals() %}
    select relations.schema_name, relations.table_name, 'this materialized view was never populated' as reason
    from (
        {{- linker._postgres_listed() }}
    ) as relations
    inner join pg_catalog.pg_class as classes on relations.oid = classes.oid
    where not classes.relispopulated
{% endmacro %}

{#-
    https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-ACCESS
    A privilege on the table covers each column: https://www.postgresql.org/docs/current/sql-grant.html
-#}
{% macro postgres__unreadable_columns() %}
    select relations.schema_name, relations.table_name, cast(columns.attname as text) as column_name
    from (
        {{- linker._postgres_listed() }}
    ) as relations
    inner join pg_catalog.pg_attribute as columns
        on relations.oid = columns.attrelid and columns.attnum > 0 and not columns.attisdropped
    where
        not pg_catalog.has_table_privilege(relations.oid, 'select')
        and pg_catalog.has_any_column_privilege(relations.oid, 'select')
        and not pg_catalog.has_column_privilege(relations.oid, columns.attnum, 'select')
{% endmacro %}

{#-
    A partition's copy of its parent's key has a conparentid.
    https://www.postgresql.org/docs/current/catalog-pg-constraint.html
-#}
{% macro postgres__keys(kind) %}
    {%- if kind == 'primary' %}
    select
        cast(schemas.nspname as text) as schema_name,
        cast(tables.relname as text) as table_name,
        cast(columns.attname as text) as column_name
    from pg_catalog.pg_constraint as constraints
    inner join pg_catalog.pg_class as tables on constraints.conrelid = tables.oid
    inner join pg_catalog.pg_namespace as schemas on tables.relnamespace = schemas.oid
    inner join pg_catalog.pg_attribute as columns
        on constraints.conrelid = columns.attrelid and columns.attnum = any(constraints.conkey)
    where constraints.contype = 'p'
    {%- else %}
    select
        cast(constraints.oid as text) as key_name,
        cast(from_schemas.nspname as text) as from_schema,
        cast(from_tables.relname as text) as from_table,
        cast(from_columns.attname as text) as from_column,
        cast(to_schemas.nspname as text) as to_schema,
        cast(to_tables.relname as text) as to_table,
        cast(to_columns.attname as text) as to_column,
        places.position
    from pg_catalog.pg_constraint as constraints
    cross join lateral unnest(constraints.conkey, constraints.confkey) with ordinality as places (from_number, to_number, position)
    inner join pg_catalog.pg_class as from_tables on constraints.conrelid = from_tables.oid
    inner join pg_catalog.pg_namespace as from_schemas on from_tables.relnamespace = from_schemas.oid
    inner join pg_catalog.pg_class as to_tables on constraints.confrelid = to_tables.oid
    inner join pg_catalog.pg_namespace as to_schemas on to_tables.relnamespace = to_schemas.oid
    inner join pg_catalog.pg_attribute as from_columns
        on constraints.conrelid = from_columns.attrelid and places.from_number = from_columns.attnum
    inner join pg_catalog.pg_attribute as to_columns
        on constraints.confrelid = to_columns.attrelid and places.to_number = to_columns.attnum
    where constraints.contype = 'f' and constraints.conparentid = 0
    {%- endif %}
{% endmacro %}
