insert into "shop"."linker"."linker_scans" (attempt_id, database_name, schema_name, table_name, fingerprint, scanned_at, column_path, is_discovered, seen_in, value_kind, privacy, personal_data, row_count, value_count, sample_row_count, is_sampled, distinct_count, distinct_is_exact, min_value, max_value, mean, deviation, min_length, max_length, mean_length, top_values, patterns, quantiles, top_value_share, entropy, monotonicity, day_count, largest_gap_days)
with cells as materialized (
    
    select
        unnest([1, 2, 3, 4, 5, 6, 7]) as column_number,
        cast(scanned.rowid as double) as row_order,
        unnest([cast(scanned."order" as TEXT), cast(case when scanned."amount" = 0 then 0 else scanned."amount" end as TEXT), left(cast(scanned."status" as TEXT), 257), cast(scanned."ordered_at" as TEXT), cast(scanned."is_paid" as TEXT), cast(null as TEXT), cast(scanned."day" as TEXT)]) as value,
        unnest([cast(scanned."order" as double precision), cast(case when isfinite(scanned."amount") then scanned."amount" end as double precision), cast(length(cast(scanned."status" as TEXT)) as double precision), coalesce(case when isfinite(scanned."ordered_at") then cast(epoch(scanned."ordered_at") as double) end, try_cast(cast(scanned."ordered_at" as TEXT) as double)), cast(null as double precision), case when scanned."api_key" is not null then cast(1 as double precision) end, coalesce(case when isfinite(scanned."day") then cast(epoch(scanned."day") as double) end, try_cast(cast(scanned."day" as TEXT) as double))]) as number
    from "shop"."sales"."orders" as scanned

    union all
    
    select
        unnest([8, 9, 10, 11, 12, 13, 14]) as column_number,
        cast(scanned.rowid as double) as row_order,
        unnest([cast(scanned."order" as TEXT), cast(case when scanned."amount" = 0 then 0 else scanned."amount" end as TEXT), left(cast(scanned."status" as TEXT), 257), cast(scanned."ordered_at" as TEXT), cast(scanned."is_paid" as TEXT), cast(null as TEXT), cast(scanned."day" as TEXT)]) as value,
        unnest([cast(scanned."order" as double precision), cast(case when isfinite(scanned."amount") then scanned."amount" end as double precision), cast(length(cast(scanned."status" as TEXT)) as double precision), coalesce(case when isfinite(scanned."ordered_at") then cast(epoch(scanned."ordered_at") as double) end, try_cast(cast(scanned."ordered_at" as TEXT) as double)), cast(null as double precision), case when scanned."api_key" is not null then cast(1 as double precision) end, coalesce(case when isfinite(scanned."day") then cast(epoch(scanned."day") as double) end, try_cast(cast(scanned."day" as TEXT) as double))]) as number
    from "shop"."sales"."returns" as scanned

    
),

table_names as materialized (
    select unnest(from_json('[{"table_number": 1, "attempt_id": "run.1", "database_name": "shop", "schema_name": "sales", "table_name": "orders", "fingerprint": "f1"}, {"table_number": 2, "attempt_id": "run.2", "database_name": "shop", "schema_name": "sales", "table_name": "returns", "fingerprint": "f1"}]', '[{"table_number": "integer", "attempt_id": "TEXT", "database_name": "TEXT", "schema_name": "TEXT", "table_name": "TEXT", "fingerprint": "TEXT"}]'), recursive := true)
),

