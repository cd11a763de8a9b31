begin;
select plan(2);

select tasker_test.freeze((select max(r.ends_at) from tasker.partition_ranges as r));
select is(
  tasker.uuid_v7_time(tasker.mint_task_uuid()), tasker.clock() - interval '1 millisecond',
  'the end of a range is exclusive'
);

update tasker_test.frozen_clock set at = at - interval '1 second';
select ok(
  tasker.uuid_v7_time(tasker.mint_task_uuid()) >= tasker.clock(),
  'the range takes a UUID a second before its end'
);

select * from finish();
rollback;
