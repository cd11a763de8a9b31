-- A statement that names a partition fires only the triggers of that partition.
begin;
select plan(1);

select tasker_test.make_task();

select throws_ok(
  format(
    $$
    insert into %s (task_uuid, step_no, sort_key, event, from_state, to_state)
    values (tasker_test.the_task(), 1, 1, 'Start', 'pending', 'in_progress')
    $$,
    tasker_test.the_partition('workflow_step_transition_log')
  ),
  'TK409', format('step %s cannot go from pending to in_progress by event "Start"', tasker_test.the_step('top')),
  'a partition refuses a transition outside of the machine'
);

select * from finish();
rollback;
