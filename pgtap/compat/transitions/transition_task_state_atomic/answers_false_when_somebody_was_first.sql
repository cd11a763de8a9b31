begin;
select plan(4);

select tasker_test.make_task();

select is(
  tasker.transition_task_state_atomic(
    tasker_test.the_task(), 'pending', 'initializing', '00000000-0000-0000-0000-00000000000a'
  ),
  true,
  'the first orchestrator gets true'
);

select tasker_test.remember_rows();
select is(
  tasker.transition_task_state_atomic(
    tasker_test.the_task(), 'pending', 'initializing', '00000000-0000-0000-0000-00000000000b'
  ),
  false,
  'the second orchestrator gets false'
);
select is(
  tasker.transition_task_state_atomic(
    tasker_test.the_task(), 'pending', 'cancelled', '00000000-0000-0000-0000-00000000000b'
  ),
  false,
  'it gets false for another target state, too'
);
select is_empty('select tasker_test.changed_tables()', 'neither call changes a table');

select * from finish();
rollback;
