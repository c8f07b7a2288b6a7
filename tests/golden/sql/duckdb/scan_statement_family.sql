insert into "shop"."linker"."linker_scans" (attempt_id, database_name, schema_name, table_name, fingerprint, scanned_at, column_path, is_discovered, seen_in, value_kind, privacy, personal_data, row_count, value_count, sample_row_count, is_sampled, distinct_count, distinct_is_exact, min_value, max_value, mean, deviation, min_length, max_length, mean_length, top_values, patterns, quantiles, top_value_share, entropy, monotonicity, day_count, largest_gap_days)
with scan_1 as materialized (
with source as (
        select
            "status" as b1,
            "document" as b2,
            cast(rowid as double) as row_order,
            1 as member_place,
            true as is_in_sample
        from "shop"."sales"."orders_2025"
        union all
        select
            "status" as b1,
            "document" as b2,
            cast(rowid as double) + 1e12 as row_order,
            2 as member_place,
            true as is_in_sample
        from "shop"."sales"."orders_2024"
        
    )

    select
        count(*) as row_count,
        count(b1) as value_count_1,
        min(b1) as min_value_1,
        max(b1) as max_value_1,
        min(length(b1)) as min_length_1,
        max(length(b1)) as max_length_1,
        avg(length(b1)) as mean_length_1,
        count(b2) as value_count_2,
        list({'row_order': row_order, 'member_place': member_place, 'b1': case when is_in_sample then left(b1, 257) end, 'b2': case when is_in_sample then case when length(cast(b2 as TEXT)) <= 16384 then b2 end end}) filter (where is_in_sample) as collected,
        coalesce(sum(case when is_in_sample then 1 else 0 end), 0) as sample_row_count
    from source
),


tables as (
    select
        1 as table_number,
        'run.1' as attempt_id,
        'shop' as database_name,
        'sales' as schema_name,
        'orders' as table_name,
        'f1' as fingerprint,
        false as is_read_in_part,
        2 as member_count,
        '"orders_2025"' as member_1,
        '"orders_2024"' as member_2,
        scan_1.row_count,
        scan_1.sample_row_count
    from scan_1
    
),

names as (
    
    select table_number, column_number, column_path, value_kind, element_kind, privacy, personal_data_hint, is_measured, is_collected
    from (
        values
        (1, 1, 'status', 'text', 'text', 'detect', cast(null as TEXT), true, true),
        (1, 2, 'document', 'json', 'json', 'detect', cast(null as TEXT), true, true)
    ) as inline_rows (table_number, column_number, column_path, value_kind, element_kind, privacy, personal_data_hint, is_measured, is_collected)

),

row_values as (
    
    select
        unnest([1, 2]) as column_number,
        unnest([cast(value_count_1 as bigint), cast(value_count_2 as bigint)]) as value_count,
        unnest([cast(null as bigint), cast(null as bigint)]) as distinct_estimate,
        unnest([left(cast(min_value_1 as TEXT), 256), cast(null as TEXT)]) as min_value,
        unnest([left(cast(max_value_1 as TEXT), 256), cast(null as TEXT)]) as max_value,
        unnest([cast(null as double precision), cast(null as double precision)]) as mean,
        unnest([cast(null as double precision), cast(null as double precision)]) as deviation,
        unnest([cast(min_length_1 as bigint), cast(null as bigint)]) as min_length,
        unnest([cast(max_length_1 as bigint), cast(null as bigint)]) as max_length,
        unnest([cast(mean_length_1 as double precision), cast(null as double precision)]) as mean_length
    from scan_1

    
),

measured as materialized (
    select
        names.*,
        row_values.value_count,
        row_values.distinct_estimate,
        row_values.min_value,
        row_values.max_value,
        row_values.mean,
        row_values.deviation,
        row_values.min_length,
        row_values.max_length,
        row_values.mean_length
    from names
    left join row_values on names.column_number = row_values.column_number
),

sample_values as materialized (
    select column_number, row_order, member_place, value, number
    from (
    with sample_rows as materialized (
        select
            sampled.row_order as row_order,
            sampled.member_place as member_place,
            sampled.b1 as b1,
            sampled.b2 as b2
        from (select unnest(collected) as sampled from scan_1)
    )

    select
        unnest([1, 2]) as column_number,
        row_order,
        member_place,
        unnest([case when length(cast(b1 as TEXT)) <= 256 then cast(b1 as TEXT) end, case when length(cast(b2 as TEXT)) <= 16384 then cast(b2 as TEXT) end]) as value,
        unnest([cast(null as double precision), cast(null as double precision)]) as number
    from sample_rows
) as sampled_1
    
),

documents as (
    select column_number + 1000000 * (member_place - 1) as column_number, value
    from (
        select
            column_number,
            member_place,
            value,
            row_number() over (partition by column_number order by place_in_member, member_place) as place
        from (
            select
                column_number,
                member_place,
                value,
                row_number() over (partition by column_number, member_place order by row_order) as place_in_member
            from sample_values
            where column_number in (2) and value is not null
        ) as numbered_in_member
    ) as numbered
    where place <= 1000
),

document_counts as (
    select column_number, count(value) as document_count
    from sample_values
    where column_number in (2)
    group by column_number
),

laid_bare as materialized (
    select
        mod(column_number, 1000000) as column_number,
        1 + cast(floor(column_number / 1000000) as bigint) as member_place,
        sub_path,
        leaf_kind,
        value
    from (
    select
        documents.column_number,
        regexp_replace(
            regexp_replace(regexp_replace(leaves.fullkey, '\[[0-9]+\]', '', 'g'), '^\$\.?', ''), '"([^".]*)"', '\1', 'g'
        ) as sub_path,
        case leaves.type
            when 'VARCHAR' then 'text'
            when 'BOOLEAN' then 'boolean'
            when 'OBJECT' then 'struct'
            when 'NULL' then 'null'
            when 'DOUBLE' then 'number'
            else 'integer'
        end as leaf_kind,
        case when leaves.type not in ('OBJECT', 'NULL') then leaves.atom ->> '$' end as value
    from documents
    cross join lateral json_tree(documents.value) as leaves
    where leaves.type <> 'ARRAY' and not (leaves.fullkey = '$' and leaves.type = 'OBJECT')

    ) as leaves_of_documents
),

paths_0 as (
    select
        column_number,
        sub_path,
        case column_number
            when 2 then case
        when regexp_matches('sales.orders.document.' || lower(sub_path), '^(.*\.orders\.api_key)($|[.])') then 'hide'
        when regexp_matches('sales.orders.document.' || lower(sub_path), '^(.*\..*\..*passwor.*|.*\..*\..*passwd.*|.*\..*\..*passphrase.*|.*\..*\..*pwd|.*\..*\..*pwd_hash|.*\..*\..*secret|.*\..*\..*secret_.*|.*\..*\..*secretkey.*|.*\..*\..*token|.*\..*\..*token_hash|.*\..*\..*access_token_.*|.*\..*\..*refresh_token_.*|.*\..*\..*api_key.*|.*\..*\..*apikey.*|.*\..*\..*access_key.*|.*\..*\..*accesskey.*|.*\..*\..*private_key.*|.*\..*\..*privatekey.*|.*\..*\..*encryption_key.*|.*\..*\..*credentials.*|.*\..*\..*cvv|.*\..*\..*cvc|.*\..*\..*ssn|.*\..*\..*ssn_.*|.*\..*\..*social_security.*)($|[.])') then 'hide'
        else 'detect'
    end
        end as privacy
    from (select distinct column_number, sub_path from laid_bare) as found
),

leaves_0 as (
    select laid_bare.*, paths_0.privacy
    from laid_bare
    inner join paths_0 on laid_bare.column_number = paths_0.column_number and laid_bare.sub_path = paths_0.sub_path
    where paths_0.privacy <> 'exclude'
),


