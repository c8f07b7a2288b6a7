select 'it\'s a \\ and
more' as hostile;

select null as missing;
