begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.start_task();
select tasker_test.complete_step(tasker_test.the_step('top'));
select tasker_test.bring_step(tasker_test.the_step('left'), 'in_progress');
select tasker_test.bring_step(tasker_test.the_step('right'), 'enqueued_for_orchestration');
select tasker_test.move_task(tasker_test.the_task(), 'error', 'pending', 'initializing', 'enqueuing_steps');

select is(
  (
    select array_agg(s.name order by s.step_no)
      from tasker.workflow_steps as s
     where s.task_uuid = tasker_test.the_task()
       and s.state = 'pending'
  ),
  '{left,bottom}',
  'two steps are pending'
);
select tasker_test.complete_step(tasker_test.the_step('left'));
select tasker_test.move_step(tasker_test.the_step('bottom'), 'enqueued');
select tasker_test.move_task(tasker_test.the_task(), 'steps_in_process');
select tasker_test.complete_step(tasker_test.the_step('bottom'));
select tasker_test.move_task(tasker_test.the_task(), 'evaluating_results', 'complete');

select is(tasker.get_current_task_state(tasker_test.the_task()), 'complete', 'the task completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
