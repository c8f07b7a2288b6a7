{#-
    What the project says of columns that are not for everybody, prepared once for many calls of `privacy_of`:
    {tables: {'schema.table': {column path, '' for the whole table: privacy}}, lists: [{privacy, patterns, any_pattern}]:
    the lists of the vars in the order in which they are tried; lineage: what columns are made of, by 'schema.table' and
    column path ({same, made}: lists of [schema.table, path]), as `linker profile` reads it from the definitions of views;
    scanned: {'schema.table': {column path: privacy}} that scans found; inherited: what follows from them, worked out once}.
-#}
{% macro privacy_rules() -%}
    {%- set tables = {} -%}
    {%- for node in linker.project_graph().tables.values() -%}
        {%- do linker._add_privacy_of_node(tables, node, linker.table_of_node(node)) -%}
    {%- endfor -%}
    {%- set lists = [] -%}
    {%- for privacy, names in [
        ('exclude', var('exclude_columns', [])),
        ('hide', var('hide_columns', [])),
        ('mask', var('mask_columns', [])),
        ('show', var('show_columns', [])),
        ('hide', var('secret_columns', [])),
    ] if names -%}
        {%- set patterns = [] -%}
        {%- for name in names -%}
            {%- do patterns.append(linker.glob_pattern(name)) -%}
        {%- endfor -%}
        {%- do lists.append(
            {'privacy': privacy, 'patterns': patterns, 'any_pattern': modules.re.compile('(?s)' ~ patterns | join('|'))}
        ) -%}
    {%- endfor -%}
    {{ return(
        {'tables': tables, 'lists': lists, 'lineage': var('lineage', none) or {}, 'scanned': {}, 'inherited': {}}
    ) }}
{%- endmacro %}

{#- Where several nodes stand for one table, such as a model and a source of it, the strictest word counts. -#}
{% macro _add_privacy_of_node(tables, node, identifier) -%}
    {%- set said = {} -%}
    {%- do linker._add_privacy_of_meta(said, [''], node, node.unique_id) -%}
    {%- for column in (node.columns or {}).values() -%}
        {%- set path = column.name | lower -%}
        {%- do linker._add_privacy_of_meta(said, [path, linker.path_part(path)], column, node.unique_id ~ '.' ~ column.name) -%}
    {%- endfor -%}
    {%- if said -%}
        {%- set table = tables.setdefault((node.schema ~ '.' ~ identifier) | lower, {}) -%}
        {%- set strictness = ['show', 'mask', 'hide', 'exclude'] -%}
        {%- for path, privacy in said.items() -%}
            {%- if strictness.index(privacy) >= strictness.index(table.get(path, 'show')) -%}
                {%- do table.update({path: privacy}) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro %}

{% macro _add_privacy_of_meta(said, paths, entry, name) -%}
    {%- for meta in [(entry.config or {}).get('meta'), entry.meta] -%}
        {%- set ours = (meta or {}).get('linker') -%}
        {%- if ours is mapping and ours.get('privacy') is not none -%}
            {%- if ours.privacy not in ['show', 'mask', 'hide', 'exclude'] -%}
                {{ exceptions.raise_compiler_error(
                    "linker: the meta of " ~ name ~ " says `privacy: " ~ ours.privacy ~ "`; it may be show, mask, hide or exclude"
                ) }}
            {%- endif -%}
            {%- for path in paths -%}
                {%- do said.update({path: ours.privacy}) -%}
            {%- endfor -%}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro %}
