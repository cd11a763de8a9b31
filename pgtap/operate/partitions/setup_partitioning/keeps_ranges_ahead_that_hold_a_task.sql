-- The task was created by a client whose clock was ahead.
begin;
select plan(2);

select tasker_test.start_year('2050-01-20 12:00+00', '1 month', '90 days');
insert into tasker.tasks (task_uuid, named_task_uuid, correlation_id)
select u.task_uuid, k.named_task_uuid, u.task_uuid
  from tasker.named_tasks as k
 cross join tasker_test.task_uuid_at('2050-02-20 12:00+00') as u (task_uuid)
 where k.name = 'old';

select ok(
  (select s.problems[1] from tasker.setup_partitioning('7 days') as s) like 'ranges ahead are longer than 1 week;%',
  'the status reports a range that is longer than the interval'
);
select results_eq(
  'select tasker_test.range_names()', $$ values ('p20500101'), ('p20500201') $$, 'the range with the task stays'
);

select * from finish();
rollback;
