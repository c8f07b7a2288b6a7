{#-
    Materializations of the views and rows in the schema AGENTS. They do nothing in a run that keeps the profiles, since the
    inputs of a view may not exist yet.
    https://github.com/dbt-labs/agents_schema/blob/main/SPEC.md
-#}

{#- A view. It is dropped first, since Postgres cannot change the columns of an existing view. -#}
{% materialization agents_view, default %}
    {%- set view = this.incorporate(type='view') -%}
    {%- do linker.spell_types(model) -%}
    {{ run_hooks(pre_hooks) }}
    {%- if linker.is_idle() -%}
        {%- call noop_statement('main', 'KEPT') -%}{%- endcall -%}
        {{ run_hooks(post_hooks) }}
        {{ return({'relations': []}) }}
    {%- endif -%}
    {%- set existing = load_cached_relation(this) -%}
    {%- if existing is not none -%}
        {%- do adapter.drop_relation(existing) -%}
    {%- endif -%}
    {%- call statement('main') -%}
        {{ get_create_view_as_sql(view, sql) }}
    {%- endcall -%}
    {%- do apply_grants(view, config.get('grants'), should_revoke=false) -%}
    {%- do persist_docs(view, model) -%}
    {{ run_hooks(post_hooks) }}
    {%- do linker._commit() -%}
    {{ return({'relations': [view]}) }}
{% endmaterialization %}

{#- The rows of one provider in AGENTS.ROOT; rows of other providers are kept. -#}
{% materialization agents_root, default %}
    {%- set root = this.incorporate(type='table') -%}
    {{ run_hooks(pre_hooks) }}
    {%- if linker.is_idle() -%}
        {%- call noop_statement('main', 'KEPT') -%}{%- endcall -%}
        {{ run_hooks(post_hooks) }}
        {{ return({'relations': []}) }}
    {%- endif -%}
    {%- for text in linker.root_statements(root, sql) -%}
        {%- call statement('main' if loop.last else 'step') -%}{{ text }}{%- endcall -%}
    {%- endfor -%}
    {{ run_hooks(post_hooks) }}
    {%- do linker._commit() -%}
    {{ return({'relations': [root]}) }}
{% endmaterialization %}

{#-
    Statements that replace this provider's rows by those of a select. `update` uses no table alias, which some warehouses
    reject: `key` is the table's column, since the select has no column of that name.
-#}
{% macro root_statements(root, sql) -%}
    {%- set text = dbt.type_string() -%}
    {%- set enforced = ' not enforced' if target.type == 'bigquery' else '' -%}
    {%- set created = 'create table if not exists ' ~ root ~ ' (provider ' ~ text ~ ' not null, key ' ~ text ~ ' not null, content '
        ~ text ~ ' not null, primary key (provider, key)' ~ enforced ~ ')' -%}
    {%- if linker.dialect().changes_by_merge -%}
        {{ return([
            created,
            'merge into ' ~ root ~ ' as root using (' ~ sql ~ ') as told on root.provider = told.provider and root.key = told.key'
                ~ ' when matched then update set content = told.content'
                ~ ' when not matched then insert (provider, key, content) values (told.provider, told.key, told.content)'
                ~ " when not matched by source and root.provider = 'linker' then delete",
        ]) }}
    {%- endif -%}
    {{ return([
        created,
        'delete from ' ~ root ~ " where provider = 'linker' and key not in (select told.key from (" ~ sql ~ ') as told)',
        'update ' ~ root ~ ' set content = (select max(told_content) from (select told.key as told_key, told.content as told_content from ('
            ~ sql ~ ") as told) as renamed where told_key = key) where provider = 'linker'",
        'insert into ' ~ root ~ ' (provider, key, content) select told.provider, told.key, told.content from (' ~ sql
            ~ ') as told where told.key not in (select key from ' ~ root ~ " where provider = 'linker')",
    ]) }}
{%- endmacro %}

{#- The schema of these models, and their names there. -#}
{% macro agents_names() -%}
    {{ return({
        'linker_agents_tables': 'linker_tables',
        'linker_agents_columns': 'linker_columns',
        'linker_agents_joins': 'linker_joins',
        'linker_agents_families': 'linker_families',
        'linker_agents_root': 'root',
    }) }}
{%- endmacro %}
