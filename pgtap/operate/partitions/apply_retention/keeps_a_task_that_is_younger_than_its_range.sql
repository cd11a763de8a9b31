-- No range was created for two months, so that the task went into the last millisecond of the last range.
begin;
select plan(4);

select tasker_test.start_year('2050-01-03 12:00+00', '7 days', '21 days');
select tasker_test.pass('60 days');
select tasker.mint_task_uuid() as task \gset
select ok(
  tasker.uuid_v7_time(:'task') < timestamptz '2050-01-24 00:00+00' and tasker.uuid_v7_time(:'task') > timestamptz '2050-01-23 23:59+00',
  'a late task lies in an early range'
);
insert into tasker.tasks (task_uuid, named_task_uuid, correlation_id, state, complete, completed_at)
select :'task', k.named_task_uuid, :'task', 'complete', true, tasker.clock() from tasker.named_tasks as k where k.name = 'old';

select is(
  (select string_agg(o.outcome || ' ' || o.detail, ', ') from tasker.apply_retention() as o),
  'dropped partitions _p20500103', 'the empty range before it is dropped'
);
select tasker.apply_retention();
select is(
  (select string_agg(o.outcome || ' ' || o.detail, ', ') from tasker.apply_retention() as o),
  'held tasks: 1 younger than the range', 'the range of the late task is held'
);
select tasker_test.pass('22 days');
select is(
  (select string_agg(o.outcome, ', ') from tasker.apply_retention() as o), 'dropped', 'the range is dropped when the task itself is past the retention'
);

select * from finish();
rollback;
