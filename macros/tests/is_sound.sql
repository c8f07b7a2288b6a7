{#-
    Tests a profile table in one statement: returns the rows that violate the rules under `config: {meta: …}` of the test.
    `key`: columns whose combination is unique and never null; `filled`: further columns that are never null; `values`: allowed
    words by column; `within`: the table that contains each row's columns, and their names there by their names here. dbt's own
    tests run a statement per column: fifty in every `dbt build`, instead of eleven.
-#}
{% test is_sound(model) %}
    {%- set said = config.get('meta') or {} %}
    {%- set key, broken, checks = said.get('key', []), {}, [] %}
    {%- for column in key + said.get('filled', []) %}
        {%- do broken.update({column ~ ' is null': column ~ ' is null'}) %}
    {%- endfor %}
    {%- for column, words in said.get('values', {}).items() %}
        {%- do broken.update({column ~ ' holds another word': column ~ ' not in (' ~ linker._literals(words) ~ ')'}) %}
    {%- endfor %}
    {%- if key %}
        {%- set repeated %}
    select {{ linker.literal('more than one row has the same ' ~ key | join(', ')) }} as problem, count(*) as row_count
    from (
        select {{ key | join(', ') }}
        from {{ model }}
        group by {{ key | join(', ') }}
        having count(*) > 1
    ) as repeated
    having count(*) > 0
        {%- endset %}
        {%- do checks.append(repeated) %}
    {%- endif %}
    {%- for problem, condition in broken.items() %}
        {%- do checks.append(
            '\n    select ' ~ linker.literal(problem) ~ ' as problem, count(*) as row_count\n    from ' ~ model
            ~ '\n    where ' ~ condition ~ '\n    having count(*) > 0'
        ) %}
    {%- endfor %}
    {%- for artifact, columns in said.get('within', {}).items() %}
        {%- set outside %}
    select {{ linker.literal('rows that are not in ' ~ artifact) }} as problem, count(*) as row_count
    from {{ model }} as own
    left join (
        select distinct {{ columns.values() | join(', ') }}
        from {{ linker.artifact(artifact) }}
    ) as others
        on
            {%- for own, other in columns.items() %}
            own.{{ own }} = others.{{ other }}{{ ' and' if not loop.last }}
            {%- endfor %}
    where others.{{ columns.values() | first }} is null
    having count(*) > 0
        {%- endset %}
        {%- do checks.append(outside) %}
    {%- endfor %}
    {%- if linker.is_idle() or (linker.can_ask() and load_relation(model) is none) %}
    {#- Passes in a run that keeps the profiles, and before the first run. -#}
    select 1 as problem where 1 = 0
    {%- else %}
    {{ checks | join('\n    union all\n') }}
    {%- endif %}
{% endtest %}
