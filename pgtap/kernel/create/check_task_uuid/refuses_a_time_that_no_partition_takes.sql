-- The client's clock is right, but no partition covers the current time.
begin;
select plan(1);

select tasker_test.freeze((select max(r.ends_at) + interval '1 day' from tasker.partition_ranges as r));

select throws_ok(
  $$ select tasker.check_task_uuid(tasker_test.task_uuid_at(tasker.clock())) $$,
  'TK507', format('there is no partition for task UUID %s', tasker_test.task_uuid_at(tasker.clock())),
  'a UUID from the caller needs a partition for its time'
);

select * from finish();
rollback;
