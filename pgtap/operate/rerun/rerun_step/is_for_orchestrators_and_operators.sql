begin;
select plan(4);

select tasker_test.create_task();
select tasker_test.run('top');
select throws_ok(
  format('select tasker_test.call_as(%L, %L)', r.role, 'select tasker.rerun_step(tasker_test.the_step(''top''), ''wrong'')'),
  '42501', 'permission denied for function rerun_step', format('%s may not', r.role)
)
  from (values ('tasker_submitter'), ('tasker_worker'), ('tasker_reader')) as r (role);
select is(
  tasker_test.call_as('tasker_orchestrator', 'select tasker.rerun_step(tasker_test.the_step(''top''), ''wrong'')'), 'true', 'an orchestrator may let a step run again'
);

select * from finish();
rollback;
