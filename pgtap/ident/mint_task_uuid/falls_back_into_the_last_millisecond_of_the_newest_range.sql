-- Nobody made partitions for a year: work goes on.
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
   where tasker.uuid_v7_time(uuid) <> (select max(r.ends_at) - interval '1 millisecond' from tasker.partition_ranges as r)
  $$,
  'the time in it is the last millisecond'
);
select is_empty('select uuid from minted where not tasker.is_task_uuid(uuid)', 'it has the form of a task''s');
select is((select count(distinct uuid) from minted), 1000::bigint, 'no two are equal');

select lives_ok('select tasker_test.make_task()', 'a task can be made');
select is(
  (select t.requested_at from tasker.tasks as t where t.task_uuid = tasker_test.the_task()), tasker.clock(),
  'and it says when it really was requested'
);

select * from finish();
rollback;
