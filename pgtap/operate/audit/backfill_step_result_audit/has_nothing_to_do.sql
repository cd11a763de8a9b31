-- The audit is a view of the log: a result always has its row.
begin;
select plan(3);

select tasker_test.make_task_in('complete');
select is(tasker.backfill_step_result_audit(), 0::bigint, 'no row is missing');
select results_eq(
  $$ select a.step_no, a.sort_key from tasker.workflow_step_result_audit as a where a.task_uuid = tasker_test.the_task() order by 1 $$,
  $$ values (1, 3), (2, 3), (3, 3), (4, 3) $$,
  'each result has its row'
);
select throws_ok(
  'select tasker.backfill_step_result_audit(p_limit => 10001)', 'TK422', 'the limit is 10001; it must be between 1 and 10,000', 'a limit of 10,001 is refused'
);

select * from finish();
rollback;
