begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.make_task_with_steps_in_every_state();

prepare retriable as
  select s.name
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
     and tasker.step_can_be_retried(s.workflow_step_uuid);

select set_eq('retriable', array['error'], 'it holds for the failed step only, while another still waits');

update tasker_test.frozen_clock
   set at = (
     select s.next_retry_at - interval '1 microsecond'
       from tasker.workflow_steps as s
      where s.task_uuid = tasker_test.the_task()
        and s.name = 'waiting_for_retry'
   );
select set_eq('retriable', array['error'], 'it does not hold for the waiting step up to the last instant');

select tasker_test.pass('1 microsecond');
select set_eq('retriable', array['error', 'waiting_for_retry'], 'it holds for both as soon as the next attempt is due');

select tasker_test.move_step(tasker_test.the_step('waiting_for_retry'), 'pending');
select set_eq('retriable', array['error'], 'it does not hold for a step that is pending again');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
