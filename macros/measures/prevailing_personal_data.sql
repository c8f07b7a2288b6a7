{#-
    An aggregate over the distinct values of a column: the kind of personal data that it holds, or null. `kind` is what
    `personal_data` says of a value, `count` how many rows of the sample have it.
    A share of the values suffices, or of the rows: one `unknown` may outnumber all addresses, one address may fill a column.
    What one value does not tell takes more of them, of which one alone is chance.
-#}
{% macro prevailing_personal_data(kind, count) -%}
    case
        {%- for candidate in ['credential', 'iban', 'card', 'national_id', 'email', 'ip', 'phone', 'address'] + linker.believed_hints() | reject('equalto', 'street') | list %}
        when
            sum(case when {{ kind }} = '{{ candidate }}' then 1 else 0 end) >= {{ linker.personal_data_share() }} * count(*)
            or sum(case when {{ kind }} = '{{ candidate }}' then {{ count }} else 0 end)
            >= {{ linker.personal_data_share() }} * sum({{ count }})
            then '{{ candidate }}'
        {%- endfor %}
        {%- for candidate, share in [('card', 0.7), ('national_id', 0.7), ('ip', 0.6), ('phone', 0.7), ('name', linker.personal_data_share())] %}
        when
            sum(case when {{ kind }} in ('{{ candidate }}', '{{ candidate }}?') then 1 else 0 end)
            >= greatest({{ share }} * count(*), least(count(*), 3))
            then '{{ candidate }}'
        {%- endfor %}
    end
{%- endmacro %}
