begin;
select plan(4);

select tasker_test.make_task();

select is(
  tasker.transition_task_state_atomic(
    tasker_test.the_task(), 'pending', 'initializing', '00000000-0000-0000-0000-00000000000a'
  ),
  true,
  'the first orchestrator takes the task'
);

select tasker_test.remember_rows();
select is(
  tasker.transition_task_state_atomic(
    tasker_test.the_task(), 'pending', 'initializing', '00000000-0000-0000-0000-00000000000b'
  ),
  false,
  'the second comes too late'
);
select is(
  tasker.transition_task_state_atomic(
    tasker_test.the_task(), 'pending', 'cancelled', '00000000-0000-0000-0000-00000000000b'
  ),
  false,
  'whatever it wants'
);
select is_empty('select tasker_test.changed_tables()', 'neither changes anything');

select * from finish();
rollback;
