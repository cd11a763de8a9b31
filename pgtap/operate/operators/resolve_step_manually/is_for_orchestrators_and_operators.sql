begin;
select plan(4);

select tasker_test.create_task();
select throws_ok(
  format('select tasker_test.call_as(%L, %L)', r.role, 'select tasker.resolve_step_manually(tasker_test.the_step(''top''))'),
  '42501', 'permission denied for function resolve_step_manually', format('%s may not', r.role)
)
  from (values ('tasker_submitter'), ('tasker_worker'), ('tasker_reader')) as r (role);
select is(
  tasker_test.call_as('tasker_orchestrator', 'select tasker.resolve_step_manually(tasker_test.the_step(''top''))'), 'true', 'an orchestrator may resolve a step'
);

select * from finish();
rollback;
