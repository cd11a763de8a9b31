begin;
select plan(10);

create function pg_temp.problems_of(p_steps jsonb)
  returns text[]
  language sql
as $$
  select array_agg(p.path || ': ' || p.problem)
    from tasker.validate_task_template(jsonb_build_object('namespace', 'n', 'name', 't', 'steps', p_steps)) as p;
$$;

select is(pg_temp.problems_of('{}'), '{"steps: must be an array"}', 'steps must be an array');
select is(pg_temp.problems_of('[1, "a", null, []]'), array['steps[0]: must be an object', 'steps[1]: must be an object', 'steps[2]: must be an object', 'steps[3]: must be an object'], 'each step must be an object');
select is(pg_temp.problems_of('[{"name": 1}]'), '{"steps[0].name: must be a string"}', 'a name must be a string');
select is(pg_temp.problems_of('[{"name": "a", "retry": true}]'), '{"steps[0].retry: must be an object"}', 'a retry must be an object');
select is(pg_temp.problems_of('[{"name": "a", "retry": {"retryable": "yes"}}]'), '{"steps[0].retry.retryable: must be a boolean"}', 'retryable must be a boolean');
select is(pg_temp.problems_of('[{"name": "a", "timeout_seconds": "5"}]'), '{"steps[0].timeout_seconds: must be a number"}', 'timeout_seconds must be a number');
select is(pg_temp.problems_of('[{"name": "a", "dependencies": "b"}]'), '{"steps[0].dependencies: must be an array"}', 'dependencies must be an array');
select is(
  pg_temp.problems_of('[{"name": "a", "dependencies": [1]}]'),
  '{"steps[0].dependencies[0]: must be the name of a step or an object"}', 'each dependency must be a name or an object'
);
select is(pg_temp.problems_of('[{"name": "a", "initialization": [1]}]'), '{"steps[0].initialization: must be an object"}', 'the initialization must be an object');
select is(
  (select p.problem from tasker.validate_task_template('[]') as p), 'a template must be an object', 'the template must be an object'
);

select * from finish();
rollback;
