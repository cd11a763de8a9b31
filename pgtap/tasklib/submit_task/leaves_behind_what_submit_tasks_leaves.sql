-- submit_task has statements of its own for a task without a deduplication key.
begin;
select plan(5);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo('{"max_retries": 7, "timeout_seconds": 30}');
select tasklib.register_task('plain');
select tasklib.set_setting('default_task_timeout_seconds', '45');

create temporary table options (no integer, name text, delay double precision, priority integer, retries integer, timeout integer, tags jsonb, limit_key text, dedup_key text, kept boolean);
insert into options values
  (1, 'echo', 0, 0, null, null, null, null, null, false),
  (2, 'echo', null, null, null, null, null, null, null, null),
  (3, 'echo', 90.5, -3, 0, 1, '{"team": "a"}', null, null, true),
  (4, 'plain', 0, 5, null, null, null, null, null, false),
  (5, 'plain', 3153600000, 2147483647, 10000, 31536000, '{}', 'customer', null, false),
  (6, 'plain', 1, 0, null, null, null, 'customer', 'once', true);
create temporary table one as
  select o.no, s.id
    from options as o
   cross join lateral tasklib.submit_task(
     o.name, jsonb_build_object('no', o.no), o.delay, o.priority, o.retries, o.timeout, o.tags, o.dedup_key, o.kept, o.limit_key
   ) as s;
create temporary table keyed as
  select r.name, r.keyed from tasklib.registered_tasks as r;
create temporary table rows_of_one as
  select o.no, to_jsonb(t) - 'id' as row
    from one as o
    join tasklib.tasks as t
      on t.id = o.id;
delete from tasklib.tasks;
create temporary table many as
  select o.no, s.id
    from options as o
   cross join lateral tasklib.submit_tasks(
     o.name, array[jsonb_build_object('no', o.no)], array[o.delay], array[o.priority], array[o.retries], array[o.timeout], array[o.tags],
     case when o.dedup_key is not null then array[o.dedup_key] end, o.kept, case when o.limit_key is not null then array[o.limit_key] end
   ) as s;

select is((select count(*) from rows_of_one), 6::bigint, 'each call creates a task');
select results_eq(
  'select r.no, r.row from rows_of_one as r order by r.no',
  $$ select m.no, to_jsonb(t) - 'id' from many as m join tasklib.tasks as t on t.id = m.id order by m.no $$,
  'a task submitted alone has the row that it has among others'
);
select results_eq(
  $$ select k.name collate "default", k.keyed from keyed as k order by 1 $$, $$ values ('echo', false), ('plain', true) $$,
  'a limit key marks the name, so that claims look at keys'
);
select is_empty(
  $$ select o.id from one as o where (o.id::text ~ '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$') is not true $$,
  'the ids are UUIDs of version 7'
);
select is_empty(
  'select o.id from one as o join one as l on l.no > o.no where l.id < o.id', 'the ids are in the order of the calls'
);

select * from finish();
rollback;
