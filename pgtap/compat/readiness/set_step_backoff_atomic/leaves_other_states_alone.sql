begin;
select plan(2);

select tasker_test.freeze(date_trunc('hour', now()));
select tasker_test.register('states', variadic enum_range(null::tasker.step_state)::text[]);
select tasker_test.make_task('states');
select tasker_test.move_task(tasker_test.the_task(), 'initializing', 'enqueuing_steps');
select tasker_test.bring_step(tasker_test.the_step(s::text), s::text) from unnest(enum_range(null::tasker.step_state)) as s;

select set_eq(
  $$ select s::text from unnest(enum_range(null::tasker.step_state)) as s where tasker.set_step_backoff_atomic(tasker_test.the_step(s::text), 5) $$,
  array['enqueued_as_error_for_orchestration', 'waiting_for_retry'], 'steps in other states return false'
);
select is_empty(
  $$ select s.name from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.backoff_request_seconds = 5 and s.name not in ('enqueued_as_error_for_orchestration', 'waiting_for_retry') $$,
  'no step in another state is changed'
);

select * from finish();
rollback;
