begin;
select plan(2);

select tasker_test.freeze('2026-11-21 10:00Z');
select tasker_test.make_task_in('complete');
create temporary table request as select t.correlation_id from tasker.tasks as t where t.task_uuid = tasker_test.the_task();
-- Another request's, of which there are many.
select tasker_test.make_task_in('complete');
insert into tasker.workflow_step_transition_log (task_uuid, step_no, sort_key, event, from_state, to_state, created_at)
select tasker_test.the_task(), 1, 100 + n, 'EnqueueForOrchestration', 'in_progress', 'enqueued_for_orchestration', tasker.clock()
  from generate_series(1, 20000) as n;

select is((select count(*) from request as r, tasker.get_audit_by_correlation_id(r.correlation_id) as a), 4::bigint, 'what belongs to the request');
select cmp_ok(
  (select tasker_test.buffers(format('select * from tasker.get_audit_by_correlation_id(%L)', r.correlation_id)) from request as r), '<', 200::bigint,
  'is found without reading what does not'
);

select * from finish();
rollback;
