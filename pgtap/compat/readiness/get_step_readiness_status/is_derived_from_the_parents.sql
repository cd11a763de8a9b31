-- Counters that lie: somebody wrote to them by hand.
begin;
select plan(2);

select tasker_test.start_task();
update tasker.workflow_steps as s
   set pending_parents = 0, satisfied_parents = s.total_parents
 where s.task_uuid = tasker_test.the_task();

select ok(tasker.step_dependencies_met(tasker_test.the_step('bottom')), 'the engine believes its counters');
select results_eq(
  $$ select r.name, r.dependencies_satisfied from tasker.get_step_readiness_status(tasker_test.the_task()) as r $$,
  $$ values ('top', true), ('left', false), ('right', false), ('bottom', false) $$,
  'the readiness status is derived from the parents'
);

select * from finish();
rollback;
