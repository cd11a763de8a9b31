begin;
select plan(14);

create function pg_temp.problems_of(p_step jsonb)
  returns text[]
  language sql
as $$
  select array_agg(p.path || ': ' || p.problem)
    from tasker.validate_task_template(
      jsonb_build_object('namespace', 'n', 'name', 't', 'steps', jsonb_build_array('{"name": "a"}'::jsonb || p_step))
    ) as p;
$$;

select is(pg_temp.problems_of('{"retry": {"max_attempts": 1}}'), null, 'one attempt is valid');
select is(pg_temp.problems_of('{"retry": {"max_attempts": 0}}'), array['steps[0].retry.max_attempts: must be a whole number from 1 to 10000, not 0'], 'zero attempts are refused');
select is(pg_temp.problems_of('{"retry": {"max_attempts": 10000}}'), null, 'ten thousand attempts are valid');
select is(pg_temp.problems_of('{"retry": {"max_attempts": 10001}}'), array['steps[0].retry.max_attempts: must be a whole number from 1 to 10000, not 10001'], 'more than ten thousand attempts are refused');
select is(pg_temp.problems_of('{"retry": {"max_attempts": 1.5}}'), array['steps[0].retry.max_attempts: must be a whole number from 1 to 10000, not 1.5'], 'one and a half attempts are refused');
select is(pg_temp.problems_of('{"retry": {"max_attempts": 2.0}}'), null, 'a whole number with a fraction of zero is valid');
select is(pg_temp.problems_of('{"retry": {"base_seconds": 0}}'), array['steps[0].retry.base_seconds: must be a number from 0.001 to 86400, not 0'], 'a base of zero seconds is refused');
select is(pg_temp.problems_of('{"retry": {"multiplier": 0.9}}'), array['steps[0].retry.multiplier: must be a number from 1 to 100, not 0.9'], 'a multiplier below one is refused');
select is(pg_temp.problems_of('{"retry": {"backoff": "constant", "multiplier": 2}}'), array['steps[0].retry.multiplier: has no meaning with a constant backoff'], 'a constant backoff with a multiplier is refused');
select is(pg_temp.problems_of('{"priority": 1e400}'), array['steps[0].priority: must be a whole number from -1000000 to 1000000, not 1000000000000000000000000000000000000000'], 'a number beyond every type is refused');
select is(pg_temp.problems_of('{"join": "both"}'), array['steps[0].join: cannot be "both"; it must be one of all, any, settled, first'], 'an unknown join is refused');
select is(pg_temp.problems_of(jsonb_build_object('name', repeat('n', 128))), null, 'a name of 128 characters is valid');
select is(pg_temp.problems_of(jsonb_build_object('name', repeat('n', 129))), array[format('steps[0].name: cannot be "%s"', repeat('n', 100))], 'a name of 129 characters is refused');
select is(pg_temp.problems_of(jsonb_build_object('description', repeat('d', 10001))), array['steps[0].description: must have 0 to 10000 characters'], 'a description that is too long is refused');

select * from finish();
rollback;
