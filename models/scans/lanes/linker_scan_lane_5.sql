{{ config(materialized='scan', meta={'lane': 5}) }}
{{ linker.lane_query(5) }}
