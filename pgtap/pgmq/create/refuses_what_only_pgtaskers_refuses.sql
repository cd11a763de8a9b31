-- The extension accepts these names. Two queues then share a table, or a queue cannot be found again.
begin;
select plan(16);

select pgmq.create('tap_case');
create temporary table before as
  select c.oid from pg_class as c where c.relnamespace = 'pgmq'::regnamespace;
create temporary table hostile (name text, message text);
insert into hostile (name, message) values
  ('', 'queue name cannot be empty'),
  ('tap"x', 'queue name contains invalid characters: only printable ASCII without double quotes is allowed'),
  ('täp', 'queue name contains invalid characters: only printable ASCII without double quotes is allowed'),
  (E'tap\tx', 'queue name contains invalid characters: only printable ASCII without double quotes is allowed'),
  ('Tap_Case', 'queue name "Tap_Case" differs only in case from that of another queue');

select case when tasker.pgmq_kind() = 'own'
  then throws_ok(format('select pgmq.%I(%L)', f.name, h.name), 'P0001', h.message, format('%s refuses the name %s', f.name, to_json(h.name)))
  else skip('the extension accepts the name')
end
  from hostile as h
 cross join (values ('create'), ('create_unlogged'), ('create_non_partitioned')) as f (name);
select case when tasker.pgmq_kind() = 'own'
  then is_empty(
    $$ select c.oid::regclass from pg_class as c where c.relnamespace = 'pgmq'::regnamespace and c.oid not in (select b.oid from before as b) $$,
    'no relation is created')
  else skip('the extension creates them')
end;

select * from finish();
rollback;
