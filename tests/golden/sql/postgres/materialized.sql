with once as materialized (select 1 as one) select one from once;
