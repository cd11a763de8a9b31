begin;
select plan(6);

select tasker_test.make_task();

select is(
  tasker_test.call_as(
    'tasker_orchestrator',
    $$ select tasker.transition_task_state_atomic(tasker_test.the_task(), 'pending', 'initializing') $$
  ),
  'true',
  'an orchestrator may call it'
);
select is(
  tasker_test.call_as(
    'tasker_operator',
    $$ select tasker.transition_task_state_atomic(tasker_test.the_task(), 'initializing', 'enqueuing_steps') $$
  ),
  'true',
  'an operator may call it'
);
select throws_ok(
  format(
    'select tasker_test.call_as(%L, %L)', r.role,
    $$ select tasker.transition_task_state_atomic(tasker_test.the_task(), 'enqueuing_steps', 'cancelled') $$
  ),
  '42501', 'permission denied for function transition_task_state_atomic',
  format('%s may not', r.role)
)
  from (values ('tasker_submitter'), ('tasker_worker'), ('tasker_reader')) as r (role);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