steps_1 as (
    select
        column_number,
        sub_path,
        privacy,
        leaf_count,
        first_kind,
        last_kind,
        regexp_replace(sub_path, '[.]?("([^"]|"")*"|[^."]*)$', '', 'g') as parent,
        nullif(regexp_extract(sub_path, '("(?:[^"]|"")*"|[^."]*)$', 1), '') as step
    from (
        select
            column_number,
            sub_path,
            case max(
        case privacy when 'show' then 1 when 'detect' then 2 when 'inherit' then 3 when 'mask' then 4 when 'hide' then 5 when 'exclude' then 6 end
    ) when 1 then 'show' when 2 then 'detect' when 3 then 'inherit' when 4 then 'mask' when 5 then 'hide' when 6 then 'exclude' end as privacy,
            count(*) as leaf_count,
            min(case leaf_kind when 'integer' then 'number' when 'null' then null else leaf_kind end) as first_kind,
            max(case leaf_kind when 'integer' then 'number' when 'null' then null else leaf_kind end) as last_kind
        from leaves_0
        group by column_number, sub_path
    ) as counted
),

objects_1 as (
    select column_number, sub_path, count(*) as object_count
    from leaves_0
    where leaf_kind = 'struct'
    group by column_number, sub_path

    union all

    select mod(column_number, 1000000) as column_number, '' as sub_path, count(*) as object_count
    from documents
    group by mod(column_number, 1000000)
),

maps_1 as (
    select steps.column_number, steps.parent, case max(
        case steps.privacy when 'show' then 1 when 'detect' then 2 when 'inherit' then 3 when 'mask' then 4 when 'hide' then 5 when 'exclude' then 6 end
    ) when 1 then 'show' when 2 then 'detect' when 3 then 'inherit' when 4 then 'mask' when 5 then 'hide' when 6 then 'exclude' end as privacy
    from steps_1 as steps
    left join objects_1 as objects
        on steps.column_number = objects.column_number and steps.parent = objects.sub_path
    where steps.sub_path <> '' and steps.step <> '*'
    group by steps.column_number, steps.parent
    having (sum(case when regexp_matches(steps.step, '[^][ @(){}<>,;:"/]@([^][ @(){}<>,;:"/.]+[.])+[A-Za-z]{2,24}($|:?[^A-Za-z0-9@:-])') then 1 else 0 end) >= 0.5 * count(*))
    or (
        (min(steps.first_kind) = max(steps.last_kind) or max(steps.last_kind) is null)
        and ((count(*) >= 10
        and sum(case when regexp_matches(steps.step, '^"?[-+]?[0-9]|[0-9][0-9][0-9]|@[^@]+[.]|^"?[0-9a-fA-F]{8}-') then 1 else 0 end) >= 0.8 * count(*)) or (count(*) >= 20
        and sum(steps.leaf_count) <= 0.2 * count(*) * max(objects.object_count)
        and max(steps.leaf_count) <= 0.5 * max(objects.object_count)))
    )
),

-- The outermost map that a path lies in, and the rest of the path behind its key.
in_maps_1 as (
    select
        column_number,
        sub_path,
        parent,
        privacy,
        nullif(regexp_extract(inside, '^("(?:[^"]|"")*"|[^."]*)', 1), '') as step,
        regexp_replace(inside, '^("([^"]|"")*"|[^."]*)', '', 'g') as rest
    from (
        select
            steps.column_number,
            steps.sub_path,
            maps.parent,
            maps.privacy,
            case when maps.parent = '' then steps.sub_path else substr(steps.sub_path, length(maps.parent) + 2) end as inside,
            row_number() over (partition by steps.column_number, steps.sub_path order by length(maps.parent)) as place
        from steps_1 as steps
        inner join maps_1 as maps
            on
                steps.column_number = maps.column_number
                and steps.sub_path <> ''
                and (maps.parent = '' or left(steps.sub_path, length(maps.parent) + 1) = maps.parent || '.')
    ) as inside_maps
    where place = 1
),

leaves_1 as materialized (
    select
        leaves.column_number,
        leaves.member_place,
        case
            when in_maps.sub_path is null then leaves.sub_path
            when in_maps.parent = '' then '*' || in_maps.rest
            else in_maps.parent || '.*' || in_maps.rest
        end as sub_path,
        leaves.leaf_kind,
        leaves.value,
        coalesce(in_maps.privacy, leaves.privacy) as privacy
    from leaves_0 as leaves
    left join in_maps_1 as in_maps
        on leaves.column_number = in_maps.column_number and leaves.sub_path = in_maps.sub_path
    -- The object itself has its keys as values.
    left join maps_1 as maps
        on leaves.column_number = maps.column_number and leaves.sub_path = maps.parent and leaves.leaf_kind = 'struct'
    where maps.parent is null

    union all

    select
        leaves.column_number,
        leaves.member_place,
        in_maps.parent as sub_path,
        'text' as leaf_kind,
        case
            when left(in_maps.step, 1) = '"' then replace(substr(in_maps.step, 2, length(in_maps.step) - 2), '""', '"')
            else in_maps.step
        end as value,
        in_maps.privacy
    from leaves_0 as leaves
    inner join in_maps_1 as in_maps
        on leaves.column_number = in_maps.column_number and leaves.sub_path = in_maps.sub_path
    where in_maps.rest = ''
),


steps_2 as (
    select
        column_number,
        sub_path,
        privacy,
        leaf_count,
        first_kind,
        last_kind,
        regexp_replace(sub_path, '[.]?("([^"]|"")*"|[^."]*)$', '', 'g') as parent,
        nullif(regexp_extract(sub_path, '("(?:[^"]|"")*"|[^."]*)$', 1), '') as step
    from (
        select
            column_number,
            sub_path,
            case max(
        case privacy when 'show' then 1 when 'detect' then 2 when 'inherit' then 3 when 'mask' then 4 when 'hide' then 5 when 'exclude' then 6 end
    ) when 1 then 'show' when 2 then 'detect' when 3 then 'inherit' when 4 then 'mask' when 5 then 'hide' when 6 then 'exclude' end as privacy,
            count(*) as leaf_count,
            min(case leaf_kind when 'integer' then 'number' when 'null' then null else leaf_kind end) as first_kind,
            max(case leaf_kind when 'integer' then 'number' when 'null' then null else leaf_kind end) as last_kind
        from leaves_1
        group by column_number, sub_path
    ) as counted
),

objects_2 as (
    select column_number, sub_path, count(*) as object_count
    from leaves_1
    where leaf_kind = 'struct'
    group by column_number, sub_path

    union all

    select mod(column_number, 1000000) as column_number, '' as sub_path, count(*) as object_count
    from documents
    group by mod(column_number, 1000000)
),

maps_2 as (
    select steps.column_number, steps.parent, case max(
        case steps.privacy when 'show' then 1 when 'detect' then 2 when 'inherit' then 3 when 'mask' then 4 when 'hide' then 5 when 'exclude' then 6 end
    ) when 1 then 'show' when 2 then 'detect' when 3 then 'inherit' when 4 then 'mask' when 5 then 'hide' when 6 then 'exclude' end as privacy
    from steps_2 as steps
    left join objects_2 as objects
        on steps.column_number = objects.column_number and steps.parent = objects.sub_path
    where steps.sub_path <> '' and steps.step <> '*'
    group by steps.column_number, steps.parent
    having (sum(case when regexp_matches(steps.step, '[^][ @(){}<>,;:"/]@([^][ @(){}<>,;:"/.]+[.])+[A-Za-z]{2,24}($|:?[^A-Za-z0-9@:-])') then 1 else 0 end) >= 0.5 * count(*))
    or (
        (min(steps.first_kind) = max(steps.last_kind) or max(steps.last_kind) is null)
        and ((count(*) >= 10
        and sum(case when regexp_matches(steps.step, '^"?[-+]?[0-9]|[0-9][0-9][0-9]|@[^@]+[.]|^"?[0-9a-fA-F]{8}-') then 1 else 0 end) >= 0.8 * count(*)) or (count(*) >= 20
        and sum(steps.leaf_count) <= 0.2 * count(*) * max(objects.object_count)
        and max(steps.leaf_count) <= 0.5 * max(objects.object_count)))
    )
),

