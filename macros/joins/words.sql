{#-
    Words in column names for join inference, from the package and the var join_words. Meanings:
    'common'    columns of nearly every table; no evidence for a join on their own
    'key'       key words: `customer_id`, `customer_no`
    'layer'     prefixes of table names: `dim_customers`, `stg_customers`
    'line'      numbers that count within a parent
    'season'    years and seasons, part of a composite key
    'relative'  references to another row of the same table
    'measure'   endings of measures, which are never keys, however distinct
    'statistic' starts of figures about several rows: `max_order`
    'ordering'  endings of positions among rows, which are keys only of a table of that name
    'place'     endings of address parts, which occur in tables of any entity
    'personal'  endings of person name parts, which rarely repeat among few people
    'worker'    tables of staff, or their keys
    'person'    tables of other people
    'worker_role', 'person_role'  columns that reference them
    'abbreviation'  {abbreviation: word in the singular}, such as `kd` for `customer`; the package has none, and recognises
                short names by their letters, such as `cust` and `dept`
-#}
{% macro join_words(meaning) -%}
    {{ return(linker.words_of_meaning('join_words', meaning, {
        'common': [
            '', 'id', 'ids', 'key', 'code', 'cd', 'no', 'nr', 'num', 'number', 'ref', 'reference', 'pk', 'sk', 'uuid', 'guid',
            'row_id', 'row_pk', 'name', 'title', 'label', 'description', 'desc', 'text', 'body', 'note', 'notes', 'remark',
            'comment', 'comments', 'value', 'type', 'kind', 'status', 'state', 'slug', 'url', 'email', 'phone', 'street', 'city',
            'zip', 'country', 'language', 'currency', 'version', 'level', 'rank', 'position', 'sort_order', 'seq', 'sequence',
            'line_number', 'line_no', 'date', 'day', 'month', 'year', 'quarter', 'week', 'created_at', 'updated_at',
            'sort', 'order_no', 'amount', 'quantity', 'count', 'total', 'price', 'country_code', 'currency_code',
        ],
        'key': [
            'id', 'ids', 'key', 'keys', 'code', 'cd', 'no', 'nr', 'num', 'number', 'ref', 'reference', 'pk', 'sk', 'fk', 'bk',
            'uuid', 'guid',
        ],
        'layer': ['dim', 'fct', 'fact', 'lkp', 'lookup', 'lu', 'ref', 'tbl', 'tab', 't', 'd', 'f', 'stg', 'src', 'raw'],
        'line': [
            'line', 'line_no', 'line_nr', 'line_num', 'line_number', 'item', 'item_no', 'item_nr', 'item_number', 'pos',
            'position', 'position_no', 'seq', 'seq_no', 'sequence', 'sequence_no', 'sequence_number',
        ],
        'season': ['year', 'year_id', 'yr', 'season', 'season_id', 'season_year', 'fiscal_year', 'school_year'],
        'relative': [
            'parent', 'previou', 'previous', 'prev', 'next', 'root', 'predecessor', 'successor', 'ancestor', 'superior', 'replaced_by',
            'reply_to', 'in_reply_to', 'replies_to', 'response_to', 'related_to', 'linked_to',
        ],
        'measure': [
            'cents', 'amount', 'amt', 'price', 'cost', 'revenue', 'total', 'sum', 'qty', 'quantity', 'count', 'cnt', 'pct',
            'percent', 'rate', 'score', 'weight', 'height', 'width', 'length', 'size', 'min', 'max', 'avg', 'mean', 'balance',
            'tax', 'discount', 'fee', 'gross', 'net', 'seconds', 'minutes', 'hours', 'days', 'months', 'years', 'ms', 'epoch',
            'timestamp', 'lat', 'lon', 'latitude', 'longitude', 'age', 'sort', 'sort_order', 'display_order', 'list_order',
            'row_order', 'order_by', 'order_index', 'ordinal', 'rank', 'points', 'm2',
            'kg', 'cm', 'mm', 'km', 'votes', 'visits', 'views',
        ],
        'statistic': ['min', 'max', 'minimum', 'maximum', 'avg', 'average', 'mean', 'median', 'total', 'sum', 'num', 'count'],
        'ordering': ['order', 'index', 'idx', 'position', 'sequence', 'seq'],
        'place': [
            'address', 'addr', 'address1', 'address2', 'street', 'house_number', 'house_no', 'house_nr', 'street_number',
            'street_no', 'city', 'town', 'zip', 'zip_code', 'zipcode', 'postcode', 'post_code', 'postal_code', 'postal', 'plz',
            'district', 'county', 'province', 'region', 'state', 'country',
        ],
        'personal': [
            'first_name', 'firstname', 'given_name', 'forename', 'middle_name', 'middlename', 'last_name', 'lastname', 'surname',
            'family_name', 'familyname', 'maiden_name', 'full_name', 'fullname', 'nickname', 'nick_name', 'vorname', 'nachname',
            'familienname', 'initials',
        ],
        'worker': [
            'employee', 'staff', 'user', 'person', 'people', 'worker', 'personnel', 'agent', 'operator', 'member',
        ],
        'person': ['customer', 'client', 'contact', 'account', 'player', 'student', 'patient'],
        'worker_role': [
            'manager', 'owner', 'buyer', 'author', 'approver', 'reviewer', 'cashier', 'rep', 'lead', 'head', 'inspector',
            'creator', 'editor', 'assignee', 'supervisor', 'boss', 'mgr', 'planner', 'clerk', 'recruiter', 'mentor', 'coach',
            'trainer', 'driver', 'seller', 'salesperson', 'responsible', 'reporter', 'reports_to', 'report_to', 'assigned_to',
            'delegated_to', 'escalated_to',
        ],
        'person_role': [
            'user', 'member', 'requester', 'recipient', 'contact', 'sender', 'person', 'buyer', 'author', 'creator', 'reporter',
        ],
        'abbreviation': {},
    })) }}
{%- endmacro %}
