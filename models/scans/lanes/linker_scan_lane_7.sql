{{ config(materialized='scan', meta={'lane': 7}) }}
{{ linker.lane_query(7) }}
