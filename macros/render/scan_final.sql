{#- The last step of a scan: one row per column and path, in the order of `scan_column_names`. -#}

{#-
    From `gathered` measures to one row per column and path: visibility, the number of distinct values, and all measures,
    restricted by privacy.
-#}
{% macro judged_paths() -%}
    {#-
        From a sample's: the Duj1 estimator, as in Postgres' ANALYZE. Values that occur once in the sample represent unseen
        ones.
        P. J. Haas and L. Stokes, Estimating the number of classes in a finite population, 1998.
    -#}
    {%- set double = linker.dialect().double_type -%}
    {%- set estimate = 'cast(sample_value_count as ' ~ double ~ ') * sample_distinct_count / nullif(sample_value_count'
        ~ ' - sample_single_count + cast(sample_single_count as ' ~ double ~ ') * sample_value_count'
        ~ ' / nullif(value_count, 0), 0)' -%}
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

-- Exact counts if the sample has every row; else the warehouse's estimate within known bounds, or that of the sample.
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
            -- Values were not examined.
            when value_kind = 'other' and sample_value_count is null then null
            else
                greatest(
                    coalesce(sample_distinct_count, 0),
                    least(
                        coalesce(
                            distinct_estimate,
                            cast({{ estimate }} as bigint),
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
        {{ linker.now_utc() }} as scanned_at,
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
        {#- The minimum or maximum text of a visible column may itself be PII, such as one address among words. #}
        {%- for name in ['min_value', 'max_value'] %}
        case
            when privacy <> 'show' then null
            when
                is_looked_over and value_kind = 'text'
                and ({{ linker.regex_matches(name, '@') }} or {{ linker.is_credential(name) }})
                then {{ linker.mask(name) }}
            else {{ name }}
        end as {{ name }},
        {%- endfor %}
        case when privacy = 'show' then mean end as mean,
        case when privacy = 'show' then deviation end as deviation,
        {%- for name in ['min_length', 'max_length', 'mean_length'] %}
        case when privacy <> 'hide' then {{ name }} end as {{ name }},
        {%- endfor %}
        case privacy when 'show' then top_values when 'mask' then patterns end as top_values,
        case when privacy <> 'hide' then patterns end as patterns,
        case when privacy = 'show' then quantiles end as quantiles,
        {%- for name in ['top_value_share', 'entropy'] %}
        cast(case when privacy <> 'hide' then {{ name }} end as {{ linker.dialect().double_type }}) as {{ name }},
        {%- endfor %}
        case when privacy <> 'hide' then monotonicity end as monotonicity,
        cast(case when privacy <> 'hide' then day_count end as bigint) as day_count,
        case when privacy <> 'hide' then largest_gap_days end as largest_gap_days
    from judged
)

select
    {{ linker.scan_column_names() | join(',\n    ') }}
from final
{%- endmacro %}

{#- Columns of the table and paths known from values only, with all measures. -#}
{% macro scanned_paths(most_members, has_documents) -%}
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
        {% if most_members > 1 -%}
        case when paths.is_discovered then {{ linker.seen_in(most_members, 'element_counts') }} end
        {%- else -%}
        cast(null as {{ dbt.type_string() }})
        {%- endif %} as seen_in,
        paths.value_kind,
        coalesce(element_counts.privacy, measured.privacy) as said_privacy,
        tables.sample_row_count,
        {{ linker._found_personal_data() }} as personal_data,
        case when paths.is_discovered then measured.column_path || '.' || paths.sub_path else measured.column_path end as column_path,
        case
            -- Elements of struct lists are not collected, and excluded columns not read: no counts.
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
        or (paths.is_discovered and measured.value_count > {{ var('json_sample_rows', 1000) }})
        {%- if has_documents %}
        -- Long documents were left out.
        or coalesce(measured.value_count > document_counts.document_count, false)
        {%- endif %} as is_sampled,
        {{ linker.has_long_texts() }} as has_long_texts,
        {%- for name in ['min_value', 'max_value'] %}
        case
            when (paths.is_discovered or not measured.is_measured) and paths.value_kind in ('integer', 'number') then ends.{{ name }}
            when (paths.is_discovered or not measured.is_measured) and paths.value_kind not in ('interval', 'other')
                then totals.{{ name[:3] }}_text
            else measured.{{ name }}
        end as {{ name }},
        {%- endfor %}
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
    {%- for relation in ['element_counts', 'totals', 'ends', 'tops', 'shapes', 'personal', 'spreads', 'days'] %}
    left join {{ relation }}
        on paths.column_number = {{ relation }}.column_number and paths.sub_path = {{ relation }}.sub_path
    {%- endfor %}
    {%- if has_documents %}
    left join document_counts on paths.column_number = document_counts.column_number
    {%- endif %}
)
{%- endmacro %}

{#- Whether some values were too long to distinguish. -#}
{% macro has_long_texts() -%}
    case measured.value_kind
        when 'text' then coalesce(measured.max_length, 0) > {{ linker.longest('value') }}
        when 'other' then coalesce(coalesce(totals.value_count, 0) < measured.value_count, false)
        else false
    end
{%- endmacro %}

{#-
    Random strings of one length are credentials, unless the name says that they are identifiers. For texts longer
    than the sample's limit, minimum and maximum decide.
-#}
{% macro _found_personal_data() -%}
    {%- set words = linker.name_words("case when paths.sub_path = '' then measured.column_path else paths.sub_path end") -%}
    {#- Identifiers, digests, blockchain addresses. -#}
    {%- set reference = '_(id|ids|uuid|guid|uid|pk|fk|hash|hashes|digest|checksum|md5|sha[0-9]*|etag|fingerprint|signature|address|addresses|addr'
        ~ '|wallet|cid|block|tx|txn|transaction|pubkey|url|uri|path|file|filename|slug|sequence)_' -%}
    case
        when personal.personal_data <> 'random' then personal.personal_data
        when personal.personal_data = 'random'
            then
                case
                    when not {{ linker.regex_matches(words, reference) }}
                        then 'credential'
                end
        when
            totals.value_count is null and measured.privacy in ('detect', 'inherit')
            and {{ linker.is_credential('measured.min_value') }} and {{ linker.is_credential('measured.max_value') }}
            then 'credential'
        when
            totals.value_count is null and measured.value_count > 0 and measured.privacy in ('detect', 'inherit')
            and measured.personal_data_hint in ({{ linker._literals(linker.rules_of_hints().believed) }})
            then case when measured.personal_data_hint = 'street' then 'address' else measured.personal_data_hint end
    end
{%- endmacro %}
