begin;
select plan(7);

create function pg_temp.problems_of(p_change jsonb)
  returns text[]
  language sql
as $$
  select array_agg(p.path || ': ' || p.problem)
    from tasker.validate_task_template('{"namespace": "n", "name": "t", "steps": []}'::jsonb || p_change) as p;
$$;

select is(pg_temp.problems_of('{}'), null, 'the smallest template is valid');
select is(pg_temp.problems_of('{"colour": 1}'), '{"colour: a template has no such field"}', 'an unknown field of a template is refused');
select is(pg_temp.problems_of('{"lifecycle": {"days": 1}}'), '{"lifecycle.days: a lifecycle has no such field"}', 'an unknown field of a lifecycle is refused');
select is(pg_temp.problems_of('{"steps": [{"name": "a", "colour": 1}]}'), '{"steps[0].colour: a step has no such field"}', 'an unknown field of a step is refused');
select is(pg_temp.problems_of('{"steps": [{"name": "a", "retry": {"times": 1}}]}'), '{"steps[0].retry.times: a retry has no such field"}', 'an unknown field of a retry is refused');
select is(
  pg_temp.problems_of('{"steps": [{"name": "a"}, {"name": "b", "dependencies": [{"step": "a", "if": "$.x"}]}]}'),
  '{"steps[1].dependencies[0].if: a dependency has no such field"}', 'an unknown field of a dependency is refused'
);
select is(pg_temp.problems_of('{"steps": [{"name": "a", "Name": "a"}]}'), '{"steps[0].Name: a step has no such field"}', 'a field in capitals is refused');

select * from finish();
rollback;
