{%- if linker.is_idle() -%}{{ linker.no_rows(model) }}{%- else -%}
{%- set double = linker.dialect().double_type -%}
{%- set common = linker._literals(linker.join_words('common')) -%}
{%- set is_measure = '(' ~ linker.join_ends_with('pointing.words', linker.join_words('measure')) ~ ' or '
    ~ linker.regex_matches('pointing.words', '^(' ~ linker.join_words('statistic') | join('|') ~ ')_') ~ ')' -%}
{%- set most = var('join_candidates', 5) -%}
{%- set likeliness -%}
    name_weight + case when to_is_home then 0.2 else 0 end + case when is_same_schema then 0.1 else 0 end + 0.1 * range_fit
{%- endset -%}
-- Join candidates by names, types and ranges, to be measured. Reads no table.

with columns as (
    select *, row_number() over (order by database_name, schema_name, table_name, column_path) as column_number
    from {{ ref('linker_join_columns') }}
),

keys as (
    select * from columns where is_key
),

key_names as (
    {{ linker.join_key_names('keys') }}
),

-- Possible meanings of a column name: all words, or those without a leading role: `billing_customer_id`,
-- `customer_id`. `stem`: without the key suffix. `dropped`: number of omitted words.
pointing_names as (
    {%- for words, kind in [('words', 'name'), ('stem', 'stem')] %}
    select *, {{ words }} as called, '{{ kind }}' as called_kind, 0 as dropped
    from columns
    where {{ words }} <> ''

    union all

    select *, {{ linker.regex_extract(words, '^[^_]+_(.+)$') }}, '{{ kind }}', 1
    from columns

    union all

    select *, {{ linker.regex_extract(words, '^[^_]+_[^_]+_(.+)$') }}, '{{ kind }}', 2
    from columns
    {{ 'union all' if not loop.last }}
    {%- endfor -%}
),

by_name as (
    {{ linker.join_pair(
        'pointing_names', 'key_names',
        "case when pointing.dropped > 0 then 'role before the name' else keys.alias_rule end",
        'keys.alias_weight - 0.1 * pointing.dropped'
    ) }}
        and pointing.called = keys.alias
        and pointing.called_kind = keys.alias_kind
    where
        -- Two names of one entity in its own table do not reference each other: `customer_no`, `customer_id`.
        (pointing.dropped > 0 or pointing.schema_name <> keys.schema_name or pointing.table_name <> keys.table_name)
        -- `customer_id` references the table's own key, not the name of a customer, as `customer` may.
        and not (keys.is_of_table and pointing.says_key and not keys.is_main and keys.position > 1)
        -- `country` is generic in most tables, but specific to `countries`.
        and (pointing.called not in ({{ common }}) or (pointing.called = keys.entity and keys.is_main))
        and (
            (pointing.called_kind = 'name' and keys.alias <> keys.entity)
            or pointing.value_kind = 'text'
            or pointing.says_key
            -- A number named like a table may also be a count or a figure: `orders`, `sort_order`, `base_price`.
            or (
                keys.max_number <= case when pointing.dropped = 0 then 2 else 1.25 end * pointing.max_number
                and not {{ is_measure }}
                and not {{ linker.regex_matches('pointing.words', '[^isu]s$') }}
            )
        )
),

-- `cust`, `emp`, `dept`.
by_abbreviation as (
    {{ linker.join_pair('pointing_names', 'key_names', "'abbreviated name'", '0.7 - 0.1 * pointing.dropped') }}
        and {{ linker.join_abbreviates('pointing.called', 'keys.alias') }}
        and length(pointing.called) - length(replace(pointing.called, '_', '')) = length(keys.alias) - length(replace(keys.alias, '_', ''))
    where
        pointing.called_kind = 'stem' and keys.alias_kind = 'stem' and keys.home_rank > 0
        and (pointing.says_key or pointing.value_kind = 'text' or not {{ is_measure }})
),

{%- set does = linker.regex_extract('pointing.words', '^([a-z]+)_(via|by|with|through)(_id|_no|_code)?$') %}
{%- set verb = linker.regex_replace(does, '(ied|y|ed|e|s)$', '') %}
{%- set without_doer = linker.regex_replace('keys.entity_tail', '(ier|er|or)$', '') %}

-- `ship_via`, `supplied_by`: the key of `shippers`, of `suppliers`.
by_doer as (
    {{ linker.join_pair('columns', 'keys', "'name of who does it'", '0.6') }}
        and {{ without_doer }} <> keys.entity_tail
        and length({{ verb }}) >= 3
        and {{ without_doer }} in ({{ verb }}, {{ verb }} || right({{ verb }}, 1))
    where keys.is_main
),

{%- set behind_role = '(_(id|no|nr|key|code|ref))?' %}

