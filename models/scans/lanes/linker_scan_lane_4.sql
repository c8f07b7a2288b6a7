{{ config(materialized='scan', meta={'lane': 4}) }}
{{ linker.lane_query(4) }}
