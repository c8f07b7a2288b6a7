with once as (select 1 as one) select one from once;
