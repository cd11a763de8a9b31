begin;
select plan(15);

create function pg_temp.problem(p_step jsonb) returns text language sql as $$
  select (array_agg(p.path || ': ' || p.problem))[1]
    from tasker.validate_task_template(jsonb_build_object('namespace', 'n', 'name', 't', 'steps', jsonb_build_array(p_step || '{"name": "a"}'))) as p;
$$;
select is(pg_temp.problem(c.step::jsonb), c.problem, c.step)
  from (values
    ('{"await": {"event": "a"}}', null),
    ('{"await": [{"event": "a", "key": "$.x", "when": "$.n == 1", "look_back": "2d"}, {"event": "a"}, {"signal": "s"}, {"for": 1}]}', null),
    ('{"await": {"event": "a", "signal": "b"}}', 'steps[0].await: must have one of signal, event, for and until'),
    ('{"await": {"event": "a b"}}', 'steps[0].await.event: cannot be "a b"'),
    ('{"await": {"event": "$diverged"}}', 'steps[0].await.event: cannot be "$diverged"'),
    ('{"await": {"event": "a", "key": ""}}', 'steps[0].await.key: must have 1 to 500 characters'),
    ('{"await": {"event": "a", "key": 17}}', 'steps[0].await.key: must be a string'),
    ('{"await": {"event": "a", "key": "$.("}}', 'steps[0].await.key: "$.(" is not a path'),
    ('{"await": {"signal": "a", "key": "b"}}', 'steps[0].await.key: has no meaning without an event'),
    ('{"await": {"for": 1, "look_back": 1}}', 'steps[0].await.look_back: has no meaning without an event'),
    ('{"await": {"event": "a", "look_back": "yesterday"}}', 'steps[0].await.look_back: must be seconds above 0, or a text such as 90s, 30m, 12h, 3d or 2w, up to 315360000 seconds'),
    ('{"await": {"event": "a", "schema": {"type": "object"}}}', 'steps[0].await.schema: has no meaning without a signal'),
    ('{"await": {"event": "a", "when": "$.a = 1"}}', 'steps[0].await.when: "$.a = 1" is not a jsonpath predicate')
  ) as c (step, problem);
select is(
  (select r.created from tasker.register_task_template('{"namespace": "n", "name": "t", "steps": [{"name": "a", "await": {"event": "go", "when": "$.a   ==  1"}}]}') as r),
  true, 'a template with a step that waits for an event is registered'
);
select is(
  (select r.created from tasker.register_task_template('{"namespace": "n", "name": "t", "steps": [{"name": "a", "await": [{"event": "go", "look_back": "1m", "when": "$.a == 1", "key": null}]}]}') as r),
  false, 'the same template in other words is not registered again'
);

select * from finish();
rollback;
