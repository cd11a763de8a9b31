begin;
select plan(23);

create function pg_temp.problem(p_step jsonb) returns text language sql as $$
  select (array_agg(p.path || ': ' || p.problem))[1]
    from tasker.validate_task_template(jsonb_build_object('namespace', 'n', 'name', 't', 'steps', jsonb_build_array(p_step || '{"name": "a"}'))) as p;
$$;
select is(pg_temp.problem(c.step::jsonb), 'steps[0].' || c.problem, c.step)
  from (values
    ('{"await": 3}', 'await: must be an object or an array of objects'),
    ('{"await": [3]}', 'await[0]: must be an object'),
    ('{"await": []}', 'await: must have 1 to 100 elements, not 0'),
    ('{"await": {}}', 'await: must have one of signal, event, for and until'),
    ('{"await": {"signal": "a", "for": 1}}', 'await: must have one of signal, event, for and until'),
    ('{"await": {"sgnal": "a"}}', 'await.sgnal: an await has no such field'),
    ('{"await": {"signal": "a b"}}', 'await.signal: cannot be "a b"'),
    ('{"await": {"for": "3 days"}}', 'await.for: must be seconds above 0, or a text such as 90s, 30m, 12h, 3d or 2w, up to 315360000 seconds'),
    ('{"await": {"for": -1}}', 'await.for: must be seconds above 0, or a text such as 90s, 30m, 12h, 3d or 2w, up to 315360000 seconds'),
    ('{"await": {"for": 0}}', 'await.for: must be seconds above 0, or a text such as 90s, 30m, 12h, 3d or 2w, up to 315360000 seconds'),
    ('{"await": {"until": "2026-12-24 18:00"}}', 'await.until: "2026-12-24 18:00" is neither a time nor a path'),
    ('{"await": {"for": 1, "when": "$.a == 1"}}', 'await.when: has no meaning without a signal or an event'),
    ('{"await": {"signal": "a", "when": "$.a = 1"}}', 'await.when: "$.a = 1" is not a jsonpath predicate'),
    ('{"await": {"signal": "a", "schema": {"pattern": "x"}}}', 'await: schema.pattern is not supported; the keywords are type, properties, required, enum, minimum, maximum, maxLength and items, and title, description, default, format and examples as notes'),
    ('{"await": {"signal": "a", "schema": {"items": {"type": "x"}}}}', 'await: schema.items.type must be object, array, string, number, integer, boolean or null, or a list of these'),
    ('{"await": {"signal": "a"}, "timeout_seconds": 3}', 'timeout_seconds: has no meaning for a step that waits'),
    ('{"await": {"signal": "a"}, "handler": "f"}', 'handler: has no meaning for a step that waits'),
    ('{"await": {"signal": "a"}, "retry": {}}', 'retry: has no meaning for a step that waits'),
    ('{"await": {"signal": "a"}, "on_timeout": "skip"}', 'on_timeout: has no meaning without a timeout'),
    ('{"timeout": "3d"}', 'timeout: has no meaning without await or task'),
    ('{"assignee": "ann"}', 'assignee: has no meaning without await or task')
  ) as c (step, problem);
create function pg_temp.nested(p_begin text, p_end text, p_depth integer) returns jsonb language sql as $$
  select (repeat(p_begin, p_depth) || '{"type": "x"}' || repeat(p_end, p_depth))::jsonb;
$$;
select is(
  pg_temp.problem(jsonb_build_object('await', jsonb_build_object('signal', 'a', 'schema', pg_temp.nested('{"properties": {"p": ', '}}', 16)))),
  'steps[0].await: schema' || repeat('.properties.p', 16) || ' is nested deeper than 16 levels', 'objects nested deeper than 16 levels'
);
select is(
  pg_temp.problem(jsonb_build_object('await', jsonb_build_object('signal', 'a', 'schema', pg_temp.nested('{"items": ', '}', 16)))),
  'steps[0].await: schema' || repeat('.items', 16) || ' is nested deeper than 16 levels', 'arrays nested deeper than 16 levels'
);

select * from finish();
rollback;
