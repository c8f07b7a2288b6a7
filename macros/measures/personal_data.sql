{#-
    The kind of personal data that one text is: 'credential', 'email', 'iban', 'card', 'national_id', 'phone', 'address', or
    null; 'random' for what is a credential only where a whole column is like it.

    `hint` is SQL for what the column's name says, a text as `personal_data_hint` gives it, or null: an expression, so that
    one statement over the values of many columns holds this long condition once.
    `value` is repeated many times and had better be the name of a column, of texts that are cut to a length.
-#}
{% macro personal_data(value, hint) -%}
    case
        when not {{ linker.regex_matches(value, '[0-9@]|-----BEGIN') }} then null
        when {{ linker.is_credential(value) }} then 'credential'
        when {{ linker.is_email(value) }} then 'email'
        when {{ linker.is_iban(value, hint) }} then 'iban'
        when {{ linker.is_card(value, hint) }} then 'card'
        when {{ linker.is_national_id(value, hint) }} then 'national_id'
        when {{ linker.is_phone(value, hint) }} then 'phone'
        when {{ linker.is_address(value, hint) }} then 'address'
        when {{ linker.is_random(value) }} then 'random'
    end
{%- endmacro %}
