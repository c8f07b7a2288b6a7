{#- Limits the time of a statement, by `time_limit` of `dialect`. -#}

{#-
    Limits following statements of this session to `scan_seconds`, if the warehouse supports it. A lower limit of the user
    or the server stays in force. Returns what `reset_time_limit` needs to restore the session.
-#}
{% macro set_time_limit() -%}
    {%- set limit = linker.dialect().time_limit -%}
    {%- if limit.set -%}
        {%- set ours = limit.per_second * linker._scan_seconds() -%}
        {%- for row in run_query(limit.own).rows -%}
            {%- set own = row['value'] | int -%}
            {%- if not 0 < own < ours -%}
                {%- do linker._execute(limit.set.format(limit=ours)) -%}
            {%- endif -%}
            {#- A limit inherited from another level is not set on the session. -#}
            {{ return(limit.unset if limit.unset and row['level'] != 'SESSION' else limit.set.format(limit=own)) }}
        {%- endfor -%}
    {%- endif -%}
    {{ return(none) }}
{%- endmacro %}

{% macro reset_time_limit(before) -%}
    {%- if before is not none -%}
        {%- do linker._execute(before) -%}
    {%- endif -%}
{%- endmacro %}

{#- A statement with its own limit, if each needs one. -#}
{% macro with_time_limit(statement_sql) -%}
    {%- set limit = linker.dialect().time_limit -%}
    {%- set ours = limit.per_second * linker._scan_seconds() if limit.per_second else 0 -%}
    {{ return(limit.statement.format(statement=statement_sql, limit=ours, below=ours - 1)) }}
{%- endmacro %}

{#-
    Whether a message reports our limit, not one of the user or the server: by the seconds in its text, or else by the current
    limit. Only timeouts by our limit are recorded.
-#}
{% macro is_over_time(message) -%}
    {%- set limit = linker.dialect().time_limit -%}
    {%- set seconds = linker._scan_seconds() -%}
    {%- if message == linker.time_limit_words() -%}
        {{ return(true) }}
    {%- endif -%}
    {%- if not limit.message or limit.message.format(seconds=seconds) not in message -%}
        {{ return(false) }}
    {%- endif -%}
    {%- if '{seconds}' not in limit.message -%}
        {%- for row in run_query(limit.own).rows if 0 < row[0] | int < limit.per_second * seconds -%}
            {{ return(false) }}
        {%- endfor -%}
    {%- endif -%}
    {{ return(true) }}
{%- endmacro %}
