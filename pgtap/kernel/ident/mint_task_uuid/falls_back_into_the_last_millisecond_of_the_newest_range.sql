-- Work continues although no partition was created for a year.
begin;
select plan(5);

select tasker_test.freeze((select max(r.ends_at) + interval '1 year' from tasker.partition_ranges as r));

create temporary table minted as
  select tasker.mint_task_uuid() as uuid
    from generate_series(1, 1000);

select is_empty(
  $$
  select uuid
    from minted
   where tasker.uuid_v7_time(uuid) is distinct from (select max(r.ends_at) - interval '1 millisecond' from tasker.partition_ranges as r)
  $$,
  'the time in the UUID is the last millisecond of the newest range'
);
select is_empty('select uuid from minted where tasker.is_task_uuid(uuid) is not true', 'each UUID is a task UUID');
select is((select count(distinct uuid) from minted), 1000::bigint, 'no two UUIDs are equal');

select lives_ok('select tasker_test.make_task()', 'a task can be created');
select is(
  (select t.requested_at from tasker.tasks as t where t.task_uuid = tasker_test.the_task()), tasker.clock(),
  'the task has the true time of its request'
);

select * from finish();
rollback;
