{#-
    Whether the values of a column may be seen: 'show', 'mask', 'hide', 'exclude' (not read at all), 'inherit' (looked over,
    and masked in any case), or 'detect' where nobody said.

    The first that says something wins: `meta: {linker: {privacy: …}}` of the column, then of the table, in any model,
    source, seed or snapshot of that schema and name; then the lists `exclude_columns`, `hide_columns`, `mask_columns`,
    `show_columns` and `secret_columns` of the vars. What is said of a column holds for the paths inside it, unless they are named themselves.
    A column that is made of others, as a view's, is as private as the most private of them; but `show` said of it holds.
    For many columns pass `rules`, made once by `privacy_rules`.
-#}
{% macro privacy_of(schema_name, table_name, column_path, rules=none) -%}
    {%- set known = rules or linker.privacy_rules() -%}
    {%- set table = (schema_name ~ '.' ~ table_name) | lower -%}
    {%- set path = column_path | lower -%}
    {%- set said = linker._said_privacy(known, table, path) -%}
    {%- if table not in known.lineage or said in ['show', 'hide', 'exclude'] -%}
        {{ return(said) }}
    {%- endif -%}
    {%- set inherited = linker._inherited_privacy(known, table, path) -%}
    {{ return(inherited if inherited in ['exclude', 'hide'] else 'inherit' if said == 'detect' and inherited == 'mask' else said) }}
{%- endmacro %}

{#- The same of many columns of one table, in their order. Of most tables only lists of the vars say anything. -#}
{% macro privacy_of_paths(schema_name, table_name, column_paths, rules=none) -%}
    {%- set known = rules or linker.privacy_rules() -%}
    {%- set table = (schema_name ~ '.' ~ table_name) | lower -%}
    {%- set lists_decide = table not in known.lineage and table not in known.tables -%}
    {%- set privacies = [] -%}
    {%- for column_path in column_paths -%}
        {%- if not lists_decide or '.' in column_path -%}
            {%- do privacies.append(linker.privacy_of(schema_name, table_name, column_path, known)) -%}
        {%- else -%}
            {%- set named = table ~ '.' ~ column_path | lower -%}
            {%- set said = namespace(privacy='detect') -%}
            {%- for list in known['lists'] if said.privacy == 'detect' and list['any_pattern'].match(named) -%}
                {%- set said.privacy = list['privacy'] -%}
            {%- endfor -%}
            {%- do privacies.append(said.privacy) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(privacies) }}
{%- endmacro %}

{% macro _said_privacy(known, table, path) -%}
    {%- set paths = linker._from_inside_out(path) if '.' in path else [path] -%}
    {%- set said = known.tables.get(table) -%}
    {%- if said -%}
        {%- for path in paths + [''] if path in said -%}
            {{ return(said[path]) }}
        {%- endfor -%}
    {%- endif -%}
    {%- for list in known.lists -%}
        {%- for path in paths if list.any_pattern.match(table ~ '.' ~ path) -%}
            {{ return(list.privacy) }}
        {%- endfor -%}
    {%- endfor -%}
    {{ return('detect') }}
{%- endmacro %}

{#- The strictest of what holds for the columns that one is made of: 'exclude', 'hide', 'mask' or 'show'. -#}
{% macro _inherited_privacy(known, table, path) -%}
    {%- set key = table ~ ' ' ~ path -%}
    {%- if key not in known.inherited -%}
        {#- Where a definition leads back to itself, it tells nothing more. -#}
        {%- do known.inherited.update({key: 'show'}) -%}
        {%- set found = [] -%}
        {%- for origin in linker.origins_of(known, table, path) -%}
            {%- do found.append(linker._privacy_of_origin(known, origin)) -%}
        {%- endfor -%}
        {%- do known.inherited.update({key: ['exclude', 'hide', 'mask', 'show'] | select('in', found + ['show']) | first}) -%}
    {%- endif -%}
    {{ return(known.inherited[key]) }}
{%- endmacro %}

{#-
    The columns that a column, or a path inside one, is made of: a list of {table, path, is_same}. Of what is handed on as
    it is, a path inside is a path inside there.
-#}
{% macro origins_of(known, table, path) -%}
    {%- set columns = known.lineage.get(table, {}) -%}
    {%- set named = linker._from_inside_out(path) | select('in', columns) | first -%}
    {%- set origins = [] -%}
    {%- for kind, places in columns.get(named or '*', {}).items() -%}
        {%- for place in places -%}
            {%- set inside = path[named | length:] if named and kind == 'same' else '' -%}
            {%- do origins.append({'table': place[0], 'path': place[1] ~ inside, 'is_same': kind == 'same'}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(origins) }}
{%- endmacro %}

{#- What was said of it or found in it; of one that is computed with, also what holds for the paths inside. -#}
{% macro _privacy_of_origin(known, origin) -%}
    {%- set scanned = known.scanned.get(origin.table, {}) -%}
    {%- set schema_name, _, table_name = origin.table.partition('.') -%}
    {%- set own = linker.privacy_of(schema_name, table_name, origin.path, known) -%}
    {%- set found = [scanned.get(origin.path, 'show') if own == 'detect' else 'mask' if own == 'inherit' else own] -%}
    {%- if not origin.is_same -%}
        {%- for places in [known.tables.get(origin.table, {}), scanned] -%}
            {%- for path, privacy in places.items() if path.startswith(origin.path ~ '.') -%}
                {%- do found.append(privacy) -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endif -%}
    {#- What the role may not read of a table a view may let it read. -#}
    {{ return(['exclude', 'hide', 'mask', 'show'] | select('in', found + ['show']) | first) }}
{%- endmacro %}

{#- `a.b.c` as a.b.c, a.b, a. -#}
{% macro _from_inside_out(path) -%}
    {%- set paths = [path] -%}
    {%- for dot in modules.re.finditer('[.]', path) -%}
        {%- do paths.insert(1, path[:dot.start()]) -%}
    {%- endfor -%}
    {{ return(paths) }}
{%- endmacro %}
