begin;
select plan(2);

select tasker_test.freeze('2026-11-21 10:00Z');
select tasker_test.make_task_in('complete');
insert into tasker.step_log (task_uuid, step_no, sort_key, path, created_at)
select tasker_test.the_task(), 1, 100 + n, 5,
       tasker.clock() + n * interval '1 second'
  from generate_series(1, 50000) as n;
select tasker.summarize_new_pages();
analyze tasker.step_log;
select set_has(
  $$ select n ->> 'Node Type'
       from tasker_test.plan_nodes($q$
         select a.*
           from tasker.workflow_step_result_audit as a
          where a.recorded_at >= '2026-11-21 20:00Z' and a.recorded_at < '2026-11-21 20:01Z' and a.success
       $q$) as n $$,
  $$ values ('Bitmap Index Scan') $$, 'a query of the view by time uses a bitmap index scan'
);
select is(
  (select count(*) from tasker.get_audit_by_time_range('2026-11-21 20:00Z', '2026-11-21 20:01Z', true)), 60::bigint, 'it returns every result of the period'
);

select * from finish();
rollback;
