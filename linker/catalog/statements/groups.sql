select schema_name, group_name, kind, key_kind, first_key, last_key, members, representative, members_read
from {linker_families}
