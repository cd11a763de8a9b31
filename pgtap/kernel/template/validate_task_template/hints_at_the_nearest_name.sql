begin;
select plan(9);

create function pg_temp.hint_for(p_field text)
  returns text
  language sql
as $$
  select split_part(p.hint, '?', 1)
    from tasker.validate_task_template(
      jsonb_build_object('namespace', 'n', 'name', 't', 'steps', jsonb_build_array(jsonb_build_object('name', 'a', p_field, 1)))
    ) as p;
$$;

select is(pg_temp.hint_for('handlr'), 'Did you mean "handler"', 'a missing letter has a hint');
select is(pg_temp.hint_for('hanlder'), 'Did you mean "handler"', 'two exchanged letters have a hint');
select is(pg_temp.hint_for('jion'), 'Did you mean "join"', 'a short name has a hint');
select is(pg_temp.hint_for('Dependencies'), 'Did you mean "dependencies"', 'a capital has a hint');
select is(pg_temp.hint_for('depends_on'), 'Did you mean "dependencies"', 'a synonym has a hint');
select is(pg_temp.hint_for('timeout_second'), 'Did you mean "timeout_seconds"', 'a missing ending has a hint');
select is(
  pg_temp.hint_for('xyz'),
  'Its fields are name, description, handler, dependencies, join, retry, timeout_seconds, priority, initialization, await, timeout, on_timeout, assignee, task, for_each, max_parallel, allow_failures, compensate, limit, limit_key, sql, limit_units, limit_hold, limits, start_within, limit_bound, limit_bound_max.',
  'a name that is near no field lists all fields'
);
select is(
  (
    select p.hint
      from tasker.validate_task_template('{"namespace": "n", "name": "t", "steps": [{"name": "reserve"}, {"name": "b", "dependencies": ["resreve"]}]}') as p
  ),
  'Did you mean "reserve"?', 'a dependency has a hint, too'
);
select isnt_empty($$ select pg_temp.hint_for(repeat('handler', 100000)) $$, 'a name of any length has a hint');

select * from finish();
rollback;
