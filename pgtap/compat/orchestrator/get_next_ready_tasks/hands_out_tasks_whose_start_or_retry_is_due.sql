begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.register_diamond();
select tasker.create_task('test', 'diamond', '{}', p_start_at => tasker.clock() + interval '1 hour');
select is_empty('select from tasker.get_next_ready_tasks()', 'a task is not returned before its start');
select tasker_test.pass('1 hour');
select results_eq(
  'select r.current_state::text, r.ready_steps_count from tasker.get_next_ready_tasks() as r',
  $$ values ('pending', 1::bigint) $$, 'a task is returned when its start is due'
);
delete from tasker.timers;
select tasker_test.start_task();
select tasker_test.fail_step(tasker_test.the_step('top'));
select tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry');
select tasker_test.move_task(tasker_test.the_task(), 'waiting_for_retry');
delete from tasker.timers where kind = 'advance_task';
select is_empty('select from tasker.get_next_ready_tasks()', 'a task is not returned before its retry');
select tasker_test.pass('1 minute');
select results_eq(
  'select r.task_uuid, r.ready_steps_count from tasker.get_next_ready_tasks() as r',
  'select tasker_test.the_task(), 1::bigint', 'a task is returned when its retry is due'
);

select * from finish();
rollback;
