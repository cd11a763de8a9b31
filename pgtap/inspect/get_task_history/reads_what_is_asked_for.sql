-- A task with a thousand steps, and so three thousand rows of history.
begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.register('wide', variadic array(select 's' || n from generate_series(1, 1000) as n));
select tasker_test.create_task('wide');
select count(*) from tasker.claim_steps('{test}', tasker_test.worker(), 1000);
select is(
  (select count(*) from tasker.get_task_history(tasker_test.the_task(), 10)), 10::bigint, 'a few rows'
);
select is(
  (select count(*) from tasker.get_task_history(tasker_test.the_task(), 100000)), 2003::bigint, 'or all'
);
-- Each row that is shown costs its step, its worker and its caller; the others only their place in the log.
select cmp_ok(
  4 * tasker_test.buffers(format('select from tasker.get_task_history(%L, 10)', tasker_test.the_task())), '<',
  tasker_test.buffers(format('select from tasker.get_task_history(%L, 100000)', tasker_test.the_task())),
  'a few cost less than a quarter of all'
);
select cmp_ok(
  tasker_test.buffers(format('select from tasker.get_task_history(%L, 10)', tasker_test.the_task())), '<', 300::bigint, 'and little in itself'
);

select * from finish();
rollback;
