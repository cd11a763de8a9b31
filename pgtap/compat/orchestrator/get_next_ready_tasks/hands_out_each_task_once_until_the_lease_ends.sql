begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.make_task() from generate_series(1, 5);
select is((select count(*) from tasker.get_next_ready_tasks(3)), 3::bigint, 'the first call returns three of five tasks');
select is((select count(*) from tasker.get_next_ready_tasks(3)), 2::bigint, 'the second call returns the other two');
select is_empty('select from tasker.get_next_ready_tasks(3)', 'the third call returns none');
select set_eq(
  $$ select m.due_at from tasker.timers as m where m.kind = 'advance_task' $$, array[tasker.clock() + interval '30 seconds'],
  'each task has a lease of 30 seconds'
);
select tasker_test.pass('29 seconds');
select is_empty('select from tasker.get_next_ready_tasks(3)', 'no task is returned a second before its lease ends');
select tasker_test.pass('1 second');
select is((select count(*) from tasker.get_next_ready_tasks(10)), 5::bigint, 'all tasks are returned again after the lease');

select * from finish();
rollback;
