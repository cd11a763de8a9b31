begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.make_task();
create temporary table info as select * from tasker.get_task_ready_info(tasker_test.the_task());
select results_eq('select * from tasker.get_next_ready_task()', 'select * from info', 'the row is the same as the one of get_next_ready_task');
select is_empty('select from tasker.get_next_ready_task()', 'get_next_ready_task does not return the task again');
select tasker_test.make_task_in('complete');
select results_eq(
  'select i.current_state::text, i.ready_steps_count from tasker.get_task_ready_info(tasker_test.the_task()) as i',
  $$ values ('complete', 0::bigint) $$, 'a task that has ended is returned without ready steps'
);
select throws_ok($$ select tasker.get_task_ready_info('01980000-0000-7000-8000-000000000000') $$, 'TK404', 'task 01980000-0000-7000-8000-000000000000 does not exist', 'an unknown task is refused');

select * from finish();
rollback;
