begin;
select plan(17);

select tasker_test.take_turn();
create function pg_temp.problem(p_schema jsonb) returns text language sql as $$
  select string_agg(p.path || ': ' || p.problem, '; ')
    from tasker.validate_task_template(jsonb_build_object('namespace', 'test', 'name', 'x', 'steps', '[]'::jsonb, 'input_schema', p_schema)) as p;
$$;
select is(pg_temp.problem(c.schema), c.problem, left(c.schema::text, 60))
  from (values
    ('null'::jsonb, null),
    ('{}', null),
    ('{"properties": {"a": {"title": 7, "description": 7, "default": {}, "format": [], "examples": 7}}}', null),
    ('{"type": ["object", "null"]}', null),
    ('{"type": "object", "required": ["a"], "properties": {"a": {"type": ["integer", "null"], "enum": [null, 1]}}}', null),
    ('7', 'input_schema: must be an object'),
    ('{"pattern": "x"}', 'input_schema.pattern: is not supported; the keywords are type, properties, required, enum, minimum, maximum, maxLength and items, and title, description, default, format and examples as notes'),
    ('{"type": "array"}', 'input_schema.type: must be object'),
    ('{"type": "x"}', 'input_schema.type: must be object, array, string, number, integer, boolean or null, or a list of these'),
    ('{"type": []}', 'input_schema.type: must be object, array, string, number, integer, boolean or null, or a list of these'),
    ('{"type": ["object", 7]}', 'input_schema.type: must be object, array, string, number, integer, boolean or null, or a list of these'),
    ('{"properties": {"a": {"type": null}}}', 'input_schema.properties.a.type: must be object, array, string, number, integer, boolean or null, or a list of these'),
    ('{"properties": {"a": {"minimum": "1"}}}', 'input_schema.properties.a.minimum: must be a number'),
    (jsonb_build_object('description', repeat('x', 16384)), 'input_schema: has more than 16,384 bytes')
  ) as c (schema, problem);

select throws_ok(
  $$ select tasker.register_task_template('{"namespace": "test", "name": "x", "steps": [], "input_schema": {"const": 1}}') $$,
  'TK422', 'input_schema.const: is not supported; the keywords are type, properties, required, enum, minimum, maximum, maxLength and items, and title, description, default, format and examples as notes',
  'a registration refuses it'
);
-- The schema is content.
select from tasker.register_task_template('{"namespace": "test", "name": "x", "steps": [], "input_schema": {"properties": {"a": {"enum": [null]}}}}');
select is(
  (select t.template -> 'input_schema' from tasker.get_task_template('test', 'x') as t),
  '{"properties": {"a": {"enum": [null]}}}', 'the template has it as it was given'
);
select throws_ok(
  $$ select tasker.register_task_template('{"namespace": "test", "name": "x", "steps": []}') $$, 'TK409',
  'template "test/x" version "0.1.0" is registered with other content', 'the version without it is another one'
);

select * from finish();
rollback;
