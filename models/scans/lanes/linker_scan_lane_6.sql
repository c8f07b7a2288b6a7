{{ config(materialized='scan', meta={'lane': 6}) }}
{{ linker.lane_query(6) }}
