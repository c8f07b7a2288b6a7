-- A search takes a few hundred rows by their keys; the planner, which cannot estimate overlaps, would read all.
select
    set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true), set_config('work_mem', '32MB', true),
    set_config('plan_cache_mode', 'force_generic_plan', true)
