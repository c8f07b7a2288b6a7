{#-
    Scan statements for portions, as a list of lists that each fit the warehouse's limits. A portion that is too
    large is split by columns, with nested paths kept together if possible. None if several portions do not fit
    together.
-#}
{% macro fitting_statements(journal, portions) -%}
    {%- set statements = linker.scan_statement(journal, portions) -%}
    {%- if portions[0].cells -%}
        {{ return([statements]) }}
    {%- endif -%}
    {#- The factor by which the text sent, or its columns, exceed the limits. -#}
    {%- set limits = linker.dialect().statement_limits -%}
    {%- set shares = [1] -%}
    {%- for text in (linker.guarded(statements, '') if limits.bytes else []) -%}
        {%- do shares.append((text.encode('utf-8') | length / limits.bytes) | round(0, 'ceil') | int) -%}
    {%- endfor -%}
    {%- for portion in portions if limits.columns -%}
        {%- set measures = portion.scanned.columns | map(attribute='measures') | map('length') | sum -%}
        {%- do shares.append((measures / limits.columns) | round(0, 'ceil') | int) -%}
    {%- endfor -%}
    {%- set pieces = shares | max -%}
    {%- if pieces == 1 or (portions | length == 1 and portions[0].scanned.columns | length == 1) -%}
        {{ return([statements]) }}
    {%- elif portions | length > 1 -%}
        {{ return([]) }}
    {%- endif -%}
    {%- set columns = portions[0].scanned.columns -%}
    {%- set most = (columns | length / pieces) | round(0, 'ceil') | int -%}
    {%- set parts = [] -%}
    {%- set whole = columns | groupby('base_number') -%}
    {%- if whole | length == 1 -%}
        {%- do parts.extend(columns | batch(most)) -%}
    {%- endif -%}
    {%- for base in whole if whole | length > 1 -%}
        {%- if parts and parts[-1] | length + base.list | length <= most -%}
            {%- do parts[-1].extend(base.list) -%}
        {%- else -%}
            {%- do parts.append(base.list | list) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set fitting = [] -%}
    {%- for part in parts -%}
        {%- set bases = portions[0].scanned.bases | selectattr('number', 'in', part | map(attribute='base_number') | list) | list -%}
        {%- set portion = dict(portions[0], scanned={'bases': bases, 'columns': part}) -%}
        {%- do fitting.extend(linker.fitting_statements(journal, [portion])) -%}
    {%- endfor -%}
    {{ return(fitting) }}
{%- endmacro %}
