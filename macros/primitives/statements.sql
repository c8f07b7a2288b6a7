{#- Assembles statements. -#}

{#- Statements before and after a long statement over few rows: {begin, end}. -#}
{% macro plain_planning() -%}
    {#- `reset` would forget those of the target. -#}
    {%- set own = adapter.config.credentials.server_side_parameters or {} -%}
    {%- set begin, end = [], [] -%}
    {%- for name, value in linker.dialect().plain_planning.items() -%}
        {%- do begin.append('set ' ~ name ~ '=' ~ value) -%}
        {%- do end.append('set ' ~ name ~ '=' ~ own[name] if name in own else 'reset ' ~ name) -%}
    {%- endfor -%}
    {{ return({'begin': begin, 'end': end}) }}
{%- endmacro %}

{#-
    Statements that insert the result of a query over aggregate rows into a relation. `heads` are the selects of those rows,
    scan_1, scan_2 …; `tail` is the rest: common table expressions and the last select. Each table is read once, however often its
    row is used: by the keyword `materialized`, or else through staging tables.
-#}
{% macro staged_insert(relation, column_names, heads, tail) -%}
    {%- set stage = linker.dialect().stage -%}
    {%- set statements, expressions, ends = [], [], [] -%}
    {%- for head in heads -%}
        {%- set name = 'scan_' ~ loop.index -%}
        {%- if stage -%}
            {%- set thread = modules.re.sub('[^a-z0-9]', '_', thread_id | lower) -%}
            {%- set table = stage.table.format(schema=relation.include(identifier=false), thread=thread) ~ '_' ~ loop.index -%}
            {%- if stage.drop -%}
                {%- do statements.append(stage.drop.format(table=table)) -%}
                {%- do ends.append(stage.drop.format(table=table)) -%}
            {%- endif -%}
            {%- do statements.append(stage.create ~ ' ' ~ table ~ ' as\n' ~ head) -%}
            {%- do expressions.append(name ~ ' as (\nselect * from ' ~ table ~ '\n)') -%}
        {%- else -%}
            {%- do expressions.append(name ~ ' as materialized (\n' ~ head ~ '\n)') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set planning = linker.plain_planning() -%}
    {%- do statements.extend(planning.begin) -%}
    {%- do statements.append(
        'insert into ' ~ relation ~ ' (' ~ column_names | join(', ') ~ ')\nwith ' ~ expressions | join(',\n\n') ~ ',\n\n' ~ tail
    ) -%}
    {{ return(statements + planning.end + ends) }}
{%- endmacro %}
