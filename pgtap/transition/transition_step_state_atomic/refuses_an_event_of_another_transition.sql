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
  'the event that led to where it is'
);
select throws_ok(
  $$
  select tasker.transition_step_state_atomic(
    tasker_test.the_step('top'), 'enqueued', 'in_progress', null, '{"event": "start"}'
  )
  $$,
  'TK409', 'a step cannot go from enqueued to in_progress by event "start"',
  'the right one in another spelling'
);
select throws_ok(
  $$
  select tasker.transition_step_state_atomic(
    tasker_test.the_step('top'), 'enqueued', 'in_progress', null, '{"event": ""}'
  )
  $$,
  'TK409', 'a step cannot go from enqueued to in_progress by event ""',
  'an empty one'
);
select throws_ok(
  $$
  select tasker.transition_step_state_atomic(
    tasker_test.the_step('top'), 'enqueued', 'in_progress', null, '{"event": "Start''; drop schema tasker; --"}'
  )
  $$,
  'TK409', 'a step cannot go from enqueued to in_progress by event "Start''; drop schema tasker; --"',
  'a hostile one'
);
select throws_ok(
  $$
  select tasker.transition_step_state_atomic(
    tasker_test.the_step('top'), 'enqueued', 'in_progress', null, jsonb_build_object('event', repeat('Start', 1000))
  )
  $$,
  'TK409', format('a step cannot go from enqueued to in_progress by event "%s"', repeat('Start', 20)),
  'a long one, of which the message shows the beginning'
);
select is(tasker.get_current_step_state(tasker_test.the_step('top')), 'enqueued', 'the step is where it was');

select * from finish();
rollback;
