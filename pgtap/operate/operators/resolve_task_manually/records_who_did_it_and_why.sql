begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.claim('top');
select tasker_test.fail_for_good('top');
select tasker.resolve_task_manually(tasker_test.the_task(), 'done by mail', 'ann');
select is(tasker_test.last_entry(), 'ManualResolution by ann for done by mail', 'the log has the actor and the reason');
select results_eq(
  $$
  select l.event, l.actor, l.reason
    from tasker.workflow_step_transition_log as l
   where l.task_uuid = tasker_test.the_task()
     and l.to_state = 'cancelled'
     and l.step_no = 4
  $$,
  $$ values ('Cancel', 'ann', null::text) $$,
  'the logs of the cancelled steps name the actor'
);

select tasker_test.make_task_in('blocked_by_failures');
select tasker_test.call_as('tasker_operator', 'select tasker.resolve_task_manually(tasker_test.the_task())');
select is(tasker_test.last_entry(), 'ManualResolution by tasker_operator for -', 'the log names the caller''s role if no actor is given');

select * from finish();
rollback;
