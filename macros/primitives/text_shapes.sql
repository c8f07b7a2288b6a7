{#- The shapes of texts, see `mask`: a select of the columns `keys`, `shape` and `value_count`, from a relation with these
    keys, `value` and `value_count`. A shape comes once for each text that has it. -#}
{% macro text_shapes(relation, keys) -%}
    {{ return(adapter.dispatch('text_shapes', 'linker')(relation, keys)) }}
{%- endmacro %}

{% macro default__text_shapes(relation, keys) %}
    select {{ keys | join(', ') }}, {{ linker.mask('value') }} as shape, value_count
    from {{ relation }}
{% endmacro %}

{#- `translate` learns its letters anew for each text, which takes longer than all else: so all texts of a group are one, with
    a character between them that is a letter's shape where it stands in a text. Where all of them are plain ASCII, nothing is
    left to do after it.
    https://duckdb.org/docs/stable/sql/functions/list, https://duckdb.org/docs/stable/sql/functions/text -#}
{% macro duckdb__text_shapes(relation, keys) %}
    {%- set between = 'chr(31)' %}
    select
        {{ keys | join(', ') }},
        unnest(string_split(
            case
                when {{ linker.regex_matches('joined', '[^\\t\\n\\r' ~ linker.character_range('001f') ~ ' -~]') }}
                    then {{ linker._shape('joined', linker.character_range('001f')) }}
                else {{ linker._ascii_shape('joined') }}
            end,
            {{ between }}
        )) as shape,
        unnest(list_transform(texts, lambda one: one.value_count)) as value_count
    from (
        select
            *,
            array_to_string(list_transform(texts, lambda one: one.start), {{ between }}) as joined
        from (
            select
                {{ keys | join(', ') }},
                list({
                    'start': replace(left(value, 32), {{ between }}, 'a') || case when length(value) > 32 then '...' else '' end,
                    'value_count': value_count
                }) as texts
            from {{ relation }}
            group by {{ keys | join(', ') }}
        ) as grouped
    ) as listed
{% endmacro %}
