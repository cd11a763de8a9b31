begin;
select plan(4);

select tasker_test.start_task();

select is(
  tasker.transition_step_state_atomic(
    tasker_test.the_step('top'), 'enqueued', 'in_progress', '00000000-0000-0000-0000-00000000000a'
  ),
  true,
  'the first worker gets true'
);

select tasker_test.remember_rows();
select is(
  tasker.transition_step_state_atomic(
    tasker_test.the_step('top'), 'enqueued', 'in_progress', '00000000-0000-0000-0000-00000000000b'
  ),
  false,
  'the second worker gets false'
);
select is(
  tasker.transition_step_state_atomic(tasker_test.the_step('left'), 'enqueued', 'in_progress'), false,
  'a caller that takes a pending step for enqueued gets false'
);
select is_empty('select tasker_test.changed_tables()', 'neither call changes a table');

select * from finish();
rollback;
