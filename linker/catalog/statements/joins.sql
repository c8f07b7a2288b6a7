select from_schema, from_table, from_columns, to_schema, to_table, to_columns, confidence,
    containment, fan_out, cardinality
from {linker_joins}
order by confidence desc, to_schema, to_table, to_columns, from_schema, from_table, from_columns
