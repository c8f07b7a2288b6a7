    with
    newest as (
        select
            `visitor` as key_value,
            `page` as b1,
            `clicks` as b2
        from `shop`.`web`.`visits_2`
        
    ),
    older as (
        select
            `visitor` as key_value,
            `page` as b1,
            `clicks` as b2
        from `shop`.`web`.`visits_1`
        union all
        select
            `visitor` as key_value,
            `page` as b1,
            `clicks` as b2
        from `shop`.`web`.`visits_0`
        
    )

    select
        count(*) as row_pairs,
        sum(case when newest.b1 is null and older.b1 is null then 0 else 1 end) as filled_1,
        sum(case when newest.b1 = older.b1 then 1 else 0 end) as same_1,
        count(distinct newest.b1) as values_1,
        sum(case when newest.b2 is null and older.b2 is null then 0 else 1 end) as filled_2,
        sum(case when newest.b2 = older.b2 then 1 else 0 end) as same_2,
        count(distinct newest.b2) as values_2
    from newest
    inner join older on newest.key_value = older.key_value;
