create table `shop`.`linker`.`linker_scans` (attempt_id string)
    using delta
  ;

merge into `shop`.`linker`.`linker_scans` as scans
using (select attempt_id from older_attempts) as older
on scans.attempt_id = older.attempt_id
when matched then delete;
