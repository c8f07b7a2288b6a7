select 'it\'s a \\ and\nmore' as hostile;

select null as missing;
