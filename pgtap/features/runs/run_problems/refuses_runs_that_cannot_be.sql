begin;
select plan(10);

create function pg_temp.problems(p_runs jsonb) returns text language sql as $$
  select string_agg(concat_ws(': ', v.path, v.problem), '; ' order by v.path)
    from tasker.validate_task_template(jsonb_build_object('namespace', 'test', 'name', 'job', 'runs', p_runs, 'steps', '[{"name": "a"}]'::jsonb)) as v;
$$;
select is(pg_temp.problems('{"key": "$.customer", "max": 3, "order": "priority", "further": "skip"}'), null, 'all fields');
select is(pg_temp.problems('{}'), null, 'no field');
select is(pg_temp.problems('{"key": "$.a["}'), 'runs.key: "$.a[" is not a jsonpath', 'a key is a jsonpath');
select is(pg_temp.problems('{"max": 0}'), 'runs.max: must be a whole number from 1 to 1000000, not 0', 'at least one');
select is(
  pg_temp.problems('{"further": "drop", "order": 1, "limit": 2}'),
  'runs.further: cannot be "drop"; it must be one of wait, skip, refuse, cancel_running, replace_waiting; runs.limit: a runs has no such field; runs.order: must be a string',
  'choices and fields'
);
select is(pg_temp.problems('{"sequence": true, "max": 2}'), 'runs.max: must be 1 in a sequence', 'a sequence is one after the other');
select is(pg_temp.problems('{"sequence": true, "further": "cancel_running"}'), 'runs.further: cannot be cancel_running in a sequence', 'a failed task cannot be cancelled');
select is(pg_temp.problems('[]'), 'runs: must be an object', 'an object');
select tasker.register_task_template('{"namespace": "test", "name": "job", "runs": {"key": "$.\"customer\""}, "steps": [{"name": "a"}]}');
select is(
  (select t.template -> 'runs' from tasker.get_task_template('test', 'job') as t),
  '{"key": "$.\"customer\"", "max": 1, "order": "created", "further": "wait", "sequence": false}', 'its normal form has the defaults'
);
select is((select r.created from tasker.register_task_template('{"namespace": "test", "name": "job", "runs": {"key": "$.customer", "max": 1}, "steps": [{"name": "a"}]}') as r), false, 'the same in other words is the same');

select * from finish();
rollback;
