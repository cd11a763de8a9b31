begin;
select plan(4);

select tasker_test.make_task();

select throws_ok(
  $$
  select tasker.transition_task_state_atomic(
    tasker_test.the_task(), 'pending', 'initializing', null, '{"event": "Reset"}'
  )
  $$,
  'TK409', 'a task cannot go from pending to initializing by event "Reset"',
  'the event of another transition is refused'
);
select throws_ok(
  $$
  select tasker.transition_task_state_atomic(
    tasker_test.the_task(), 'pending', 'initializing', null, '{"event": "start"}'
  )
  $$,
  'TK409', 'a task cannot go from pending to initializing by event "start"',
  'the right event in another spelling is refused'
);
select throws_ok(
  $$
  select tasker.transition_task_state_atomic(
    tasker_test.the_task(), 'pending', 'initializing', null, jsonb_build_object('event', repeat('Start''; --', 1000))
  )
  $$,
  'TK409', format('a task cannot go from pending to initializing by event "%s"', repeat('Start''; --', 10)),
  'a long, hostile event is refused, and the message shows only its beginning'
);
select is(tasker.get_current_task_state(tasker_test.the_task()), 'pending', 'the task keeps its state');

select * from finish();
rollback;