names as materialized (
    select unnest(from_json('[{"table_number": 1, "column_number": 1, "column_path": "order", "value_kind": "integer", "privacy": "detect", "personal_data_hint": null, "is_read": true}, {"table_number": 1, "column_number": 2, "column_path": "amount", "value_kind": "number", "privacy": "detect", "personal_data_hint": null, "is_read": true}, {"table_number": 1, "column_number": 3, "column_path": "status", "value_kind": "text", "privacy": "detect", "personal_data_hint": null, "is_read": true}, {"table_number": 1, "column_number": 4, "column_path": "ordered_at", "value_kind": "timestamp", "privacy": "detect", "personal_data_hint": null, "is_read": true}, {"table_number": 1, "column_number": 5, "column_path": "is_paid", "value_kind": "boolean", "privacy": "detect", "personal_data_hint": null, "is_read": true}, {"table_number": 1, "column_number": 6, "column_path": "api_key", "value_kind": "text", "privacy": "hide", "personal_data_hint": null, "is_read": true}, {"table_number": 1, "column_number": 7, "column_path": "day", "value_kind": "date", "privacy": "detect", "personal_data_hint": null, "is_read": true}, {"table_number": 2, "column_number": 8, "column_path": "order", "value_kind": "integer", "privacy": "detect", "personal_data_hint": null, "is_read": true}, {"table_number": 2, "column_number": 9, "column_path": "amount", "value_kind": "number", "privacy": "detect", "personal_data_hint": null, "is_read": true}, {"table_number": 2, "column_number": 10, "column_path": "status", "value_kind": "text", "privacy": "detect", "personal_data_hint": null, "is_read": true}, {"table_number": 2, "column_number": 11, "column_path": "ordered_at", "value_kind": "timestamp", "privacy": "detect", "personal_data_hint": null, "is_read": true}, {"table_number": 2, "column_number": 12, "column_path": "is_paid", "value_kind": "boolean", "privacy": "detect", "personal_data_hint": null, "is_read": true}, {"table_number": 2, "column_number": 13, "column_path": "api_key", "value_kind": "text", "privacy": "hide", "personal_data_hint": null, "is_read": true}, {"table_number": 2, "column_number": 14, "column_path": "day", "value_kind": "date", "privacy": "detect", "personal_data_hint": null, "is_read": true}]', '[{"table_number": "integer", "column_number": "integer", "column_path": "TEXT", "value_kind": "TEXT", "privacy": "TEXT", "personal_data_hint": "TEXT", "is_read": "boolean"}]'), recursive := true)
),

value_counts as materialized (
    select
        column_number,
        value,
        max(number) as number,
        count(*) as value_count
    from cells
    where length(value) <= 256
    group by column_number, value
),

counts as materialized (
    select
        column_number,
        count(*) as row_count,
        count(case when value is not null or number is not null then 1 end) as value_count,
        min(value) as min_text,
        max(value) as max_text,
        min(number) as min_number,
        max(number) as max_number,
        avg(number) as mean_number
    from cells
    group by column_number
),

ends as (
    select
        column_number,
        substr(
            case
                when max(case when is_number and min_number < 0 then 1 else 0 end) = 1
                    then max(case when number = min_number then digits || value end)
                else min(case when number = min_number then digits || value end)
            end,
            49
        ) as min_value,
        substr(
            case
                when max(case when is_number and max_number < 0 then 1 else 0 end) = 1
                    then min(case when number = max_number then digits || value end)
                else max(case when number = max_number then digits || value end)
            end,
            49
        ) as max_value
    from (
        select
            value_counts.column_number,
            value_counts.value,
            value_counts.number,
            counts.min_number,
            counts.max_number,
            names.value_kind in ('integer', 'number') as is_number,
            lpad(case when names.value_kind in ('integer', 'number') then ltrim(value_counts.value, '-') else '' end, 48, '0') as digits
        from value_counts
        inner join counts on value_counts.column_number = counts.column_number
        inner join names on value_counts.column_number = names.column_number
        where
            names.value_kind in ('integer', 'number', 'date', 'timestamp', 'interval')
            and (value_counts.number = counts.min_number or value_counts.number = counts.max_number)
    ) as candidates
    group by column_number
),

measured as materialized (
    select
        names.*,
        -- Of a table without rows there is no cell, and what is left out is not counted.
        case when names.is_read then coalesce(counts.row_count, 0) end as row_count,
        case when names.is_read then coalesce(counts.value_count, 0) end as value_count,
        coalesce(max(counts.row_count) over (partition by names.table_number), 0) as sample_row_count,
        case
            when names.value_kind in ('text', 'time') then left(counts.min_text, 256)
            when names.value_kind not in ('boolean', 'other') then ends.min_value
        end as min_value,
        case
            when names.value_kind in ('text', 'time') then left(counts.max_text, 256)
            when names.value_kind not in ('boolean', 'other') then ends.max_value
        end as max_value,
        case
            when names.value_kind in ('text', 'binary') and names.privacy <> 'hide' then cast(counts.min_number as bigint)
        end as min_length,
        case
            when names.value_kind in ('text', 'binary') and names.privacy <> 'hide' then cast(counts.max_number as bigint)
        end as max_length,
        case
            when names.value_kind in ('text', 'binary') and names.privacy <> 'hide' then cast(counts.mean_number as double precision)
        end as mean_length
    from names
    left join counts on names.column_number = counts.column_number
    left join ends on names.column_number = ends.column_number
),

