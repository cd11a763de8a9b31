begin;
select plan(24);

select tasker_test.start_task();
select tasker_test.move_step(tasker_test.the_step('top'), 'in_progress');

select throws_ok(
  format(
    'select tasker.transition_step_state_atomic(tasker_test.the_step(%L), %L, %L, null, %L)',
    'top', 'in_progress', 'enqueued_as_error_for_orchestration', m.metadata
  ),
  'TK422', m.message,
  m.what
)
  from (values
    ('null',                             'the metadata of a transition is not a JSON object', 'the null of JSON'),
    ('[]',                               'the metadata of a transition is not a JSON object', 'an array'),
    ('[{"reason": "x"}]',                'the metadata of a transition is not a JSON object', 'an array of objects'),
    ('"reason"',                         'the metadata of a transition is not a JSON object', 'a text'),
    ('5',                                'the metadata of a transition is not a JSON object', 'a number'),
    ('true',                             'the metadata of a transition is not a JSON object', 'a truth value'),
    ('{"event": 5}',                     '"event" of a transition is not a text', 'an event that is a number'),
    ('{"event": null}',                  '"event" of a transition is not a text', 'an event that is null'),
    ('{"reason": {"a": "b"}}',           '"reason" of a transition is not a text', 'a reason that is an object'),
    ('{"reason": ["a"]}',                '"reason" of a transition is not a text', 'a reason that is an array'),
    ('{"error": {"message": "x"}}',      '"error" of a transition is not a text', 'an error that is an object'),
    ('{"error": null}',                  '"error" of a transition is not a text', 'an error that is null'),
    ('{"execution_time_ms": "5"}',       '"execution_time_ms" of a transition is not a whole number of at most nine digits', 'a time that is a text'),
    ('{"execution_time_ms": -5}',        '"execution_time_ms" of a transition is not a whole number of at most nine digits', 'a negative time'),
    ('{"execution_time_ms": 1.5}',       '"execution_time_ms" of a transition is not a whole number of at most nine digits', 'a time with a fraction'),
    ('{"execution_time_ms": 1000000000}', '"execution_time_ms" of a transition is not a whole number of at most nine digits', 'a time of ten digits'),
    ('{"execution_time_ms": 1e400}',     '"execution_time_ms" of a transition is not a whole number of at most nine digits', 'a time of four hundred'),
    ('{"execution_time_ms": null}',      '"execution_time_ms" of a transition is not a whole number of at most nine digits', 'a time that is null'),
    ('{"backoff_seconds": "5"}',         '"backoff_seconds" of a transition is not a whole number of at most nine digits', 'a wait that is a text'),
    ('{"backoff_seconds": -1}',          '"backoff_seconds" of a transition is not a whole number of at most nine digits', 'a negative wait'),
    ('{"backoff_seconds": 0.5}',         '"backoff_seconds" of a transition is not a whole number of at most nine digits', 'a wait with a fraction'),
    ('{"backoff_seconds": 4294967296}',  '"backoff_seconds" of a transition is not a whole number of at most nine digits', 'a wait that no integer holds'),
    ('{"backoff_seconds": []}',          '"backoff_seconds" of a transition is not a whole number of at most nine digits', 'a wait that is an array')
  ) as m (metadata, message, what);

select is(tasker.get_current_step_state(tasker_test.the_step('top')), 'in_progress', 'the step is where it was');

select * from finish();
rollback;
