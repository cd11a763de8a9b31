begin;
select plan(4);

select tasker_test.make_task_in('blocked_by_failures');
select throws_ok(
  format('select tasker_test.call_as(%L, %L)', r.role, 'select tasker.give_up_task(tasker_test.the_task())'),
  '42501', 'permission denied for function give_up_task', format('%s may not', r.role)
)
  from (values ('tasker_submitter'), ('tasker_worker'), ('tasker_reader')) as r (role);
select is(
  tasker_test.call_as('tasker_orchestrator', 'select tasker.give_up_task(tasker_test.the_task())'), 'true', 'an orchestrator may give up a task'
);

select * from finish();
rollback;