totals as materialized (
    select
        column_number,
        cast(sum(value_count) as bigint) as value_count,
        count(*) as distinct_count,
        sum(case when value_count = 1 then 1 else 0 end) as single_count,
        cast(max(value_count) as double precision) / sum(value_count) as top_value_share,
        (ln(sum(value_count)) - sum(value_count * ln(value_count)) / sum(value_count)) / ln(2) as entropy
    from value_counts
    group by column_number
),

looked_over as (
    select
        value_counts.column_number,
        value_counts.value,
        value_counts.value_count,
        names.privacy in ('detect', 'inherit')
        and (names.value_kind in ('text', 'other') or names.personal_data_hint is not null) as is_looked_over
    from value_counts
    inner join names on value_counts.column_number = names.column_number
),

-- Of what is not looked over only the top values are needed.
placed as (
    select column_number, place, one.value as value, -one.before as value_count
    from (
        select
            column_number,
            unnest(found) as one,
            generate_subscripts(found, 1) as place
        from (
            select
                column_number,
                coalesce(
                    min({'before': -value_count, 'value': value}, 200) filter (where is_looked_over),
                    min({'before': -value_count, 'value': value}, 25) filter (where not is_looked_over)
                ) as found
            from looked_over
            group by column_number
        ) as grouped
    ) as unnested

),

