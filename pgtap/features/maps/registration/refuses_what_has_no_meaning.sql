begin;
select plan(19);

create function pg_temp.problem_of(p_step jsonb) returns text language sql as $$
  select p.path || ': ' || p.problem
    from tasker.validate_task_template(jsonb_build_object(
      'namespace', 'test', 'name', 'm', 'steps', jsonb_build_array('{"name": "list"}'::jsonb, '{"name": "each"}' || p_step)
    )) as p;
$$;
select is(pg_temp.problem_of('{"for_each": "$.lines"}'), null, 'a path of the context is valid');
select is(pg_temp.problem_of('{"for_each": {"step": "list"}, "dependencies": ["list"], "max_parallel": 2, "allow_failures": 0}'), null, 'a dependency is valid');
select is(pg_temp.problem_of('{"for_each": 7}'), 'steps[1].for_each: must be a path or an object', 'a number is refused');
select is(pg_temp.problem_of('{"for_each": {"path": "$"}}'), 'steps[1].for_each.step: is missing', 'an object needs a step');
select is(pg_temp.problem_of('{"for_each": {"stepp": "list", "step": "list"}, "dependencies": ["list"]}'), 'steps[1].for_each.stepp: a for_each has no such field', 'an object has no other fields');
select is(pg_temp.problem_of('{"for_each": {"step": "list"}}'), 'steps[1].for_each.step: "list" is not a dependency of this step', 'the step of for_each must be a dependency');
select is(pg_temp.problem_of('{"for_each": "lines"}'), 'steps[1].for_each: "lines" is not a path to an array', 'a path must begin with $');
select is(pg_temp.problem_of('{"for_each": "$.lines["}'), 'steps[1].for_each: "$.lines[" is not a path to an array', 'a path must be a valid jsonpath');
select is(pg_temp.problem_of('{"for_each": {"step": "list", "path": "$.**.a.**"}, "dependencies": ["list"]}'), 'steps[1].for_each.path: "$.**.a.**" is not a path to an array', 'a path that is expensive to evaluate is refused');
select is(pg_temp.problem_of('{"for_each": "$", "await": {"signal": "go"}}'), 'steps[1].await: has no meaning for a step with for_each', 'a map cannot wait');
select is(pg_temp.problem_of('{"for_each": "$", "task": {"name": "other", "context": {"n": "$inputs.element.n", "i": {"path": "$inputs.index"}}}}'), null, 'a map may start tasks, whose context has parts of the element');
select is(pg_temp.problem_of('{"task": {"name": "other", "context": {"n": "$inputs.element"}}}'), 'steps[1].task.context.n: "$inputs.element" is not a jsonpath', 'a step that is no map has no element');
select is(pg_temp.problem_of('{"for_each": "$", "task": {"name": "other"}, "handler": "h"}'), 'steps[1].handler: has no meaning for a step that starts a task', 'a map that starts tasks has no handler');
select is(pg_temp.problem_of('{"max_parallel": 2}'), 'steps[1].max_parallel: has no meaning without for_each', 'max_parallel needs for_each');
select is(pg_temp.problem_of('{"allow_failures": 2}'), 'steps[1].allow_failures: has no meaning without for_each', 'allow_failures needs for_each');
select is(pg_temp.problem_of('{"for_each": "$", "max_parallel": 0}'), 'steps[1].max_parallel: must be a whole number from 1 to 65535, not 0', 'a max_parallel of zero is refused');
select is(pg_temp.problem_of('{"for_each": "$", "allow_failures": 1.5}'), 'steps[1].allow_failures: must be a whole number from 0 to 65535, not 1.5', 'allow_failures must be a whole number');
select is(
  tasker.normalize_template('{"namespace": "test", "name": "m", "steps": [{"name": "a", "for_each": "$.lines", "max_parallel": 3.0}]}') #> '{steps,0}',
  tasker.normalize_template('{"namespace": "test", "name": "m", "steps": [{"name": "a", "for_each": "$ . lines", "max_parallel": 3, "allow_failures": null}]}') #> '{steps,0}',
  'a map has one normal form'
);
select is(
  tasker.normalize_template('{"namespace": "test", "name": "m", "steps": [{"name": "a", "for_each": "$.lines", "task": {"name": "b"}, "max_parallel": 3}]}') #> '{steps,0}',
  '{"join": "all", "name": "a", "task": {"name": "b", "context": {"path": "$inputs.element"}}, "for_each": {"path": "$.\"lines\""}, "dependencies": [], "max_parallel": 3}',
  'the normal form says that a task gets its element'
);

select * from finish();
rollback;
