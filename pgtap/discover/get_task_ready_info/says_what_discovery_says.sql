begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.make_task();
create temporary table info as select * from tasker.get_task_ready_info(tasker_test.the_task());
select results_eq('select * from tasker.get_next_ready_task()', 'select * from info', 'the same');
select is_empty('select from tasker.get_next_ready_task()', 'asking hands nothing out twice');
select tasker_test.make_task_in('complete');
select results_eq(
  'select i.current_state::text, i.ready_steps_count from tasker.get_task_ready_info(tasker_test.the_task()) as i',
  $$ values ('complete', 0::bigint) $$, 'also of a task that has ended'
);
select throws_ok($$ select tasker.get_task_ready_info('01980000-0000-7000-8000-000000000000') $$, 'TK404', 'task 01980000-0000-7000-8000-000000000000 does not exist', 'no such task');

select * from finish();
rollback;
