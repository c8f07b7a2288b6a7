{#-
    How far each measured pair is to be trusted: enters rows of linker_join_candidates with `sampled_values` and `containment`;
    leaves those of which the key holds at least half, with `coverage`, `surprise` and `trust`, from 0 to 1. Names and values
    are two witnesses: the pair is wrong only where both are.
-#}
{% macro weighed_joins(candidates) %}
    with measured as (
        select
            *,
            least(1.0, from_distinct_count * containment / nullif(to_distinct_count, 0)) as coverage,
            least(
                1.0,
                0.9 * name_weight + case when to_is_home then 0.05 else 0 end + case when to_is_main then 0.05 else 0 end
            ) as name_evidence,
            -- How unlikely it is that chance finds so many numbers in a key with gaps: the logarithm of it.
            -ln(to_density) * containment * sampled_values as surprise
        from {{ candidates }}
        where containment >= 0.5
    ),

    -- What names and values are worth, each from 0 to 1.
    weighed as (
        select
            *,
            case
                -- Texts are found in a key by chance only where they are few and short.
                when surprise is null then case
                    when sampled_values >= 10 then 0.8
                    when sampled_values >= 4 then 0.6
                    when sampled_values >= 3 then case when from_text_length >= 6 then 0.5 else 0.3 end
                    else 0.1
                end
                -- Small numbers are found in every key without gaps: how far do they reach, and how many are there?
                else greatest(
                    0.5 * range_fit * case when sampled_values >= 20 then 1.0 when sampled_values >= 5 then 0.5 else 0.2 end
                    + 0.3 * least(1.0, 1.0 * from_distinct_count / nullif(to_distinct_count, 0)),
                    0.85 * least(1.0, surprise / 7)
                )
            end as value_evidence
        from measured
    )

    select
        *,
        (1 - (1 - name_evidence) * (1 - value_evidence))
        * case
            when containment >= 0.999 then 1.0
            when name_weight >= 0.8 then containment * containment
            else power(containment, 6)
        end
        * case
            when name_rule = 'name of the thing' and name_weight < 0.7 and from_schema <> to_schema then 0.7
            else 1.0
        end
        -- Facts about the same things have the same columns, and do not point to one another.
        * case when column_count > 1 and not to_is_main then 0.75 else 1.0 end as trust
    from weighed
{% endmacro %}
