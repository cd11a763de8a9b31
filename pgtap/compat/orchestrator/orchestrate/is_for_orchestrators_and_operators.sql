begin;
select plan(4);

select tasker_test.take_turn();
select throws_ok(
  format('select tasker_test.call_as(%L, %L)', r.role, 'select from tasker.orchestrate()'),
  '42501', 'permission denied for function orchestrate', format('%s may not', r.role)
)
  from (values ('tasker_submitter'), ('tasker_worker'), ('tasker_reader')) as r (role);
select is(tasker_test.call_as('tasker_orchestrator', 'select timers_fired from tasker.orchestrate()'), '0', 'an orchestrator may call it');

select * from finish();
rollback;