-- The outermost map that a path lies in, and the rest of the path behind its key.
in_maps_2 as (
    select
        column_number,
        sub_path,
        parent,
        privacy,
        nullif(regexp_extract(inside, '^("(?:[^"]|"")*"|[^."]*)', 1), '') as step,
        regexp_replace(inside, '^("([^"]|"")*"|[^."]*)', '', 'g') as rest
    from (
        select
            steps.column_number,
            steps.sub_path,
            maps.parent,
            maps.privacy,
            case when maps.parent = '' then steps.sub_path else substr(steps.sub_path, length(maps.parent) + 2) end as inside,
            row_number() over (partition by steps.column_number, steps.sub_path order by length(maps.parent)) as place
        from steps_2 as steps
        inner join maps_2 as maps
            on
                steps.column_number = maps.column_number
                and steps.sub_path <> ''
                and (maps.parent = '' or left(steps.sub_path, length(maps.parent) + 1) = maps.parent || '.')
    ) as inside_maps
    where place = 1
),

found_leaves as materialized (
    select
        leaves.column_number,
        leaves.member_place,
        case
            when in_maps.sub_path is null then leaves.sub_path
            when in_maps.parent = '' then '*' || in_maps.rest
            else in_maps.parent || '.*' || in_maps.rest
        end as sub_path,
        leaves.leaf_kind,
        leaves.value,
        coalesce(in_maps.privacy, leaves.privacy) as privacy
    from leaves_1 as leaves
    left join in_maps_2 as in_maps
        on leaves.column_number = in_maps.column_number and leaves.sub_path = in_maps.sub_path
    -- The object itself has its keys as values.
    left join maps_2 as maps
        on leaves.column_number = maps.column_number and leaves.sub_path = maps.parent and leaves.leaf_kind = 'struct'
    where maps.parent is null

    union all

    select
        leaves.column_number,
        leaves.member_place,
        in_maps.parent as sub_path,
        'text' as leaf_kind,
        case
            when left(in_maps.step, 1) = '"' then replace(substr(in_maps.step, 2, length(in_maps.step) - 2), '""', '"')
            else in_maps.step
        end as value,
        in_maps.privacy
    from leaves_1 as leaves
    inner join in_maps_2 as in_maps
        on leaves.column_number = in_maps.column_number and leaves.sub_path = in_maps.sub_path
    where in_maps.rest = ''
),

leaf_kinds as materialized (
    select
        column_number,
        sub_path,
        case
            when max(case when leaf_kind = 'text' then 1 else 0 end) = 1 then 'text'
            when max(case when leaf_kind = 'number' then 1 else 0 end) = 1 then 'number'
            when max(case when leaf_kind = 'integer' then 1 else 0 end) = 1 then 'integer'
            when max(case when leaf_kind = 'boolean' then 1 else 0 end) = 1 then 'boolean'
            when max(case when leaf_kind = 'struct' then 1 else 0 end) = 1 then 'struct'
            else 'json'
        end as value_kind,
        case max(
        case privacy when 'show' then 1 when 'detect' then 2 when 'inherit' then 3 when 'mask' then 4 when 'hide' then 5 when 'exclude' then 6 end
    ) when 1 then 'show' when 2 then 'detect' when 3 then 'inherit' when 4 then 'mask' when 5 then 'hide' when 6 then 'exclude' end as privacy,
        row_number() over (partition by column_number order by count(*) desc, sub_path) as place
    from found_leaves
    group by column_number, sub_path
),

leaves as (
    select found_leaves.*
    from found_leaves
    inner join leaf_kinds
        on found_leaves.column_number = leaf_kinds.column_number and found_leaves.sub_path = leaf_kinds.sub_path
    where leaf_kinds.place <= 200
),

all_values as materialized (
    select
        sample_values.column_number,
        '' as sub_path,
        names.element_kind as value_kind,
        names.privacy,
        sample_values.row_order,
        sample_values.member_place,
        sample_values.value,
        sample_values.number
    from sample_values
    inner join names on sample_values.column_number = names.column_number
    where sample_values.column_number not in (2)

    union all

    select
        leaves.column_number,
        leaves.sub_path,
        leaf_kinds.value_kind,
        leaf_kinds.privacy,
        cast(null as double precision) as row_order,
        leaves.member_place,
        case when leaf_kinds.privacy <> 'hide' then left(leaves.value, 256) end as value,
        case
            when leaf_kinds.privacy <> 'hide' and leaf_kinds.value_kind in ('integer', 'number') then try_cast(leaves.value as double)
        end as number
    from leaves
    inner join leaf_kinds
        on leaves.column_number = leaf_kinds.column_number and leaves.sub_path = leaf_kinds.sub_path
),

value_counts as materialized (
    select
        column_number,
        sub_path,
        value,
        max(value_kind) as value_kind,
        max(privacy) as privacy,
        max(number) as number,
        max(case when member_place = 1 then 1 else 0 end) as is_in_1,
        max(case when member_place = 2 then 1 else 0 end) as is_in_2,
        count(*) as value_count,
        row_number() over (partition by column_number, sub_path order by count(*) desc, value) as place
    from all_values
    where value is not null
    group by column_number, sub_path, value
),

element_counts as (
    select
        column_number,
        sub_path,
        max(value_kind) as value_kind,
        max(privacy) as privacy,
        max(case when member_place = 1 then 1 else 0 end) as is_in_1,
        max(case when member_place = 2 then 1 else 0 end) as is_in_2,
        count(*) as element_count,
        count(value) as value_count
    from all_values
    group by column_number, sub_path
),

totals as (
    select
        column_number,
        sub_path,
        cast(sum(value_count) as bigint) as value_count,
        count(*) as distinct_count,
        sum(case when value_count = 1 then 1 else 0 end) as single_count,
        cast(max(value_count) as double precision) / sum(value_count) as top_value_share,
        (ln(sum(value_count)) - sum(value_count * ln(value_count)) / sum(value_count)) / ln(2) as entropy,
        min(value) as min_text,
        max(value) as max_text,
        min(number) as min_number,
        max(number) as max_number
    from value_counts
    group by column_number, sub_path
),

-- The smallest and the largest number inside of a column as they are written: as text, 10 would come before 9, and a double
-- holds some 16 digits.
ends as (
    select
        column_number,
        sub_path,
        coalesce(cast(min(min_integer) as TEXT), min(case when number = min_number then value end)) as min_value,
        coalesce(cast(max(max_integer) as TEXT), max(case when number = max_number then value end)) as max_value
    from (
        select
            value_counts.column_number,
            value_counts.sub_path,
            value_counts.value,
            value_counts.number,
            totals.min_number,
            totals.max_number,
            case
                when value_counts.value_kind = 'integer' and value_counts.number = totals.min_number
                    then try_cast(value_counts.value as hugeint)
            end as min_integer,
            case
                when value_counts.value_kind = 'integer' and value_counts.number = totals.max_number
                    then try_cast(value_counts.value as hugeint)
            end as max_integer
        from value_counts
        inner join totals
            on value_counts.column_number = totals.column_number and value_counts.sub_path = totals.sub_path
        inner join names on value_counts.column_number = names.column_number
        where value_counts.sub_path <> '' or not names.is_measured
    ) as placed
    group by column_number, sub_path
),

