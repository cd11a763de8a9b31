begin;
select plan(7);

select tasker_test.make_task();

select throws_ok(
  format(
    'select tasker.transition_task_state_atomic(tasker_test.the_task(), %L, %L, null, %L)',
    'pending', 'initializing', m.metadata
  ),
  'TK422', m.message,
  m.what
)
  from (values
    ('null',              'the metadata of a transition is not a JSON object', 'the null of JSON'),
    ('["reason"]',        'the metadata of a transition is not a JSON object', 'an array'),
    ('"reason"',          'the metadata of a transition is not a JSON object', 'a text'),
    ('{"event": 5}',      '"event" of a transition is not a text', 'an event that is a number'),
    ('{"reason": null}',  '"reason" of a transition is not a text', 'a reason that is null'),
    ('{"error": []}',     '"error" of a transition is not a text', 'an error that is an array')
  ) as m (metadata, message, what);

select is(tasker.get_current_task_state(tasker_test.the_task()), 'pending', 'the task keeps its state');

select * from finish();
rollback;
