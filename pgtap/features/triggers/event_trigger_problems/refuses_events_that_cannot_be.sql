begin;
select plan(15);

select tasker_test.take_turn();
select is(
  (select string_agg(p.path || ': ' || p.problem, '; ') from tasker.validate_task_template('{"namespace": "test", "name": "x", "steps": []}'::jsonb || c.more) as p),
  c.problem, c.more::text
)
  from (values
    ('{"start_on": null, "cancel_on": null}'::jsonb, null),
    ('{"start_on": {"event": "e", "key": null, "when": "$.a == 1", "context": {"a": "$.b", "c": {"value": "$"}, "d": {"e": 1}}}}', null),
    ('{"identity_strategy": "caller_provided", "start_on": [{"event": "e", "identity": "$.a"}], "cancel_on": [{"event": "e"}, {"event": "f", "identity": "x"}]}', null),
    ('{"start_on": 7}', 'start_on: must be an object or an array of objects'),
    ('{"start_on": []}', 'start_on: must have 1 to 20 elements, not 0'),
    ('{"start_on": [7]}', 'start_on[0]: must be an object'),
    ('{"start_on": {}}', 'start_on.event: is missing'),
    ('{"start_on": [{"event": "e"}, {"event": "a b"}]}', 'start_on[1].event: cannot be "a b"'),
    ('{"start_on": {"event": "e", "for": 1}}', 'start_on.for: a start_on has no such field'),
    ('{"start_on": {"event": "e", "when": "$.a = 1"}}', 'start_on.when: "$.a = 1" is not a jsonpath predicate'),
    ('{"start_on": {"event": "e", "context": {"a": "$.(", "b": {"step": "c"}}}}', 'start_on.context.a: "$.(" is not a jsonpath; start_on.context.b: refers to a step'),
    ('{"start_on": {"event": "e", "identity": "$.a"}}', 'start_on.identity: has no meaning without the identity strategy "caller_provided"'),
    ('{"cancel_on": {"event": "e"}}', 'cancel_on: needs the identity strategy "caller_provided"'),
    ('{"identity_strategy": "caller_provided", "cancel_on": {"event": "e", "identity": "$.("}}', 'cancel_on.identity: "$.(" is not a jsonpath')
  ) as c (more, problem);

select from tasker.register_task_template('{"namespace": "test", "name": "x", "steps": [], "start_on": {"event": "e", "when": "$.a==1", "key": null, "context": {"a": null}}}');
select is(
  (select t.template - '{namespace,name,version,identity_strategy,on_failure,lifecycle,steps}'::text[] from tasker.get_task_template('test', 'x') as t),
  '{"start_on": [{"event": "e", "when": "($.\"a\" == 1)", "context": {"a": null}}]}', 'a list in normal form'
);

select * from finish();
rollback;
