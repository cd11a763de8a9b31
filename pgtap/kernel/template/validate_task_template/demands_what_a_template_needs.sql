begin;
select plan(5);

create function pg_temp.problems_of(p_template jsonb)
  returns text[]
  language sql
as $$
  select array_agg(p.path || ': ' || p.problem) from tasker.validate_task_template(p_template) as p;
$$;

select is(pg_temp.problems_of('{}'), '{"namespace: is missing","name: is missing","steps: is missing"}', 'a template needs a namespace, a name and steps');
select is(
  pg_temp.problems_of('{"namespace": null, "name": null, "steps": null}'),
  '{"namespace: is missing","name: is missing","steps: is missing"}', 'null is the same as missing'
);
select is(pg_temp.problems_of('{"namespace": "n", "name": "t", "steps": [{}]}'), '{"steps[0].name: is missing"}', 'a step needs a name');
select is(
  pg_temp.problems_of('{"namespace": "n", "name": "t", "steps": [{"name": "a", "dependencies": [{"when": "$.x"}]}]}'),
  '{"steps[0].dependencies[0].step: is missing"}', 'a dependency needs a step'
);
select is(pg_temp.problems_of(null), '{": a template must be an object"}', 'a null template is refused');

select * from finish();
rollback;
