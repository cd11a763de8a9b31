begin;
select plan(24);

select tasker_test.start_task();
select tasker_test.move_step(tasker_test.the_step('top'), 'in_progress');

create function pg_temp.attempt(p_metadata text)
  returns boolean
  language sql
as $$
  select tasker.transition_step_state_atomic(
    tasker_test.the_step('top'), 'in_progress', 'enqueued_as_error_for_orchestration', null, p_metadata::jsonb
  );
$$;

select throws_ok(
  format('select pg_temp.attempt(%L)', m.metadata),
  'TK422', 'the metadata of a transition is not a JSON object',
  m.what
)
  from (values
    ('null',              'the null of JSON'),
    ('[]',                'an array'),
    ('[{"reason": "x"}]', 'an array of objects'),
    ('"reason"',          'a text'),
    ('5',                 'a number'),
    ('true',              'a truth value')
  ) as m (metadata, what);

select throws_ok(
  format('select pg_temp.attempt(%L)', m.metadata),
  'TK422', format('"%s" of a transition is not a text', m.key),
  m.what
)
  from (values
    ('event',  '{"event": 5}',               'an event that is a number'),
    ('event',  '{"event": null}',            'an event that is null'),
    ('reason', '{"reason": {"a": "b"}}',     'a reason that is an object'),
    ('reason', '{"reason": ["a"]}',          'a reason that is an array'),
    ('error',  '{"error": {"message": "x"}}', 'an error that is an object'),
    ('error',  '{"error": null}',            'an error that is null')
  ) as m (key, metadata, what);

select throws_ok(
  format('select pg_temp.attempt(%L)', m.metadata),
  'TK422', format('"%s" of a transition is not a whole number of at most nine digits', m.key),
  m.what
)
  from (values
    ('execution_time_ms', '{"execution_time_ms": "5"}',        'a time that is a text'),
    ('execution_time_ms', '{"execution_time_ms": -5}',         'a negative time'),
    ('execution_time_ms', '{"execution_time_ms": 1.5}',        'a time with a fraction'),
    ('execution_time_ms', '{"execution_time_ms": 1000000000}', 'a time of ten digits'),
    ('execution_time_ms', '{"execution_time_ms": 1e400}',      'a time of four hundred'),
    ('execution_time_ms', '{"execution_time_ms": null}',       'a time that is null'),
    ('backoff_seconds',   '{"backoff_seconds": "5"}',          'a wait that is a text'),
    ('backoff_seconds',   '{"backoff_seconds": -1}',           'a negative wait'),
    ('backoff_seconds',   '{"backoff_seconds": 0.5}',          'a wait with a fraction'),
    ('backoff_seconds',   '{"backoff_seconds": 4294967296}',   'a wait that no integer holds'),
    ('backoff_seconds',   '{"backoff_seconds": []}',           'a wait that is an array')
  ) as m (key, metadata, what);

select is(tasker.get_current_step_state(tasker_test.the_step('top')), 'in_progress', 'the step keeps its state');

select * from finish();
rollback;
