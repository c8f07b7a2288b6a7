{#-
    What is left to do at the end of a run of dbt that built our models. Where it built others too, in an order that
    nobody knows beforehand, ours are built anew after them: their first pass may have seen half of a warehouse, and
    scanned nothing. Then the user is told what comes next. Of a scan that ended the run nothing half-written stays.
-#}
{% macro finish_run(results) -%}
    {%- set built = [] -%}
    {%- set failed = [] -%}
    {%- for result in results if execute and result.node.package_name == 'linker' and result.node.resource_type == 'model' -%}
        {%- do (built if result.status | string == 'success' else failed).append(result.node) -%}
    {%- endfor -%}
    {%- if built and not failed -%}
        {%- if linker.runs_beside_others() -%}
            {%- do linker.settle_storage() -%}
            {#- The results are in the order in which dbt ran the models: what is read comes before what reads it. -#}
            {%- for node in built -%}
                {%- do linker._build_anew(node) -%}
            {%- endfor -%}
        {%- endif -%}
        {%- if built | selectattr('name', 'equalto', 'linker_scanned_tables') | list -%}
            {%- do linker._tell_models_elsewhere() -%}
            {%- do log("linker: profiled; next `linker index`, then `linker ask \"…\"`", info=true) -%}
        {%- endif -%}
    {%- endif -%}
    {%- for result in results if execute and result.node.name == 'linker_scanned_tables' and result.status | string == 'error' -%}
        {%- do linker._forget_older_scans(linker.artifact('linker_scans'), linker.artifact('linker_attempts')) -%}
        {%- do linker._commit() -%}
    {%- endfor -%}
{%- endmacro %}

{#- Says how many models of the project lie in other databases than that of the target: a target reads one. -#}
{% macro _tell_models_elsewhere() -%}
    {%- set databases = [] -%}
    {%- for node in graph.nodes.values()
        if node.resource_type in ['model', 'seed', 'snapshot'] and node.package_name != 'linker'
        and node.config.materialized != 'ephemeral' and node.database | lower != target.database | lower -%}
        {%- do databases.append(node.database) -%}
    {%- endfor -%}
    {%- if databases -%}
        {%- do log(
            'linker: left out: ' ~ databases | length ~ ' model' ~ ('s' if databases | length > 1) ~ ' in other databases ('
            ~ databases | unique | sort | join(', ') ~ '); a target of their own would profile them', info=true
        ) -%}
    {%- endif -%}
{%- endmacro %}

{#- Whether this run builds models, seeds or snapshots of other packages beside ours. -#}
{% macro runs_beside_others() -%}
    {%- for resource in selected_resources -%}
        {%- set parts = resource.split('.') -%}
        {%- if parts[0] in ['model', 'seed', 'snapshot'] and parts[1] != 'linker' -%}
            {{ return(true) }}
        {%- endif -%}
    {%- endfor -%}
    {{ return(false) }}
{%- endmacro %}

{#- One model again, in the relation that it has, by the rendering of a hook: there a relation is named and not referred to. -#}
{% macro _build_anew(node) -%}
    {%- if node.config.materialized != 'journal' -%}
        {%- set sql = render(node.raw_code.replace("ref('linker_", "linker.artifact('linker_")) -%}
        {%- if node.config.materialized == 'scan' -%}
            {%- do linker.scan_tables(sql) -%}
        {%- elif node.config.materialized == 'measure_joins' -%}
            {%- do linker.measure_joins(sql) -%}
        {%- else -%}
            {%- set relation = linker.artifact(node.name) -%}
            {%- set columns = node.columns.keys() | join(', ') -%}
            {%- do linker._execute('delete from ' ~ relation ~ ' where 1 = 1') -%}
            {%- do linker._execute('insert into ' ~ relation ~ ' (' ~ columns ~ ')\nselect ' ~ columns ~ ' from (\n' ~ sql ~ '\n) as built') -%}
        {%- endif -%}
        {%- do linker._commit() -%}
    {%- endif -%}
{%- endmacro %}

{#- The relation of a model of ours: in a model by `ref`, in operations and hooks, which have none, by its name. -#}
{% macro artifact(name) -%}
    {%- if model is defined and model.resource_type | string == 'model' -%}
        {{ return(ref(name)) }}
    {%- endif -%}
    {%- for node in graph.nodes.values() if node.resource_type == 'model' and node.package_name == 'linker' and node.name == name -%}
        {{ return(linker._relation(node)) }}
    {%- endfor -%}
{%- endmacro %}

{#- All relations that a run leaves. -#}
{% macro artifacts() -%}
    {%- set relations = [] -%}
    {%- for node in graph.nodes.values() if node.resource_type == 'model' and node.package_name == 'linker'
        and node.config.materialized not in ['scan', 'measure_joins'] -%}
        {%- do relations.append(linker._relation(node)) -%}
    {%- endfor -%}
    {{ return(relations) }}
{%- endmacro %}

{% macro _relation(node) -%}
    {{ return(api.Relation.create(database=node.database, schema=node.schema, identifier=node.alias, type='table')) }}
{%- endmacro %}
