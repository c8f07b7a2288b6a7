{#- A name in lower case with `_` between its words: `billingCustomerId` and `Billing Customer-ID` are `billing_customer_id`. -#}
{% macro join_words(name) -%}
    {%- set opened = linker.regex_replace(name, '([a-z0-9])([A-Z])', '\\1_\\2') -%}
    {%- set parted = linker.regex_replace('lower(' ~ opened ~ ')', '[ !"#$%&()*+,./:;<=>?@^_{|}~-]+', '_') -%}
    {{ return('trim(' ~ parted ~ ", '_')") }}
{%- endmacro %}

{#- Words without what says that they are a key: `customer_id`, `customer_no` and `id_customer` are `customer`; `id` is ''. -#}
{% macro join_stem(words) -%}
    {%- set words_for_keys = '(id|ids|key|keys|code|cd|no|nr|num|number|ref|reference|pk|sk|fk|bk|uuid|guid)' -%}
    {%- set ended = linker.regex_replace(words, '(^|_)' ~ words_for_keys ~ '$', '') -%}
    {{ return(linker.regex_replace(ended, '^(id|fk|pk|sk)_', '')) }}
{%- endmacro %}

{#- The last word in the singular, as English writes it; both sides of a comparison go through it. -#}
{% macro join_singular(words) -%}
    {%- set shorter = linker.regex_replace(words, 'ies$', 'y') -%}
    {%- set shorter = linker.regex_replace(shorter, '(ss|x|ch|sh)es$', '\\1') -%}
    {{ return(linker.regex_replace(shorter, '([^s])s$', '\\1')) }}
{%- endmacro %}

{#- What a table holds, in the singular: `dim_customers` and `lkp_customer` hold a `customer`. -#}
{% macro join_entity(table_name) -%}
    {%- set bare = linker.regex_replace(linker.join_words(table_name), '^(dim|fct|fact|lkp|lookup|lu|ref|tbl|tab|t|d|f|stg|src|raw)_', '') -%}
    {{ return(linker.join_singular(linker.regex_replace(bare, '_(dim|fact|lookup|lkp|ref|tbl)$', ''))) }}
{%- endmacro %}

{#- Words that name a column of nearly every table: on their own they say nothing about a join. -#}
{% macro join_common_words() -%}
    {{ return([
        '', 'id', 'ids', 'key', 'code', 'cd', 'no', 'nr', 'num', 'number', 'ref', 'reference', 'pk', 'sk', 'uuid', 'guid',
        'row_id', 'row_pk', 'name', 'title', 'label', 'description', 'desc', 'text', 'body', 'note', 'notes', 'remark',
        'comment', 'comments', 'value', 'type', 'kind', 'status', 'state', 'slug', 'url', 'email', 'phone', 'street', 'city',
        'zip', 'country', 'language', 'currency', 'version', 'level', 'rank', 'position', 'sort_order', 'seq', 'sequence',
        'line_number', 'line_no', 'date', 'day', 'month', 'year', 'quarter', 'week', 'created_at', 'updated_at',
        'sort', 'order_no', 'amount', 'quantity', 'count', 'total', 'price', 'country_code', 'currency_code',
    ]) }}
{%- endmacro %}

{#- The step of a path that names the value: `page` of `hits.page`; a path with quoted steps is taken whole. -#}
{% macro join_leaf(path) -%}
    {{ return('case when ' ~ path ~ " like '%\"%' then " ~ path ~ ' else ' ~ linker.regex_extract(path, '([^.]+)$') ~ ' end') }}
{%- endmacro %}

{#- Pattern for `like` that finds the letters of an abbreviation in their order: `dept` in `department`. -#}
{% macro join_letters(words) -%}
    {{ return(linker.regex_replace(words, '([a-z0-9])', '\\1%')) }}
{%- endmacro %}

{#- Names of a number that counts within what it belongs to. -#}
{% macro join_line_words() -%}
    {{ return([
        'line', 'line_no', 'line_nr', 'line_num', 'line_number', 'item', 'item_no', 'item_nr', 'item_number', 'pos', 'position',
        'position_no', 'seq', 'seq_no', 'sequence', 'sequence_no', 'sequence_number',
    ]) }}
{%- endmacro %}
