{#-
    The kind of personal data that one text is: 'credential', 'email', 'iban', 'card', 'national_id', 'ip', 'phone',
    'address', what the name of its column says ('name', 'birth_date', 'health', 'belief'), or null. With a question mark
    what one value alone does not tell, but a column that is full of it: see `prevailing_personal_data`; so is 'random'.

    `hint` is SQL for what the column's name says, a text as `personal_data_hint` gives it, or null: an expression, so that
    one statement over the values of many columns holds this long condition once. 'number' is that of whole numbers of which
    the name says nothing.
    `value` is repeated many times and had better be the name of a column, of texts that are cut to a length.
-#}
{% macro personal_data(value, hint) -%}
    case
        when {{ hint }} = 'number' and length({{ value }}) < 11 then null
        when {{ linker.regex_matches(value, '[0-9@:]|-----BEGIN') }} and {{ linker.is_credential(value) }} then 'credential'
        when {{ hint }} in ({{ linker._literals(linker.believed_hints()) }})
            then
                case
                    when not {{ linker.regex_matches(value, '[^ -/:-@]') }} then null
                    when {{ hint }} = 'street' then 'address'
                    else {{ hint }}
                end
        when not {{ linker.regex_matches(value, '[0-9@:]') }}
            then case when coalesce({{ hint }}, '') <> 'thing' and {{ linker.is_person(value) }} then 'name?' end
        when {{ linker.is_email(value) }} then 'email'
        when {{ linker.is_iban(value, hint) }} then 'iban'
        when {{ linker.is_card(value, hint) }} then case when {{ hint }} = 'number' then 'card?' else 'card' end
        when {{ linker.is_national_id(value, hint) }}
            then case when {{ hint }} = 'number' then 'national_id?' else 'national_id' end
        when {{ linker.is_ip(value, hint) }}
            then case {{ hint }} when 'ip' then 'ip' when 'thing' then null else 'ip?' end
        when {{ linker.is_phone(value, hint) }} then 'phone'
        when {{ linker.is_address(value, hint) }} then 'address'
        when {{ linker.is_random(value) }} then 'random'
        when {{ hint }} = 'thing' then null
        when {{ linker.is_phone_at_home(value) }} then 'phone?'
        when {{ linker.may_be_national_id(value) }} then 'national_id?'
    end
{%- endmacro %}

{#- What names say of the columns, and of the paths that only values told: `hints` (column_number, sub_path, hint,
    is_looked_over), of element_counts, names and totals. Inside of a document what its column is called counts as well. -#}
{% macro hints_of_paths(has_documents) -%}
    {%- set hint = 'names.personal_data_hint' -%}
    {%- if has_documents -%}
        {%- set hint = "case when element_counts.sub_path = '' then " ~ hint ~ ' else coalesce('
            ~ linker.personal_data_hint_of_path('element_counts.sub_path') ~ ', ' ~ hint ~ ') end' -%}
    {%- endif -%}
{{ linker._hints('element_counts.column_number, element_counts.sub_path, element_counts.value_kind, element_counts.privacy', hint, 'totals.max_number', '
        from element_counts
        inner join names on element_counts.column_number = names.column_number
        left join totals on element_counts.column_number = totals.column_number and element_counts.sub_path = totals.sub_path') }}
{%- endmacro %}

{#- The same of columns that are cells, of names and counts. -#}
{% macro hints_of_cells() -%}
{{ linker._hints("names.column_number, '' as sub_path, names.value_kind, names.privacy", 'names.personal_data_hint', 'counts.max_number', '
        from names
        left join counts on names.column_number = counts.column_number') }}
{%- endmacro %}

{% macro _hints(columns, hint, max_number, relations) -%}
    {%- set of_numbers = linker._literals(['iban', 'card', 'national_id', 'phone', 'address', 'ip'] + linker.believed_hints()) -%}
hints as {{ linker.materialized() }}(
    select
        column_number,
        sub_path,
        case when value_kind = 'integer' and coalesce(hint, '') not in ({{ of_numbers }}) then 'number' else hint end as hint,
        privacy in ('detect', 'inherit')
        and (
            value_kind in ('text', 'other')
            or coalesce(hint, '') in ({{ of_numbers }})
            -- Numbers as long as those of persons and cards.
            or (value_kind = 'integer' and coalesce(max_number, 0) between 1e10 and 1e19)
        ) as is_looked_over
    from (
        select {{ columns }}, {{ hint }} as hint, {{ max_number }} as max_number
        {{- relations }}
    ) as named
),

-- Tables of settings, one of which is a secret by its name.
secret_settings as (
    select distinct names.table_number
    from value_counts
    inner join names on value_counts.column_number = names.column_number
    inner join hints on value_counts.column_number = hints.column_number{{ ' and value_counts.sub_path = hints.sub_path' if 'element_counts' in relations }}
    where hints.hint = 'setting_name' and {{ linker.names_secret('value_counts.value') }}
)
{%- endmacro %}

{#- The kind of personal data that a column's most frequent values are, or 'random' where they are random strings of one
    length; where somebody said what may be seen, none is sought. -#}
{% macro personal_columns() -%}
personal as (
    select
        frequent_values.column_number,
        frequent_values.sub_path,
        coalesce(
            case
                when max(frequent_values.hint) = 'setting' and max(secret_settings.table_number) is not null then 'credential'
            end,
            {{ linker.prevailing_personal_data('frequent_values.personal_data', 'frequent_values.value_count') }},
            case
                when
                    min(length(frequent_values.value)) = max(length(frequent_values.value))
                    and sum(case when frequent_values.personal_data = 'random' then 1 else 0 end) >= 0.9 * count(*)
                    then 'random'
            end
        ) as personal_data
    from frequent_values
    inner join names on frequent_values.column_number = names.column_number
    left join secret_settings on names.table_number = secret_settings.table_number
    group by frequent_values.column_number, frequent_values.sub_path
)
{%- endmacro %}
