{#-
    The distinct values of all rows, estimated from a sample's: the Duj1 estimator, which Postgres' own ANALYZE uses.
    P. J. Haas and L. Stokes, Estimating the number of classes in a finite population, 1998.
    Values that occur once in the sample speak for those that were not seen.
-#}
{% macro estimated_distinct(all_count, sample_count, sample_distinct, sample_singles) -%}
    {{ return(
        'cast(' ~ sample_count ~ ' as ' ~ linker.double_type() ~ ') * ' ~ sample_distinct ~ ' / nullif('
        ~ sample_count ~ ' - ' ~ sample_singles ~ ' + cast(' ~ sample_singles ~ ' as ' ~ linker.double_type() ~ ') * '
        ~ sample_count ~ ' / nullif(' ~ all_count ~ ', 0), 0)'
    ) }}
{%- endmacro %}
