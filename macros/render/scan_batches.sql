{#-
    Batches of small tables that share a scan statement, as planning costs more than reading. Views, tables
    that failed before, and tables that need several statements go alone, since a batch fails together. Tables
    scanned as cells, up to a million of them, allow up to ten times as many columns per statement.
-#}
{% macro scan_batches(entries, forms) -%}
    {%- set batches = [] -%}
    {%- set filling = namespace(columns=0) -%}
    {%- set cells = namespace(batch=none, columns=0, count=0) -%}
    {%- set is_of_cells = linker.dialect().scans_as_cells -%}
    {%- set most_columns = 10 * var('columns_per_statement', 100) -%}
    {%- for entry in entries -%}
        {%- set width = entry.columns | length -%}
        {%- set may_share = entry.table.table_kind == 'table'
            and entry.state != 'retry'
            and entry.table.row_count is not none
            and entry.table.row_count <= var('sample_rows', 20000)
            and entry.columns | selectattr('depth', 'equalto', 0) | list | length <= var('columns_per_statement', 100) -%}
        {%- if not may_share -%}
            {%- do batches.append([entry]) -%}
            {%- set filling.columns = 0 -%}
        {%- elif is_of_cells and entry.table.members | length == 1 and linker.are_cells(entry.columns, forms) -%}
            {%- set count = width * entry.table.row_count -%}
            {%- if not cells.batch or cells.columns + width > most_columns or cells.count + count > 1000000 -%}
                {%- set cells.batch = [] -%}
                {%- do batches.append(cells.batch) -%}
                {%- set cells.columns = 0 -%}
                {%- set cells.count = 0 -%}
            {%- endif -%}
            {%- do cells.batch.append(dict(entry, is_cells=true)) -%}
            {%- set cells.columns = cells.columns + width -%}
            {%- set cells.count = cells.count + count -%}
        {%- elif filling.columns and filling.columns + width <= var('columns_per_statement', 100) -%}
            {%- do filling.batch.append(entry) -%}
            {%- set filling.columns = filling.columns + width -%}
        {%- else -%}
            {%- set filling.batch = [entry] -%}
            {%- do batches.append(filling.batch) -%}
            {%- set filling.columns = width -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(batches) }}
{%- endmacro %}

{#-
    The portions of a batch, one per statement: all its tables at once, or one table by a limited number of columns, with their
    nested paths. `forms`: see `scan_columns`.
-#}
{% macro scan_portions(batch, forms) -%}
    {%- set pieces = [] -%}
    {%- for entry in batch -%}
        {%- do pieces.append((entry, entry.columns)) -%}
    {%- endfor -%}
    {%- set statements = [pieces] -%}
    {%- if batch | length == 1 and not batch[0].is_cells -%}
        {%- set statements = [] -%}
        {%- for column in batch[0].columns -%}
            {%- if column.depth == 0 and (not statements or statements[-1][0][1] | length >= var('columns_per_statement', 100)) -%}
                {%- do statements.append([(batch[0], [])]) -%}
            {%- endif -%}
            {%- do statements[-1][0][1].append(column) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- set scanned = [] -%}
    {%- for pieces in statements -%}
        {%- set portions = [] -%}
        {%- set next = namespace(number=1) -%}
        {%- for entry, columns in pieces -%}
            {%- set portion = {'attempt_id': entry.attempt_id, 'table': entry.table} -%}
            {%- if entry.is_cells -%}
                {%- do portions.append(dict(portion, cells=linker.cell_columns(columns, next.number, forms))) -%}
            {%- else -%}
                {%- set found = linker.scan_columns(columns, linker.may_be_sampled(entry.table), next.number, forms) -%}
                {%- do portions.append(dict(portion, rules=entry.rules, scanned=found)) -%}
            {%- endif -%}
            {%- set next.number = next.number + columns | length -%}
        {%- endfor -%}
        {%- do scanned.append(portions) -%}
    {%- endfor -%}
    {{ return(scanned) }}
{%- endmacro %}