-- `approved_by`, `manager_id`: people by role, who are in their own table if anywhere. The key is that of a table of
-- people, or one with such a name: `agents.emp_no`.
by_role as (
    {{ linker.join_pair(
        'columns', 'keys', "'role of a person'",
        'case when pointing.schema_name = keys.schema_name and pointing.table_name = keys.table_name then 0.75 else 0.5 end'
    ) }}
    where
        (keys.is_main or keys.stem = 'emp' or keys.stem in ({{ linker._literals(linker.join_words('worker')) }}))
        and (
            (
                {{ linker.join_ends_with('keys.entity', linker.join_words('worker')) }}
                and {{ linker.regex_matches('pointing.words', '(_by|_by_id|(^|_)(' ~ linker.join_words('worker_role') | join('|') ~ ')' ~ behind_role ~ ')$') }}
            )
            or (
                {{ linker.join_ends_with('keys.entity', linker.join_words('worker') + linker.join_words('person')) }}
                and {{ linker.regex_matches('pointing.words', '(^|_)(' ~ linker.join_words('person_role') | join('|') ~ ')' ~ behind_role ~ '$') }}
            )
        )
),

-- `parent_id`, `parent_code`, `parent_category` of categories: the table's own key.
by_parent as (
    {{ linker.join_pair('columns', 'keys', "'parent in the same table'", '0.8') }}
        and pointing.schema_name = keys.schema_name
        and pointing.table_name = keys.table_name
    where
        keys.is_main
        and (
            pointing.stem in ({{ linker._literals(linker.join_words('relative')) }})
            or (
                {{ linker.regex_matches('pointing.stem', '^(' ~ linker.join_words('relative') | join('|') ~ ')_') }}
                and right(pointing.stem, length(keys.entity_tail) + 1) = '_' || keys.entity_tail
            )
        )
),

-- `depends_on`, `blocked_by`: another row of the table, if many values cover most of its key's range.
by_preposition as (
    {{ linker.join_pair('columns', 'keys', "'another row of the table'", '0.4') }}
        and pointing.schema_name = keys.schema_name
        and pointing.table_name = keys.table_name
    where
        keys.is_main
        and pointing.distinct_count >= 20
        and not pointing.is_unique
        and {{ linker.regex_matches('pointing.words', '_(by|on|of|after|before|under)(_id)?$') }}
        and coalesce(pointing.max_number >= keys.min_number + 0.8 * (keys.max_number - keys.min_number), true)
),

-- `cars_data.id` and `car_names.make_id`: tables of one entity by name, whose keys contain exactly the same numbers.
by_halves as (
    {{ linker.join_pair('columns', 'keys', "'the same keys, of the same thing'", '0.6') }}
        and pointing.schema_name = keys.schema_name
        and pointing.distinct_count = keys.distinct_count
        and pointing.min_number = keys.min_number
        and pointing.max_number = keys.max_number
        and {{ linker.join_singular(linker.regex_extract('pointing.entity', '^([^_]+)_')) }}
        = {{ linker.join_singular(linker.regex_extract('keys.entity', '^([^_]+)_')) }}
    where
        pointing.is_main
        and keys.is_key
        and keys.position = 1
        and keys.distinct_count >= 100
        and pointing.words in ({{ common }})
        and keys.says_key
        and keys.words not in ({{ common }})
),

-- From here on by values alone. Numbers that fill the range of a table's primary key, or are within one with many
-- gaps.
by_range as (
    {{ linker.join_pair('columns', 'keys', "'values alone'", '0.3') }}
        and keys.is_main
        and (
            (
                -- A house, room or ticket number is in any key without gaps.
                {{ linker.regex_matches('pointing.words', '(^|_)(id|key|ref|pk|fk|sk)$') }}
                and pointing.schema_name = keys.schema_name
                and pointing.distinct_count >= 20
                and keys.distinct_count >= 100
                and pointing.max_number >= keys.min_number + 0.8 * (keys.max_number - keys.min_number)
            )
            or (
                keys.key_density < 0.5
                and -ln(keys.key_density) * pointing.distinct_count >= 7
                and pointing.min_number >= keys.min_number
                and pointing.max_number <= keys.max_number
                -- A key may have no gaps at its start, which contains small numbers.
                and pointing.max_number >= keys.min_number + 0.1 * (keys.max_number - keys.min_number)
            )
        )
    where
        pointing.value_kind = 'integer'
        and keys.value_kind = 'integer'
        and {{ linker.regex_matches('pointing.words', '(^|_)(id|key|no|nr|num|number|ref|pk|fk|sk)$') }}
        and not {{ is_measure }}
        and pointing.words not in ({{ linker._literals(linker.join_words('line')) }})
        -- A first column that is unique counts the rows of its own table.
        and (not pointing.is_unique or pointing.position > 1 or -ln(keys.key_density) * pointing.distinct_count >= 20)
),

-- Texts with the same shape as those of a key: `AA-9999`.
by_shape as (
    {{ linker.join_pair('columns', 'keys', "'values alone'", '0.3') }}
        and pointing.first_pattern = keys.first_pattern
    where
        pointing.value_kind = 'text'
        and pointing.distinct_count >= 3
        and keys.distinct_count >= 5
        and length(pointing.first_pattern) between 3 and 40
        and {{ linker.regex_matches('pointing.first_pattern', '9|^[A-Z]+$') }}
        and not {{ linker.join_ends_with('pointing.words', linker.join_words('place')) }}
),

