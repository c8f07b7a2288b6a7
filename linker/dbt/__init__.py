"""dbt: the shipped project, its runner, the user's manifest, and exports to dbt YAML."""
