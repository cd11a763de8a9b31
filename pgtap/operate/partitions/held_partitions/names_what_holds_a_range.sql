begin;
select plan(3);

select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days');
select tasker_test.make_old_task('41 days', 'pending') as open \gset
select tasker_test.make_old_task('34 days') as investigated \gset
select tasker_test.make_old_task('1 day', 'pending');

select results_eq(
  $$ select starts_at, open_tasks, investigations, young_tasks, first_task, reason from tasker.held_partitions() $$,
  format($$ values (timestamptz '2050-01-17 00:00+00', 1::bigint, 0::bigint, 0::bigint, %L::uuid, 'tasks: 1 not ended') $$, :'open'),
  'a task that has not ended holds its range, but not if the range is young'
);

insert into tasker.tasks_dlq (task_uuid, original_state, dlq_reason, task_snapshot)
values (:'investigated', 'error', 'manual_dlq', '{}');
select results_eq(
  $$ select open_tasks, investigations, first_task from tasker.held_partitions() offset 1 $$,
  format($$ values (0::bigint, 1::bigint, %L::uuid) $$, :'investigated'),
  'a task under investigation holds its range'
);

update tasker.tasks_dlq
   set resolution_status = 'manually_resolved', resolution_timestamp = tasker.clock();
select is((select count(*) from tasker.held_partitions()), 1::bigint, 'a range is not held when the investigation has ended');

select * from finish();
rollback;
