begin;
select plan(7);

create function pg_temp.problems_of(p_change jsonb)
  returns text[]
  language sql
as $$
  select array_agg(p.path || ': ' || p.problem)
    from tasker.validate_task_template('{"namespace": "n", "name": "t", "steps": []}'::jsonb || p_change) as p;
$$;

select is(pg_temp.problems_of('{}'), null, 'the smallest template');
select is(pg_temp.problems_of('{"colour": 1}'), '{"colour: a template has no such field"}', 'of the template');
select is(pg_temp.problems_of('{"lifecycle": {"days": 1}}'), '{"lifecycle.days: a lifecycle has no such field"}', 'of its lifecycle');
select is(pg_temp.problems_of('{"steps": [{"name": "a", "colour": 1}]}'), '{"steps[0].colour: a step has no such field"}', 'of a step');
select is(pg_temp.problems_of('{"steps": [{"name": "a", "retry": {"times": 1}}]}'), '{"steps[0].retry.times: a retry has no such field"}', 'of its retry');
select is(
  pg_temp.problems_of('{"steps": [{"name": "a"}, {"name": "b", "dependencies": [{"step": "a", "if": "$.x"}]}]}'),
  '{"steps[1].dependencies[0].if: a dependency has no such field"}', 'of a dependency'
);
select is(pg_temp.problems_of('{"steps": [{"name": "a", "Name": "a"}]}'), '{"steps[0].Name: a step has no such field"}', 'capitals matter');

select * from finish();
rollback;
