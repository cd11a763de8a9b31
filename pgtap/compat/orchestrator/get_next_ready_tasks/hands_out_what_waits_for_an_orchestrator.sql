begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.make_task_in(s::text) from unnest(enum_range(null::tasker.task_state)) as s;
create temporary table found as select * from tasker.get_next_ready_tasks(100);
select set_eq(
  'select current_state::text from found',
  array['pending', 'initializing', 'enqueuing_steps', 'steps_in_process', 'evaluating_results',
        'waiting_for_dependencies', 'waiting_for_retry', 'blocked_by_failures'],
  'it returns new tasks and tasks changed by direct calls, in every open state'
);
select results_eq(
  $$ select f.task_name, f.namespace_name, f.priority, f.ready_steps_count from found as f where f.current_state = 'pending' $$,
  $$ values ('diamond', 'test', 0, 1::bigint) $$,
  'a row has the template, the namespace, the priority and the number of ready steps'
);
select is_empty(
  $$ select f.task_uuid, f.ready_steps_count
       from found as f
      where f.ready_steps_count is distinct from (select count(*) from tasker.get_ready_steps(f.task_uuid)) $$,
  'the number of ready steps is the one that readiness derives'
);
select is_empty('select tasker_test.violations(t.task_uuid) from tasker.tasks as t', 'every invariant holds');

select * from finish();
rollback;
