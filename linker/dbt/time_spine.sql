-- linker: every day from {first} to {last}, as the semantic layer needs a table of days.
{{{{ config(materialized='table') }}}}

with days as (
    {{{{ dbt.date_spine('day', "cast('{first}-01-01' as date)", "cast('{after}-01-01' as date)") }}}}
)

select cast(date_day as date) as date_day from days
