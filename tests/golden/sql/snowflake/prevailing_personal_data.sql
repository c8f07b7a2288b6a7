select case
        when
            sum(case when kind = 'credential' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when kind = 'credential' then row_count else 0 end)
            >= 0.3 * sum(row_count)
            then 'credential'
        when
            sum(case when kind = 'iban' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when kind = 'iban' then row_count else 0 end)
            >= 0.3 * sum(row_count)
            then 'iban'
        when
            sum(case when kind = 'card' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when kind = 'card' then row_count else 0 end)
            >= 0.3 * sum(row_count)
            then 'card'
        when
            sum(case when kind = 'national_id' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when kind = 'national_id' then row_count else 0 end)
            >= 0.3 * sum(row_count)
            then 'national_id'
        when
            sum(case when kind = 'email' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when kind = 'email' then row_count else 0 end)
            >= 0.3 * sum(row_count)
            then 'email'
        when
            sum(case when kind = 'phone' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when kind = 'phone' then row_count else 0 end)
            >= 0.3 * sum(row_count)
            then 'phone'
        when
            sum(case when kind = 'address' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when kind = 'address' then row_count else 0 end)
            >= 0.3 * sum(row_count)
            then 'address'
    end as kind from files group by folder;
