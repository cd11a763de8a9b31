begin;
select plan(5);

create function pg_temp.problems_of(p_template jsonb)
  returns text[]
  language sql
as $$
  select array_agg(p.path || ': ' || p.problem) from tasker.validate_task_template(p_template) as p;
$$;

select is(pg_temp.problems_of('{}'), '{"namespace: is missing","name: is missing","steps: is missing"}', 'the template''s names and steps');
select is(
  pg_temp.problems_of('{"namespace": null, "name": null, "steps": null}'),
  '{"namespace: is missing","name: is missing","steps: is missing"}', 'null is as good as nothing'
);
select is(pg_temp.problems_of('{"namespace": "n", "name": "t", "steps": [{}]}'), '{"steps[0].name: is missing"}', 'a step''s name');
select is(
  pg_temp.problems_of('{"namespace": "n", "name": "t", "steps": [{"name": "a", "dependencies": [{"when": "$.x"}]}]}'),
  '{"steps[0].dependencies[0].step: is missing"}', 'a dependency''s step'
);
select is(pg_temp.problems_of(null), '{": a template must be an object"}', 'and anything at all');

select * from finish();
rollback;
