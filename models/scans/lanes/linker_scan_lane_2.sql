{{ config(materialized='scan', meta={'lane': 2}) }}
{{ linker.lane_query(2) }}
