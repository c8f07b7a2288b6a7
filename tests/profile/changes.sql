-- One change of each kind; `kept` and all other tables stay the same.
update updated set a = 1000 where a = 50;
delete from deleted_from where a = 50;
insert into inserted_into values (100);
alter table retyped alter a type integer;
alter table extended add column b varchar;
alter table old_name rename to new_name;
drop table dropped;
create table clients_20250104 as select client_id + 100 as client_id, name, day from clients_20250103;
create table added as select range as a from range(10);
