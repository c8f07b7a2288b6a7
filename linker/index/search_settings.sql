-- Only vectors are read by scan; the planner cannot estimate array overlaps and would scan other tables too.
-- A second worker compares half of the vectors, for a quarter more processor time.
select
    set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true), set_config('work_mem', '32MB', true),
    set_config('plan_cache_mode', 'force_generic_plan', true), set_config('max_parallel_workers_per_gather', '1', true)
