-- A list of tasks in an open state does not read ended tasks.
begin;
select plan(3);

select tasker_test.make_task_in('blocked_by_failures');
select tasker_test.buffers($$ select * from tasker.list_tasks(p_state => 'blocked_by_failures', p_limit => 6) $$) as first \gset
select tasker_test.buffers($$ select * from tasker.list_tasks(p_state => 'blocked_by_failures', p_limit => 6) $$) as before \gset
set local session_replication_role = replica;
insert into tasker.tasks (task_uuid, named_task_uuid, state, complete, total_steps, transition_count, requested_at, updated_at, completed_at, correlation_id)
select tasker.task_uuid_of(tasker.uuid_generate_v7()), t.named_task_uuid, 'complete', true, 1, 2, t.requested_at, t.requested_at, t.requested_at, t.correlation_id
  from tasker.tasks as t
 cross join generate_series(1, 20000)
 where t.task_uuid = tasker_test.the_task();
set local session_replication_role = origin;
analyze tasker.tasks;

select results_eq(
  $$ select task_uuid from tasker.list_tasks(p_state => 'blocked_by_failures') $$, 'select tasker_test.the_task()', 'it finds the only blocked task'
);
select cmp_ok(
  tasker_test.buffers($$ select * from tasker.list_tasks(p_state => 'blocked_by_failures', p_limit => 6) $$), '<', (:before + 100)::bigint,
  'a blocked task is found without reading the ended tasks'
);
select is((select count(*) from tasker.list_tasks(p_state => 'complete', p_limit => 10)), 10::bigint, 'ended tasks are listed by their state');

select * from finish();
rollback;
