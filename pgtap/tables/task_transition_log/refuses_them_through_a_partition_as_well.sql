-- A statement that names a partition fires only the partition's own triggers.
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
  'a transition outside the machine is none there either'
);

select * from finish();
rollback;
