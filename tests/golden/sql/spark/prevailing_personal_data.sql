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
            sum(case when kind = 'ip' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when kind = 'ip' then row_count else 0 end)
            >= 0.3 * sum(row_count)
            then 'ip'
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
        when
            sum(case when kind = 'name' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when kind = 'name' then row_count else 0 end)
            >= 0.3 * sum(row_count)
            then 'name'
        when
            sum(case when kind = 'birth_date' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when kind = 'birth_date' then row_count else 0 end)
            >= 0.3 * sum(row_count)
            then 'birth_date'
        when
            sum(case when kind = 'health' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when kind = 'health' then row_count else 0 end)
            >= 0.3 * sum(row_count)
            then 'health'
        when
            sum(case when kind = 'belief' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when kind = 'belief' then row_count else 0 end)
            >= 0.3 * sum(row_count)
            then 'belief'
        when
            sum(case when kind in ('card', 'card?') then 1 else 0 end)
            >= greatest(0.7 * count(*), least(count(*), 3))
            then 'card'
        when
            sum(case when kind in ('national_id', 'national_id?') then 1 else 0 end)
            >= greatest(0.7 * count(*), least(count(*), 3))
            then 'national_id'
        when
            sum(case when kind in ('ip', 'ip?') then 1 else 0 end)
            >= greatest(0.6 * count(*), least(count(*), 3))
            then 'ip'
        when
            sum(case when kind in ('phone', 'phone?') then 1 else 0 end)
            >= greatest(0.7 * count(*), least(count(*), 3))
            then 'phone'
        when
            sum(case when kind in ('name', 'name?') then 1 else 0 end)
            >= greatest(0.3 * count(*), least(count(*), 3))
            then 'name'
    end as kind from files group by folder;
