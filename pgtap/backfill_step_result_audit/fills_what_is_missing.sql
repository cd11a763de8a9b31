begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.make_task_in('complete');
create temporary table before as select * from tasker.workflow_step_result_audit;
set local session_replication_role = replica;
delete from tasker.workflow_step_result_audit;
set local session_replication_role = origin;
select is((select count(*) from tasker.check_audit_integrity()), 4::bigint, 'four results without audit');
select is(tasker.backfill_step_result_audit(p_limit => 3), 3::bigint, 'as many as asked for');
select is(tasker.backfill_step_result_audit(), 1::bigint, 'then the rest');
select is(tasker.backfill_step_result_audit(), 0::bigint, 'then none');
select set_eq('select * from tasker.workflow_step_result_audit', 'select * from before', 'as if they had been there');

select * from finish();
rollback;
