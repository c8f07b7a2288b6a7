"""The catalogue: what dbt left in the warehouse, as records, and as documents in the store."""
