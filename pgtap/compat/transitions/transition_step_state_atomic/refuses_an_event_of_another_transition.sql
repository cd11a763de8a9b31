begin;
select plan(6);

select tasker_test.start_task();

select throws_ok(
  $$
  select tasker.transition_step_state_atomic(
    tasker_test.the_step('top'), 'enqueued', 'in_progress', null, '{"event": "Enqueue"}'
  )
  $$,
  'TK409', 'a step cannot go from enqueued to in_progress by event "Enqueue"',
  'the event of the transition before is refused'
);
select throws_ok(
  $$
  select tasker.transition_step_state_atomic(
    tasker_test.the_step('top'), 'enqueued', 'in_progress', null, '{"event": "start"}'
  )
  $$,
  'TK409', 'a step cannot go from enqueued to in_progress by event "start"',
  'the right event in another spelling is refused'
);
select throws_ok(
  $$
  select tasker.transition_step_state_atomic(
    tasker_test.the_step('top'), 'enqueued', 'in_progress', null, '{"event": ""}'
  )
  $$,
  'TK409', 'a step cannot go from enqueued to in_progress by event ""',
  'an empty event is refused'
);
select throws_ok(
  $$
  select tasker.transition_step_state_atomic(
    tasker_test.the_step('top'), 'enqueued', 'in_progress', null, '{"event": "Start''; drop schema tasker; --"}'
  )
  $$,
  'TK409', 'a step cannot go from enqueued to in_progress by event "Start''; drop schema tasker; --"',
  'a hostile event is refused'
);
select throws_ok(
  $$
  select tasker.transition_step_state_atomic(
    tasker_test.the_step('top'), 'enqueued', 'in_progress', null, jsonb_build_object('event', repeat('Start', 1000))
  )
  $$,
  'TK409', format('a step cannot go from enqueued to in_progress by event "%s"', repeat('Start', 20)),
  'a long event is refused, and the message shows only its beginning'
);
select is(tasker.get_current_step_state(tasker_test.the_step('top')), 'enqueued', 'the step keeps its state');

select * from finish();
rollback;