by_address as (
    {{ linker.join_pair('columns', 'keys', "'values alone'", '0.3') }}
        and pointing.personal_data = keys.personal_data
    where
        pointing.value_kind = 'text'
        and pointing.personal_data = 'email'
        and pointing.distinct_count >= 5
        and keys.distinct_count >= 5
),

-- A column with an uninformative name may match every key of its shape. Pairs by values alone have the lowest
-- weight, so only the top pairs of each rule can be among a column's top pairs.
all_pairs as (
    {% for rule in ['by_name', 'by_abbreviation', 'by_doer', 'by_role', 'by_parent', 'by_preposition', 'by_halves'] -%}
    select *, 1 as rule_place from {{ rule }}
    union all
    {% endfor -%}
    {% for rule in ['by_range', 'by_shape', 'by_address'] -%}
    select *, row_number() over (partition by from_number order by {{ likeliness }} desc, to_number) as rule_place
    from {{ rule }}
    where not from_is_main
    {{ 'union all' if not loop.last }}
    {% endfor %}
),

judged as (
    select
        *,
        row_number() over (partition by from_number, to_number order by name_weight desc, name_rule) as choice
    from all_pairs
    where rule_place <= {{ most }}
),

weighed as (
    select
        *,
        max(case when to_is_home then name_weight - case when is_same_schema then 0.0 else 0.1 end end)
            over (partition by from_number) as best_weight
    from judged
    where choice = 1
),

ranked as (
    select
        *,
        row_number() over (partition by from_number order by {{ likeliness }} desc, to_number) as place
    from weighed
    -- If names match a table's own key, values alone are not considered.
    where (not from_is_main or name_rule = 'the same keys, of the same thing') and (name_weight > 0.3 or coalesce(best_weight, 0) < 0.7)
),

composites as (
    {{ linker.join_composite_pairs(ref('linker_composite_keys'), 'columns') }}
),

final as (
    select
        pointing.database_name as from_database,
        pointing.schema_name as from_schema,
        pointing.table_name as from_table,
        '["' || {{ linker.json_escaped('pointing.column_path') }} || '"]' as from_columns,
        '["' || pointing.value_kind || '"]' as from_kinds,
        pointing.members as from_members,
        pointing.fingerprint as from_fingerprint,
        pointing.is_discovered as from_discovered,
        pointing.value_count as from_value_count,
        pointing.distinct_count as from_distinct_count,
        pointing.text_length as from_text_length,
        pointing.is_unique as from_is_unique,
        pointing.is_unique and pointing.position = 1 as from_is_first,
        keys.database_name as to_database,
        keys.schema_name as to_schema,
        keys.table_name as to_table,
        '["' || {{ linker.json_escaped('keys.column_path') }} || '"]' as to_columns,
        '["' || keys.value_kind || '"]' as to_kinds,
        keys.members as to_members,
        keys.fingerprint as to_fingerprint,
        keys.value_count as to_value_count,
        keys.distinct_count as to_distinct_count,
        case when pointing.value_kind = 'integer' or keys.value_kind = 'integer' then keys.key_density end as to_density,
        keys.home_rank > 0 as to_is_home,
        keys.is_main as to_is_main,
        1 as column_count,
        ranked.name_rule,
        ranked.name_weight,
        ranked.range_fit
    from ranked
    inner join columns as pointing on ranked.from_number = pointing.column_number
    inner join columns as keys on ranked.to_number = keys.column_number
    where ranked.place <= {{ most }}

    union all

    select * from composites
)

select
    from_database,
    from_schema,
    from_table,
    cast(from_columns as {{ dbt.type_string() }}) as from_columns,
    cast(from_kinds as {{ dbt.type_string() }}) as from_kinds,
    from_members,
    from_fingerprint,
    from_discovered,
    cast(from_value_count as bigint) as from_value_count,
    cast(from_distinct_count as bigint) as from_distinct_count,
    cast(from_text_length as bigint) as from_text_length,
    from_is_unique,
    from_is_first,
    to_database,
    to_schema,
    to_table,
    cast(to_columns as {{ dbt.type_string() }}) as to_columns,
    cast(to_kinds as {{ dbt.type_string() }}) as to_kinds,
    to_members,
    to_fingerprint,
    cast(to_value_count as bigint) as to_value_count,
    cast(to_distinct_count as bigint) as to_distinct_count,
    cast(to_density as {{ double }}) as to_density,
    to_is_home,
    to_is_main,
    cast(column_count as bigint) as column_count,
    cast(name_rule as {{ dbt.type_string() }}) as name_rule,
    cast(name_weight as {{ double }}) as name_weight,
    cast(range_fit as {{ double }}) as range_fit
from final
{%- endif %}
