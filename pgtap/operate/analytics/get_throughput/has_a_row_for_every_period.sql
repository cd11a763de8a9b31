begin;
select plan(4);

select tasker_test.freeze('2026-11-21 10:00:30Z');
select tasker_test.make_task_in('complete');
select tasker_test.pass('2 minutes');
select tasker_test.make_task_in('error');
select tasker.roll_up();
select results_eq(
  $$ select to_char(t.bucket_start at time zone 'UTC', 'HH24:MI'), t.tasks_started, t.tasks_completed, t.tasks_failed, t.step_results, t.step_failures
       from tasker.get_throughput('2026-11-21 09:59:10Z') as t $$,
  $$ values ('09:59', 0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::bigint), ('10:00', 1, 1, 0, 4, 0),
            ('10:01', 0, 0, 0, 0, 0), ('10:02', 1, 0, 1, 0, 0) $$,
  'it returns a row for every minute, also without events'
);
select results_eq(
  $$ select t.tasks_started, t.tasks_completed, t.tasks_failed from tasker.get_throughput('2026-11-21 10:00Z', '1 hour') as t $$,
  $$ values (2::bigint, 1::bigint, 1::bigint) $$, 'it returns a row for an hour'
);
select is((select sum(t.tasks_started) from tasker.get_throughput(p_namespace => 'elsewhere') as t), 0::numeric, 'it filters by namespace');
select is((select count(*) from tasker.get_throughput()), 61::bigint, 'it returns the last hour by default');

select * from finish();
rollback;
