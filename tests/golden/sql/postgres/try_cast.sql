select case when ((name) collate "C" ~ '^ *[-+]?[0-9]{1,18} *$') then cast(name as bigint) end as value from files;

select case when ((name) collate "C" ~ '^ *[-+]?[0-9]{1,36} *$') then cast(name as numeric) end as value from files;

select case when ((name) collate "C" ~ '^ *[-+]?([0-9]{1,200}(\.[0-9]{0,200})?|\.[0-9]{1,200})([eE][-+]?[0-9]{1,2})? *$') then cast(name as double precision) end as value from files;

select case when ((name) collate "C" ~ '^(((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-(((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01]))|((0[469]|11)-(0[1-9]|[12][0-9]|30))|(02-(0[1-9]|1[0-9]|2[0-8]))))|(((([0-9]{2})(0[48]|[2468][048]|[13579][26]))|(([2468][048]|[13579][26]|0[48])00))-02-29))$') then cast(name as date) end as value from files;

select case when ((name) collate "C" ~ '^(((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-(((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01]))|((0[469]|11)-(0[1-9]|[12][0-9]|30))|(02-(0[1-9]|1[0-9]|2[0-8]))))|(((([0-9]{2})(0[48]|[2468][048]|[13579][26]))|(([2468][048]|[13579][26]|0[48])00))-02-29))([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?(Z|[-+][01][0-9](:?[0-5][0-9])?)?)?$') then cast(name as timestamp) end as value from files;

select case when ((name) collate "C" ~ '^(true|false|TRUE|FALSE|True|False|t|f)$') then cast(name as boolean) end as value from files;
