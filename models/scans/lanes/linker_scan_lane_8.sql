{{ config(materialized='scan', meta={'lane': 8}) }}
{{ linker.lane_query(8) }}
