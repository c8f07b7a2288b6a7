{#-
    A view of BigQuery's catalogue over all datasets in scope, or over the given ones: a select of those columns.
    One seam for all that is read of it, so that a project can put its own views in place.
-#}
{% macro bigquery_view(view, columns, datasets=none) -%}
    {{ return(adapter.dispatch('bigquery_view', 'linker')(view, columns, datasets)) }}
{%- endmacro %}

{#- dbt wants a body for every target, also where nothing calls it. -#}
{% macro default__bigquery_view(view, columns, datasets) -%}
    {{ exceptions.raise_compiler_error('linker: ' ~ target.type ~ ' has none of the views of BigQuery') }}
{%- endmacro %}

{#- Each view costs at least 10 MB. One of a region tells of all datasets there at once and asks for roles in the project;
    those of a dataset ask for roles in it alone: name the datasets in `include_schemas` where the project gives none.
    https://cloud.google.com/bigquery/docs/information-schema-intro#syntax -#}
{% macro bigquery__bigquery_view(view, columns, datasets) %}
    {%- set scopes = datasets if datasets is not none else linker._bigquery_scopes() -%}
    {%- for scope in scopes %}
    {{ 'union all ' if not loop.first }}select {{ columns | join(', ') }} from {{ linker._bigquery_view_name(scope, view) }}
    {%- endfor %}
{%- endmacro %}

{#- The datasets that `include_schemas` names, in the case in which they are spelt, or else the region. Listing them costs
    nothing. https://cloud.google.com/bigquery/docs/reference/rest/v2/datasets/list -#}
{% macro _bigquery_scopes() -%}
    {%- set included = var('include_schemas', []) | map('lower') | list -%}
    {%- if not included -%}
        {{ return(['region-' ~ linker._bigquery_location() | lower]) }}
    {%- endif -%}
    {%- if not linker.can_ask() -%}
        {{ return(included) }}
    {%- endif -%}
    {%- set scopes = [] -%}
    {%- for dataset in adapter.list_schemas(target.database) if dataset | lower in included -%}
        {%- do scopes.append(dataset) -%}
    {%- endfor -%}
    {%- if not scopes -%}
        {{ exceptions.raise_compiler_error(
            'linker: project ' ~ target.database ~ ' has no dataset of these names that you may see: ' ~ included | join(', ')
        ) }}
    {%- endif -%}
    {{ return(scopes) }}
{%- endmacro %}

{#- The artifacts lie in one location, and a query reads nothing from elsewhere.
    https://cloud.google.com/bigquery/docs/locations#specify_locations -#}
{% macro _bigquery_location() -%}
    {%- if target.location -%}
        {{ return(target.location) }}
    {%- endif -%}
    {%- if this is defined and linker.can_ask() and adapter.check_schema_exists(this.database, this.schema) -%}
        {{ return(adapter.get_dataset_location(this)) }}
    {%- endif -%}
    {{ return('us') }}
{%- endmacro %}

{% macro _bigquery_view_name(scope, view) -%}
    {{ return(
        linker.identifier(target.database) ~ '.' ~ linker.identifier(scope) ~ '.'
        ~ ('' if view == '__TABLES__' else 'INFORMATION_SCHEMA.') ~ view
    ) }}
{%- endmacro %}
