{{ config(materialized='scan', meta={'lane': 1}) }}
{{ linker.lane_query(1) }}
