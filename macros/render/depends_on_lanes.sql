{#- Comments that make dbt build a model after all scans. -#}
{% macro depends_on_lanes() -%}
-- depends_on: {{ ref('linker_scan_lane_1') }}
-- depends_on: {{ ref('linker_scan_lane_2') }}
-- depends_on: {{ ref('linker_scan_lane_3') }}
-- depends_on: {{ ref('linker_scan_lane_4') }}
-- depends_on: {{ ref('linker_scan_lane_5') }}
-- depends_on: {{ ref('linker_scan_lane_6') }}
-- depends_on: {{ ref('linker_scan_lane_7') }}
-- depends_on: {{ ref('linker_scan_lane_8') }}
{%- endmacro %}
