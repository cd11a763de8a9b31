begin;
select plan(3);

select throws_ok(
  format('select tasker_test.call_as(%L, %L)', r.role, 'select tasker.process_task_requests()'),
  '42501', 'permission denied for function process_task_requests', format('%s may not', r.role)
)
  from (values ('tasker_submitter'), ('tasker_worker'), ('tasker_reader')) as r (role);

select * from finish();
rollback;
