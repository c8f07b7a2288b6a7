{#-
    The columns of a table with their privacy (`privacy_of`). Settings may name a family or its newest shard: the
    stricter rule applies. Columns unreadable for the role are `refuse`. Without view lineage, as in a plain `dbt
    run`, view columns keep the privacy found before.
-#}
{% macro with_privacy(table, columns, rules=none) -%}
    {%- set known = rules or linker.privacy_rules() -%}
    {%- set marked = [] -%}
    {%- set said_of_names = [] -%}
    {%- for name in [table.table_name, table.members[0]] | unique -%}
        {%- set named_table = (table.schema_name ~ '.' ~ name) | lower -%}
        {#- Most tables are affected by var lists only. -#}
        {%- set lists_decide = named_table not in known.lineage and named_table not in known.tables -%}
        {%- set privacies = [] -%}
        {%- for column in columns -%}
            {%- set path = column['column_path'] -%}
            {%- if not lists_decide or '.' in path -%}
                {%- do privacies.append(linker.privacy_of(table.schema_name, name, path, known)) -%}
            {%- else -%}
                {%- set said = namespace(privacy='detect') -%}
                {%- for list in known['lists'] if said.privacy == 'detect' and list['any_pattern'].match(named_table ~ '.' ~ path | lower) -%}
                    {%- set said.privacy = list['privacy'] -%}
                {%- endfor -%}
                {%- do privacies.append(said.privacy) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- do said_of_names.append(privacies) -%}
    {%- endfor -%}
    {%- set is_unknown_view = table.table_kind == 'view' and var('lineage', none) is none -%}
    {%- for column in columns -%}
        {%- set said = said_of_names | map(attribute=loop.index0) | list if column['is_readable'] != false else ['refuse'] -%}
        {%- set decided = said[0] -%}
        {%- if said | length > 1 -%}
            {%- set decided = ['exclude', 'hide', 'mask', 'show', 'inherit', 'detect'] | select('in', said) | first -%}
        {%- endif -%}
        {%- if is_unknown_view and decided == 'detect' -%}
            {%- set before = rules.scanned.get((table.schema_name ~ '.' ~ table.members[0]) | lower, {}) if rules else {} -%}
            {%- set decided = {'exclude': 'exclude', 'hide': 'hide', 'mask': 'inherit'}.get(before.get(column.column_path | lower), 'detect') -%}
        {%- endif -%}
        {%- do marked.append(dict(column, privacy=decided)) -%}
    {%- endfor -%}
    {{ return(marked) }}
{%- endmacro %}

{#-
    Privacy of column values: 'show', 'mask', 'hide', 'exclude' (not read at all), 'inherit' (checked for PII, and always
    masked), or 'detect' without a setting.
    The first setting wins: `meta: {linker: {privacy: …}}` of the column, then of the table, in any model, source, seed or
    snapshot of that schema and name; then the lists `exclude_columns`, `hide_columns`, `mask_columns`, `show_columns` and
    `secret_columns` of the vars. A column's setting applies to its nested paths, unless they have their own.
    A computed column, such as a view's, inherits the strictest privacy of its inputs, unless it is set to `show`.
    For many columns pass `rules`, created once by `privacy_rules`.
-#}
{% macro privacy_of(schema_name, table_name, column_path, rules=none) -%}
    {%- set known = rules or linker.privacy_rules() -%}
    {%- set table = (schema_name ~ '.' ~ table_name) | lower -%}
    {%- set path = column_path | lower -%}
    {%- set paths = linker._from_inside_out(path) if '.' in path else [path] -%}
    {%- set said = [] -%}
    {%- set of_table = known.tables.get(table, {}) -%}
    {%- for named in paths + [''] if named in of_table -%}
        {%- do said.append(of_table[named]) -%}
    {%- endfor -%}
    {%- for list in known.lists if not said -%}
        {%- for named in paths if not said and list.any_pattern.match(table ~ '.' ~ named) -%}
            {%- do said.append(list.privacy) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set decided = said[0] if said else 'detect' -%}
    {%- if table not in known.lineage or decided in ['show', 'hide', 'exclude'] -%}
        {{ return(decided) }}
    {%- endif -%}
    {#- The strictest privacy of the columns that this one is computed from. -#}
    {%- set key = table ~ ' ' ~ path -%}
    {%- if key not in known.inherited -%}
        {#- A cyclic definition adds nothing. -#}
        {%- do known.inherited.update({key: 'show'}) -%}
        {%- set found = [] -%}
        {%- for origin in linker.origins_of(known, table, path) -%}
            {%- set scanned = known.scanned.get(origin.table, {}) -%}
            {%- set schema_name, _, table_name = origin.table.partition('.') -%}
            {%- set own = linker.privacy_of(schema_name, table_name, origin.path, known) -%}
            {#- Its own or detected privacy; for computation inputs also that of nested paths. -#}
            {%- do found.append(scanned.get(origin.path, 'show') if own == 'detect' else 'mask' if own == 'inherit' else own) -%}
            {%- for places in [known.tables.get(origin.table, {}), scanned] if not origin.is_same -%}
                {%- for inside, privacy in places.items() if inside.startswith(origin.path ~ '.') -%}
                    {%- do found.append(privacy) -%}
                {%- endfor -%}
            {%- endfor -%}
        {%- endfor -%}
        {#- A view may expose columns that the role cannot read in the table. -#}
        {%- do known.inherited.update({key: ['exclude', 'hide', 'mask', 'show'] | select('in', found + ['show']) | first}) -%}
    {%- endif -%}
    {%- set inherited = known.inherited[key] -%}
    {{ return(inherited if inherited in ['exclude', 'hide'] else 'inherit' if decided == 'detect' and inherited == 'mask' else decided) }}
{%- endmacro %}

{#-
    The sources of a column or nested path: a list of {table, path, is_same}. Nested paths of a passed-through
    column map to the same paths in the source.
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

{#- `a.b.c` as a.b.c, a.b, a. -#}
{% macro _from_inside_out(path) -%}
    {%- set paths = [path] -%}
    {%- for dot in modules.re.finditer('[.]', path) -%}
        {%- do paths.insert(1, path[:dot.start()]) -%}
    {%- endfor -%}
    {{ return(paths) }}
{%- endmacro %}

{#-
    As `privacy_of`, for paths known from values only, such as JSON members: SQL over `sub_path`, the path within
    the column; `privacy` is that of the column.
-#}
{% macro privacy_in_document(schema_name, table_name, column_path, privacy, sub_path, rules=none) -%}
    {%- set known = rules or linker.privacy_rules() -%}
    {%- set table = (schema_name ~ '.' ~ table_name) | lower -%}
    {%- set path = column_path | lower -%}
    {%- set own = linker.literal(privacy) -%}
    {%- set branches = linker._branches_in_document(known, table, path, sub_path) -%}
    {%- if branches -%}
        {%- set own -%}
    case
        {%- for condition, decided in branches %}
        when {{ condition }} then {{ linker.literal(decided) }}
        {%- endfor %}
        else {{ linker.literal(privacy) }}
    end
        {%- endset -%}
    {%- endif -%}
    {%- set parts = [own] -%}
    {#- A document passed on, as by a view, inherits the privacy of its source's paths. -#}
    {%- for origin in linker.origins_of(known, table, path) if origin.is_same -%}
        {%- set from_schema, _, from_table = origin.table.partition('.') -%}
        {%- do parts.append(linker.privacy_in_document(from_schema, from_table, origin.path, 'detect', sub_path, known)) -%}
    {%- endfor -%}
    {%- set parts = parts | unique | list -%}
    {%- if parts | length == 1 -%}
        {{ return(own) }}
    {%- endif -%}
    case
        {%- for decided in ['exclude', 'hide', 'mask'] %}
        when '{{ decided }}' in ({{ parts | join(', ') }}) then '{{ decided }}'
        {%- endfor %}
        else {{ own }}
    end
{%- endmacro %}

{#- Rules for nested paths: pairs of a condition on `sub_path` and a privacy. -#}
{% macro _branches_in_document(known, table, path, sub_path) -%}
    {%- set inside = path ~ '.' -%}
    {%- set said = known.tables.get(table, {}) -%}
    {%- set branches = [] -%}
    {%- for named in said | sort(reverse=true) if named.startswith(inside) -%}
        {%- set pattern = '^' ~ linker.glob_pattern(named[inside | length:])[1:-1] ~ '($|[.])' -%}
        {%- do branches.append((linker.regex_matches('lower(' ~ sub_path ~ ')', pattern), said[named])) -%}
    {%- endfor -%}
    {#- Lists that precede the one deciding on the column also apply; none if meta decides. -#}
    {%- set paths = linker._from_inside_out(path) -%}
    {%- if (paths + ['']) | select('in', said) | list -%}
        {{ return(branches) }}
    {%- endif -%}
    {%- set name = linker.literal(table ~ '.' ~ inside) ~ ' || lower(' ~ sub_path ~ ')' -%}
    {%- for list in known.lists -%}
        {%- for candidate in paths if list.any_pattern.match(table ~ '.' ~ candidate) -%}
            {{ return(branches) }}
        {%- endfor -%}
        {#- A path is shown only if named itself, not because a list names its parent. -#}
        {%- set end = '$' if list.privacy == 'show' else '($|[.])' -%}
        {%- set alternatives = [] -%}
        {%- for pattern in list.patterns -%}
            {%- do alternatives.append(pattern[1:-1]) -%}
        {%- endfor -%}
        {%- set pattern = '^(' ~ alternatives | join('|') ~ ')' ~ end -%}
        {%- do branches.append((linker.regex_matches(name, pattern), list.privacy)) -%}
    {%- endfor -%}
    {{ return(branches) }}
{%- endmacro %}

{#-
    Privacy settings of the project, prepared once for many calls of `privacy_of`: {tables: {'schema.table': {column path, '' for
    the whole table: privacy}}, lists: [{privacy, patterns, any_pattern}], the lists of the vars in the order in which they apply;
    lineage: sources by 'schema.table' and column path ({same, made}: lists of [schema.table, path]), as `linker profile` traces
    them from view definitions; scanned: {'schema.table': {column path: privacy}}, found by scans; inherited: a cache}.
-#}
{% macro privacy_rules() -%}
    {%- set tables = {} -%}
    {%- for node in linker.project_graph().tables.values() -%}
        {#- If several nodes describe a table, such as a model and a source, the strictest rule applies. -#}
        {%- set said = {} -%}
        {%- for entry in [node] + (node.columns or {}).values() | list -%}
            {%- set name = node.unique_id if loop.first else node.unique_id ~ '.' ~ entry.name -%}
            {%- set paths = [''] if loop.first else [entry.name | lower, linker.path_part(entry.name | lower)] -%}
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
        {%- endfor -%}
        {%- if said -%}
            {%- set table = tables.setdefault((node.schema ~ '.' ~ linker.table_of_node(node)) | lower, {}) -%}
            {%- set strictness = ['show', 'mask', 'hide', 'exclude'] -%}
            {%- for path, privacy in said.items() -%}
                {%- if strictness.index(privacy) >= strictness.index(table.get(path, 'show')) -%}
                    {%- do table.update({path: privacy}) -%}
                {%- endif -%}
            {%- endfor -%}
        {%- endif -%}
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

{#-
    Tables whose newest scan kept more than is allowed now, or masked or skipped what is now shown or read: a list
    of 'schema.table' in lower case. Removing a rule alone does not show anything that was read.
-#}
{% macro reclassified_tables(scans, attempts, tables) -%}
    {%- set outdated = [] -%}
    {%- set left_out = {} -%}
    {%- if linker.can_ask() -%}
        {%- set rules = linker.privacy_rules() -%}
        {%- do rules.scanned.update(linker.found_private(scans, attempts, tables)) -%}
        {%- set patterns = [] -%}
        {%- for list in rules.lists -%}
            {%- do patterns.extend(list.patterns) -%}
        {%- endfor -%}
        {%- set named = (rules.tables.keys() | list) + (rules.lineage.keys() | list) -%}
        {#- Columns with a current or former rule: a macro call per column would take minutes in a large warehouse. -#}
        {%- set classified %}
    select scans.schema_name, scans.table_name, tables.table_name as physical_name, scans.column_path, scans.privacy
    from ({{ linker.newest_column_scans(scans, attempts) }}) as scans
    inner join {{ tables }} as tables
        on
            scans.database_name = tables.database_name
            and scans.schema_name = tables.schema_name
            and scans.table_name = coalesce(tables.family_name, tables.table_name)
    where
        tables.is_representative
        and not scans.is_discovered
        and (
            scans.privacy = 'exclude' or
            {%- for name in ['scans.table_name', 'tables.table_name'] %}
            {%- set table = "lower(scans.schema_name || '.' || " ~ name ~ ")" %}
            {% if named %}{{ table }} in ({{ linker._literals(named) }}) or {% endif -%}
            {{ linker.regex_matches(table ~ " || '.' || lower(scans.column_path)", patterns | join('|') or '^$') }}
            {{ 'or' if not loop.last }}
            {%- endfor %}
        )
{% endset -%}
        {%- for row in linker.rows_by_name(classified, ['schema_name', 'table_name', 'column_path']) -%}
            {#- A column precedes its nested paths. -#}
            {%- set left_out_here = left_out.setdefault((row.schema_name, row.table_name), []) -%}
            {%- set table = {'schema_name': row.schema_name, 'table_name': row.table_name, 'members': [row.physical_name]} -%}
            {%- set decided = linker.with_privacy(table, [row], rules)[0].privacy -%}
            {%- if (decided == 'exclude' and row.privacy not in ['exclude', 'refuse'])
                or (decided == 'hide' and row.privacy in ['show', 'mask']) or (decided in ['mask', 'inherit'] and row.privacy == 'show')
                or (decided == 'show' and row.privacy != 'show' and '.' not in row.column_path)
                or (decided != 'exclude' and row.privacy == 'exclude'
                    and not linker._from_inside_out(row.column_path)[1:] | select('in', left_out_here) | list) -%}
                {%- do outdated.append((row.schema_name ~ '.' ~ row.table_name) | lower) -%}
            {%- elif decided == 'exclude' -%}
                {%- do left_out_here.append(row.column_path) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(outdated | unique | sort) }}
{%- endmacro %}

{#- Columns that the newest scans masked or hid, by physical table and path in lower case. -#}
{% macro found_private(scans, attempts, tables) -%}
    {%- set found = {} -%}
    {%- set query %}
    select
        lower(tables.schema_name || '.' || tables.table_name) as table_name,
        lower(scans.column_path) as column_path,
        scans.privacy
    from ({{ linker.newest_column_scans(scans, attempts) }}) as scans
    inner join {{ tables }} as tables
        on
            scans.database_name = tables.database_name
            and scans.schema_name = tables.schema_name
            and scans.table_name = coalesce(tables.family_name, tables.table_name)
    where scans.privacy <> 'show'
{% endset -%}
    {%- for row in run_query(query).rows -%}
        {%- do found.setdefault(row[0], {}).update({row[1]: row[2]}) -%}
    {%- endfor -%}
    {{ return(found) }}
{%- endmacro %}