frequent_values as materialized (
    select
        value_counts.column_number,
        value_counts.sub_path,
        value_counts.value,
        value_counts.value_count,
        value_counts.place,
        case
        when value_counts.is_in_1 + value_counts.is_in_2 < tables.member_count
            then '[' || substr(case when value_counts.is_in_1 = 1 then ',' || tables.member_1 else '' end || case when value_counts.is_in_2 = 1 then ',' || tables.member_2 else '' end, 2) || ']'
    end as seen_in,
        case
            when
                value_counts.privacy in ('detect', 'inherit')
                and (value_counts.value_kind in ('text', 'other') or names.personal_data_hint is not null)
                then case
        when not regexp_matches(value_counts.value, '[0-9@]|-----BEGIN') then null
        when regexp_matches(value_counts.value, '(^|[^A-Za-z0-9])([sr]k[-_](live|test|prod|proj|ant|svcacct)[-_][A-Za-z0-9_-]{8,}|sk-[A-Za-z0-9]{32,}|whsec_[A-Za-z0-9+/]{16,}|(AKIA|ASIA)[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|AIza[A-Za-z0-9_-]{30,}|ya29[.][A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}|SG[.][A-Za-z0-9_-]{16,}[.][A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,}|hf_[A-Za-z0-9]{30,}|shp(at|ca|pa|ss)_[A-Fa-f0-9]{32}|do[opr]_v1_[a-f0-9]{32,}|dapi[a-f0-9]{32}|hv[sb][.][A-Za-z0-9_-]{20,}|[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}|ATATT3[A-Za-z0-9_=-]{20,}|AccountKey=[A-Za-z0-9+/]{40,}|eyJ[A-Za-z0-9_-]{8,}[.]eyJ[A-Za-z0-9_-]{8,}[.]|-----BEGIN [A-Z ]*PRIVATE KEY|[a-z][a-z0-9+]*://[^][ /:@]+:[^][ /@]+@)') then 'credential'
        when regexp_matches(value_counts.value, '[^][ @(){}<>,;:"/]@([^][ @(){}<>,;:"/.]+[.])+[A-Za-z]{2,24}($|:?[^A-Za-z0-9@:-])') then 'email'
        when case
        when length(value_counts.value) > 48 then false
        when not regexp_matches(upper(replace(replace(value_counts.value, ' ', ''), '-', '')), '^((NO)[0-9]{2}[A-Z0-9]{11}|(BE)[0-9]{2}[A-Z0-9]{12}|(DK|FI|FK|FO|GL|NL|SD)[0-9]{2}[A-Z0-9]{14}|(MK|SI)[0-9]{2}[A-Z0-9]{15}|(AT|BA|EE|KZ|LT|LU|MN|XK)[0-9]{2}[A-Z0-9]{16}|(CH|CR|HR|LI|LV)[0-9]{2}[A-Z0-9]{17}|(BG|BH|DE|GB|GE|IE|ME|RS|VA)[0-9]{2}[A-Z0-9]{18}|(AE|GI|IL|IQ|OM|SO|TL)[0-9]{2}[A-Z0-9]{19}|(AD|CZ|ES|MD|PK|RO|SA|SE|SK|TN|VG)[0-9]{2}[A-Z0-9]{20}|(LY|PT|ST)[0-9]{2}[A-Z0-9]{21}|(IS|TR)[0-9]{2}[A-Z0-9]{22}|(BI|DJ|FR|GR|IT|MC|MR|SM)[0-9]{2}[A-Z0-9]{23}|(AL|AZ|BY|CY|DO|GT|HN|HU|LB|NI|PL|SV)[0-9]{2}[A-Z0-9]{24}|(BR|EG|PS|QA|UA)[0-9]{2}[A-Z0-9]{25}|(JO|KW|MU|YE)[0-9]{2}[A-Z0-9]{26}|(MT|SC)[0-9]{2}[A-Z0-9]{27}|(LC)[0-9]{2}[A-Z0-9]{28}|(RU)[0-9]{2}[A-Z0-9]{29})$') then false
        when names.personal_data_hint = 'iban' then true
        else mod(mod(try_cast(left(lpad(translate(regexp_replace(regexp_replace(regexp_replace(substr(upper(replace(replace(value_counts.value, ' ', ''), '-', '')), 5) || left(upper(replace(replace(value_counts.value, ' ', ''), '-', '')), 4), '([A-J])', '1\1', 'g'), '([K-T])', '2\1', 'g'), '([U-Z])', '3\1', 'g'), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '01234567890123456789012345'), 72, '0'), 36) as hugeint), 97) * 64 + mod(try_cast(right(lpad(translate(regexp_replace(regexp_replace(regexp_replace(substr(upper(replace(replace(value_counts.value, ' ', ''), '-', '')), 5) || left(upper(replace(replace(value_counts.value, ' ', ''), '-', '')), 4), '([A-J])', '1\1', 'g'), '([K-T])', '2\1', 'g'), '([U-Z])', '3\1', 'g'), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '01234567890123456789012345'), 72, '0'), 36) as hugeint), 97), 97) = 1
    end then 'iban'
        when case
        when not regexp_matches(value_counts.value, '^ *[0-9]+([ -][0-9]+)* *$') then false
        when names.personal_data_hint = 'card' then regexp_matches(replace(replace(value_counts.value, ' ', ''), '-', ''), '^[1-9][0-9]{12,18}$')
        when regexp_matches(replace(replace(value_counts.value, ' ', ''), '-', ''), '^(4[0-9]{15}([0-9]{3})?|(5[1-5][0-9]{2}|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}|3[47][0-9]{13}|3(0[0-59]|[689][0-9])[0-9]{11}([0-9]{2})?|(6011|64[4-9][0-9]|65[0-9]{2}|35(2[89]|[3-8][0-9])|62[0-9]{2}|220[0-4])[0-9]{12,15}|(5018|5020|5038|5893|6304|6759|676[1-3])[0-9]{10,15}|(60[0-9]{2}|508[5-9]|8[12][0-9]{2})[0-9]{12})$') then mod(length(replace(replace(replace(replace(replace(replace(replace(replace(replace(translate(regexp_replace(lpad(replace(replace(value_counts.value, ' ', ''), '-', ''), 20, '0'), '([0-9])[0-9]', '\1', 'g'), '0123456789', '0246813579') || regexp_replace(lpad(replace(replace(value_counts.value, ' ', ''), '-', ''), 20, '0'), '[0-9]([0-9])', '\1', 'g'), '0', ''), '2', '11'), '3', '111'), '4', '1111'), '5', '11111'), '6', '111111'), '7', '1111111'), '8', '11111111'), '9', '111111111')), 10) = 0
        else false
    end then 'card'
        when case
        when length(value_counts.value) > 24 then false
        when regexp_matches(value_counts.value, '^ *((00[1-9]|0[1-9][0-9]|[1-578][0-9]{2}|6[0-57-9][0-9]|66[0-57-9])-(0[1-9]|[1-9][0-9])-(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})|[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] [0-9]{2} [0-9]{2} [0-9]{2} [A-D]|[A-Za-z]{6}[0-9LMNPQRSTUV]{2}[ABCDEHLMPRSTabcdehlmprst][0-9LMNPQRSTUV]{2}[A-Za-z][0-9LMNPQRSTUV]{3}[A-Za-z]|[A-Z][AEIOUX][A-Z]{2}[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])[HMX][A-Z]{5}[A-Z0-9][0-9]|756[.][0-9]{4}[.][0-9]{4}[.][0-9]{2}) *$') then true
        when regexp_matches(regexp_replace(upper(value_counts.value), '[ ./-]', '', 'g'), '^[0-9XYZ][0-9]{7}[A-Z]$') and substr('TRWAGMYFPDXBNJZSQVHLCKE', cast(mod(try_cast(replace(replace(replace(left(regexp_replace(upper(value_counts.value), '[ ./-]', '', 'g'), 8), 'X', '0'), 'Y', '1'), 'Z', '2') as bigint), 23) + 1 as integer), 1) = substr(regexp_replace(upper(value_counts.value), '[ ./-]', '', 'g'), 9, 1) then true
        when
            regexp_matches(regexp_replace(upper(value_counts.value), '[ ./-]', '', 'g'), '^[1-478][0-9]{2}(0[1-9]|1[0-2]|[2-9][0-9])(2[AB]|[0-9]{2})[0-9]{8}$')
            and mod(try_cast(replace(replace(left(regexp_replace(upper(value_counts.value), '[ ./-]', '', 'g'), 13), '2A', '19'), '2B', '18') as bigint), 97) + try_cast(substr(regexp_replace(upper(value_counts.value), '[ ./-]', '', 'g'), 14, 2) as bigint) = 97
            then true
        when
            regexp_matches(value_counts.value, '^ *[0-9]{3}[.]?[0-9]{3}[.]?[0-9]{3}-?[0-9]{2} *$')
            and mod(length(replace(replace(replace(replace(replace(replace(replace(replace(replace(regexp_replace(left(regexp_replace(value_counts.value, '[^0-9]', '', 'g'), 10), '^([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])', '\1\1\1\1\1\1\1\1\1\1\2\2\2\2\2\2\2\2\2\3\3\3\3\3\3\3\3\4\4\4\4\4\4\4\5\5\5\5\5\5\6\6\6\6\6\7\7\7\7\8\8\8\9\9', 'g'), '0', ''), '2', '11'), '3', '111'), '4', '1111'), '5', '11111'), '6', '111111'), '7', '1111111'), '8', '11111111'), '9', '111111111')), 11) <= case when substr(regexp_replace(value_counts.value, '[^0-9]', '', 'g'), 10, 1) = '0' then 1 else 0 end and mod(length(replace(replace(replace(replace(replace(replace(replace(replace(replace(regexp_replace(regexp_replace(value_counts.value, '[^0-9]', '', 'g'), '^[0-9]([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])', '\1\1\1\1\1\1\1\1\1\1\2\2\2\2\2\2\2\2\2\3\3\3\3\3\3\3\3\4\4\4\4\4\4\4\5\5\5\5\5\5\6\6\6\6\6\7\7\7\7\8\8\8\9\9', 'g'), '0', ''), '2', '11'), '3', '111'), '4', '1111'), '5', '11111'), '6', '111111'), '7', '1111111'), '8', '11111111'), '9', '111111111')), 11) <= case when substr(regexp_replace(value_counts.value, '[^0-9]', '', 'g'), 11, 1) = '0' then 1 else 0 end and not regexp_matches(regexp_replace(value_counts.value, '[^0-9]', '', 'g'), '^(0+|1+|2+|3+|4+|5+|6+|7+|8+|9+)$')
            then true
        when names.personal_data_hint = 'national_id'
            then
                regexp_matches(regexp_replace(upper(value_counts.value), '[ ./-]', '', 'g'), '^[A-Z0-9]{8,18}$') and regexp_matches(regexp_replace(value_counts.value, '[^0-9]', '', 'g'), '^[0-9]{6}')
        else false
    end then 'national_id'
        when case
        when not regexp_matches(regexp_replace(value_counts.value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', '', 'g'), '^ *[+(]?[0-9][0-9 ()./-]{5,23} *$') then false
        when regexp_matches(regexp_replace(regexp_replace(value_counts.value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', '', 'g'), '[ ()./-]', '', 'g'), '^[+][1-9][0-9]{7,14}$')
            then not regexp_matches(regexp_replace(value_counts.value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', '', 'g'), '^ *[+][0-9]+[.][0-9]+ *$')
        when regexp_matches(regexp_replace(value_counts.value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', '', 'g'), '^ *([+]?1[ .-]?)?[(][2-9][0-9]{2}[)] ?[2-9][0-9]{2}[-. ][0-9]{4} *$') then true
        when names.personal_data_hint = 'phone'
            then
                regexp_matches(regexp_replace(regexp_replace(value_counts.value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', '', 'g'), '[ ()./-]', '', 'g'), '^[0-9]{7,15}$')
                and not regexp_matches(regexp_replace(value_counts.value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', '', 'g'), '^ *([0-9]+[.][0-9]+|[0-9]{1,8}|[0-9]{4}[./-][01]?[0-9][./-][0-3]?[0-9]([ 0-9]*)|[0-3]?[0-9][./-][0-3]?[0-9][./-][0-9]{4}([ 0-9]*)|[0-9]{1,3}[.][0-9]{1,3}[.][0-9]{1,3}[.][0-9]{1,3}) *$')
        else false
    end then 'phone'
        when case
        when regexp_matches(value_counts.value, '(^|[^0-9A-Za-z.,%-])[0-9]{1,5}[A-Za-z]?(-[0-9]{1,5})? ([^][ a-z,;:!?(){}=][^ ,;:!?(){}=]*,? ){1,4}(Street|Avenue|Road|Boulevard|Lane|Drive|Court|Square|Terrace|Parkway|Highway|Crescent|Mews|Grove|Gardens|Alley|Turnpike|Esplanade|Close|Place|Way|Trail|STREET|AVENUE|ROAD|BOULEVARD|LANE|DRIVE|TERRACE|PARKWAY|HIGHWAY|CRESCENT|Blvd|BLVD|Pkwy|Hwy|Ave|AVE|Rd|RD)($|[^A-Za-z])|(^|[^0-9A-Za-z.,%-])[0-9]{1,5}[A-Za-z]?(-[0-9]{1,5})? ([^][ a-z,;:!?(){}=][^ ,;:!?(){}=]*,? ){1,4}(St|ST|Dr|Ln|LN|Ct|Pl|Sq)[.]?($|[,;#\n]| (Apt|Unit|Suite|Ste|N|S|E|W|N[EW]|S[EW])($|[^A-Za-z]))|[A-Z][^ 0-9]+ (Street|Avenue|Road|Boulevard|Lane|Blvd|Ave|Rd|St|Dr)[.]? [0-9]{1,4}($|[,;#\n])|(^|[^A-Za-z])(Via|Viale|Piazza|Piazzale|Corso|Vicolo|VIA|VIALE|PIAZZA|CORSO) [^][0-9a-z,;:!?(){}=][^][0-9,;:!?(){}=]+,? ?(n[.]? ?)?[0-9]{1,4}($|[^A-Za-z])') then true
        when regexp_matches(lower(value_counts.value), '(stra(ss|[\x{00df}])e|[a-z]{3}str[.]?|(^|[^a-z])str[.]|platz|gasse|allee|weg|damm|chaussee),? [0-9]{1,4}( ?[a-k])?($|[^0-9a-z.%:])|(straat|laan|plein|gracht|kade|dijk|singel|gatan|v[\x{00e0}-\x{00ff}]gen|gade|vej|vejen|veien|katu),? [0-9]{1,4}( ?[a-k])?($|[^0-9a-z.%:])|(^|[^0-9a-z])[0-9]{1,4}( ?(bis|ter))?,? (rue|avenue|av[.]|boulevard|bd|chemin|impasse|all(e|[\x{00e0}-\x{00ff}])e|quai|place|route|faubourg) (de |du |des |d.|la |le |les |l.|saint|[a-z])[a-z]|(^|[^0-9a-z])(rue|all(e|[\x{00e0}-\x{00ff}])e|chemin|quai) [^][0-9,;:!?(){}=]+ [0-9]{1,4}($|[^0-9a-z%])|(^|[^0-9a-z])(calle|c/|avenida|avda[.]?|paseo|plaza|carrer|camino|rua|travessa|pra[\x{00e0}-\x{00ff}]a|alameda) ?[^][0-9,;:!?(){}=]+,? ?(n[^ 0-9]{0,2} ?)?[0-9]{1,5}($|[^0-9a-z%])|(^|[^0-9a-z])(ul|al|os)[.] ?[^][0-9,;:!?(){}=]+ [0-9]{1,4}|(^|[^0-9a-z])(p[.]? ?o[.]? ?box|postfach|postbus|bo[\x{00e0}-\x{00ff}]te postale|apartado( de correos)?|casilla|skr[.] poczt[.]) ?[0-9]{1,6}|[\x{901a}\x{8857}\x{8def}][\x{308a}]? ?[0-9]{1,4}|[0-9]{1,4}[\x{4e01}\x{756a}\x{53f7}]') then true
        when names.personal_data_hint = 'address'
            then
                regexp_matches(value_counts.value, '(^|[ ,])[0-9]+[A-Za-z]?([ ,/-]|$)')
                and regexp_matches(value_counts.value, '[^][ -@_{}]{3}')
                and not regexp_matches(value_counts.value, '@|://|=')
        else false
    end then 'address'
        when (regexp_matches(value_counts.value, '^[A-Za-z0-9+/_-]{32,}={0,2}$') and regexp_matches(value_counts.value, '[A-Z]') and regexp_matches(value_counts.value, '[a-z]') and regexp_matches(value_counts.value, '[0-9]') and not regexp_matches(value_counts.value, '[A-Z]{8}|[a-z]{8}|[0-9]{8}|^0x')) then 'random'
    end
        end as personal_data
    from value_counts
    inner join names on value_counts.column_number = names.column_number
    inner join tables on names.table_number = tables.table_number
    where value_counts.place <= 200
),

tops as (
    select
        column_number,
        sub_path,
        '[' || string_agg('{"value":' || to_json(shown_value) || ',"count":' || value_count || coalesce(',"members":' || seen_in, '') || '}', ',' order by value_count desc, shown_value) || ']' as top_values
    from (
        select
            *,
            -- A personal value among others is masked by itself; a random string among others is no secret.
            case when personal_data <> 'random' then (regexp_replace(regexp_replace(regexp_replace(translate(left(value, 32), 'BCDEFGHIJKLMNOPQRSTUVWXYZbcdefghijklmnopqrstuvwxyz012345678', 'AAAAAAAAAAAAAAAAAAAAAAAAAaaaaaaaaaaaaaaaaaaaaaaaaa999999999'), '[\p{Lu}\p{Lt}]', 'A', 'g'), '[\x{00b2}-\x{00b3}\x{00b9}\x{00bc}-\x{00be}\x{0660}-\x{0669}\x{06f0}-\x{06f9}\x{0966}-\x{096f}\x{09e6}-\x{09ef}\x{0e50}-\x{0e59}\x{ff10}-\x{ff19}]', '9', 'g'), '[^\t\n\r -~\x{00a0}-\x{00a9}\x{00ab}-\x{00b1}\x{00b4}\x{00b6}-\x{00b8}\x{00bb}\x{00bf}\x{00d7}\x{00f7}\x{2000}-\x{200a}\x{2010}-\x{2027}\x{202f}-\x{205f}\x{20a0}-\x{20bf}\x{2190}-\x{22ff}\x{2500}-\x{26ff}\x{3000}-\x{3004}\x{3008}-\x{301b}]', 'a', 'g') || case when length(value) > 32 then '...' else '' end) else value end as shown_value
        from frequent_values
    ) as shown
    where place <= 25
    group by column_number, sub_path
),

texts as (
    select column_number, sub_path, value, value_count
    from value_counts
    where value_kind = 'text' and place <= 2000
),

shape_counts as (
    select
        column_number,
        sub_path,
        shape,
        cast(sum(value_count) as bigint) as value_count,
        row_number() over (partition by column_number, sub_path order by sum(value_count) desc, shape) as place
    from (
    select
        column_number, sub_path,
        unnest(string_split(
            case
                when regexp_matches(joined, '[^\t\n\r\x{001f} -~]')
                    then regexp_replace(regexp_replace(regexp_replace(translate(joined, 'BCDEFGHIJKLMNOPQRSTUVWXYZbcdefghijklmnopqrstuvwxyz012345678', 'AAAAAAAAAAAAAAAAAAAAAAAAAaaaaaaaaaaaaaaaaaaaaaaaaa999999999'), '[\p{Lu}\p{Lt}]', 'A', 'g'), '[\x{00b2}-\x{00b3}\x{00b9}\x{00bc}-\x{00be}\x{0660}-\x{0669}\x{06f0}-\x{06f9}\x{0966}-\x{096f}\x{09e6}-\x{09ef}\x{0e50}-\x{0e59}\x{ff10}-\x{ff19}]', '9', 'g'), '[^\t\n\r -~\x{00a0}-\x{00a9}\x{00ab}-\x{00b1}\x{00b4}\x{00b6}-\x{00b8}\x{00bb}\x{00bf}\x{00d7}\x{00f7}\x{2000}-\x{200a}\x{2010}-\x{2027}\x{202f}-\x{205f}\x{20a0}-\x{20bf}\x{2190}-\x{22ff}\x{2500}-\x{26ff}\x{3000}-\x{3004}\x{3008}-\x{301b}\x{001f}]', 'a', 'g')
                else translate(joined, 'BCDEFGHIJKLMNOPQRSTUVWXYZbcdefghijklmnopqrstuvwxyz012345678', 'AAAAAAAAAAAAAAAAAAAAAAAAAaaaaaaaaaaaaaaaaaaaaaaaaa999999999')
            end,
            chr(31)
        )) as shape,
        unnest(list_transform(texts, lambda one: one.value_count)) as value_count
    from (
        select
            *,
            array_to_string(list_transform(texts, lambda one: one.start), chr(31)) as joined
        from (
            select
                column_number, sub_path,
                list({
                    'start': replace(left(value, 32), chr(31), 'a') || case when length(value) > 32 then '...' else '' end,
                    'value_count': value_count
                }) as texts
            from texts
            group by column_number, sub_path
        ) as grouped
    ) as listed

    ) as shaped
    group by column_number, sub_path, shape
),

shapes as (
    select
        column_number,
        sub_path,
        cast(to_json(list({'value': shape, 'count': cast(value_count as bigint)} order by value_count desc, shape)) as varchar) as patterns
    from shape_counts
    where place <= 5
    group by column_number, sub_path
),

personal as (
    select
        column_number,
        sub_path,
        coalesce(
            case
        when
            sum(case when personal_data = 'credential' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when personal_data = 'credential' then value_count else 0 end)
            >= 0.3 * sum(value_count)
            then 'credential'
        when
            sum(case when personal_data = 'iban' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when personal_data = 'iban' then value_count else 0 end)
            >= 0.3 * sum(value_count)
            then 'iban'
        when
            sum(case when personal_data = 'card' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when personal_data = 'card' then value_count else 0 end)
            >= 0.3 * sum(value_count)
            then 'card'
        when
            sum(case when personal_data = 'national_id' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when personal_data = 'national_id' then value_count else 0 end)
            >= 0.3 * sum(value_count)
            then 'national_id'
        when
            sum(case when personal_data = 'email' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when personal_data = 'email' then value_count else 0 end)
            >= 0.3 * sum(value_count)
            then 'email'
        when
            sum(case when personal_data = 'phone' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when personal_data = 'phone' then value_count else 0 end)
            >= 0.3 * sum(value_count)
            then 'phone'
        when
            sum(case when personal_data = 'address' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when personal_data = 'address' then value_count else 0 end)
            >= 0.3 * sum(value_count)
            then 'address'
    end,
            case
                when
                    min(length(value)) = max(length(value))
                    and sum(case when personal_data = 'random' then 1 else 0 end) >= 0.9 * count(*)
                    then 'random'
            end
        ) as personal_data
    from frequent_values
    group by column_number, sub_path
),

spreads as (
    select
        column_number,
        sub_path,
        cast(to_json(quantile_disc(number, [0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0])) as varchar) as quantiles,
        case when isfinite(corr(row_order, number)) then corr(row_order, number) end as monotonicity,
        avg(number) as mean,
        stddev_samp(number) as deviation
    from all_values
    -- What lies in a document may be beyond what can be squared and summed.
    where abs(number) < 1e150
    group by column_number, sub_path
),

days as (
    select
        column_number,
        sub_path,
        count(*) as day_count,
        cast(max(gap) as bigint) as largest_gap_days
    from (
        select
            column_number,
            sub_path,
            day_number - lag(day_number) over (partition by column_number, sub_path order by day_number) as gap
        from (
            select distinct column_number, sub_path, floor(number / 86400) as day_number
            from value_counts
            where value_kind in ('date', 'timestamp') and number is not null
        ) as distinct_days
    ) as gaps
    group by column_number, sub_path
),

paths as (
    select column_number, '' as sub_path, false as is_discovered, value_kind from measured

    union all

    select column_number, sub_path, true as is_discovered, value_kind from element_counts where sub_path <> ''
),

gathered as (
    select
        tables.attempt_id,
        tables.database_name,
        tables.schema_name,
        tables.table_name,
        tables.fingerprint,
        paths.is_discovered,
        case when paths.is_discovered then case
        when element_counts.is_in_1 + element_counts.is_in_2 < tables.member_count
            then '[' || substr(case when element_counts.is_in_1 = 1 then ',' || tables.member_1 else '' end || case when element_counts.is_in_2 = 1 then ',' || tables.member_2 else '' end, 2) || ']'
    end end as seen_in,
        paths.value_kind,
        coalesce(element_counts.privacy, measured.privacy) as said_privacy,
        tables.sample_row_count,
        case
        when personal.personal_data <> 'random' then personal.personal_data
        when personal.personal_data = 'random'
            then
                case
                    when not regexp_matches('_' || regexp_replace(lower(regexp_replace(regexp_replace(case when paths.sub_path = '' then measured.column_path else paths.sub_path end, '^.*[.]', '', 'g'), '([a-z0-9])([A-Z])', '\1_\2', 'g')), '[^a-z0-9]+', '_', 'g') || '_', '_(id|ids|uuid|guid|uid|pk|fk|hash|hashes|digest|checksum|md5|sha[0-9]*|etag|fingerprint|signature|address|addresses|addr|wallet|cid|block|tx|txn|transaction|pubkey|url|uri|path|file|filename|slug|sequence)_')
                        then 'credential'
                end
        when
            totals.value_count is null and measured.privacy in ('detect', 'inherit')
            and regexp_matches(measured.min_value, '(^|[^A-Za-z0-9])([sr]k[-_](live|test|prod|proj|ant|svcacct)[-_][A-Za-z0-9_-]{8,}|sk-[A-Za-z0-9]{32,}|whsec_[A-Za-z0-9+/]{16,}|(AKIA|ASIA)[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|AIza[A-Za-z0-9_-]{30,}|ya29[.][A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}|SG[.][A-Za-z0-9_-]{16,}[.][A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,}|hf_[A-Za-z0-9]{30,}|shp(at|ca|pa|ss)_[A-Fa-f0-9]{32}|do[opr]_v1_[a-f0-9]{32,}|dapi[a-f0-9]{32}|hv[sb][.][A-Za-z0-9_-]{20,}|[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}|ATATT3[A-Za-z0-9_=-]{20,}|AccountKey=[A-Za-z0-9+/]{40,}|eyJ[A-Za-z0-9_-]{8,}[.]eyJ[A-Za-z0-9_-]{8,}[.]|-----BEGIN [A-Z ]*PRIVATE KEY|[a-z][a-z0-9+]*://[^][ /:@]+:[^][ /@]+@)') and regexp_matches(measured.max_value, '(^|[^A-Za-z0-9])([sr]k[-_](live|test|prod|proj|ant|svcacct)[-_][A-Za-z0-9_-]{8,}|sk-[A-Za-z0-9]{32,}|whsec_[A-Za-z0-9+/]{16,}|(AKIA|ASIA)[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|AIza[A-Za-z0-9_-]{30,}|ya29[.][A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}|SG[.][A-Za-z0-9_-]{16,}[.][A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,}|hf_[A-Za-z0-9]{30,}|shp(at|ca|pa|ss)_[A-Fa-f0-9]{32}|do[opr]_v1_[a-f0-9]{32,}|dapi[a-f0-9]{32}|hv[sb][.][A-Za-z0-9_-]{20,}|[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}|ATATT3[A-Za-z0-9_=-]{20,}|AccountKey=[A-Za-z0-9+/]{40,}|eyJ[A-Za-z0-9_-]{8,}[.]eyJ[A-Za-z0-9_-]{8,}[.]|-----BEGIN [A-Z ]*PRIVATE KEY|[a-z][a-z0-9+]*://[^][ /:@]+:[^][ /@]+@)')
            then 'credential'
    end as personal_data,
        case when paths.is_discovered then measured.column_path || '.' || paths.sub_path else measured.column_path end as column_path,
        case
            -- The elements of a list of structs are not collected themselves, and what is excluded is not read: nobody
            -- counted them.
            when not (measured.is_measured or measured.is_collected) then null
            when paths.is_discovered or not measured.is_measured then coalesce(element_counts.element_count, 0)
            else tables.row_count
        end as row_count,
        case
            when paths.is_discovered and element_counts.privacy = 'hide' then null
            when not (measured.is_measured or measured.is_collected) then null
            when paths.is_discovered and paths.value_kind = 'struct' then element_counts.element_count
            when paths.is_discovered or not measured.is_measured then coalesce(totals.value_count, 0)
            else measured.value_count
        end as value_count,
        totals.value_count as sample_value_count,
        totals.distinct_count as sample_distinct_count,
        totals.single_count as sample_single_count,
        tables.is_read_in_part
        or tables.sample_row_count < tables.row_count
        or (paths.is_discovered and measured.value_count > 1000)
        -- Long documents were left out.
        or coalesce(measured.value_count > document_counts.document_count, false) as is_sampled,
        case measured.value_kind
        when 'text' then coalesce(measured.max_length, 0) > 256
        when 'other' then coalesce(coalesce(totals.value_count, 0) < measured.value_count, false)
        else false
    end as has_long_texts,
        case
            when (paths.is_discovered or not measured.is_measured) and paths.value_kind in ('integer', 'number') then ends.min_value
            when (paths.is_discovered or not measured.is_measured) and paths.value_kind not in ('interval', 'other')
                then totals.min_text
            else measured.min_value
        end as min_value,
        case
            when (paths.is_discovered or not measured.is_measured) and paths.value_kind in ('integer', 'number') then ends.max_value
            when (paths.is_discovered or not measured.is_measured) and paths.value_kind not in ('interval', 'other')
                then totals.max_text
            else measured.max_value
        end as max_value,
        coalesce(measured.mean, case when paths.value_kind in ('integer', 'number') then spreads.mean end) as mean,
        coalesce(measured.deviation, case when paths.value_kind in ('integer', 'number') then spreads.deviation end) as deviation,
        case when not paths.is_discovered then measured.min_length end as min_length,
        case when not paths.is_discovered then measured.max_length end as max_length,
        case when not paths.is_discovered then measured.mean_length end as mean_length,
        measured.distinct_estimate,
        tops.top_values,
        shapes.patterns,
        spreads.quantiles,
        spreads.monotonicity,
        totals.top_value_share,
        totals.entropy,
        days.day_count,
        days.largest_gap_days
    from paths
    inner join measured on paths.column_number = measured.column_number
    inner join tables on measured.table_number = tables.table_number
    left join element_counts
        on paths.column_number = element_counts.column_number and paths.sub_path = element_counts.sub_path
    left join totals
        on paths.column_number = totals.column_number and paths.sub_path = totals.sub_path
    left join ends
        on paths.column_number = ends.column_number and paths.sub_path = ends.sub_path
    left join tops
        on paths.column_number = tops.column_number and paths.sub_path = tops.sub_path
    left join shapes
        on paths.column_number = shapes.column_number and paths.sub_path = shapes.sub_path
    left join personal
        on paths.column_number = personal.column_number and paths.sub_path = personal.sub_path
    left join spreads
        on paths.column_number = spreads.column_number and paths.sub_path = spreads.sub_path
    left join days
        on paths.column_number = days.column_number and paths.sub_path = days.sub_path
    left join document_counts on paths.column_number = document_counts.column_number
),

decided as (
    select
        gathered.*,
        said_privacy = 'detect' as is_looked_over,
        case
            when said_privacy not in ('detect', 'inherit') then said_privacy
            when personal_data = 'credential' then 'hide'
            when said_privacy = 'inherit' or personal_data is not null then 'mask'
            else 'show'
        end as privacy
    from gathered
),

-- Where every row is in the sample the values are counted; else the warehouse's estimate counts, kept between what was
-- seen and what can be, and without one the sample's own.
judged as (
    select
        decided.*,
        privacy <> 'hide' and sample_distinct_count is not null and not is_sampled and not has_long_texts
            as distinct_is_exact,
        case
            when privacy in ('hide', 'exclude', 'refuse') then null
            when value_count = 0 and value_kind not in ('struct', 'json', 'binary', 'list') then 0
            when not is_sampled and not has_long_texts then sample_distinct_count
            when value_kind in ('struct', 'json', 'binary') then null
            -- Nobody looked at the values.
            when value_kind = 'other' and sample_value_count is null then null
            else
                greatest(
                    coalesce(sample_distinct_count, 0),
                    least(
                        coalesce(
                            distinct_estimate,
                            cast(cast(sample_value_count as double precision) * sample_distinct_count / nullif(sample_value_count - sample_single_count + cast(sample_single_count as double precision) * sample_value_count / nullif(value_count, 0), 0) as bigint),
                            sample_distinct_count,
                            0
                        ),
                        value_count
                    )
                )
        end as distinct_count
    from decided
),

final as (
    select
        attempt_id,
        database_name,
        schema_name,
        table_name,
        fingerprint,
        cast('now' as timestamp) as scanned_at,
        column_path,
        is_discovered,
        seen_in,
        value_kind,
        privacy,
        personal_data,
        cast(row_count as bigint) as row_count,
        cast(value_count as bigint) as value_count,
        cast(sample_row_count as bigint) as sample_row_count,
        is_sampled,
        cast(distinct_count as bigint) as distinct_count,
        distinct_is_exact or (coalesce(value_count, 1) = 0 and distinct_count is not null) as distinct_is_exact,
        case
        when privacy <> 'show' then null
        when
            is_looked_over and value_kind = 'text'
            and (regexp_matches(min_value, '@') or regexp_matches(min_value, '(^|[^A-Za-z0-9])([sr]k[-_](live|test|prod|proj|ant|svcacct)[-_][A-Za-z0-9_-]{8,}|sk-[A-Za-z0-9]{32,}|whsec_[A-Za-z0-9+/]{16,}|(AKIA|ASIA)[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|AIza[A-Za-z0-9_-]{30,}|ya29[.][A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}|SG[.][A-Za-z0-9_-]{16,}[.][A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,}|hf_[A-Za-z0-9]{30,}|shp(at|ca|pa|ss)_[A-Fa-f0-9]{32}|do[opr]_v1_[a-f0-9]{32,}|dapi[a-f0-9]{32}|hv[sb][.][A-Za-z0-9_-]{20,}|[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}|ATATT3[A-Za-z0-9_=-]{20,}|AccountKey=[A-Za-z0-9+/]{40,}|eyJ[A-Za-z0-9_-]{8,}[.]eyJ[A-Za-z0-9_-]{8,}[.]|-----BEGIN [A-Z ]*PRIVATE KEY|[a-z][a-z0-9+]*://[^][ /:@]+:[^][ /@]+@)'))
            then (regexp_replace(regexp_replace(regexp_replace(translate(left(min_value, 32), 'BCDEFGHIJKLMNOPQRSTUVWXYZbcdefghijklmnopqrstuvwxyz012345678', 'AAAAAAAAAAAAAAAAAAAAAAAAAaaaaaaaaaaaaaaaaaaaaaaaaa999999999'), '[\p{Lu}\p{Lt}]', 'A', 'g'), '[\x{00b2}-\x{00b3}\x{00b9}\x{00bc}-\x{00be}\x{0660}-\x{0669}\x{06f0}-\x{06f9}\x{0966}-\x{096f}\x{09e6}-\x{09ef}\x{0e50}-\x{0e59}\x{ff10}-\x{ff19}]', '9', 'g'), '[^\t\n\r -~\x{00a0}-\x{00a9}\x{00ab}-\x{00b1}\x{00b4}\x{00b6}-\x{00b8}\x{00bb}\x{00bf}\x{00d7}\x{00f7}\x{2000}-\x{200a}\x{2010}-\x{2027}\x{202f}-\x{205f}\x{20a0}-\x{20bf}\x{2190}-\x{22ff}\x{2500}-\x{26ff}\x{3000}-\x{3004}\x{3008}-\x{301b}]', 'a', 'g') || case when length(min_value) > 32 then '...' else '' end)
        else min_value
    end as min_value,
        case
        when privacy <> 'show' then null
        when
            is_looked_over and value_kind = 'text'
            and (regexp_matches(max_value, '@') or regexp_matches(max_value, '(^|[^A-Za-z0-9])([sr]k[-_](live|test|prod|proj|ant|svcacct)[-_][A-Za-z0-9_-]{8,}|sk-[A-Za-z0-9]{32,}|whsec_[A-Za-z0-9+/]{16,}|(AKIA|ASIA)[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|AIza[A-Za-z0-9_-]{30,}|ya29[.][A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}|SG[.][A-Za-z0-9_-]{16,}[.][A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,}|hf_[A-Za-z0-9]{30,}|shp(at|ca|pa|ss)_[A-Fa-f0-9]{32}|do[opr]_v1_[a-f0-9]{32,}|dapi[a-f0-9]{32}|hv[sb][.][A-Za-z0-9_-]{20,}|[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}|ATATT3[A-Za-z0-9_=-]{20,}|AccountKey=[A-Za-z0-9+/]{40,}|eyJ[A-Za-z0-9_-]{8,}[.]eyJ[A-Za-z0-9_-]{8,}[.]|-----BEGIN [A-Z ]*PRIVATE KEY|[a-z][a-z0-9+]*://[^][ /:@]+:[^][ /@]+@)'))
            then (regexp_replace(regexp_replace(regexp_replace(translate(left(max_value, 32), 'BCDEFGHIJKLMNOPQRSTUVWXYZbcdefghijklmnopqrstuvwxyz012345678', 'AAAAAAAAAAAAAAAAAAAAAAAAAaaaaaaaaaaaaaaaaaaaaaaaaa999999999'), '[\p{Lu}\p{Lt}]', 'A', 'g'), '[\x{00b2}-\x{00b3}\x{00b9}\x{00bc}-\x{00be}\x{0660}-\x{0669}\x{06f0}-\x{06f9}\x{0966}-\x{096f}\x{09e6}-\x{09ef}\x{0e50}-\x{0e59}\x{ff10}-\x{ff19}]', '9', 'g'), '[^\t\n\r -~\x{00a0}-\x{00a9}\x{00ab}-\x{00b1}\x{00b4}\x{00b6}-\x{00b8}\x{00bb}\x{00bf}\x{00d7}\x{00f7}\x{2000}-\x{200a}\x{2010}-\x{2027}\x{202f}-\x{205f}\x{20a0}-\x{20bf}\x{2190}-\x{22ff}\x{2500}-\x{26ff}\x{3000}-\x{3004}\x{3008}-\x{301b}]', 'a', 'g') || case when length(max_value) > 32 then '...' else '' end)
        else max_value
    end as max_value,
        case when privacy = 'show' then mean end as mean,
        case when privacy = 'show' then deviation end as deviation,
        case when privacy <> 'hide' then min_length end as min_length,
        case when privacy <> 'hide' then max_length end as max_length,
        case when privacy <> 'hide' then mean_length end as mean_length,
        case privacy when 'show' then top_values when 'mask' then patterns end as top_values,
        case when privacy <> 'hide' then patterns end as patterns,
        case when privacy = 'show' then quantiles end as quantiles,
        cast(case when privacy <> 'hide' then top_value_share end as double precision) as top_value_share,
        cast(case when privacy <> 'hide' then entropy end as double precision) as entropy,
        case when privacy <> 'hide' then monotonicity end as monotonicity,
        cast(case when privacy <> 'hide' then day_count end as bigint) as day_count,
        case when privacy <> 'hide' then largest_gap_days end as largest_gap_days
    from judged
)

select
    attempt_id,
    database_name,
    schema_name,
    table_name,
    fingerprint,
    scanned_at,
    column_path,
    is_discovered,
    seen_in,
    value_kind,
    privacy,
    personal_data,
    row_count,
    value_count,
    sample_row_count,
    is_sampled,
    distinct_count,
    distinct_is_exact,
    min_value,
    max_value,
    mean,
    deviation,
    min_length,
    max_length,
    mean_length,
    top_values,
    patterns,
    quantiles,
    top_value_share,
    entropy,
    monotonicity,
    day_count,
    largest_gap_days
from final;
