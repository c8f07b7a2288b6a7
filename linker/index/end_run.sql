-- Records end and outcome of a run.
update linker.runs set kind = %s, outcome = %s, started_at = %s, ended_at = %s, told = %s
where target = %s and number = %s
