begin;
select plan(2);

select tasker_test.make_task_in('enqueuing_steps');
select tasker_test.bring_step(tasker_test.the_step('top'), 'in_progress');
select tasker.transition_step_state_atomic(
  tasker_test.the_step('top'), 'in_progress', 'enqueued_for_orchestration', null, '{"results": {"amount": 42}}'
);

select results_eq(
  $$ select a.success, a.results from tasker.get_step_audit_history(tasker_test.the_step('top')) as a $$,
  $$ values (true, '{"amount": 42}'::jsonb) $$, 'the audit has the recorded result'
);
select tasker.resolve_step_manually(tasker_test.the_step('top'));
select results_eq(
  $$ select a.success, a.results from tasker.get_step_audit_history(tasker_test.the_step('top')) as a $$,
  $$ values (true, '{"amount": 42}'::jsonb) $$, 'the result stays in the audit after the step is resolved'
);

select * from finish();
rollback;
