begin;
select plan(15);

select tasker_test.take_turn();
select is(
  (select string_agg(p.path || ': ' || p.problem, '; ') from tasker.validate_task_template(jsonb_build_object(
    'namespace', 'test', 'name', 'x', 'steps', jsonb_build_array('{"name": "p"}'::jsonb, '{"name": "a", "dependencies": ["p"]}'::jsonb || c.step)
  )) as p),
  c.problem, c.step::text
)
  from (values
    ('{"task": {"name": "x", "context": {"a": "$.n", "b": {"step": "p"}, "c": [1], "d": {"step": 1}}}}'::jsonb, null),
    ('{"task": {"name": "x", "version": null, "namespace": null, "context": null, "abandon": null}}', null),
    ('{"task": {}}', 'steps[1].task.name: is missing'),
    ('{"task": {"name": "x", "key": "y"}}', 'steps[1].task.key: a task has no such field'),
    ('{"task": {"name": "x y"}}', 'steps[1].task.name: cannot be "x y"'),
    ('{"task": {"name": "x"}, "handler": "h"}', 'steps[1].handler: has no meaning for a step that starts a task'),
    ('{"task": {"name": "x"}, "limit": "l"}', 'steps[1].limit: has no meaning for a step that starts a task'),
    ('{"task": {"name": "x"}, "await": {"signal": "s"}}', 'steps[1].await: has no meaning for a step that starts a task'),
    ('{"task": {"name": "x"}, "on_timeout": "skip"}', 'steps[1].on_timeout: has no meaning without a timeout'),
    ('{"task": {"name": "x", "context": {"a": {"step": "q"}}}}', 'steps[1].task.context.a: "q" is not a dependency of this step'),
    ('{"task": {"name": "x", "context": {"a": "$.("}}}', 'steps[1].task.context.a: "$.(" is not a jsonpath')
  ) as c (step, problem);

select throws_ok(
  $$ select tasker.register_task_template('{"namespace": "test", "name": "x", "steps": [{"name": "a", "task": 7}]}') $$,
  'TK422', 'steps[0].task: must be an object', 'a task that is not an object is refused'
);
select is(
  (select p.hint from tasker.validate_task_template('{"namespace": "test", "name": "x", "steps": [{"name": "a", "limit": "l", "task": {"name": "x"}}]}') as p),
  'How many of its tasks run at once for each key is bounded by runs in the template of the task.', 'the hint names what bounds tasks'
);
-- Children by added steps.
select tasker_test.family();
select tasker.fire_due_timers();
select is((select count(*) from tasker.add_steps(tasker_test.parent(), '[{"name": "more", "task": {"name": "child"}}]')), 1::bigint, 'a step that starts a task can be added');
select tasker.orchestrate();
select tasker.fire_due_timers();
select is((select count(*) from tasker.get_task_tree(tasker_test.parent())), 3::bigint, 'the added step starts its task');

select * from finish();
rollback;
