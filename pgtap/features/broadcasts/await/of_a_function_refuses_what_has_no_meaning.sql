begin;
select plan(6);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.begin_function();
select throws_ok(format('select tasker_test.suspend(1, %L)', c.wait), 'TK422', 'the wait of a function is malformed: ' || c.problem, c.wait)
  from (values
    ('{"await": {"event": "a b"}}', '"a b" is no name of an event'),
    ('{"await": {"event": "a", "key": "$.order"}}', 'key must be a text, not a path'),
    ('{"await": {"event": "a", "key": ["b"]}}', 'key must be a text of 1 to 500 characters'),
    ('{"await": {"event": "a", "look_back": "1 second"}}', 'look_back is not a duration: 1 second'),
    ('{"await": {"signal": "a", "key": "b"}}', 'await.key has no meaning without an event')
  ) as c (wait, problem);
select is(tasker_test.states(), 'steps_in_process: work=in_progress after=pending', 'the refused call leaves the step in progress');

select * from finish();
rollback;
