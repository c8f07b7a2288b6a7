{#-
    The kind of PII in a text: 'credential', 'email', 'iban', 'card', 'national_id', 'ip', 'phone', 'address', a kind given by
    the column's name ('name', 'birth_date', 'health', 'belief'), or null. Kinds that need many matching values end in a
    question mark, and 'random' needs them too; see `prevailing_personal_data`.
    `hint` is SQL for the hint in the column's name, from `personal_data_hints`, or null: an expression, so that a statement over
    many columns contains this long condition once; 'number' is the hint for integers without one. `value` is repeated many
    times and should be a column of truncated texts.
-#}
{% macro personal_data(value, hint) -%}
    {#-
        A long random string, as password and token generators produce: at least 32 characters of mixed case and digits, no words.
        UUIDs and hexadecimal hashes do not count, since keys and checksums look like them; nor do the 22 to 28 characters that
        many services use as identifiers.
    -#}
    {%- set is_random = [linker.regex_matches(value, '^[A-Za-z0-9+/_-]{32,}={0,2}$')] -%}
    {%- for letters in ['A-Z', 'a-z', '0-9'] -%}
        {%- do is_random.append(linker.regex_matches(value, '[' ~ letters ~ ']')) -%}
    {%- endfor -%}
    {%- do is_random.append('not ' ~ linker.regex_matches(value, '[A-Z]{8}|[a-z]{8}|[0-9]{8}|^0x')) -%}
    {#- A telephone number without its extension. -#}
    {%- set number = linker.regex_replace(value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', '') -%}
    case
        when {{ hint }} = 'number' and length({{ value }}) < 11 then null
        when {{ linker.regex_matches(value, '[0-9@:]|-----BEGIN') }} and {{ linker.is_credential(value) }} then 'credential'
        when {{ hint }} in ({{ linker._literals(linker.rules_of_hints().believed) }})
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
        when {{ linker.is_phone(number, hint) }} then 'phone'
        when {{ linker.is_address(value, hint) }} then 'address'
        when ({{ is_random | join(' and ') }}) then 'random'
        when {{ hint }} = 'thing' then null
        when {{ linker.is_phone_at_home(number) }} then 'phone?'
        when {{ linker.may_be_national_id(value) }} then 'national_id?'
    end
{%- endmacro %}

{#-
    Hints in names of columns, and of paths known from values only: `hints` (column_number, sub_path, hint,
    is_looked_over) from element_counts, names and totals; for scalar columns from names and counts.
-#}
{% macro hints_of_names(are_cells, has_documents=false) -%}
    {%- set hint = 'names.personal_data_hint' -%}
    {%- if are_cells -%}
        {%- set columns, max_number = "names.column_number, '' as sub_path, names.value_kind, names.privacy", 'counts.max_number' -%}
    {%- else -%}
        {%- set columns = 'element_counts.column_number, element_counts.sub_path, element_counts.value_kind, element_counts.privacy' -%}
        {%- set max_number = 'totals.max_number' -%}
        {%- if has_documents -%}
            {#- Inside a document the column's name applies too. -#}
            {%- set of_path = linker.personal_data_hint_of_path('element_counts.sub_path') -%}
            {%- set hint = "case when element_counts.sub_path = '' then " ~ hint ~ ' else coalesce(' ~ of_path ~ ', ' ~ hint ~ ') end' -%}
        {%- endif -%}
    {%- endif -%}
    {#- The name of a secret setting, such as `smtp_password` or `STRIPE_API_KEY`. -#}
    {%- set secret_name = '^[a-z0-9_.:/ -]*(passwor[dt]|passwd|passphrase|pwd|kennwort|secret|token|credentials?'
        ~ '|(api|access|private|secret|auth|encryption|signing|license)[ _.-]?key)$' -%}
    {%- set of_numbers = linker._literals(['iban', 'card', 'national_id', 'phone', 'address', 'ip'] + linker.rules_of_hints().believed) -%}
hints as {{ linker.dialect().materialized }}(
    select
        column_number,
        sub_path,
        value_kind,
        case when value_kind = 'integer' and coalesce(hint, '') not in ({{ of_numbers }}) then 'number' else hint end as hint,
        privacy in ('detect', 'inherit')
        and (
            value_kind in ('text', 'other')
            or coalesce(hint, '') in ({{ of_numbers }})
            -- Numbers as long as identity or card numbers.
            or (value_kind = 'integer' and coalesce(max_number, 0) between 1e10 and 1e19)
        ) as is_looked_over
    from (
        select {{ columns }}, {{ hint }} as hint, {{ max_number }} as max_number
        {%- if are_cells %}
        from names
        left join counts on names.column_number = counts.column_number
        {%- else %}
        from element_counts
        inner join names on element_counts.column_number = names.column_number
        left join totals on element_counts.column_number = totals.column_number and element_counts.sub_path = totals.sub_path
        {%- endif %}
    ) as named
),

-- Tables of settings with a secret by its name.
secret_settings as (
    select distinct names.table_number
    from value_counts
    inner join names on value_counts.column_number = names.column_number
    inner join hints on value_counts.column_number = hints.column_number{{ ' and value_counts.sub_path = hints.sub_path' if not are_cells }}
    where hints.hint = 'setting_name' and {{ linker.regex_matches('lower(value_counts.value)', secret_name) }}
)
{%- endmacro %}

{#-
    The kind of PII of a column's most frequent values, or 'random' for random strings of one length; not computed
    if settings decide what is shown.
-#}
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

{#-
    An aggregate over the distinct values of a column: the kind of PII, or null. `kind` is the result of
    `personal_data` for a value, `count` its rows in the sample. A share of the values or of the rows suffices: one
    `unknown` may outnumber all addresses, and one address may fill a column. Ambiguous kinds need several distinct
    values.
-#}
{% macro prevailing_personal_data(kind, count) -%}
    {#-
        One number in ten passes the weakest check (Luhn), so a column of other numbers stays well below;
        and columns of personal data also contain `unknown`, `n/a`, test entries, or surrounding text.
    -#}
    {%- set share = 0.3 -%}
    case
        {%- for candidate in ['credential', 'iban', 'card', 'national_id', 'email', 'ip', 'phone', 'address'] + linker.rules_of_hints().believed | reject('equalto', 'street') | list %}
        when
            sum(case when {{ kind }} = '{{ candidate }}' then 1 else 0 end) >= {{ share }} * count(*)
            or sum(case when {{ kind }} = '{{ candidate }}' then {{ count }} else 0 end)
            >= {{ share }} * sum({{ count }})
            then '{{ candidate }}'
        {%- endfor %}
        {%- for candidate, most in [('card', 0.7), ('national_id', 0.7), ('ip', 0.6), ('phone', 0.7), ('name', share)] %}
        when
            sum(case when {{ kind }} in ('{{ candidate }}', '{{ candidate }}?') then 1 else 0 end)
            >= greatest({{ most }} * count(*), least(count(*), 3))
            then '{{ candidate }}'
        {%- endfor %}
    end
{%- endmacro %}

{#- Whether a text is or contains an e-mail address. Not `@handle`, `package@1.2.0`, nor `git@host.com:path`. -#}
{% macro is_email(value) -%}
    {{ return(linker.regex_matches(
        value, '[^][ @(){}<>,;:"/]@([^][ @(){}<>,;:"/.]+[.])+[A-Za-z]{2,24}($|:?[^A-Za-z0-9@:-])'
    )) }}
{%- endmacro %}

{#-
    Whether a text is an IP address (v4 or v6), optionally with prefix and port. Without a `hint`, v4 needs eight
    digits or more: `1.2.3.4` is a version number.
-#}
{% macro is_ip(value, hint) -%}
    {%- set octet = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])' -%}
    {%- set group = '[0-9A-Fa-f]{1,4}' -%}
    {%- set groups = '(' ~ group ~ '(:' ~ group ~ '){0,6})?' -%}
    {%- set tail = ')(:' ~ octet ~ '([.]' ~ octet ~ '){3})?(/[0-9]{1,3})? *$' -%}
    case
        when {{ linker.regex_matches(value, '^ *' ~ octet ~ '([.]' ~ octet ~ '){3}(:[0-9]{1,5}|/[0-9]{1,2})? *$') }}
            then {{ hint }} = 'ip' or length({{ linker.regex_replace(value, '[^0-9]', '') }}) >= 8
        else
            {{ linker.regex_matches(value, '^ *((' ~ group ~ ':){7}' ~ group ~ '|' ~ groups ~ '::' ~ groups ~ tail) }}
            and {{ linker.regex_matches(value, '[0-9A-Fa-f]') }}
    end
{%- endmacro %}

{#-
    Whether a text, without an extension, is a telephone number. Without a hint: `+` and 8 to 15 digits (ITU-T E.164), or a
    North American area code in brackets. With the `hint` 'phone' also national formats, except dates, network addresses,
    decimals, and plain integers of fewer than 9 digits.
-#}
{% macro is_phone(number, hint) -%}
    {#- Decimals and short integers, dates in both orders, network addresses. -#}
    {%- set no_phone = '^ *(' ~ [
        '[0-9]+[.][0-9]+',
        '[0-9]{1,8}',
        '[0-9]{4}[./-][01]?[0-9][./-][0-3]?[0-9]([ 0-9]*)',
        '[0-3]?[0-9][./-][0-3]?[0-9][./-][0-9]{4}([ 0-9]*)',
        '[0-9]{1,3}[.][0-9]{1,3}[.][0-9]{1,3}[.][0-9]{1,3}',
    ] | join('|') ~ ') *$' -%}
    {%- set compact = linker.regex_replace(number, '[ ()./-]', '') -%}
    {%- set north_american = '^ *([+]?1[ .-]?)?[(][2-9][0-9]{2}[)] ?[2-9][0-9]{2}[-. ][0-9]{4} *$' -%}
    case
        when not {{ linker.regex_matches(number, '^ *[+(]?[0-9][0-9 ()./-]{5,23} *$') }} then false
        when {{ linker.regex_matches(compact, '^[+][1-9][0-9]{7,14}$') }}
            then not {{ linker.regex_matches(number, '^ *[+][0-9]+[.][0-9]+ *$') }}
        when {{ linker.regex_matches(number, north_american) }} then true
        when {{ hint }} = 'phone'
            then
                {{ linker.regex_matches(compact, '^[0-9]{7,15}$') }}
                and not {{ linker.regex_matches(number, no_phone) }}
        else false
    end
{%- endmacro %}

{#-
    Whether such a text has a national format, or without a hint resembles one: codes do too, so most values of a column must
    match.
-#}
{% macro is_phone_at_home(number) -%}
    {#-
        North America; a country code after 00; an area code after 0, in Germany and most of the world; pairs in France and
        Switzerland; mobile prefixes of Italy, Spain, China, India, Brazil and Russia; mobile numbers without spaces, as programs
        write them.
    -#}
    {%- set forms = [
        '(1[ .-])?[2-9][0-9]{2}[-. ][2-9][0-9]{2}[-. ][0-9]{4}',
        '(001|011)[-. ][2-9][0-9]{2}[-. ][2-9][0-9]{2}[-. ][0-9]{4}',
        '00[1-9][0-9]{0,2}[ /-][0-9 ()/-]{7,16}',
        '[(]0[1-9][0-9]{0,4}[)][ /-]?[0-9][0-9 /-]{4,11}',
        '0[1-9][0-9]{1,4} ?[/-] ?[0-9]{3,9}([ -][0-9]{1,5}){0,3}',
        '0[1-9][0-9]{0,4} [0-9]{2,9}([ -][0-9]{1,5}){0,4}',
        '0[1-9][-/][0-9]{2,4}[ -]?[0-9]{2,4}([ -][0-9]{2,4})?',
        '0[1-9]([ .-][0-9]{2}){4}',
        '0[1-9][0-9][.][0-9]{3}([.][0-9]{2}){2}',
        '3[2-9][0-9][ /-][0-9]{6,7}|3[2-9][0-9] [0-9]{3} [0-9]{3,4}',
        '[679][0-9]{2}( [0-9]{2}){3}',
        '1[3-9][0-9][ -][0-9]{4}[ -][0-9]{4}',
        '[6-9][0-9]{4} [0-9]{5}',
        '[(]?[1-9][1-9][)]? ?9[0-9]{4}-[0-9]{4}|[(][1-9][1-9][)] ?[2-5][0-9]{3}-[0-9]{4}',
        '8[ -]?[(]?[3-9][0-9]{2}[)]?[ -][0-9]{3}-[0-9]{2}-[0-9]{2}',
        '(015[0-9]|016[023]|017[0-9])[0-9]{7,8}|07[3-9][0-9]{8}|0[67][0-9]{8}',
    ] -%}
    {%- set compact = linker.regex_replace(number, '[ ()./-]', '') -%}
    (
        {{ linker.regex_matches(number, '^ *(' ~ forms | join('|') ~ ') *$') }}
        and {{ linker.regex_matches(compact, '^(00[1-9][0-9]{8,13}|[1-9][0-9]{8,11}|0[1-9][0-9]{7,10})$') }}
        and not {{ linker.regex_matches(number, '(^|[ ./-])((19|20)[0-9]{2}[ ./-]|[0-9]{4}-[0-9]{4}-[0-9]{2} *$|^0[0-9]{4}-[0-9]{5} *$)') }}
    )
{%- endmacro %}
