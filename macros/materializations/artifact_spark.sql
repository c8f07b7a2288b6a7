{#-
    The materialization of artifact.sql for Spark, which plans a common table expression at each use: repeated ones are
    cached first. The table's columns enforce the contract.
-#}
{% materialization artifact, adapter='spark' %}
    {%- set artifact = this.incorporate(type='table') -%}
    {%- set existing = load_cached_relation(this) -%}
    {%- do linker.spell_types(model) -%}
    {{ run_hooks(pre_hooks) }}

    {%- if existing is not none and linker.is_idle() -%}
        {%- call noop_statement('main', 'KEPT') -%}{%- endcall -%}
    {%- else -%}
        {%- if existing is not none and not linker.has_columns_of_contract(existing) -%}
            {%- do adapter.drop_relation(existing) -%}
            {%- set existing = none -%}
        {%- endif -%}
        {%- if existing is none -%}
            {#- dbt would plan a select for it, to compare its columns. -#}
        {%- do linker._execute('create table ' ~ artifact ~ ' ' ~ get_table_columns_and_constraints() ~ ' ' ~ file_format_clause()) -%}
        {%- endif -%}
        {%- set planning = linker.plain_planning() -%}
        {%- set staged = linker.staged_expressions(artifact, sql) -%}
        {%- for text in planning.begin + staged.begin -%}
            {%- do linker._execute(text) -%}
        {%- endfor -%}
        {%- call statement('main') -%}
            insert overwrite table {{ artifact }}
            {{ get_select_subquery(staged.sql) }}
        {%- endcall -%}
        {%- for text in staged.end + planning.end -%}
            {%- do linker._execute(text) -%}
        {%- endfor -%}
        {%- do apply_grants(artifact, config.get('grants'), should_revoke=false) -%}
        {%- do persist_docs(artifact, model) -%}
    {%- endif -%}
    {{ run_hooks(post_hooks) }}
    {{ return({'relations': [artifact]}) }}
{% endmaterialization %}

{#-
    Common table expressions used more than once in a model's select, as stages: {begin: statements that create them, sql:
    the select that reads them, end: statements that drop them}. Each must start with its name and end with a bracket in the
    first column, as in all models of this package.
-#}
{% macro staged_expressions(artifact, sql) -%}
    {%- set stage = linker.dialect().stage -%}
    {%- set thread = modules.re.sub('[^a-z0-9]', '_', thread_id | lower) -%}
    {%- set prefix = stage.table.format(schema=artifact.include(identifier=false), thread=thread) -%}
    {%- set begin, end, pending = [], [], [] -%}
    {%- set rest = namespace(sql=modules.re.sub('(?m)^with ', '', sql.strip(), count=1)) -%}
    {%- for number in range(sql.split('\n),') | length - 1) -%}
        {%- set written, behind = rest.sql.split('\n),', 1) -%}
        {%- set expression = {'name': modules.re.search('(?m)^(\\w+) as \\(', written).group(1), 'sql': written ~ '\n)'} -%}
        {%- set uses = linker._uses(expression.name) -%}
        {#- The same name within another expression is a different relation. -#}
        {%- set is_unique = not modules.re.search('\\b' ~ expression.name ~ ' as \\(', behind) -%}
        {%- if is_unique and modules.re.findall(uses, behind) | length > 1 -%}
            {%- set table = prefix ~ '_' ~ loop.index -%}
            {%- do begin.append(stage.drop.format(table=table)) -%}
            {%- do begin.append(
                stage.create ~ ' ' ~ table ~ ' as\n' ~ linker._with_used(pending + [expression], 'select * from ' ~ expression.name)
            ) -%}
            {%- do end.append(stage.drop.format(table=table)) -%}
            {%- set behind = modules.re.sub(uses ~ '(?= as\\b)', '\\1 ' ~ table, behind) -%}
            {%- set behind = modules.re.sub(uses, '\\1 ' ~ table ~ ' as ' ~ expression.name, behind) -%}
        {%- else -%}
            {%- do pending.append(expression) -%}
        {%- endif -%}
        {%- set rest.sql = behind -%}
    {%- endfor -%}
    {#- The last one ends where the select begins. -#}
    {%- if '\n)\n' in rest.sql -%}
        {%- set written, select = rest.sql.rsplit('\n)\n', 1) -%}
        {%- do pending.append({'name': modules.re.search('(?m)^(\\w+) as \\(', written).group(1), 'sql': written ~ '\n)'}) -%}
        {%- set rest.sql = linker._with_used(pending, select.strip()) -%}
    {%- endif -%}
    {{ return({'begin': begin, 'sql': rest.sql, 'end': end}) }}
{%- endmacro %}

{#- A pattern for reads of a relation of that name in a select. -#}
{% macro _uses(name) -%}
    {{ return('\\b(from|join)\\s+' ~ name ~ '\\b(?!\\.)') }}
{%- endmacro %}

{#- A select with the common table expressions that it reads, directly or through others. -#}
{% macro _with_used(expressions, select) -%}
    {%- set used = namespace(sql=[], text=select) -%}
    {%- for expression in expressions | reverse if modules.re.search(linker._uses(expression.name), used.text) -%}
        {%- set used.sql = [expression.sql.strip()] + used.sql -%}
        {%- set used.text = used.text ~ expression.sql -%}
    {%- endfor -%}
    {{ return(('with ' ~ used.sql | join(',\n\n') ~ '\n\n' if used.sql else '') ~ select) }}
{%- endmacro %}
