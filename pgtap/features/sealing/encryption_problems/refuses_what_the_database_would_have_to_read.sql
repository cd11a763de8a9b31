begin;
select plan(23);

create function tasker_test.problems_of(p_template jsonb)
  returns text
  language sql
begin atomic
  select string_agg(p.path || ' ' || p.problem, '; ' order by p.path) from tasker.validate_task_template('{"namespace": "test", "name": "t"}'::jsonb || p_template) as p;
end;

select is(tasker_test.problems_of(c.template::jsonb), c.problem, c.template)
  from (values
    ('{"encrypted": {"clear": ["customer", "lines", "at"]}, "input_schema": {"required": ["customer"]}, "steps": [
       {"name": "a", "for_each": "$.lines[*]"}, {"name": "b", "limit": "l", "limit_key": "$.\"customer\".id"},
       {"name": "c", "await": [{"signal": "s"}, {"event": "e", "key": "$.customer", "when": "$.ok == true"}, {"until": "$.at"}]},
       {"name": "d", "task": {"name": "t2"}}, {"name": "e", "dependencies": ["a"], "task": {"name": "t2", "context": {"step": "a"}}},
       {"name": "f", "task": {"name": "t2", "context": {"customer": "$.customer", "all": "$", "n": 7}}}]}', null),
    ('{"encrypted": {}, "steps": [{"name": "a"}]}', null),
    ('{"encrypted": {"clear": "customer"}, "steps": []}', 'encrypted.clear is not a list of at most 20 names of fields of the context'),
    ('{"encrypted": {"clear": ["pgtasker"]}, "steps": []}', 'encrypted.clear is not a list of at most 20 names of fields of the context'),
    ('{"encrypted": {"key": "k"}, "steps": []}', 'encrypted has a field other than "clear"'),
    ('{"encrypted": {}, "input_schema": {"required": ["card"]}, "steps": []}', 'input_schema checks the field "card", which is encrypted'),
    ('{"encrypted": {}, "input_schema": {"properties": {"card": {}}}, "steps": []}', 'input_schema checks the field "card", which is encrypted'),
    ('{"encrypted": {}, "start_on": {"event": "e"}, "steps": []}', 'start_on starts tasks with a context from the payload of an event, which is not encrypted'),
    ('{"encrypted": {}, "steps": [{"name": "a"}, {"name": "b", "dependencies": [{"step": "a", "when": "$.ok == true"}]}]}',
     'steps[1].dependencies[0].when is a condition on a result, which is encrypted'),
    ('{"encrypted": {"clear": ["a"]}, "steps": [{"name": "b", "for_each": "$.lines"}]}', 'steps[0].for_each "$.lines" is no field of the context in the clear'),
    ('{"encrypted": {"clear": ["a"]}, "steps": [{"name": "b", "for_each": "$.a.b[$.card]"}]}',
     'steps[0].for_each "$.a.b[$.card]" is no field of the context in the clear; steps[0].for_each "$.a.b[$.card]" is not a path to an array'),
    ('{"encrypted": {"clear": ["a"]}, "steps": [{"name": "a"}, {"name": "b", "dependencies": ["a"], "for_each": {"step": "a"}}]}',
     'steps[1].for_each is an array of a result, which is encrypted'),
    ('{"encrypted": {}, "steps": [{"name": "a", "limit": "l", "limit_key": "$.customer"}]}', 'steps[0].limit_key "$.customer" is no field of the context in the clear'),
    ('{"encrypted": {"clear": ["a"]}, "runs": {"key": "$.customer"}, "steps": [{"name": "a"}]}', 'runs.key "$.customer" is no field of the context in the clear'),
    ('{"encrypted": {"clear": ["customer"]}, "runs": {"key": "$.customer", "sequence": true}, "steps": [{"name": "a"}]}', null),
    ('{"encrypted": {"clear": ["customer"]}, "runs": {}, "steps": [{"name": "a"}]}', null),
    ('{"encrypted": {}, "steps": [{"name": "a", "await": {"signal": "s", "when": "$.ok == true"}}]}', 'steps[0].await.when checks the payload of a signal, which is encrypted'),
    ('{"encrypted": {}, "steps": [{"name": "a", "await": {"signal": "s", "schema": {"type": "object"}}}]}', 'steps[0].await.schema checks the payload of a signal, which is encrypted'),
    ('{"encrypted": {}, "steps": [{"name": "a", "await": {"event": "e", "key": "$.order"}}]}', 'steps[0].await.key "$.order" is no field of the context in the clear'),
    ('{"encrypted": {}, "steps": [{"name": "a", "task": {"name": "t2", "context": {"card": "$.card"}}}]}', 'steps[0].task.context "$.card" is a part of an encrypted value'),
    ('{"encrypted": {}, "steps": [{"name": "a"}, {"name": "b", "dependencies": ["a"], "task": {"name": "t2", "context": {"step": "a", "path": "$.x"}}}]}',
     'steps[1].task.context {"path": "$.x", "step": "a"} is a part of an encrypted value'),
    ('{"encrypted": {}, "steps": [{"name": "a", "sql": "shop.book"}]}', 'steps[0].sql is a function of the database, which cannot read its input'),
    ('{"encrypted": {}, "steps": [{"name": "a", "compensate": "sql:shop.book"}]}', 'steps[0].compensate is a function of the database, which cannot read its input')
  ) as c (template, problem);

select * from finish();
rollback;
