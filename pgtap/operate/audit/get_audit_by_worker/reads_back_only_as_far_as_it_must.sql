begin;
select plan(4);

select tasker_test.freeze('2026-11-21 10:00Z');
select tasker_test.make_task_in('complete');
-- Two weeks of results from one worker, and one recent result from another.
insert into tasker.step_log (
  task_uuid, step_no, sort_key, path, created_at, result_digest, worker_uuid
)
select tasker_test.the_task(), 1, 100 + n, 5,
       tasker.clock() + n * interval '1 minute', tasker.result_digest('1'),
       case when n = 20000 then '00000000-0000-0000-0000-0000000000c2' else '00000000-0000-0000-0000-0000000000c1' end::uuid
  from generate_series(1, 20000) as n;
select tasker.summarize_new_pages();
select tasker_test.pass('20010 minutes');

select results_eq(
  $$ select a.recorded_at from tasker.get_audit_by_worker('00000000-0000-0000-0000-0000000000c2', 1) as a $$,
  $$ select tasker.clock() - interval '10 minutes' $$, 'it returns the recent result of the worker'
);
select cmp_ok(
  (select tasker_test.buffers($$ select * from tasker.get_audit_by_worker('00000000-0000-0000-0000-0000000000c2', 1) $$)), '<',
  (select pg_relation_size(c.oid) / 8192
     from pg_class as c
    where c.oid = (select a.tableoid from tasker.step_log as a where a.task_uuid = tasker_test.the_task() limit 1)),
  'a recent result is found without reading the whole log'
);
select is(
  (select count(*) from tasker.get_audit_by_worker('00000000-0000-0000-0000-0000000000c1', 30000)), 19999::bigint, 'old results are found, too'
);
select is(
  (select count(*) from tasker.get_audit_by_worker('00000000-0000-0000-0000-0000000000c1', 1000) as a
    where a.recorded_at >= tasker.clock() - interval '1010 minutes'), 1000::bigint, 'the limit keeps the newest results'
);

select * from finish();
rollback;