frequent_values as materialized (
    select
        placed.column_number,
        '' as sub_path,
        placed.value,
        placed.value_count,
        placed.place,
        case
            when
                names.privacy in ('detect', 'inherit')
                and (names.value_kind in ('text', 'other') or names.personal_data_hint is not null)
                then case
        when not regexp_matches(placed.value, '[0-9@]|-----BEGIN') then null
        when regexp_matches(placed.value, '(^|[^A-Za-z0-9])([sr]k[-_](live|test|prod|proj|ant|svcacct)[-_][A-Za-z0-9_-]{8,}|sk-[A-Za-z0-9]{32,}|whsec_[A-Za-z0-9+/]{16,}|(AKIA|ASIA)[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|AIza[A-Za-z0-9_-]{30,}|ya29[.][A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}|SG[.][A-Za-z0-9_-]{16,}[.][A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,}|hf_[A-Za-z0-9]{30,}|shp(at|ca|pa|ss)_[A-Fa-f0-9]{32}|do[opr]_v1_[a-f0-9]{32,}|dapi[a-f0-9]{32}|hv[sb][.][A-Za-z0-9_-]{20,}|[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}|ATATT3[A-Za-z0-9_=-]{20,}|AccountKey=[A-Za-z0-9+/]{40,}|eyJ[A-Za-z0-9_-]{8,}[.]eyJ[A-Za-z0-9_-]{8,}[.]|-----BEGIN [A-Z ]*PRIVATE KEY|[a-z][a-z0-9+]*://[^][ /:@]+:[^][ /@]+@)') then 'credential'
        when regexp_matches(placed.value, '[^][ @(){}<>,;:"/]@([^][ @(){}<>,;:"/.]+[.])+[A-Za-z]{2,24}($|:?[^A-Za-z0-9@:-])') then 'email'
        when case
        when length(placed.value) > 48 then false
        when not regexp_matches(upper(replace(replace(placed.value, ' ', ''), '-', '')), '^((NO)[0-9]{2}[A-Z0-9]{11}|(BE)[0-9]{2}[A-Z0-9]{12}|(DK|FI|FK|FO|GL|NL|SD)[0-9]{2}[A-Z0-9]{14}|(MK|SI)[0-9]{2}[A-Z0-9]{15}|(AT|BA|EE|KZ|LT|LU|MN|XK)[0-9]{2}[A-Z0-9]{16}|(CH|CR|HR|LI|LV)[0-9]{2}[A-Z0-9]{17}|(BG|BH|DE|GB|GE|IE|ME|RS|VA)[0-9]{2}[A-Z0-9]{18}|(AE|GI|IL|IQ|OM|SO|TL)[0-9]{2}[A-Z0-9]{19}|(AD|CZ|ES|MD|PK|RO|SA|SE|SK|TN|VG)[0-9]{2}[A-Z0-9]{20}|(LY|PT|ST)[0-9]{2}[A-Z0-9]{21}|(IS|TR)[0-9]{2}[A-Z0-9]{22}|(BI|DJ|FR|GR|IT|MC|MR|SM)[0-9]{2}[A-Z0-9]{23}|(AL|AZ|BY|CY|DO|GT|HN|HU|LB|NI|PL|SV)[0-9]{2}[A-Z0-9]{24}|(BR|EG|PS|QA|UA)[0-9]{2}[A-Z0-9]{25}|(JO|KW|MU|YE)[0-9]{2}[A-Z0-9]{26}|(MT|SC)[0-9]{2}[A-Z0-9]{27}|(LC)[0-9]{2}[A-Z0-9]{28}|(RU)[0-9]{2}[A-Z0-9]{29})$') then false
        when names.personal_data_hint = 'iban' then true
        else mod(mod(try_cast(left(lpad(translate(regexp_replace(regexp_replace(regexp_replace(substr(upper(replace(replace(placed.value, ' ', ''), '-', '')), 5) || left(upper(replace(replace(placed.value, ' ', ''), '-', '')), 4), '([A-J])', '1\1', 'g'), '([K-T])', '2\1', 'g'), '([U-Z])', '3\1', 'g'), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '01234567890123456789012345'), 72, '0'), 36) as hugeint), 97) * 64 + mod(try_cast(right(lpad(translate(regexp_replace(regexp_replace(regexp_replace(substr(upper(replace(replace(placed.value, ' ', ''), '-', '')), 5) || left(upper(replace(replace(placed.value, ' ', ''), '-', '')), 4), '([A-J])', '1\1', 'g'), '([K-T])', '2\1', 'g'), '([U-Z])', '3\1', 'g'), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '01234567890123456789012345'), 72, '0'), 36) as hugeint), 97), 97) = 1
    end then 'iban'
        when case
        when not regexp_matches(placed.value, '^ *[0-9]+([ -][0-9]+)* *$') then false
        when names.personal_data_hint = 'card' then regexp_matches(replace(replace(placed.value, ' ', ''), '-', ''), '^[1-9][0-9]{12,18}$')
        when regexp_matches(replace(replace(placed.value, ' ', ''), '-', ''), '^(4[0-9]{15}([0-9]{3})?|(5[1-5][0-9]{2}|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}|3[47][0-9]{13}|3(0[0-59]|[689][0-9])[0-9]{11}([0-9]{2})?|(6011|64[4-9][0-9]|65[0-9]{2}|35(2[89]|[3-8][0-9])|62[0-9]{2}|220[0-4])[0-9]{12,15}|(5018|5020|5038|5893|6304|6759|676[1-3])[0-9]{10,15}|(60[0-9]{2}|508[5-9]|8[12][0-9]{2})[0-9]{12})$') then mod(length(replace(replace(replace(replace(replace(replace(replace(replace(replace(translate(regexp_replace(lpad(replace(replace(placed.value, ' ', ''), '-', ''), 20, '0'), '([0-9])[0-9]', '\1', 'g'), '0123456789', '0246813579') || regexp_replace(lpad(replace(replace(placed.value, ' ', ''), '-', ''), 20, '0'), '[0-9]([0-9])', '\1', 'g'), '0', ''), '2', '11'), '3', '111'), '4', '1111'), '5', '11111'), '6', '111111'), '7', '1111111'), '8', '11111111'), '9', '111111111')), 10) = 0
        else false
    end then 'card'
        when case
        when length(placed.value) > 24 then false
        when regexp_matches(placed.value, '^ *((00[1-9]|0[1-9][0-9]|[1-578][0-9]{2}|6[0-57-9][0-9]|66[0-57-9])-(0[1-9]|[1-9][0-9])-(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})|[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] [0-9]{2} [0-9]{2} [0-9]{2} [A-D]|[A-Za-z]{6}[0-9LMNPQRSTUV]{2}[ABCDEHLMPRSTabcdehlmprst][0-9LMNPQRSTUV]{2}[A-Za-z][0-9LMNPQRSTUV]{3}[A-Za-z]|[A-Z][AEIOUX][A-Z]{2}[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])[HMX][A-Z]{5}[A-Z0-9][0-9]|756[.][0-9]{4}[.][0-9]{4}[.][0-9]{2}) *$') then true
        when regexp_matches(regexp_replace(upper(placed.value), '[ ./-]', '', 'g'), '^[0-9XYZ][0-9]{7}[A-Z]$') and substr('TRWAGMYFPDXBNJZSQVHLCKE', cast(mod(try_cast(replace(replace(replace(left(regexp_replace(upper(placed.value), '[ ./-]', '', 'g'), 8), 'X', '0'), 'Y', '1'), 'Z', '2') as bigint), 23) + 1 as integer), 1) = substr(regexp_replace(upper(placed.value), '[ ./-]', '', 'g'), 9, 1) then true
        when
            regexp_matches(regexp_replace(upper(placed.value), '[ ./-]', '', 'g'), '^[1-478][0-9]{2}(0[1-9]|1[0-2]|[2-9][0-9])(2[AB]|[0-9]{2})[0-9]{8}$')
            and mod(try_cast(replace(replace(left(regexp_replace(upper(placed.value), '[ ./-]', '', 'g'), 13), '2A', '19'), '2B', '18') as bigint), 97) + try_cast(substr(regexp_replace(upper(placed.value), '[ ./-]', '', 'g'), 14, 2) as bigint) = 97
            then true
        when
            regexp_matches(placed.value, '^ *[0-9]{3}[.]?[0-9]{3}[.]?[0-9]{3}-?[0-9]{2} *$')
            and mod(length(replace(replace(replace(replace(replace(replace(replace(replace(replace(regexp_replace(left(regexp_replace(placed.value, '[^0-9]', '', 'g'), 10), '^([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])', '\1\1\1\1\1\1\1\1\1\1\2\2\2\2\2\2\2\2\2\3\3\3\3\3\3\3\3\4\4\4\4\4\4\4\5\5\5\5\5\5\6\6\6\6\6\7\7\7\7\8\8\8\9\9', 'g'), '0', ''), '2', '11'), '3', '111'), '4', '1111'), '5', '11111'), '6', '111111'), '7', '1111111'), '8', '11111111'), '9', '111111111')), 11) <= case when substr(regexp_replace(placed.value, '[^0-9]', '', 'g'), 10, 1) = '0' then 1 else 0 end and mod(length(replace(replace(replace(replace(replace(replace(replace(replace(replace(regexp_replace(regexp_replace(placed.value, '[^0-9]', '', 'g'), '^[0-9]([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])', '\1\1\1\1\1\1\1\1\1\1\2\2\2\2\2\2\2\2\2\3\3\3\3\3\3\3\3\4\4\4\4\4\4\4\5\5\5\5\5\5\6\6\6\6\6\7\7\7\7\8\8\8\9\9', 'g'), '0', ''), '2', '11'), '3', '111'), '4', '1111'), '5', '11111'), '6', '111111'), '7', '1111111'), '8', '11111111'), '9', '111111111')), 11) <= case when substr(regexp_replace(placed.value, '[^0-9]', '', 'g'), 11, 1) = '0' then 1 else 0 end and not regexp_matches(regexp_replace(placed.value, '[^0-9]', '', 'g'), '^(0+|1+|2+|3+|4+|5+|6+|7+|8+|9+)$')
            then true
        when names.personal_data_hint = 'national_id'
            then
                regexp_matches(regexp_replace(upper(placed.value), '[ ./-]', '', 'g'), '^[A-Z0-9]{8,18}$') and regexp_matches(regexp_replace(placed.value, '[^0-9]', '', 'g'), '^[0-9]{6}')
        else false
    end then 'national_id'
        when case
        when not regexp_matches(regexp_replace(placed.value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', '', 'g'), '^ *[+(]?[0-9][0-9 ()./-]{5,23} *$') then false
        when regexp_matches(regexp_replace(regexp_replace(placed.value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', '', 'g'), '[ ()./-]', '', 'g'), '^[+][1-9][0-9]{7,14}$')
            then not regexp_matches(regexp_replace(placed.value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', '', 'g'), '^ *[+][0-9]+[.][0-9]+ *$')
        when regexp_matches(regexp_replace(placed.value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', '', 'g'), '^ *([+]?1[ .-]?)?[(][2-9][0-9]{2}[)] ?[2-9][0-9]{2}[-. ][0-9]{4} *$') then true
        when names.personal_data_hint = 'phone'
            then
                regexp_matches(regexp_replace(regexp_replace(placed.value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', '', 'g'), '[ ()./-]', '', 'g'), '^[0-9]{7,15}$')
                and not regexp_matches(regexp_replace(placed.value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', '', 'g'), '^ *([0-9]+[.][0-9]+|[0-9]{1,8}|[0-9]{4}[./-][01]?[0-9][./-][0-3]?[0-9]([ 0-9]*)|[0-3]?[0-9][./-][0-3]?[0-9][./-][0-9]{4}([ 0-9]*)|[0-9]{1,3}[.][0-9]{1,3}[.][0-9]{1,3}[.][0-9]{1,3}) *$')
        else false
    end then 'phone'
        when case
        when regexp_matches(placed.value, '(^|[^0-9A-Za-z.,%-])[0-9]{1,5}[A-Za-z]?(-[0-9]{1,5})? ([^][ a-z,;:!?(){}=][^ ,;:!?(){}=]*,? ){1,4}(Street|Avenue|Road|Boulevard|Lane|Drive|Court|Square|Terrace|Parkway|Highway|Crescent|Mews|Grove|Gardens|Alley|Turnpike|Esplanade|Close|Place|Way|Trail|STREET|AVENUE|ROAD|BOULEVARD|LANE|DRIVE|TERRACE|PARKWAY|HIGHWAY|CRESCENT|Blvd|BLVD|Pkwy|Hwy|Ave|AVE|Rd|RD)($|[^A-Za-z])|(^|[^0-9A-Za-z.,%-])[0-9]{1,5}[A-Za-z]?(-[0-9]{1,5})? ([^][ a-z,;:!?(){}=][^ ,;:!?(){}=]*,? ){1,4}(St|ST|Dr|Ln|LN|Ct|Pl|Sq)[.]?($|[,;#\n]| (Apt|Unit|Suite|Ste|N|S|E|W|N[EW]|S[EW])($|[^A-Za-z]))|[A-Z][^ 0-9]+ (Street|Avenue|Road|Boulevard|Lane|Blvd|Ave|Rd|St|Dr)[.]? [0-9]{1,4}($|[,;#\n])|(^|[^A-Za-z])(Via|Viale|Piazza|Piazzale|Corso|Vicolo|VIA|VIALE|PIAZZA|CORSO) [^][0-9a-z,;:!?(){}=][^][0-9,;:!?(){}=]+,? ?(n[.]? ?)?[0-9]{1,4}($|[^A-Za-z])') then true
        when regexp_matches(lower(placed.value), '(stra(ss|[\x{00df}])e|[a-z]{3}str[.]?|(^|[^a-z])str[.]|platz|gasse|allee|weg|damm|chaussee),? [0-9]{1,4}( ?[a-k])?($|[^0-9a-z.%:])|(straat|laan|plein|gracht|kade|dijk|singel|gatan|v[\x{00e0}-\x{00ff}]gen|gade|vej|vejen|veien|katu),? [0-9]{1,4}( ?[a-k])?($|[^0-9a-z.%:])|(^|[^0-9a-z])[0-9]{1,4}( ?(bis|ter))?,? (rue|avenue|av[.]|boulevard|bd|chemin|impasse|all(e|[\x{00e0}-\x{00ff}])e|quai|place|route|faubourg) (de |du |des |d.|la |le |les |l.|saint|[a-z])[a-z]|(^|[^0-9a-z])(rue|all(e|[\x{00e0}-\x{00ff}])e|chemin|quai) [^][0-9,;:!?(){}=]+ [0-9]{1,4}($|[^0-9a-z%])|(^|[^0-9a-z])(calle|c/|avenida|avda[.]?|paseo|plaza|carrer|camino|rua|travessa|pra[\x{00e0}-\x{00ff}]a|alameda) ?[^][0-9,;:!?(){}=]+,? ?(n[^ 0-9]{0,2} ?)?[0-9]{1,5}($|[^0-9a-z%])|(^|[^0-9a-z])(ul|al|os)[.] ?[^][0-9,;:!?(){}=]+ [0-9]{1,4}|(^|[^0-9a-z])(p[.]? ?o[.]? ?box|postfach|postbus|bo[\x{00e0}-\x{00ff}]te postale|apartado( de correos)?|casilla|skr[.] poczt[.]) ?[0-9]{1,6}|[\x{901a}\x{8857}\x{8def}][\x{308a}]? ?[0-9]{1,4}|[0-9]{1,4}[\x{4e01}\x{756a}\x{53f7}]') then true
        when names.personal_data_hint = 'address'
            then
                regexp_matches(placed.value, '(^|[ ,])[0-9]+[A-Za-z]?([ ,/-]|$)')
                and regexp_matches(placed.value, '[^][ -@_{}]{3}')
                and not regexp_matches(placed.value, '@|://|=')
        else false
    end then 'address'
        when (regexp_matches(placed.value, '^[A-Za-z0-9+/_-]{32,}={0,2}$') and regexp_matches(placed.value, '[A-Z]') and regexp_matches(placed.value, '[a-z]') and regexp_matches(placed.value, '[0-9]') and not regexp_matches(placed.value, '[A-Z]{8}|[a-z]{8}|[0-9]{8}|^0x')) then 'random'
    end
        end as personal_data
    from placed
    inner join names on placed.column_number = names.column_number
),

tops as (
    select
        column_number,
        cast(to_json(list({'value': shown_value, 'count': cast(value_count as bigint)} order by value_count desc, shown_value)) as varchar) as top_values
    from (
        select
            *,
            -- A personal value among others is masked by itself; a random string among others is no secret.
            case when personal_data <> 'random' then (regexp_replace(regexp_replace(regexp_replace(translate(left(value, 32), 'BCDEFGHIJKLMNOPQRSTUVWXYZbcdefghijklmnopqrstuvwxyz012345678', 'AAAAAAAAAAAAAAAAAAAAAAAAAaaaaaaaaaaaaaaaaaaaaaaaaa999999999'), '[\p{Lu}\p{Lt}]', 'A', 'g'), '[\x{00b2}-\x{00b3}\x{00b9}\x{00bc}-\x{00be}\x{0660}-\x{0669}\x{06f0}-\x{06f9}\x{0966}-\x{096f}\x{09e6}-\x{09ef}\x{0e50}-\x{0e59}\x{ff10}-\x{ff19}]', '9', 'g'), '[^\t\n\r -~\x{00a0}-\x{00a9}\x{00ab}-\x{00b1}\x{00b4}\x{00b6}-\x{00b8}\x{00bb}\x{00bf}\x{00d7}\x{00f7}\x{2000}-\x{200a}\x{2010}-\x{2027}\x{202f}-\x{205f}\x{20a0}-\x{20bf}\x{2190}-\x{22ff}\x{2500}-\x{26ff}\x{3000}-\x{3004}\x{3008}-\x{301b}]', 'a', 'g') || case when length(value) > 32 then '...' else '' end) else value end as shown_value
        from frequent_values
    ) as shown
    where place <= 25
    group by column_number
),

-- Only where there are more texts than are needed they are put in order.
texts as (
    select value_counts.column_number, value_counts.value, value_counts.value_count
    from value_counts
    inner join names on value_counts.column_number = names.column_number
    inner join totals on value_counts.column_number = totals.column_number
    where names.value_kind = 'text' and totals.distinct_count <= 2000

    union all

    select column_number, value, value_count
    from (
        select
            value_counts.*,
            row_number() over (partition by value_counts.column_number order by value_counts.value_count desc, value_counts.value) as place
        from value_counts
    inner join names on value_counts.column_number = names.column_number
    inner join totals on value_counts.column_number = totals.column_number
    where names.value_kind = 'text' and totals.distinct_count > 2000
    ) as numbered
    where place <= 2000
),

shape_counts as (
    select
        column_number,
        shape,
        cast(sum(value_count) as bigint) as value_count,
        row_number() over (partition by column_number order by sum(value_count) desc, shape) as place
    from (
    select
        column_number,
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
                column_number,
                list({
                    'start': replace(left(value, 32), chr(31), 'a') || case when length(value) > 32 then '...' else '' end,
                    'value_count': value_count
                }) as texts
            from texts
            group by column_number
        ) as grouped
    ) as listed

    ) as shaped
    group by column_number, shape
),

shapes as (
    select
        column_number,
        cast(to_json(list({'value': shape, 'count': cast(value_count as bigint)} order by value_count desc, shape)) as varchar) as patterns
    from shape_counts
    where place <= 5
    group by column_number
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
        cells.column_number,
        cast(to_json(quantile_disc(cells.number, [0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0])) as varchar) as quantiles,
        case when isfinite(corr(cells.row_order, cells.number)) then corr(cells.row_order, cells.number) end as monotonicity,
        avg(cells.number) as mean,
        stddev_samp(cells.number) as deviation
    from cells
    inner join names on cells.column_number = names.column_number
    where abs(cells.number) < 1e150 and names.value_kind in ('integer', 'number', 'date', 'timestamp') and names.privacy <> 'hide'
    group by cells.column_number
),

days as (
    select
        column_number,
        count(*) as day_count,
        cast(max(gap) as bigint) as largest_gap_days
    from (
        select
            column_number,
            day_number - lag(day_number) over (partition by column_number order by day_number) as gap
        from (
            select distinct value_counts.column_number, floor(value_counts.number / 86400) as day_number
            from value_counts
            inner join names on value_counts.column_number = names.column_number
            where names.value_kind in ('date', 'timestamp') and abs(value_counts.number) < 1e150
        ) as distinct_days
    ) as gaps
    group by column_number
),

gathered as (
    select
        table_names.attempt_id,
        table_names.database_name,
        table_names.schema_name,
        table_names.table_name,
        table_names.fingerprint,
        false as is_discovered,
        cast(null as TEXT) as seen_in,
        measured.value_kind,
        measured.privacy as said_privacy,
        measured.sample_row_count,
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
        measured.column_path,
        measured.row_count,
        measured.value_count,
        totals.value_count as sample_value_count,
        totals.distinct_count as sample_distinct_count,
        totals.single_count as sample_single_count,
        false as is_sampled,
        case measured.value_kind
        when 'text' then coalesce(measured.max_length, 0) > 256
        when 'other' then coalesce(coalesce(totals.value_count, 0) < measured.value_count, false)
        else false
    end as has_long_texts,
        measured.min_value,
        measured.max_value,
        case when measured.value_kind in ('integer', 'number') then spreads.mean end as mean,
        case when measured.value_kind in ('integer', 'number') then spreads.deviation end as deviation,
        measured.min_length,
        measured.max_length,
        measured.mean_length,
        cast(null as bigint) as distinct_estimate,
        tops.top_values,
        shapes.patterns,
        spreads.quantiles,
        spreads.monotonicity,
        totals.top_value_share,
        totals.entropy,
        days.day_count,
        days.largest_gap_days
    from measured
    inner join table_names on measured.table_number = table_names.table_number
    inner join (select column_number, '' as sub_path from names) as paths on measured.column_number = paths.column_number
    left join totals on measured.column_number = totals.column_number
    left join tops on measured.column_number = tops.column_number
    left join shapes on measured.column_number = shapes.column_number
    left join personal on measured.column_number = personal.column_number
    left join spreads on measured.column_number = spreads.column_number
    left join days on measured.column_number = days.column_number
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
