-- A task with a thousand steps and two thousand events.
begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.register('wide', variadic array(select 's' || n from generate_series(1, 1000) as n));
select tasker_test.create_task('wide');
select count(*) from tasker.claim_steps('{test}', tasker_test.worker(), 1000);
select is(
  (select count(*) from tasker.get_task_history(tasker_test.the_task(), 10)), 10::bigint, 'a limit of 10 returns 10 events'
);
select is(
  (select count(*) from tasker.get_task_history(tasker_test.the_task(), 100000)), 2003::bigint, 'a high limit returns all events'
);
-- For each returned row the query reads its step, its worker and its caller; for the others only the log.
select cmp_ok(
  4 * tasker_test.buffers(format('select from tasker.get_task_history(%L, 10)', tasker_test.the_task())), '<',
  tasker_test.buffers(format('select from tasker.get_task_history(%L, 100000)', tasker_test.the_task())),
  'ten events cost less than a quarter of all'
);
select * from finish();
rollback;
