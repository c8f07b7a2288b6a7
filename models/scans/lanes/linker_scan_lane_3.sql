{{ config(materialized='scan', meta={'lane': 3}) }}
{{ linker.lane_query(3) }}
