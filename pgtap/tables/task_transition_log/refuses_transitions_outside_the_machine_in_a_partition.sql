-- A statement that names a partition fires only the triggers of that partition.
begin;
select plan(1);

select tasker_test.make_task();

select throws_ok(
  format(
    $$
    insert into %s (task_uuid, sort_key, event, from_state, to_state)
    values (tasker_test.the_task(), 1, 'Start', 'pending', 'complete')
    $$,
    tasker_test.the_partition('task_transition_log')
  ),
  'TK409', format('task %s cannot go from pending to complete by event "Start"', tasker_test.the_task()),
  'a partition refuses a transition outside of the machine'
);

select * from finish();
rollback;
