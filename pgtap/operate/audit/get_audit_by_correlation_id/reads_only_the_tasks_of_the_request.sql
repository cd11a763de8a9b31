begin;
select plan(2);

select tasker_test.freeze('2026-11-21 10:00Z');
select tasker_test.make_task_in('complete');
select t.correlation_id as request from tasker.tasks as t where t.task_uuid = tasker_test.the_task() \gset
select tasker_test.buffers(format('select * from tasker.get_audit_by_correlation_id(%L)', :'request')) as cold \gset
select tasker_test.buffers(format('select * from tasker.get_audit_by_correlation_id(%L)', :'request')) as before \gset
-- Another request has many results.
select tasker_test.make_task_in('complete');
insert into tasker.step_log (task_uuid, step_no, sort_key, path, created_at)
select tasker_test.the_task(), 1, 100 + n, 5, tasker.clock()
  from generate_series(1, 20000) as n;

select is((select count(*) from tasker.get_audit_by_correlation_id(:'request')), 4::bigint, 'it returns the results of the request');
select cmp_ok(
  tasker_test.buffers(format('select * from tasker.get_audit_by_correlation_id(%L)', :'request')), '<', :before + 50::bigint,
  'twenty thousand results of another request add no cost'
);

select * from finish();
rollback;
