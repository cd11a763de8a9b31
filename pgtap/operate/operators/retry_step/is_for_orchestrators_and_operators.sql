begin;
select plan(4);

select tasker_test.make_task_in('blocked_by_failures');
select throws_ok(
  format('select tasker_test.call_as(%L, %L)', r.role, 'select tasker.retry_step(tasker_test.the_step(''top''))'),
  '42501', 'permission denied for function retry_step', format('%s may not', r.role)
)
  from (values ('tasker_submitter'), ('tasker_worker'), ('tasker_reader')) as r (role);
select is(
  tasker_test.call_as('tasker_orchestrator', 'select tasker.retry_step(tasker_test.the_step(''top''))'), 'true', 'an orchestrator may retry a step'
);

select * from finish();
rollback;
