-- The audit is a view of the step log and of its paths, which PostgreSQL does not let anybody change.
begin;
select plan(6);

select tasker_test.make_task_in('complete');
select tasker_test.remember_rows();

select throws_ok(
  'update tasker.workflow_step_result_audit set recorded_at = recorded_at - interval ''1 day''',
  '55000', 'cannot update view "workflow_step_result_audit"',
  'a superuser cannot change a row'
);
select throws_ok(
  'delete from tasker.workflow_step_result_audit',
  '55000', 'cannot delete from view "workflow_step_result_audit"',
  'a superuser cannot delete a row'
);
select throws_ok(
  $$
  select tasker_test.call_as('tasker_owner', 'update tasker.workflow_step_result_audit set recorded_at = recorded_at - interval ''1 day'' returning 1')
  $$,
  '55000', 'cannot update view "workflow_step_result_audit"',
  'the owner cannot change a row'
);
select throws_ok(
  $$ select tasker_test.call_as('tasker_owner', 'delete from tasker.workflow_step_result_audit returning 1') $$,
  '55000', 'cannot delete from view "workflow_step_result_audit"',
  'the owner cannot delete a row'
);
select throws_ok(
  'truncate tasker.workflow_step_result_audit', '42809', null, 'a view cannot be truncated'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
