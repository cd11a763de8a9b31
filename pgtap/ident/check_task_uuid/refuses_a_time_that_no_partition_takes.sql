-- The client's clock is right, but nobody made partitions.
begin;
select plan(1);

select tasker_test.freeze((select max(r.ends_at) + interval '1 day' from tasker.partition_ranges as r));

select throws_ok(
  $$ select tasker.check_task_uuid(tasker_test.task_uuid_at(tasker.clock())) $$,
  'TK507', format('there is no partition for task UUID %s', tasker_test.task_uuid_at(tasker.clock())),
  'a caller''s own UUID cannot be put elsewhere'
);

select * from finish();
rollback;
