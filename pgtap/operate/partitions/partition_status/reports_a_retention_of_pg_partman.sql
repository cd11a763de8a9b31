-- pg_partman need not be installed: a schema, a row of the catalogue and a table with the columns in question replace it.
begin;
select plan(4);

select tasker_test.take_turn();
create schema tap_partman;
create table tap_partman.part_config (parent_table text primary key, retention text);
grant usage on schema tap_partman to tasker_owner;
set local allow_system_table_mods = on;
insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
select 4294900000::oid, 'pg_partman', n.nspowner, n.oid, false, '5.2.4' from pg_namespace as n where n.nspname = 'tap_partman';

create function pg_temp.told() returns setof text language sql as $$
  select p.problem
    from tasker.partition_status() as s
   cross join unnest(s.problems) as p (problem)
   where p.problem like 'pg_partman would drop%';
$$;
insert into tap_partman.part_config values ('tasker.tasks', '90 days'), ('tasker.workflow_steps', null), ('other.things', '1 day');
select is_empty('select pg_temp.told()', 'a table that tasker_owner may not read reports no problem');
grant select on tap_partman.part_config to tasker_owner;
select results_eq(
  'select pg_temp.told()',
  $$ values ('pg_partman would drop ranges of tasker.tasks by itself, with open tasks in them; set retention in its part_config to null, and let tasker.apply_retention() do it') $$,
  'a retention in pg_partman for a run table is a problem'
);
select ok(not s.healthy, 'the status is not healthy') from tasker.partition_status() as s;
update tap_partman.part_config set retention = null;
select is_empty('select pg_temp.told()', 'the problem is gone without that retention');

select * from finish();
rollback;
