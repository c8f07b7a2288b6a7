{#-
    The semantic type of a column in the relation `keys` of linker_profile_l1, from its data type, the words of its
    name, and its values. Values take precedence over names, and specific names over generic ones: a tax rate or a
    discount percentage is no amount of money. An integer that is 0 or 1 is a flag, unless its name counts.
-#}
{% macro category() -%}
    {%- set is_small_set = 'distinct_count <= 50 and distinct_count * 5 <= value_count' -%}
    case
        when value_count = 0 then 'empty'
        when value_kind in ('struct', 'list', 'json', 'binary', 'boolean', 'date', 'timestamp', 'time', 'interval') then value_kind
        when distinct_count = 1 and row_count > 1 and value_count = row_count then 'constant'
        when personal_data in ('email', 'phone') then personal_data
        when key_place = 1 then 'identifier'
        when value_kind = 'integer' and min_number in (0, 1) and max_number = 1
            and {{ linker.regex_matches('words', '^_(is|has|was|can|should|allow|allows|includes?|with)_|_(flag|yn)_$') }} then 'boolean'
        when value_kind = 'integer' and min_number >= 1700 and max_number <= 2200
            and {{ linker.regex_matches('words', '_(year|yr|jahr|annee)_|^_fy') }} then 'year'
        when value_kind in ('integer', 'text')
            and {{ linker.regex_matches('words', '_(id|key|fk|uuid|guid|sk|pk)_$') }}
            then case when is_unique and known_pointing_origin is null then 'identifier' else 'foreign_key' end
        when known_pointing_origin is not null and value_kind = 'integer' then 'foreign_key'
        when value_kind in ('number', 'integer')
            and {{ linker.regex_matches('words', '_(lat|latitude|lng|lon|long|longitude)_$') }} then 'geo'
        when value_kind in ('number', 'integer')
            and {{ linker.regex_matches('words', '_(percent|percentage)_|_(rate|ratio)_$') }} then 'measure'
        when value_kind in ('number', 'integer')
            and {{ linker.regex_matches('words', '_(amount|amt|cents|price|cost|costs|revenue|sales|fee|fees|tax|vat|salary|pay|wage|budget|profit|margin|discount|balance|payment|spend|usd|eur|gbp|net|gross|total_paid|refund|shipping_cost|turnover)_') }} then 'money'
        when value_kind = 'text' and {{ linker.regex_matches('top_values', '"value": ?"https?:') }} then 'url'
        when value_kind = 'text' and {{ linker.regex_matches('words', '_(url|uri|link|href|website)_$') }} then 'url'
        when value_kind = 'text' and {{ linker.regex_matches('words', '_(lat_lon|geom|geometry|geohash|wkt)_$') }} then 'geo'
        when value_kind = 'text' and is_unique and mean_length <= 40
            and {{ linker.regex_matches('words', '_(code|no|nr|number|num|sku|ref|reference)_$') }} then 'identifier'
        when {{ linker.regex_matches('words', '_(code|cd|iso|iso2|iso3|sku|ean|isbn|zip|zipcode|postcode|postal_code|plz)_$') }} then 'code'
        when value_kind = 'text' and {{ is_small_set }} then 'category'
        when value_kind = 'integer' and {{ is_small_set }}
            and {{ linker.regex_matches('words', '_(status|state|type|kind|class|category|level|grade|priority|segment|group|tier|channel|stage|flag|month|quarter|weekday|day_of_week|hour)_$') }} then 'category'
        when value_kind = 'text' then 'text'
        when value_kind = 'integer' and min_number = 0 and max_number = 1 and {{ is_small_set }}
            and not {{ linker.regex_matches('words', '_(count|cnt|n|num|number|no|nr|qty|quantity|sum|total|score|age|size|rank|index|idx|position|version)_|[^s]s_$|[^s]s_(later|earlier|before|after|since|ago|per|by|within|until)_') }} then 'boolean'
        when value_kind in ('integer', 'number') then 'measure'
        else value_kind
    end
{%- endmacro %}
