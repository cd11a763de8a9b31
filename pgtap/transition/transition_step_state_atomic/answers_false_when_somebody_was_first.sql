begin;
select plan(4);

select tasker_test.start_task();

select is(
  tasker.transition_step_state_atomic(
    tasker_test.the_step('top'), 'enqueued', 'in_progress', '00000000-0000-0000-0000-00000000000a'
  ),
  true,
  'the first worker takes the step'
);

select tasker_test.remember_rows();
select is(
  tasker.transition_step_state_atomic(
    tasker_test.the_step('top'), 'enqueued', 'in_progress', '00000000-0000-0000-0000-00000000000b'
  ),
  false,
  'the second comes too late'
);
select is(
  tasker.transition_step_state_atomic(tasker_test.the_step('left'), 'enqueued', 'in_progress'), false,
  'as does whoever takes a step for enqueued that is pending'
);
select is_empty('select tasker_test.changed_tables()', 'neither changes anything');

select * from finish();
rollback;
